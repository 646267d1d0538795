"""Spans: stretches of documents, written `d1[10:90]`, the characters from 10 up to 90, which is not one of them."""

from __future__ import annotations

import re
from typing import NamedTuple

import polars as pl

from catchrate.errors import InputError, shown
from catchrate.tables.checks import first_true

LARGEST_END = 10**9
"""Characters of the longest document."""
ALLOWED = "write (doc, start, end) with whole numbers, 0 <= start <= end, or doc[start:end]"
_SPELLING = re.compile(r"(.*)\[(-?[0-9]{1,10}):(-?[0-9]{1,10})\]", re.DOTALL)


class Span(NamedTuple):
    """A stretch of a document."""

    doc: str
    start: int
    """The place of its first character, counted from 0."""
    end: int
    """The place behind its last character."""


def spelled(doc: object, start: object, end: object) -> str:
    """Return how a span is written; what is none is written all the same, so that it can be refused where it stands.

    >>> spelled("d1", 10, 90)
    'd1[10:90]'
    """
    return f"{doc}[{_number(start)}:{_number(end)}]"


def _number(value: object) -> str:
    return shown(value, 30) if isinstance(value, str | bool) else str(value)


def fault_of(text: str) -> str | None:
    """Return what is wrong with a span, or None."""
    found = _SPELLING.fullmatch(text)
    if found is None or not found[1]:
        return f"{shown(text, 60)} is no span"
    start, end = int(found[2]), int(found[3])
    if start < 0:
        return f"the span {shown(text, 60)} starts before its document"
    if end < start:
        return f"the span {shown(text, 60)} ends before it starts"
    return f"the span {shown(text, 60)} ends behind character {LARGEST_END:,}" if end > LARGEST_END else None


def parse_span(text: str) -> Span:
    """Return the span that is written.

    >>> parse_span("d1[10:90]")
    Span(doc='d1', start=10, end=90)
    """
    doc, _, places = text.rpartition("[")
    start, _, end = places.rstrip("]").partition(":")
    return Span(doc, int(start), int(end))


def refuse_odd_spans(rows: pl.DataFrame, name: str) -> None:
    """Refuse rows whose text is no span; raises InputError for the first."""
    faults = pl.Series([fault_of(text) for text in rows["text"].to_list()], dtype=pl.String)
    row = first_true(faults.is_not_null())
    if row is not None:
        raise InputError.of("E289", f"query {shown(rows['query'][row])}: {faults[row]}", fix=ALLOWED, file=name)

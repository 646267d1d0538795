"""What the calculator asks for, and how one entry - a number, or text that somebody typed - becomes a number."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from numbers import Integral, Real
from typing import NamedTuple

from catchrate.errors import Finding, shown
from catchrate.limits import MAX_CURVE_POINTS, MAX_NUMBER


class Field(NamedTuple):
    """One entry of the calculator."""

    name: str
    label: str
    help: str
    """What to enter, in one sentence."""
    optional: bool = False


FIELDS: dict[str, Field] = {
    field.name: field
    for field in (
        Field("queries", "Queries", "How many queries were evaluated."),
        Field("relevant", "Relevant documents", "How many documents are judged relevant, over all queries."),
        Field("k", "Cut-off K", "How many results of each query were looked at."),
        Field("found", "Relevant found", "How many of the relevant documents are among the first K, over all queries."),
        Field("hits", "Queries with a hit", "For how many queries the first K hold at least one relevant document."),
        Field(
            "retrieved", "Documents retrieved", "How many documents the first K hold; K x queries if left out.", True
        ),
        Field("target", "Recall target", "The recall to reach, such as 80% or 0.8.", True),
        Field("cutoffs", "Cut-offs", "Several cut-offs, rising, such as 1, 3, 5, 10.", True),
        Field("found_at", "Found at each", "How many relevant documents were found at each of them.", True),
    )
}
"""Every entry by its name, in the order in which people know them."""

EXAMPLE: dict[str, str] = {
    "queries": "40",
    "relevant": "120",
    "k": "10",
    "found": "83",
    "hits": "34",
    "retrieved": "400",
    "target": "80%",
    "cutoffs": "1, 3, 5, 10, 20",
    "found_at": "18, 39, 57, 83, 102",
}
"""Entries that show everything the calculator can say."""


class Problem(NamedTuple):
    """What is wrong with an entry."""

    field: str
    finding: Finding

    def named(self, name: str) -> Finding:
        """Return the finding with the name of its entry in front."""
        return replace(self.finding, message=f"{name}: {self.finding.message}")


class EntryError(Exception):
    """An entry that is no number; it never leaves this room."""

    def __init__(self, code: str, message: str, fix: str) -> None:
        super().__init__(message)
        self.finding = Finding(code=code, message=message, fix=fix)


@dataclass(frozen=True, slots=True, kw_only=True)
class Totals:
    """The entries as numbers that agree with each other."""

    queries: int
    relevant: int
    k: int
    found: int
    hits: int
    retrieved: int
    target: float | None = None
    """The recall to reach, as a share."""
    cutoffs: tuple[int, ...] = ()
    found_at: tuple[int, ...] = ()


def whole(value: object, least: int) -> int:
    """Return an entry as a whole number. Raises EntryError."""
    number = _whole_or_none(value)
    if number is None:
        raise EntryError("E350", f"{shown(value)} is not a whole number", "write digits only, such as 120")
    if not least <= number <= MAX_NUMBER:
        message = f"{shown(value)} is {'below' if number < least else 'above'} what is possible"
        raise EntryError("E350", message, f"it is a whole number from {least} to {MAX_NUMBER:,}")
    return number


def wholes(value: object, least: int) -> tuple[int, ...]:
    """Return an entry as whole numbers: a list, or text with commas between them. Raises EntryError."""
    if isinstance(value, str):
        value = [part for part in re.split(r"[,;\s]+", value.strip()) if part]
    if not isinstance(value, Iterable) or isinstance(value, bytes):
        raise EntryError("E350", f"{shown(value)} is not a list of numbers", "write them as 1, 3, 5, 10")
    parts = list(value)
    if len(parts) > MAX_CURVE_POINTS:
        message = f"{len(parts):,} numbers are more than a curve can show"
        raise EntryError("E353", message, f"give at most {MAX_CURVE_POINTS}")
    return tuple(whole(part, least) for part in parts)


def share(value: object) -> float:
    """Return an entry as a share of 1: 0.8, 80 and 80% are the same. Raises EntryError."""
    number, percent = _number(value)
    if percent or number > 1:  # a share above 1 does not exist: it can only be percent
        number /= 100
    if not 0 < number <= 1:
        raise EntryError("E352", f"{shown(value)} is not a share", "write it as 80% or 0.8")
    return float(number)


def _whole_or_none(value: object) -> int | None:
    if isinstance(value, str):
        text = value.strip()
        short = re.fullmatch(r"[-+]?[0-9]{1,30}", text)  # Python itself refuses to read very long ones
        return int(text) if short else 10**30 if re.fullmatch(r"[0-9]+", text) else None
    return int(value) if isinstance(value, Integral) and not isinstance(value, bool) else None


def _number(value: object) -> tuple[Fraction, bool]:
    """Return a number, exactly as it is written, and whether a percent sign follows; 0 for what is no number."""
    if isinstance(value, str):
        match = re.fullmatch(r"([0-9]{1,9}|[0-9]{0,9}\.[0-9]{1,30})\s*(%?)", value.strip())
        return (Fraction(match[1]), bool(match[2])) if match else (Fraction(0), False)
    if isinstance(value, bool) or not isinstance(value, Real) or not math.isfinite(value):
        return Fraction(0), False
    return Fraction(float(value)), False

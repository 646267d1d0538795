"""Python objects: mappings, lists, records and data frames, as people hold them in memory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NoReturn, cast

import polars as pl

from catchrate.errors import Finding, InputError, shown
from catchrate.formats.frames import (
    frame_of,
    frame_records,
    holds_both_lists,
    holds_lists,
    judgments_from_frame,
    ranking_from_frame,
)
from catchrate.formats.names import GRADE, QUERY
from catchrate.formats.nested import LISTS, SETS, Entries, Origin, Slots, kind_of, query_ids, slots_of
from catchrate.formats.options import ReadOptions
from catchrate.formats.records import (
    Records,
    Row,
    holds_both_fields,
    judgments_from_records,
    ranking_from_entries,
    ranking_from_records,
    records_of,
)
from catchrate.tables import Judgments, Ranking
from catchrate.tables.checks import first_repeated

SHAPES = "pass {query: {doc: number}}, {query: [docs]}, a list of lists or of records, a data frame, or a path"


def judgments_from_object(value: object, options: ReadOptions, name: str = "") -> Judgments:
    """Return the judgments in `{query: {doc: grade}}`, `{query: docs}`, lists of documents, records or a frame.

    A list without grades, and a set, means grade 1 each. Lists of lists are numbered "1", "2", ... by position.
    """
    frame, records = frame_of(value), _records(value, options, name)
    if frame is not None:
        return judgments_from_frame(frame, options, name)
    if records is not None:
        return judgments_from_records(records, options)
    entries, notes = _entries(value, options, name)
    items, more = entries.frame(GRADE)
    if GRADE not in items.columns:
        items = items.with_columns(pl.lit(1.0).alias(GRADE))
    queries = pl.DataFrame({QUERY: pl.Series(entries.queries, dtype=pl.String)})
    with entries.located():
        return Judgments.of(items, queries, duplicates=options.duplicates, notes=(*notes, *more), name=name)


def ranking_from_object(value: object, options: ReadOptions, name: str = "") -> Ranking:
    """Return the ranking in `{query: {doc: score}}`, `{query: [docs, best first]}`, lists of lists, records or a frame.

    Lists may hold (document, score) pairs; their order ranks. Lists of lists are numbered "1", "2", ... by position.
    """
    frame, records = frame_of(value), _records(value, options, name)
    if frame is not None:
        return ranking_from_frame(frame, options, name)
    if records is not None:
        return ranking_from_records(records, options)
    entries, notes = _entries(value, options, name)
    unordered = next((i for i, slots in enumerate(entries.slots) if isinstance(slots.docs, SETS)), None)
    if unordered is not None:
        message = f"query {shown(entries.queries[unordered])} has a set, which has no order"
        raise InputError.of("E260", message, fix="pass a list, best first", file=name)
    return ranking_from_entries(entries, options, notes)


def records_from_object(value: object, options: ReadOptions, name: str = "") -> Records:
    """Return records from a list of mappings or a data frame with list columns; refuse anything else."""
    frame, records = frame_of(value), _records(value, options, name)
    if frame is not None and holds_lists(frame.schema, options):
        records = frame_records(frame, options, name)
    if records is None and _is_rows(value):
        raise InputError.of("E101", "there are no records", fix="check how they were made", file=name)
    if records is None:
        message = f"records are asked for, and this is {_kind(value)}"
        fix = "pass a list of {'query': ..., 'retrieved': [...], 'ground_truth': [...]}"
        raise InputError.of("E260", message, fix=fix, file=name)
    return records


def object_holds_both(value: object, options: ReadOptions) -> bool:
    """Tell whether an object holds records with both sides."""
    frame = frame_of(value)
    if frame is not None:
        return holds_both_lists(frame.schema, options)
    rows = cast("Sequence[Row]", value)
    return _is_rows(value) and holds_both_fields(rows, Origin(), options)


def _is_rows(value: object) -> bool:
    return isinstance(value, LISTS) and all(isinstance(row, Mapping) for row in value)


def _records(value: object, options: ReadOptions, name: str) -> Records | None:
    is_records = _is_rows(value) and bool(value)
    return records_of(cast("Sequence[Row]", value), Origin(name), options) if is_records else None


def _entries(value: object, options: ReadOptions, name: str) -> tuple[Entries, tuple[Finding, ...]]:
    """Return the entries of a mapping of queries, or of a list with one list a query."""
    origin = Origin(name)
    if isinstance(value, Mapping):
        pairs = cast("Mapping[object, object]", value)
        queries, notes = _keys(list(pairs), origin)
        return Entries(queries, _all_slots(queries, list(pairs.values()), options, origin), origin), notes
    if not isinstance(value, LISTS) or any(isinstance(entry, str) for entry in value):
        fix = "pass one list for each query: [[...], [...]]" if isinstance(value, LISTS) else SHAPES
        raise InputError.of("E260", f"this is {_kind(value)}", fix=fix, file=name)
    queries = [str(number) for number in range(1, len(value) + 1)]
    return Entries(queries, _all_slots(queries, value, options, origin), origin), ()


def _keys(given: list[object], origin: Origin) -> tuple[Sequence[str], tuple[Finding, ...]]:

    def refuse(code: str, number: int, message: str) -> NoReturn:
        origin.refuse(code, number, message, fix="write query ids as text")

    queries, notes = query_ids(given, origin, refuse)
    twice = first_repeated(queries)
    if twice is not None:
        message = f"the query id {shown(twice)} is there as text and as a number"
        raise InputError.of("E238", message, fix="keep one of them", file=origin.name)
    return queries, notes


def _all_slots(queries: Sequence[str], values: Sequence[object], options: ReadOptions, origin: Origin) -> list[Slots]:
    found = [slots_of(value, texts=options.texts, spans=options.spans) for value in values]
    if None in found:
        wrong = found.index(None)
        message = f"query {shown(queries[wrong])} has {kind_of(values[wrong])}"
        fix = "give it a list of documents, a list of (document, number) pairs, or {document: number}"
        raise InputError.of("E260", message, fix=fix, file=origin.name)
    return cast("list[Slots]", found)


def _kind(value: object) -> str:
    return f"{type(value).__name__} {shown(repr(value), 40)}"

"""Evaluation records: one object a query with what was asked, what came back and what should have come."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from itertools import chain
from typing import Any, NoReturn, cast

import numpy as np
import polars as pl

from catchrate.errors import Finding, InputError, shown
from catchrate.formats.json_text import parse_array, parse_lines
from catchrate.formats.names import FIELDS, GRADE, QUERY, SCORE, field_of, plain, refuse_unknown_roles
from catchrate.formats.nested import LISTS, Entries, Origin, Slots, kind_of, query_ids, slots_of, span_slots
from catchrate.formats.options import Format, ReadOptions
from catchrate.formats.query_table import query_table
from catchrate.formats.score_notes import score_notes
from catchrate.tables import Judgments, Ranking
from catchrate.tables.checks import tell

Row = Mapping[str, Any]
JUDGED = "ground_truth"
RETURNED = "retrieved"
TEXTS = {JUDGED: "gold_texts", RETURNED: "texts"}
"""The fields that hold the texts of either side, or, where texts are matched, the side itself."""
FAILURE = "failure"
"""The field that says why a question has no results."""


@dataclass(frozen=True, slots=True)
class Records:
    """Records as plain mappings, with the fields named our way."""

    rows: Sequence[Row]
    origin: Origin
    notes: tuple[Finding, ...] = ()

    def answered(self) -> Records:
        """Return the records without those of questions that failed when they were collected, with a warning."""
        failed = [number for number, row in enumerate(self.rows) if has_failed(row)]
        if not failed:
            return self
        if len(failed) == len(self.rows):
            raise InputError.of("E101", "all questions failed when they were collected", file=self.origin.name)
        names = [str(self.rows[number].get("id", self.rows[number].get(QUERY))) for number in failed]
        message = f"{len(failed):,} of {len(self.rows):,} questions failed when collected, and are not scored"
        note = tell("W297", message, pl.Series(names), file=self.origin.name)
        kept = [number for number, row in enumerate(self.rows) if not has_failed(row)]
        lines = self.origin.lines and [self.origin.lines[number] for number in kept]
        origin = replace(self.origin, lines=lines)
        return Records([self.rows[number] for number in kept], origin, (*self.notes, note))

    def holds(self, field: str) -> bool:
        """Tell whether any record has a field."""
        return any(field in row for row in self.rows)


def has_failed(row: Row) -> bool:
    """Tell whether a record is that of a question which failed when it was collected."""
    return RETURNED not in row and bool(row.get(FAILURE))


def parse_records(text: str, name: str, format: Format | None = None) -> Iterator[tuple[int, Row]]:
    """Yield the line and the content of each record of JSONL, or of one JSON array unless JSONL is asked for."""
    is_array = text.lstrip()[:1] == "[" and format != "jsonl"
    for line, value in parse_array(text, name) if is_array else parse_lines(text, name):
        if not isinstance(value, dict):
            is_list = isinstance(value, list)
            fix = "read one JSON array with format='json'" if is_list else "write one object for each query"
            raise InputError.of("E230", f"a record is {kind_of(value)}, not an object", fix=fix, file=name, line=line)
        yield line, cast("Row", value)


def records_from_text(text: str, name: str, options: ReadOptions, notes: tuple[Finding, ...] = ()) -> Records:
    """Return the records of JSONL, or of one JSON array.

    Raises InputError for what is not strict JSON, naming the line.
    """
    pairs = list(parse_records(text, name, options.format))
    origin = Origin(name, [line for line, _ in pairs], note_integers=True)
    return records_of([row for _, row in pairs], origin, options, notes)


def records_of(rows: Sequence[Row], origin: Origin, options: ReadOptions, notes: tuple[Finding, ...] = ()) -> Records:
    """Return records from mappings, their fields renamed as the options say."""
    refuse_unknown_roles(options.columns)
    if not rows:
        raise InputError.of("E101", "there are no records", fix="check how it was written", file=origin.name)
    strange = next((i for i, row in enumerate(rows) if not all(isinstance(key, str) for key in row)), None)
    if strange is not None:
        fix = "name fields with text: query, retrieved, ground_truth"
        origin.refuse("E236", strange, f"a record has the fields {shown(list(rows[strange]))}", fix=fix)
    there = set(chain.from_iterable(rows)) if options.columns else set()
    ours = {theirs: field for field, theirs in options.columns.items() if theirs in there}
    return Records([_renamed(row, ours) for row in rows] if ours else rows, origin, notes)


def holds_both_fields(rows: Iterable[Row], origin: Origin, options: ReadOptions) -> bool:
    """Tell whether the first record that has not failed has both sides; refuse what has no record, or nothing in it."""
    first = next((row for row in rows if not has_failed(row)), None)
    if first is None:
        raise InputError.of("E101", "there are no records", fix="check how it was written", file=origin.name)
    if not first:
        origin.refuse("E236", 0, "the record has no fields", fix=f"add `query`, `{RETURNED}` and `{JUDGED}`")
    return all(
        field_of(first, field, options.columns) in first or TEXTS[field] in first for field in (JUDGED, RETURNED)
    )


def _renamed(row: Row, ours: Mapping[str, str]) -> Row:
    taken = set(ours.values())
    return {ours.get(key, key): value for key, value in row.items() if key in ours or key not in taken}


def judgments_from_records(records: Records, options: ReadOptions) -> Judgments:
    """Return the judged side of records, with the texts, weights and metadata of their queries."""
    ids, notes = _query_ids(records)
    _require(records, JUDGED, options)
    entries = Entries(ids, [_judged(records, i, options) for i in range(len(ids))], records.origin)
    items, seen = entries.frame(GRADE)
    if GRADE not in items.columns:
        items = items.with_columns(pl.lit(1.0).alias(GRADE))
    queries = query_table(records.rows, ids, records.origin)
    found = (*records.notes, *notes, *seen)
    with entries.located():
        return Judgments.of(items, queries, duplicates=options.duplicates, notes=found, name=records.origin.name)


def ranking_from_records(records: Records, options: ReadOptions) -> Ranking:
    """Return the returned side of records; the order of a list ranks, a mapping ranks by its scores."""
    records = records.answered()
    ids, notes = _query_ids(records)
    _require(records, RETURNED, options)
    entries = Entries(ids, [_returned(records, i, options) for i in range(len(ids))], records.origin)
    found = (*records.notes, *notes)
    return ranking_from_entries(entries, options, found)


def ranking_from_entries(entries: Entries, options: ReadOptions, notes: tuple[Finding, ...] = ()) -> Ranking:
    """Return the ranking of lists (their order ranks) or of mappings (their scores do)."""
    frame, seen = entries.frame(SCORE)
    mapped = _all_mapped(entries)
    if options.ascending and SCORE in frame.columns:
        frame = frame.with_columns(-pl.col(SCORE))
    empty = tuple(query for query, count in zip(entries.queries, entries.counts, strict=True) if not count)
    found = (*notes, *seen, *score_notes(frame, entries.origin.name, ordered=not mapped))
    with entries.located():
        return Ranking.of(frame, ordered=not mapped, empty=empty, notes=found, name=entries.origin.name)


def _all_mapped(entries: Entries) -> bool:
    """Tell whether scores rank; refuse a mixture of mappings and lists, and scores that only some queries have."""
    first = next((slots for slots in entries.slots if slots.docs), None)
    for query, slots in enumerate(entries.slots):
        if first is None or not slots.docs:
            continue
        if slots.mapped != first.mapped or (slots.values is None) != (first.values is None):
            kinds = "mappings and lists" if slots.mapped != first.mapped else "entries with and without scores"
            message = f"query {shown(entries.queries[query])}: {kinds} are mixed"
            entries.origin.refuse("E260", query, message, fix="give all queries the same shape")
    return first is not None and first.mapped


def _query_ids(records: Records) -> tuple[Sequence[str], tuple[Finding, ...]]:
    given = [_raw_id(records, number, row) for number, row in enumerate(records.rows)]

    def refuse(code: str, number: int, message: str) -> NoReturn:
        records.origin.refuse(code, number, message, fix="give each record an `id` that is text")

    ids, notes = query_ids(given, records.origin, refuse)
    if len(set(ids)) < len(ids):
        _refuse_repeated(ids, records.origin)
    return ids, notes


def _raw_id(records: Records, number: int, row: Row) -> object:
    if "id" not in row and QUERY not in row:
        _refuse_missing(records, number, QUERY)
    return row["id"] if "id" in row else row[QUERY]


def _refuse_repeated(ids: Sequence[str], origin: Origin) -> None:
    first: dict[str, int] = {}
    for number, query in enumerate(ids):
        earlier = first.setdefault(query, number)
        if earlier != number:
            place = f"line {origin.lines[earlier]}" if origin.lines else f"record {earlier + 1}"
            message = f"the query id {shown(query)} stands on {place} already"
            origin.refuse("E238", number, message, fix="give each record an `id` of its own")


def _require(records: Records, field: str, options: ReadOptions) -> None:
    texts = TEXTS[field]
    for number, row in enumerate(records.rows):
        if row.get(field) is not None or (options.texts and row.get(texts) is not None):
            continue
        if field in row:
            message, fix = f"the field {field} is null", "write an empty list when there is nothing"
            records.origin.refuse("E236", number, message, fix=fix)
        if texts in row:
            message = f"the record has {texts} and no {field}"
            fix = f"match texts with match='covered', or add the ids as `{field}`"
            records.origin.refuse("E236", number, message, fix=fix)
        _refuse_missing(records, number, field)


def _refuse_missing(records: Records, number: int, field: str) -> NoReturn:
    keys = [key for key in records.rows[number] if key not in FIELDS]
    near = get_close_matches(plain(field), [plain(key) for key in keys], n=1, cutoff=0.5)
    key = next((key for key in keys if near and plain(key) == near[0]), None)
    there = ", ".join(shown(key, 40) for key in list(records.rows[number])[:12])
    message = f"the record has no field {field}; it has {there or 'no fields'}"
    fix = f"rename {shown(key)} to {field}, or read it with columns={{'{field}': {key!r}}}" if key else f"add `{field}`"
    records.origin.refuse("E236", number, message, fix=fix)


def _judged(records: Records, number: int, options: ReadOptions) -> Slots:
    slots = _slots(records, number, JUDGED, options)
    return _with_parallel(records, number, slots, "grades", JUDGED)


def _returned(records: Records, number: int, options: ReadOptions) -> Slots:
    slots = _slots(records, number, RETURNED, options)
    if isinstance(slots.docs, set | frozenset):
        records.origin.refuse("E260", number, "retrieved is a set, which has no order", fix="pass a list, best first")
    return _with_parallel(records, number, slots, "scores", RETURNED)


def _slots(records: Records, number: int, field: str, options: ReadOptions) -> Slots:
    row, texts = records.rows[number], TEXTS[field]
    if row.get(field) is None:  # texts alone, which are matched
        return _checked(records, number, texts, slots_of(row[texts], texts=True, spans=options.spans))
    alone = row.get(texts) is None or (options.spans and span_slots(row[field]) is not None)
    how = {"texts": options.texts and alone, "spans": options.spans and alone}
    slots = _checked(records, number, field, slots_of(row[field], **how))
    if options.spans and not alone:
        located = _checked(records, number, texts, slots_of(row[texts], spans=True))
        return replace(slots, texts=_parallel(records, number, slots, located.texts, texts), spans=True)
    return slots if options.spans else replace(slots, texts=_texts(records, number, slots, row.get(texts), texts))


def _checked(records: Records, number: int, field: str, slots: Slots | None) -> Slots:
    if slots is None:
        message = f"the field {field} is {kind_of(records.rows[number][field])}"
        fix = f"write {field} as a list of ids, a list of [id, number] pairs, or an object of ids and numbers"
        records.origin.refuse("E236", number, message, fix=fix)
    return slots


def _with_parallel(records: Records, number: int, slots: Slots, field: str, ids: str) -> Slots:
    values = records.rows[number].get(field)
    if values is None:
        return slots
    if slots.values is not None:
        records.origin.refuse("E236", number, f"{ids} and {field} both hold numbers", fix=f"leave {field} out")
    return replace(slots, values=_parallel(records, number, slots, values, field))


def _texts(records: Records, number: int, slots: Slots, texts: object, field: str) -> Any:
    if texts is None:
        return slots.texts
    if isinstance(texts, Mapping):
        return [cast("Mapping[object, object]", texts).get(doc) for doc in slots.docs]
    return _parallel(records, number, slots, texts, field)


def _parallel(records: Records, number: int, slots: Slots, values: object, field: str) -> Sequence[object]:
    values = values.tolist() if isinstance(values, np.ndarray) else values
    if not isinstance(values, LISTS):
        records.origin.refuse("E236", number, f"the field {field} is {kind_of(values)}", fix="write a list")
    if len(values) != len(slots.docs):
        message = f"{field} has {len(values):,} entries for {len(slots.docs):,} ids"
        records.origin.refuse("E237", number, message, fix="write one entry for each id")
    return cast("Sequence[object]", values)

"""Entries per query, as Python values hold them, to rows: lists, mappings, pairs and objects become columns.

The common case (all ids text, all values floats) runs without a Python loop over documents; whatever else is found
takes a slower look, value by value, which converts or refuses.
"""

from __future__ import annotations

import hashlib
import numbers
from array import array
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import chain
from typing import NoReturn, cast

import numpy as np
import polars as pl

from catchrate.errors import Finding, InputError, shown
from catchrate.formats.names import DOC, GRADE, SCORE, TEXT, Role, find_column
from catchrate.limits import MAX_ID_BYTES
from catchrate.tables.checks import tell
from catchrate.tables.spans import ALLOWED, fault_of, spelled

LISTS = (list, tuple)
SETS = (set, frozenset)


@dataclass(frozen=True, slots=True)
class Origin:
    """Where values came from, so that a finding can name it."""

    name: str = ""
    """The input, as the caller named it."""
    lines: Sequence[int] | None = None
    """The line of each query, for inputs that have lines."""
    note_integers: bool = False
    """Whether ids that are whole numbers are worth a note, as they are in JSON."""

    def refuse(self, code: str, query: int, message: str, *, fix: str = "") -> NoReturn:
        """Refuse what stands at a query, counted from 0."""
        raise InputError.of(code, message, fix=fix, file=self.name, line=self.lines[query] if self.lines else None)


@dataclass(frozen=True, slots=True)
class Slots:
    """What stands at one query, as parallel columns."""

    docs: Collection[object]
    values: Collection[object] | None = None
    texts: Collection[object] | None = None
    mapped: bool = False
    """True for mappings, which have no order of their own."""
    spans: bool = False
    """Whether the texts are spans."""


def slots_of(entry: object, *, texts: bool = False, spans: bool = False) -> Slots | None:
    """Return the columns of a mapping, or of a list of ids, pairs or objects; None for anything else.

    With `texts`, what stands where an id is expected is a text unless there is one beside it, and is named by itself.
    With `spans`, these texts are spans.
    """
    if spans:
        slots = span_slots(entry) or slots_of(entry, texts=True)
        return slots and replace(slots, spans=True)
    slots = _slots_of(entry, texts=texts)
    return named_by_text(slots) if texts and slots else slots


def _slots_of(entry: object, *, texts: bool) -> Slots | None:
    # asking an abstract class is slow
    if type(entry) is dict or (type(entry) is not list and isinstance(entry, Mapping)):
        return Slots(entry.keys(), entry.values(), mapped=True)
    if isinstance(entry, np.ndarray | pl.Series):
        entry = entry.tolist() if isinstance(entry, np.ndarray) else entry.to_list()
    if isinstance(entry, SETS):
        return Slots(entry)
    if not isinstance(entry, LISTS):
        return None
    if not entry or type(entry[0]) not in (dict, *LISTS):  # most lists hold ids, and are long
        return Slots(entry)
    kinds = set(map(type, entry))
    if kinds == {dict}:
        return _slots_of_objects(cast("Sequence[dict[str, object]]", entry), texts=texts)
    if kinds <= {list, tuple}:
        return _slots_of_pairs(cast("Sequence[Sequence[object]]", entry))
    return Slots(entry)


def _slots_of_pairs(pairs: Sequence[Sequence[object]]) -> Slots | None:
    if set(map(len, pairs)) != {2}:
        return None
    docs, values = zip(*pairs, strict=True)
    return Slots(docs, values)


def _slots_of_objects(objects: Sequence[dict[str, object]], *, texts: bool) -> Slots | None:
    names = [name for name in dict.fromkeys(chain.from_iterable(objects)) if isinstance(name, str)]
    doc = next((name for name in ("id", "key") if name in names), None) or find_column(names, DOC)
    text = find_column(names, TEXT)
    doc = doc or (text if texts else None)
    if doc is None:
        return None
    value = "value" if "value" in names else find_column(names, GRADE) or find_column(names, SCORE)
    column = {name: [entry.get(name) for entry in objects] for name in (doc, value, text) if name}
    return Slots(column[doc], column.get(value or ""), column.get(text or ""))


def span_slots(entry: object) -> Slots | None:
    """Return the columns of a list of `(doc, start, end)`, perhaps with a number, or of objects; None for others."""
    if not isinstance(entry, LISTS) or not entry:
        return None
    kinds = set(map(type, entry))
    if kinds == {dict}:
        return _slots_of_span_objects(cast("Sequence[dict[str, object]]", entry))
    rows = cast("Sequence[Sequence[object]]", entry)
    if not kinds <= {list, tuple} or {len(row) for row in rows} not in ({3}, {4}):
        return None
    written = [spelled(*row[:3]) for row in rows]
    return Slots(written, [row[3] for row in rows] if len(rows[0]) == 4 else None, written)


def _slots_of_span_objects(objects: Sequence[dict[str, object]]) -> Slots | None:
    names = [name for name in dict.fromkeys(chain.from_iterable(objects)) if isinstance(name, str)]
    doc = find_column([name for name in names if name != "id"], DOC)
    if doc is None or not {"start", "end"} & set(names):
        return None
    written = [spelled(entry.get(doc), entry.get("start"), entry.get("end")) for entry in objects]
    value = find_column(names, GRADE) or find_column(names, SCORE)
    ids = [entry.get("id", text) for entry, text in zip(objects, written, strict=True)]
    return Slots(ids, [entry.get(value) for entry in objects] if value else None, written)


def named_by_text(slots: Slots) -> Slots:
    """Return slots whose entries are texts with ids made of these; those that have texts already stay as they are."""
    if slots.texts is not None:
        return slots
    ids = [id_of_text(doc) if isinstance(doc, str) else doc for doc in slots.docs]
    return replace(slots, docs=ids, texts=slots.docs)


NAME_CHARS = 60
"""How much of a text its id shows."""


def id_of_text(text: str) -> str:
    """Return an id that shows the beginning of a text; equal texts share it, and no others do.

    >>> id_of_text("Paris is the capital of France.")
    'Paris is the capital of France.'
    """
    begin = " ".join(text[: 4 * NAME_CHARS].split())[:NAME_CHARS]
    if begin and begin == text and begin.isprintable():
        return text
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    return f"{''.join(char if char.isprintable() else ' ' for char in begin)}… [{digest}]"


@dataclass(frozen=True, slots=True)
class Entries:
    """The slots of all queries."""

    queries: Sequence[str]
    slots: Sequence[Slots]
    origin: Origin

    @property
    def counts(self) -> list[int]:
        """How many entries stand at each query."""
        return [len(slots.docs) for slots in self.slots]

    def frame(self, role: Role) -> tuple[pl.DataFrame, tuple[Finding, ...]]:
        """Return the rows: `query`, `doc`, perhaps `grade` or `score`, perhaps `text`, and what was noticed."""
        docs, notes = self._ids()
        of_row = np.repeat(np.arange(len(self.queries)), self.counts)
        columns = [pl.Series("query", self.queries, dtype=pl.String).gather(of_row), docs]
        if any(slots.values is not None for slots in self.slots):
            columns.append(pl.Series(role, self._numbers(role)))
        if any(slots.texts is not None for slots in self.slots):
            columns.append(self._texts())
        return pl.DataFrame(columns), notes

    @contextmanager
    def located(self) -> Iterator[None]:
        """Turn the rows in the findings of a table check into places of this input."""
        try:
            yield
        except InputError as error:
            found = [self._located(finding) for finding in error.findings]
            raise InputError(found, total=error.total) from error

    def _located(self, finding: Finding) -> Finding:
        if finding.line is None:
            return finding
        query = self._query_of(finding.line - 1)
        line = self.origin.lines[query] if self.origin.lines else None
        return replace(finding, line=line, message=f"query {shown(self.queries[query])}: {finding.message}")

    def _query_of(self, row: int) -> int:
        return int(np.searchsorted(np.cumsum(self.counts), row, side="right"))

    def _refuse(self, code: str, row: int, message: str, fix: str) -> NoReturn:
        query = self._query_of(row)
        self.origin.refuse(code, query, f"query {shown(self.queries[query])}: {message}", fix=fix)

    def _ids(self) -> tuple[pl.Series, tuple[Finding, ...]]:
        given = list(chain.from_iterable(slots.docs for slots in self.slots))

        def refuse(code: str, row: int, message: str) -> NoReturn:
            self._refuse(code, row, message, "write ids as text")

        texts, notes = text_ids(given, "document", self.origin, refuse)
        return pl.Series("doc", texts, dtype=pl.String), notes

    def _numbers(self, role: Role) -> np.ndarray:
        ones = (slots.values if slots.values is not None else [1.0] * len(slots.docs) for slots in self.slots)
        given = list(chain.from_iterable(ones))
        fix = "give it a number" if role == GRADE else "give it a number, or leave out all scores"
        return floats(given, role, lambda code, row, said: self._refuse(code, row, said, fix))

    def _texts(self) -> pl.Series:
        nothing = ([None] * len(slots.docs) if slots.texts is None else slots.texts for slots in self.slots)
        given = list(chain.from_iterable(nothing))
        if not set(map(type, given)) <= {str, type(None)}:
            row = next(i for i, text in enumerate(given) if not isinstance(text, str | None))
            self._refuse("E236", row, f"a text is {kind_of(given[row])}", "write texts as text, or null")
        if any(slots.spans for slots in self.slots):
            self._refuse_odd_spans(given)
        return pl.Series("text", given, dtype=pl.String)

    def _refuse_odd_spans(self, given: Sequence[object]) -> None:
        for row, text in enumerate(given):
            fault = fault_of(text if isinstance(text, str) else "")
            if fault:
                self._refuse("E289", row, fault, ALLOWED)


Refusal = Callable[[str, int, str], NoReturn]
"""What to call with a code, a position and what was found."""


def text_ids(
    given: Sequence[object], what: str, origin: Origin, refuse: Refusal
) -> tuple[Sequence[str], tuple[Finding, ...]]:
    """Return ids as text: whole numbers become their decimal digits, anything else is refused."""
    texts = cast("Sequence[str]", given)
    try:
        joined = "".join(texts)
    except TypeError:  # some id is no text
        texts = _digits(given) or [_text_id(position, value, refuse) for position, value in enumerate(given)]
        joined = "".join(texts)
    _refuse_odd_characters(texts, joined, refuse)
    return texts, () if texts is given else _integer_note(texts, given, what, origin)


def _digits(given: Sequence[object]) -> list[str] | None:
    """Return the digits of ids that are all plain whole numbers; None for any others."""
    if set(map(type, given)) != {int}:
        return None
    whole = cast("Sequence[int]", given)
    return list(map(str, whole)) if min(whole) > -_LARGEST_ID and max(whole) < _LARGEST_ID else None


def _integer_note(texts: Sequence[str], given: Sequence[object], what: str, origin: Origin) -> tuple[Finding, ...]:
    if not origin.note_integers and set(map(type, given)) == {int}:
        return ()
    whole = [text for text, value in zip(texts, given, strict=True) if not isinstance(value, str)]
    if not origin.note_integers and len(whole) == len(texts):
        return ()
    message = f"{len(whole):,} {what} ids are whole numbers; they are read as their digits"
    return (tell("N235", message, pl.Series(whole), file=origin.name),)


def query_ids(given: Sequence[object], origin: Origin, refuse: Refusal) -> tuple[Sequence[str], tuple[Finding, ...]]:
    """Return query ids as text; refuse empty and huge ones too, for which tables know no place."""
    texts, notes = text_ids(given, "query", origin, refuse)
    for position, text in enumerate(texts):
        if not text:
            refuse("E255", position, "a query id is empty")
        if len(text) * 4 > MAX_ID_BYTES and len(text.encode()) > MAX_ID_BYTES:
            refuse("E108", position, f"a query id of {len(text.encode()):,} bytes, {shown(text, 40)}")
    return texts, notes


def _text_id(position: int, value: object, refuse: Refusal) -> str:
    if isinstance(value, str):
        return str(value)
    if not isinstance(value, numbers.Integral) or isinstance(value, bool) or abs(int(value)) >= _LARGEST_ID:
        refuse("E234", position, f"an id is {kind_of(value)}")
    return str(int(value))


def _refuse_odd_characters(texts: Sequence[str], joined: str, refuse: Refusal) -> None:
    if "\0" in joined:
        refuse("E105", next(i for i, text in enumerate(texts) if "\0" in text), "an id holds a NUL character")
    if joined.isascii():
        return
    try:
        joined.encode()
    except UnicodeEncodeError:
        position = next(i for i, text in enumerate(texts) if any("\ud800" <= char <= "\udfff" for char in text))
        refuse("E104", position, f"an id holds half of a character, {shown(texts[position], 40)}")


_KIND_CODES: dict[Role, str] = {GRADE: "E202", SCORE: "E214"}
_NAN_CODES: dict[Role, str] = {GRADE: "E202", SCORE: "E211"}
_LARGEST_ID = 10**40
_HUGE_CODES: dict[Role, str] = {GRADE: "E204", SCORE: "E213"}


def floats(given: Sequence[object], role: Role, refuse: Refusal) -> np.ndarray:
    """Return numbers as float64; refuse what is no number, NaN, or too large."""
    try:
        values = np.frombuffer(array("d", cast("Sequence[float]", given)))
    except Exception:  # noqa: BLE001 - converting a value runs code of its own class
        position, error = _odd_number(given)
        codes = _HUGE_CODES if isinstance(error, OverflowError) else _KIND_CODES
        refuse(codes[role], position, f"a {role} is {kind_of(given[position])}")
    bad = np.isnan(values)
    if bad.any():
        refuse(_NAN_CODES[role], int(bad.argmax()), f"a {role} is NaN")
    return values


def _odd_number(given: Sequence[object]) -> tuple[int, Exception]:
    """Return the position of the first value that is no number, and why it is none."""
    for position, value in enumerate(given):
        try:
            array("d", [cast("float", value)])
        except Exception as error:  # noqa: BLE001
            return position, error
    raise AssertionError("all values are numbers")


def kind_of(value: object) -> str:
    """Return what a value is, and what it looks like, for a message."""
    if value is None:
        return "null"
    if isinstance(value, int) and value.bit_length() > 1_000:
        return f"a whole number of {value.bit_length():,} bits"
    return f"{type(value).__name__} {shown(value, 40)}"

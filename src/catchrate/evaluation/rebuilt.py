"""Scores built again from what a file holds, with nothing in it taken on trust."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self, cast

import numpy as np
import numpy.typing as npt
import polars as pl

from catchrate.alignment import Aligned, Policy
from catchrate.errors import CODES, Finding, InputError, shown, visible
from catchrate.evaluation.evaluate import measured_as
from catchrate.evaluation.scores import Scores
from catchrate.later import Later
from catchrate.measures import Measure, parse
from catchrate.measures.arrays import Alignment, Hits, Lengths, repeated
from catchrate.tables import Judgments
from catchrate.tables.digest import query_digests

Ints = npt.NDArray[np.int64]
WHOLES, TEXTS, NUMBERS = pl.List(pl.Int64), pl.List(pl.String), pl.List(pl.Float64)
TYPES: dict[str, Any] = {
    "query": pl.String,
    "judged.docs": TEXTS,
    "judged.grades": NUMBERS,
    "judged.digest": pl.String,
    "run.known": pl.Boolean,
    "run.returned": pl.Int64,
    "found.slots": WHOLES,
    "found.items": WHOLES,
}
"""The columns that every file has, with their types."""
TOLD = ("message", "fix", "file")
LENGTHS = "run.lengths"
ABOUT = "query."
"""Stands before the name of whatever else is known of a query."""
CLOSE = 1e-9
"""Values closer than that differ by the rounding of another machine alone."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class SavedTable:
    """What a file of saved scores holds, by its parts."""

    measures: tuple[Measure, ...]
    policy: Policy
    provenance: Mapping[str, object]
    notes: tuple[Finding, ...]
    missing: int
    ignored: int
    digest: str
    rows: pl.DataFrame

    @classmethod
    def of(cls, head: object, rows: pl.DataFrame, form: int) -> Self:
        """Read the head of a file. Raises a CatchrateError or another error for a head that was not saved by us."""
        said = cast("Mapping[str, Any]", head)
        if said["form"] != form:
            raise InputError.of("E322", "these scores were saved by another version", fix="save them again")
        provenance = cast("Mapping[str, Any]", said["provenance"])
        return cls(
            measures=tuple(parse(str(name)) for name in said["measures"]),
            policy=_policy(provenance),
            provenance=dict(provenance),
            notes=tuple(_note(note) for note in said["notes"]),
            missing=_count(said["missing"]),
            ignored=_count(said["ignored"]),
            digest=str(said["digest"]),
            rows=rows,
        )


def _policy(provenance: Mapping[str, Any]) -> Policy:
    """Return the policy; how texts were matched and measured is done and said already."""
    said = {name: value for name, value in provenance["policies"].items() if name not in ("match", "length")}
    return Policy(**said, dialect=provenance["dialect"])


def rebuilt(saved: SavedTable, name: str) -> Scores:
    """Return the scores again. Raises InputError where the parts of a file do not belong together."""
    _refuse_columns(saved.rows, [str(measure) for measure in saved.measures], name)
    judgments, arrays = _judgments(saved.rows, name), _arrays(saved.rows, name)
    aligned = Aligned(
        arrays=arrays,
        queries=judgments.queries,
        items=judgments.items,
        in_run=saved.rows["run.known"].to_numpy(),
        missing=saved.missing,
        ignored=saved.ignored,
        notes=(),
        digest=Later.known(saved.digest),
    )
    scores = measured_as(aligned, saved.measures, saved.policy, notes=saved.notes, provenance=saved.provenance)
    _refuse_other_values(scores, saved.rows, name)
    return scores


def _note(note: Mapping[str, Any]) -> Finding:
    code = str(note["code"])
    if code not in CODES:
        raise ValueError(code)
    message, fix, file, *sample = (visible(str(text or "")) for text in (*map(note.get, TOLD), *note["sample"]))
    return Finding(code=code, message=message, fix=fix, file=file, count=_count(note["count"]), sample=tuple(sample))


def _count(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < 1 << 62:
        raise ValueError(value)
    return value


def _wrong(what: str, name: str) -> InputError:
    return InputError.of("E322", f"these scores cannot be used: {what}", fix="evaluate and save again", file=name)


def _refuse_columns(rows: pl.DataFrame, measures: Sequence[str], name: str) -> None:
    lengths = {LENGTHS: WHOLES} if LENGTHS in rows.columns else {}
    for column, kind in (TYPES | lengths | dict.fromkeys(measures, pl.Float64)).items():
        if column not in rows.columns:
            raise _wrong(f"there is no column {shown(column)}", name)
        values = rows[column]
        if values.dtype != kind:
            raise _wrong(f"the column {shown(column)} holds {values.dtype}", name)
        if values.null_count() or (isinstance(kind, pl.List) and values.explode().null_count() > _empty(values)):
            raise _wrong(f"the column {shown(column)} has gaps", name)


def _empty(lists: pl.Series) -> int:
    return int((lists.list.len() == 0).sum())


def _flat(rows: pl.DataFrame, column: str) -> pl.Series:
    """Return the values of all lists one after the other; a list without values adds nothing."""
    lists = rows[column]
    return lists.filter(lists.list.len() > 0).explode()


def _numbers(rows: pl.DataFrame, column: str) -> Ints:
    """Return the row of each value of a column of lists."""
    return np.repeat(np.arange(rows.height), rows[column].list.len().to_numpy())


def _refuse_unequal(rows: pl.DataFrame, one: str, other: str, name: str) -> None:
    if not rows[one].list.len().equals(rows[other].list.len()):
        raise _wrong(f"{shown(one)} and {shown(other)} have lists of different lengths", name)


def _judgments(rows: pl.DataFrame, name: str) -> Judgments:
    """Return what was judged, in the order in which it was saved, which is the one that all judgments have."""
    _refuse_unequal(rows, "judged.docs", "judged.grades", name)
    about = [column for column in rows.columns if column.startswith(ABOUT)]
    queries = rows.select("query", *about).rename({column: column.removeprefix(ABOUT) for column in about})
    items = pl.DataFrame(
        {
            "query": rows["query"].gather(_numbers(rows, "judged.docs")),
            "doc": _flat(rows, "judged.docs"),
            "grade": _flat(rows, "judged.grades"),
        }
    )
    judgments = Judgments.of(items, queries, name=name)
    if not judgments.items.equals(items) or not judgments.queries["query"].equals(queries["query"]):
        raise _wrong("the rows are in another order", name)
    if not query_digests(judgments.queries, items).equals(rows["judged.digest"]):
        raise _wrong("the digests of the judgments do not fit", name)
    return judgments


def _arrays(rows: pl.DataFrame, name: str) -> Alignment:
    _refuse_unequal(rows, "found.slots", "found.items", name)
    query = _numbers(rows, "found.slots")
    slot, place = (_flat(rows, column).to_numpy() for column in ("found.slots", "found.items"))
    judged = rows["judged.docs"].list.len().cast(pl.Int64).to_numpy()
    returned = rows["run.returned"].to_numpy()
    if (returned < 0).any() or (returned[~rows["run.known"].to_numpy()] > 0).any():
        raise _wrong("a query has an impossible number of results", name)
    if (slot < 1).any() or (slot > returned[query]).any() or (place < 0).any() or (place >= judged[query]).any():
        raise _wrong("a document is found where there is none", name)
    grade = _flat(rows, "judged.grades").to_numpy()
    item = place + (np.cumsum(judged) - judged)[query]
    order = np.lexsort((-grade[item], slot, query))
    query, slot, item = query[order], slot[order], item[order]
    return Alignment.of(
        hits=Hits(query, slot, item, grade[item], repeated(item, grade.size)),
        item_query=np.repeat(np.arange(rows.height), judged),
        item_grade=grade,
        returned=returned,
        lengths=_lengths(rows, returned, name),
    )


def _lengths(rows: pl.DataFrame, returned: Ints, name: str) -> Lengths | None:
    if LENGTHS not in rows.columns:
        return None
    values = _flat(rows, LENGTHS).to_numpy()
    if not np.array_equal(rows[LENGTHS].list.len().to_numpy(), returned) or (values < 0).any():
        raise _wrong("the lengths of what was returned do not fit", name)
    return Lengths(_numbers(rows, LENGTHS), values)


def _refuse_other_values(scores: Scores, rows: pl.DataFrame, name: str) -> None:
    """Refuse values that do not follow from what was found: somebody changed them, or what a measure means."""
    for i, measure in enumerate(scores.measures):
        said = rows[str(measure)].to_numpy()
        if not np.allclose(said, scores.values[:, i], rtol=CLOSE, atol=CLOSE):
            message = f"the values of {measure} do not follow from what was found: they were computed otherwise"
            raise _wrong(message, name)

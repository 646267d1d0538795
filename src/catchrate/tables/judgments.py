"""Judgments: which items are relevant to which query, and how much."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Self

import numpy as np
import numpy.typing as npt
import polars as pl

from catchrate.errors import Finding, InputError, shown
from catchrate.limits import MAX_GRADE, MAX_NUMBER
from catchrate.tables.checks import first_true, refuse_bad_ids, refuse_bad_numbers, tell
from catchrate.tables.digest import digest_of
from catchrate.tables.rows import lists_with_equals, query_starts

Ints = npt.NDArray[np.int64]
JudgmentDuplicates = Literal["refuse", "max", "first"]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ListedItems:
    """Judged items as Python holds them, so that nothing is made anew of their frame."""

    frame: pl.DataFrame
    """The rows that these are; of any other frame they say nothing."""
    query: Ints
    """The number of each row's query."""
    docs: list[str]
    """The documents, query by query; those of a query in any order."""
    order: Ints
    """For each row, which of these documents it has."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Judgments:
    """Judged items and the queries that they belong to, checked and in canonical order."""

    items: pl.DataFrame
    """One row a judged item: `query`, `doc`, `grade` (float) and perhaps `text`; by query, then grade from the best."""
    queries: pl.DataFrame
    """One row a judged query in byte order: `query` and perhaps `text`, `weight` and any metadata."""
    notes: tuple[Finding, ...] = ()
    """What was noticed while reading."""
    name: str = ""
    """The input, as the caller named it."""
    content: str = ""
    """A digest of the bytes that were read, if there were any."""
    known: ListedItems | None = None
    """The items as Python holds them, where that was at hand."""

    @classmethod
    def of(
        cls,
        items: pl.DataFrame,
        queries: pl.DataFrame | None = None,
        *,
        duplicates: JudgmentDuplicates = "refuse",
        notes: tuple[Finding, ...] = (),
        name: str = "",
    ) -> Self:
        """Check rows of `query, doc, grade` and put them in canonical order.

        `queries` describes the queries (text, weight, metadata) and may name queries without any judged item.
        Raises InputError for null, empty or huge ids, grades that are no number or out of range, and a pair that was
        judged twice with different grades.
        """
        refuse_bad_ids(items, ("query", "doc"), name)
        items = items.with_columns(pl.col("grade").cast(pl.Float64))
        refuse_bad_numbers(items["grade"], "E202", "a grade", name)
        _refuse_huge_grades(items, name)
        if items.is_empty() and (queries is None or queries.is_empty()):
            raise InputError.of("E101", "no judgments", file=name)
        starts = query_starts(items["query"])
        described = _all_queries(items["query"].gather(starts), queries, name)
        (ordered, lists), repeats = _in_order(items, starts, described["query"]), ()
        if lists_with_equals(ordered["doc"].hash().to_numpy(), lists).size:
            items, repeats = _without_repeats(items, duplicates, name)
            ordered, _ = _in_order(items, query_starts(items["query"]), described["query"])
        return cls(
            items=ordered,
            queries=described,
            notes=(*notes, *repeats, *negative_note(items.filter(pl.col("grade") < 0)["doc"], name)),
            name=name,
        )

    def digest(self) -> str:
        """Return the digest of what was read, or of the rows."""
        return self.content or digest_of(self.items, self.queries["query"])

    def listed(self) -> ListedItems | None:
        """Return the items as Python holds them, where that is at hand."""
        return self.known if self.known and self.known.frame is self.items else None

    def __repr__(self) -> str:
        return f"Judgments({self.queries.height:,} queries, {self.items.height:,} judged items)"


def _refuse_huge_grades(items: pl.DataFrame, name: str) -> None:
    row = first_true(items["grade"].abs() > MAX_GRADE)
    if row is not None:
        found = f"grade {items['grade'][row]:,.15g} of document {shown(items['doc'][row])}"
        raise InputError.of("E204", found, fix=f"grades lie within ±{MAX_GRADE:,}", file=name, line=row + 1)


def _without_repeats(
    items: pl.DataFrame, duplicates: JudgmentDuplicates, name: str
) -> tuple[pl.DataFrame, tuple[Finding, ...]]:
    pair = ["query", "doc"]
    clashes = items.group_by(pair, maintain_order=True).agg(pl.col("grade").unique(maintain_order=True))
    clashes = clashes.filter(pl.col("grade").list.len() > 1)
    if duplicates == "refuse" and not clashes.is_empty():
        query, doc, grades = clashes.row(0)
        message = f"query {shown(query)}, document {shown(doc)} has the grades {' and '.join(f'{g:g}' for g in grades)}"
        fix = "correct the judgments, or choose duplicates='max' or 'first'"
        raise InputError(Finding(code="E206", message=message, fix=fix, file=name), total=clashes.height)
    if duplicates == "max":
        items = items.sort("grade", descending=True, maintain_order=True)
    kept = items.unique(pair, keep="first", maintain_order=True)
    dropped = items.height - kept.height
    if not dropped:
        return items, ()
    note = Finding(code="N207", message=f"{dropped:,} repeated judgments were merged", file=name, count=dropped)
    return kept, (note,)


def _in_order(items: pl.DataFrame, starts: Ints, names: pl.Series) -> tuple[pl.DataFrame, Ints]:
    """Return items by query in the order of their names, then grade from the best, then as they came.

    `starts` is where another query begins; what comes back beside the items is where each query begins now.
    """
    number = {name: place for place, name in enumerate(names.to_list())}
    of_run = np.array([number[name] for name in items["query"].gather(starts).to_list()], np.int64)
    lengths = np.diff(starts, append=items.height)
    sizes = np.bincount(of_run, lengths, minlength=names.len()).astype(np.int64)
    order = best_first(np.repeat(of_run, lengths), items["grade"].to_numpy())
    if not (order[1:] > order[:-1]).all():
        rows = pl.Series(order.astype(np.uint32))
        columns = {name: items[name].rechunk().gather(rows) for name in items.columns if name != "query"}
        query = names.gather(np.repeat(np.arange(names.len(), dtype=np.uint32), sizes))
        items = pl.DataFrame({"query": query, **columns}).select(items.columns)
    return items.rechunk(), np.cumsum(sizes) - sizes  # what looks rows up later is several times as fast in one piece


def best_first(query: Ints, grade: npt.NDArray[np.float64]) -> Ints:
    """Return the rows by query, then grade from the best.

    Small whole grades make one key of the two, of as few bits as will do: 16 bits are sorted without comparing.
    """
    best = grade.max(initial=0)
    levels = int(best - grade.min(initial=0)) + 1
    whole = grade.astype(np.int32)
    if levels > _SMALL or not np.array_equal(whole, grade):
        return np.lexsort((-grade, query))
    key = query.astype(np.min_scalar_type((int(query.max(initial=0)) + 1) * levels))
    key *= levels
    key += np.subtract(int(best), whole, out=whole).astype(key.dtype)
    return np.argsort(key, kind="stable")


_SMALL = 1_000
"""More grades than any scale has."""


def _all_queries(judged: pl.Series, queries: pl.DataFrame | None, name: str) -> pl.DataFrame:
    if queries is None:
        return judged.unique().sort().to_frame()
    refuse_bad_ids(queries, ("query",), name)
    row = first_true(queries["query"].is_duplicated())
    if row is not None:
        found = f"query id {shown(queries['query'][row])} stands on several records"
        raise InputError.of("E238", found, fix="give each record an `id` of its own", file=name)
    _refuse_bad_weights(queries, name)
    known = queries["query"].append(judged).unique().sort().to_frame()
    return known if queries.width == 1 else known.join(queries, on="query", how="left", maintain_order="left")


def _refuse_bad_weights(queries: pl.DataFrame, name: str) -> None:
    if "weight" not in queries.columns:
        return
    weights = queries["weight"].cast(pl.Float64)
    row = first_true(weights.is_nan() | (weights > MAX_NUMBER) | (weights <= 0))
    if row is not None:
        found = f"query {shown(queries['query'][row])} has the weight {weights[row]}"
        raise InputError.of("E239", found, fix=f"give it a number above 0 and up to {MAX_NUMBER:,}", file=name)


def negative_note(docs: pl.Series, name: str) -> tuple[Finding, ...]:
    """Tell of documents with a negative grade."""
    if docs.is_empty():
        return ()
    message = f"{docs.len():,} judgments have a negative grade: in the pool, but not judged"
    return (tell("N203", message, docs, file=name),)

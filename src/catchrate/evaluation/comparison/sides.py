"""The runs of a comparison, held to the same judgments, measures, policies and queries."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import cast

import numpy as np
import polars as pl

from catchrate.alignment import Aligned
from catchrate.alignment.policy import QueryPolicy
from catchrate.errors import Finding, UsageError, shown
from catchrate.evaluation.comparison.then_and_now import judged_as_then
from catchrate.evaluation.evaluate import DEFAULT_MEASURES
from catchrate.evaluation.scores import Leaderboard, Scores
from catchrate.evaluation.subset import some_measures, some_queries
from catchrate.evaluation.totals import weights_of
from catchrate.measures.arrays import Alignment, Hits
from catchrate.tables.checks import tell

Sides = tuple[Leaderboard, tuple[Finding, ...]]
"""The runs, and what was noticed."""


def comparable(board: Mapping[str, Scores], queries: QueryPolicy | None) -> Sides:
    """Return runs that differ in what was returned and in nothing else.

    Raises UsageError when they were judged or measured otherwise, and when they answer different queries and no policy
    says what that means.
    """
    if len(board) < 2:
        raise UsageError.of("E315", "there is nothing to compare with", fix="give two runs or more")
    runs, notes = judged_as_then(_same_measures(board))
    if queries == "both":
        runs, left_out = _common_queries(runs)
        notes += left_out
    else:
        _refuse_other_queries(runs, in_run=queries is None)
    return Leaderboard(runs=_same_judgments(runs)), notes


def _same_measures(board: Mapping[str, Scores]) -> dict[str, Scores]:
    """Return the runs with the measures that all of them have, in the order of the first."""
    first = next(iter(board.values()))
    shared = [m for m in first.measures if all(m in scores.measures for scores in board.values())]
    if not shared:
        usual = " ".join(DEFAULT_MEASURES)
        raise UsageError.of("E313", "no measure was evaluated for all runs", fix=f"evaluate all with {shown(usual)}")
    runs = {name: some_measures(scores, shared) for name, scores in board.items()}
    usual_name, usual = next(iter(runs.items()))
    for name, scores in runs.items():
        if scores.computed != usual.computed or _policies(scores) != _policies(usual):
            message = f"{shown(name)} was measured under other policies than {shown(usual_name)}"
            raise UsageError.of("E313", message + _unlike(scores, usual), fix="evaluate both alike")
    return runs


def _policies(scores: Scores) -> dict[str, object]:
    """Return what numbers depend on, but for the queries, which are looked at by themselves."""
    policies = cast("Mapping[str, object]", scores.provenance["policies"])
    free = {"queries"} if any(measure.budget is not None for measure in scores.computed) else {"queries", "length"}
    kept = {name: value for name, value in policies.items() if name not in free and value is not None}
    return {**kept, "dialect": scores.provenance["dialect"]}


def _unlike(scores: Scores, usual: Scores) -> str:
    """Name the policies that differ."""
    mine, others = _policies(scores), _policies(usual)
    unlike = [name for name in sorted({*mine, *others}) if mine.get(name) != others.get(name)]
    said = [f"{name} {mine.get(name, 'none')} against {others.get(name, 'none')}" for name in unlike]
    return f": {', '.join(said)}" if said else ""


def _common_queries(runs: dict[str, Scores]) -> tuple[dict[str, Scores], tuple[Finding, ...]]:
    """Leave out the queries that some run does not have."""
    everywhere: pl.Series | None = None
    for scores in runs.values():
        names = scores.aligned.queries["query"].filter(pl.Series(scores.aligned.in_run))
        everywhere = names if everywhere is None else everywhere.filter(everywhere.is_in(names.implode()))
    assert everywhere is not None  # noqa: S101 - there are two runs
    if everywhere.is_empty():
        raise UsageError.of("E312", "no query is in all runs", fix="check that they answer the same questions")
    left_out: set[str] = set()
    kept: dict[str, Scores] = {}
    for name, scores in runs.items():
        queries = scores.aligned.queries["query"]
        keep = queries.is_in(everywhere.implode())
        left_out.update(queries.filter(~keep))
        kept[name] = some_queries(scores, keep.to_numpy())
    if not left_out:
        return kept, ()
    message = f"{len(left_out):,} queries that some run does not have were left out"
    return kept, (tell("N316", message, pl.Series(sorted(left_out))),)


def _refuse_other_queries(runs: dict[str, Scores], *, in_run: bool) -> None:
    first_name, first = next(iter(runs.items()))
    for name, scores in runs.items():
        here, there = (_answered(s.aligned, in_run=in_run) for s in (first, scores))
        if here.equals(there):
            continue
        only = [here.filter(~here.is_in(there.implode())), there.filter(~there.is_in(here.implode()))]
        counts = f"{only[0].len():,} are only in {shown(first_name)}, {only[1].len():,} only in {shown(name)}"
        count_all = "'judged' counts a missing query as an empty ranking, " if in_run else ""
        fix = f"say what that means: {count_all}queries='both' leaves out what some run does not have"
        sample = pl.concat(only).head(3).to_list()
        names = ", ".join(shown(query, 30) for query in sample)
        raise UsageError.of("E312", f"the runs have different queries: {counts}, such as {names}", fix=fix)


def _answered(aligned: Aligned, *, in_run: bool) -> pl.Series:
    queries = aligned.queries["query"]
    return queries.filter(pl.Series(aligned.in_run)) if in_run else queries


def _same_judgments(runs: dict[str, Scores]) -> dict[str, Scores]:
    """Return the runs with the items of the first in its order, which files of records may not share."""
    first_name, first = next(iter(runs.items()))
    return {name: _judged_as(first, scores, first_name, name) for name, scores in runs.items()}


_ITEM = ("query", "doc", "grade")


def _judged_as(first: Scores, scores: Scores, first_name: str, name: str) -> Scores:
    here, there = (s.aligned.items.select(_ITEM) for s in (first, scores))
    weights = [weights_of(s.aligned.queries) for s in (first, scores)]
    if here.equals(there) and _equal(*weights):
        return scores
    mine = here.with_row_index("place").sort(_ITEM)
    other = there.with_row_index("place").sort(_ITEM)
    if not mine.drop("place").equals(other.drop("place")) or not _equal(*weights):
        message = f"{shown(name)} was judged otherwise than {shown(first_name)}"
        raise UsageError.of("E313", message, fix="give all runs the same judgments")
    place = np.empty(here.height, np.int64)
    place[other["place"].to_numpy()] = mine["place"].to_numpy()
    arrays = scores.aligned.arrays
    hits = arrays.hits
    moved = Alignment.of(
        hits=Hits(hits.query, hits.slot, place[hits.item], hits.grade, hits.repeat),
        item_query=first.aligned.arrays.items.query,
        item_grade=first.aligned.arrays.items.grade,
        returned=arrays.returned,
        lengths=arrays.lengths,
        spans=arrays.spans,
    )
    return replace(scores, aligned=replace(scores.aligned, arrays=moved, items=first.aligned.items))


def _equal(a: np.ndarray | None, b: np.ndarray | None) -> bool:
    return a is b if a is None or b is None else bool(np.array_equal(a, b))

"""Each rule of a gate, held against all queries and against every slice."""

from __future__ import annotations

import operator
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from catchrate.evaluation.comparison.cells import Sums
from catchrate.evaluation.explanation import QueryValue
from catchrate.evaluation.gate.requirements import End, Floor, Margin
from catchrate.evaluation.gate.result import Check, Lost, MaxLost, Outcome, Part, Rules
from catchrate.evaluation.intervals import SUREST, Resampling, interval_of, intervals_of
from catchrate.evaluation.moved import Change, moved
from catchrate.evaluation.scores import Scores
from catchrate.evaluation.slices import slices_by
from catchrate.evaluation.subset import some_queries
from catchrate.measures.arrays import Mask
from catchrate.statistics import Interval

WORST = 5
"""How many of the worst queries are named."""
Named = tuple[str | None, Mask | None]
"""A slice and its queries; all queries have neither."""


@dataclass(frozen=True, slots=True, eq=False)
class Slice:
    """Some queries of the run, and of the baseline where there is one, with the intervals of all measures."""

    name: str | None
    scores: Scores
    baseline: Scores | None
    intervals: tuple[Interval, ...]
    how: Resampling

    def is_unchanged(self, place: int) -> bool:
        """Tell whether no query has another value of a measure than in the baseline."""
        assert self.baseline is not None  # noqa: S101 - asked for where runs are compared
        return bool(np.allclose(self.scores.values[:, place], self.baseline.values[:, place], rtol=0, atol=_SAME))


_SAME = 1e-9


def parts_of(scores: Scores, baseline: Scores | None, rules: Rules) -> list[Slice]:
    """Return all queries, then each slice; the intervals of slices are as sure together as that of all queries is."""
    named: list[Named] = [(None, None)]
    for by in rules.by:
        named += [(f"{by}={name}", mask) for name, mask in slices_by(scores.aligned, by, rel=scores.rel)]
    return [_part(scores, baseline, one, rules.resampling, max(1, len(named) - 1)) for one in named]


def _part(scores: Scores, baseline: Scores | None, named: Named, how: Resampling, slices: int) -> Slice:
    name, mask = named
    if mask is not None:
        scores, baseline = some_queries(scores, mask), baseline and some_queries(baseline, mask)
        how = replace(how, level=min(1 - (1 - how.level) / slices, SUREST))
    if baseline is None:
        return Slice(name, scores, None, intervals_of([scores], how)[0], how)
    sums = Sums.of([baseline, scores], how.cluster).differences([(0, 1)])
    clusters = None if how.cluster is None else np.arange(len(sums.columns))
    return Slice(name, scores, baseline, interval_of(sums, clusters, how), how)


# -- floors -----------------------------------------------------------------------------------------------------------


def floor_check(floor: Floor, parts: Sequence[Slice]) -> Check:
    """Hold the value of a measure, or an end of its interval, against what is required."""
    found = tuple(_floor_part(floor, part) for part in parts)
    check = Check(rule=floor, parts=found)
    return (
        check if check.outcome == "passed" else replace(check, lowest=_lowest(floor, parts[found.index(check.worst)]))
    )


def _floor_part(floor: Floor, part: Slice) -> Part:
    place = part.scores.place(floor.measure)
    interval = part.intervals[place]
    value, reason = part.scores.means[place], ""
    if floor.end != "mean":
        value, reason = _end(floor.end, value, interval, part.how)
    slack = None if value is None else floor.slack(value)
    outcome: Outcome = "cannot tell" if slack is None else "passed" if slack >= -_SAME else "failed"
    return Part(
        slice=part.name,
        queries=part.scores.queries,
        outcome=outcome,
        value=value,
        slack=slack,
        interval=interval,
        mean=part.scores.means[place],
        reason=reason,
    )


def _end(end: End, mean: float, interval: Interval, how: Resampling) -> tuple[float | None, str]:
    """Return an end of an interval, or why there is none."""
    if interval.method != "wilson" and (too_few := _too_few(interval, how)):
        return None, too_few
    low, high = interval.ends or (mean, mean)  # without an interval, every query has the same value
    return (low if end == "lower" else high), ""


def _lowest(floor: Floor, part: Slice) -> tuple[QueryValue, ...]:
    values = part.scores.values[:, part.scores.place(floor.measure)]
    order = np.argsort(values if floor.sign == ">=" else -values, kind="stable")[:WORST].tolist()
    names = part.scores.aligned.queries["query"]
    return tuple(QueryValue(query=names[row], value=float(values[row])) for row in order)


# -- margins ----------------------------------------------------------------------------------------------------------


def margin_check(margin: Margin, parts: Sequence[Slice]) -> Check:
    """Say whether a measure is worse than it was by more than a margin: only what the interval leaves out is known."""
    found = tuple(_margin_part(margin, part) for part in parts)
    check = Check(rule=margin, parts=found)
    if check.outcome == "passed":
        return check
    part = parts[found.index(check.worst)]
    assert part.baseline is not None  # noqa: S101 - margins are checked against a baseline
    place, rel = part.scores.place(margin.measure), part.scores.rel
    towards = -1 if margin.measure.row.higher_is_better else 1
    return replace(check, moved=moved(part.baseline, part.scores, place, rel, WORST, towards=towards))


def _margin_part(margin: Margin, part: Slice) -> Part:
    assert part.baseline is not None  # noqa: S101 - margins are checked against a baseline
    place = part.scores.place(margin.measure)
    difference = part.scores.means[place] - part.baseline.means[place]
    interval, sign = part.intervals[place], 1 if margin.measure.row.higher_is_better else -1
    found = Part(
        slice=part.name,
        queries=part.scores.queries,
        outcome="cannot tell",
        value=difference,
        slack=sign * difference + margin.by,
        interval=interval,
        mean=part.scores.means[place],
    )
    if part.is_unchanged(place):
        return replace(found, outcome="passed", reason="no query differs")
    if too_few := _too_few(interval, part.how):
        return replace(found, reason=too_few)
    low, high = interval.ends or (difference, difference)
    worst, best = (low, high) if sign > 0 else (-high, -low)
    if worst >= -margin.by:
        return replace(found, outcome="passed")
    return replace(found, outcome="failed") if best < -margin.by else replace(found, holds=-worst)


def _too_few(interval: Interval, how: Resampling) -> str:
    """Say that queries are too few, where even the same change in all of them could be chance."""
    if 2 ** (1.0 - min(interval.n, 1_000)) <= 1 - how.level:
        return ""
    unit = "queries" if how.cluster is None else "clusters"
    return f"{interval.n:,} {unit} are too few for a confidence of {how.level * 100:.4g}%"


# -- lost documents ---------------------------------------------------------------------------------------------------


def lost_check(rule: MaxLost, scores: Scores, baseline: Scores) -> Check:
    """Count the queries that lose a relevant document which the baseline has among its first slots."""
    lost = tuple(_lost(rule.at, scores, baseline))
    part = Part(
        slice=None,
        queries=scores.queries,
        outcome="passed" if len(lost) <= rule.most else "failed",
        value=len(lost),
        slack=float(rule.most - len(lost)),
        interval=Interval(n=scores.queries, reason="it is a count"),
    )
    return Check(rule=rule, parts=(part,), lost=lost)


def _lost(at: int, scores: Scores, baseline: Scores) -> Iterator[Lost]:
    before, now = (one.aligned.arrays.items for one in (baseline, scores))
    rows = np.flatnonzero((now.grade >= scores.rel) & before.found_within(at) & ~now.found_within(at))
    docs = scores.aligned.items["doc"].gather(pl.Series(rows)).to_list()
    by_query: dict[int, list[Change]] = {}
    for row, doc in zip(rows.tolist(), docs, strict=True):
        after = int(now.slot[row]) or None
        change = Change(doc=doc, grade=float(now.grade[row]), before=int(before.slot[row]), after=after)
        by_query.setdefault(int(now.query[row]), []).append(change)
    queries = scores.aligned.queries
    texts = queries["text"] if "text" in queries.columns else None
    for place, changes in sorted(by_query.items(), key=lambda item: -len(item[1])):
        in_order = tuple(sorted(changes, key=operator.attrgetter("grade"), reverse=True))
        yield Lost(query=queries["query"][place], text=None if texts is None else texts[place], docs=in_order)

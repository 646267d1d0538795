"""A measure at every cut-off: how much a longer list finds, and how sure that is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import takewhile
from typing import cast

import numpy as np
import numpy.typing as npt
import polars as pl

from catchrate.errors import UsageError, shown
from catchrate.evaluation.evaluate import remeasured
from catchrate.evaluation.intervals import USUAL, Resampling, clusters_of, interval_of, totals_of
from catchrate.evaluation.scores import Scores
from catchrate.evaluation.totals import Totals, beside
from catchrate.measures import Measure, choose, parse
from catchrate.measures.parameters import WHOLE
from catchrate.showing import Result
from catchrate.statistics import Interval

EACH = 20
"""Every k up to here is on a curve that is not told where to look."""
ROUND = (25, 30, 40, 50, 60, 70, 80, 90, 100, 125, 150, 175)
"""Then these; then from 200 on the same digits again and again, ten times as large."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True, repr=False)
class Curve(Result):
    """A measure of one run at several cut-offs. `curve[10]` is the mean at 10."""

    measure: Measure
    """What is measured, without a cut-off."""
    ks: tuple[int, ...]
    """The cut-offs, rising."""
    scores: Scores
    """The same as scores: one measure a cut-off."""

    @property
    def means(self) -> tuple[float, ...]:
        """The mean at each cut-off."""
        return self.scores.means

    @property
    def values(self) -> npt.NDArray[np.float64]:
        """One row a query, one column a cut-off."""
        return self.scores.values

    def interval(self, k: int, how: Resampling = USUAL) -> Interval:
        """Return how sure the mean at a cut-off is. Raises UsageError for one that is not on the curve."""
        return self.intervals(how)[self.place(k)]

    def intervals(self, how: Resampling = USUAL) -> tuple[Interval, ...]:
        """Return the interval at each cut-off: all are resampled together, once, when they are first asked for."""
        return self.scores.intervals(how)

    def place(self, k: int) -> int:
        """Return which of the cut-offs one is. Raises UsageError for one that is not on the curve."""
        if k not in self.ks:
            fix = f"ask for it with ks=, or use one of {', '.join(map(str, self.ks[:25]))}"
            raise UsageError.of("E330", f"{shown(k)} is no cut-off of this curve", fix=fix)
        return self.ks.index(k)

    @property
    def frame(self) -> pl.DataFrame:
        """One row a cut-off: `k` and the mean under the name of the measure."""
        return pl.DataFrame({"k": self.ks, str(self.measure): self.means})

    def __getitem__(self, k: int) -> float:
        return self.means[self.place(k)]

    def __iter__(self) -> Iterator[int]:
        return iter(self.ks)

    def __len__(self) -> int:
        return len(self.ks)

    def __repr__(self) -> str:
        points = ", ".join(f"{k:,}: {mean:.4f}" for k, mean in zip(self.ks, self.means, strict=True))
        return f"Curve of {self.measure}: {points}"


@dataclass(frozen=True, slots=True, eq=False, kw_only=True, repr=False)
class DifferenceCurve(Result):
    """By how much a second run is above a first one, at several cut-offs."""

    measure: Measure
    """What is measured, without a cut-off."""
    ks: tuple[int, ...]
    """The cut-offs, rising."""
    first: Curve
    """The run that is compared with."""
    second: Curve
    """The run whose difference this is."""

    @property
    def means(self) -> tuple[float, ...]:
        """The mean of the second less that of the first, at each cut-off."""
        return tuple(b - a for a, b in zip(self.first.means, self.second.means, strict=True))

    @property
    def values(self) -> npt.NDArray[np.float64]:
        """The difference of each query, one column a cut-off."""
        return self.second.values - self.first.values

    def intervals(self, how: Resampling = USUAL) -> tuple[Interval, ...]:
        """Return the interval of the difference at each cut-off: the queries of both runs are drawn in pairs."""
        table = _difference([_totals(self.first), _totals(self.second)], len(self.ks))
        return interval_of(table, clusters_of(self.first.scores.aligned, how.cluster), how)

    def __repr__(self) -> str:
        points = ", ".join(f"{k:,}: {mean:+.4f}" for k, mean in zip(self.ks, self.means, strict=True))
        return f"DifferenceCurve of {self.measure}: {points}"


def curve(scores: Scores, measure: str | Measure = "recall", ks: Iterable[int] | None = None) -> Curve:
    """Return a measure at every cut-off, from the join that `evaluate` made: nothing is read again.

    `measure` is any measure with a cut-off; one in the name, as in "recall@10", is left open. Without `ks` the curve
    has every k up to 20, then rounder numbers up to the longest list. Each point equals what `evaluate` says at that k.

    Raises UsageError for a measure without a cut-off, and for cut-offs that are no whole numbers above 0.

    >>> import catchrate
    >>> scores = catchrate.evaluate({"q1": {"a": 1, "b": 1}}, {"q1": ["a", "c", "b"]})
    >>> catchrate.curve(scores, "recall")
    Curve of recall: 1: 0.5000, 2: 0.5000, 3: 1.0000
    >>> catchrate.curve(scores, "precision", ks=[2, 10])[10]
    0.2
    """
    wanted = parse(measure)
    if wanted.row.at != "k":
        fix = "use one that has, such as recall, precision, hit or ndcg"
        raise UsageError.of("E330", f"measure {wanted.name} has no cut-off", fix=fix)
    chosen = usual_cutoffs(scores) if ks is None else _checked(ks)
    at = tuple(_at(wanted, k) for k in chosen)
    return Curve(measure=_at(wanted, None), ks=chosen, scores=remeasured(scores, at))


def difference_curve(
    a: Scores, b: Scores, measure: str | Measure = "recall", ks: Iterable[int] | None = None
) -> DifferenceCurve:
    """Return by how much run b is above run a at every cut-off, query by query.

    Raises UsageError for what `curve` refuses, and for runs over different queries.

    >>> import catchrate
    >>> judged = {"q1": {"a": 1}, "q2": {"b": 1}}
    >>> runs = {"old": {"q1": ["x", "a"], "q2": ["b"]}, "new": {"q1": ["a"], "q2": ["b"]}}
    >>> board = catchrate.evaluate(judged, runs=runs)
    >>> catchrate.difference_curve(board["old"], board["new"], "hit")
    DifferenceCurve of hit: 1: +0.5000, 2: +0.0000
    """
    if not a.aligned.queries["query"].equals(b.aligned.queries["query"]):
        fix = "evaluate both with queries='judged', so that each judged query counts in both"
        raise UsageError.of("E331", "the two runs are over different queries", fix=fix)
    chosen = tuple(sorted({*usual_cutoffs(a), *usual_cutoffs(b)})) if ks is None else _checked(ks)
    first, second = curve(a, measure, chosen), curve(b, measure, chosen)
    return DifferenceCurve(measure=first.measure, ks=chosen, first=first, second=second)


def usual_cutoffs(scores: Scores) -> tuple[int, ...]:
    """Return every k to 20, then rounder numbers, then the length of the longest list."""
    depth = max(int(scores.aligned.arrays.returned.max(initial=1)), 1)
    return tuple(dict.fromkeys((*takewhile(lambda k: k < depth, _rounder()), depth)))


def _rounder() -> Iterator[int]:
    yield from range(1, EACH + 1)
    yield from ROUND
    size = 100
    while True:
        yield from (size * digit for digit in (2, 3, 4, 5, 6, 7, 8, 9, 10))
        size *= 10


def _checked(ks: Iterable[int]) -> tuple[int, ...]:
    """Return cut-offs in rising order, each once."""
    if isinstance(ks, str) or not isinstance(ks, Iterable):
        raise UsageError.of("E330", f"ks is {shown(ks)}", fix="give cut-offs, such as range(1, 101) or [5, 10, 20]")
    chosen = tuple(sorted({cast("int", WHOLE.checked("k", k)) for k in ks}))
    if not chosen:
        raise UsageError.of("E330", "there are no cut-offs", fix="give some, such as range(1, 101)")
    return chosen


def _at(measure: Measure, k: int | None) -> Measure:
    """Return a measure at another cut-off."""
    return choose(
        measure.row, dict(measure.parameters) | {"k": k}, judged_only=measure.judged_only, budget=measure.budget
    )


def _totals(curve: Curve) -> Totals:
    return totals_of(curve.scores, range(len(curve.ks)))


def _difference(tables: list[Totals], width: int) -> Totals:
    """Return the second half of the measures less the first."""
    both = beside(tables)

    def finish(sums: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        values = both.finish(sums)
        return values[..., width:] - values[..., :width]

    return Totals(both.columns, finish)

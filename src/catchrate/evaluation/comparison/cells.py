"""The numbers of a comparison: all pairs and measures from one pass of samples and one of swaps."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import sqrt

import numpy as np
import numpy.typing as npt

from catchrate.evaluation.comparison.choices import Choices
from catchrate.evaluation.comparison.result import Difference
from catchrate.evaluation.comparison.verdicts import verdict_of
from catchrate.evaluation.intervals import clusters_of, interval_of, totals_of
from catchrate.evaluation.scores import Scores
from catchrate.evaluation.totals import Totals, weights_of
from catchrate.limits import RESAMPLED_CELLS
from catchrate.statistics import (
    CORRECTIONS,
    Interval,
    PValue,
    by_cluster,
    detectable,
    effect_size,
    flips_for,
    max_t_test,
    sign_flip_test,
    sign_test,
    standard_errors,
    t_test,
    wilcoxon_test,
    wins_ties_losses,
)

Floats = npt.NDArray[np.float64]
Pair = tuple[int, int]
Table = list[list[PValue]]
"""One p for each pair and measure."""
_TESTS: Mapping[str, Callable[[Floats], PValue]] = {"t": t_test, "wilcoxon": wilcoxon_test, "sign": sign_test}
SAME_STEP = "every query differs by the same amount"


@dataclass(frozen=True, slots=True, eq=False)
class Sums:
    """The sums behind all measures of all runs, which samples and swaps work on."""

    columns: Floats
    """What each query, or cluster of queries, adds, with the axes run, query, column."""
    finish: Callable[[Floats], Floats]
    """Takes the sums of a run along the last axis and returns its measures along it."""

    @classmethod
    def of(cls, runs: Sequence[Scores], cluster: str | None) -> Sums:
        """Return the sums of runs over the same queries with the same measures."""
        tables = [totals_of(scores, range(len(scores))) for scores in runs]
        clusters = clusters_of(runs[0].aligned, cluster)
        return cls(np.stack([by_cluster(table.columns, clusters) for table in tables]), tables[0].finish)

    def differences(self, pairs: Sequence[Pair]) -> Totals:
        """Return the runs side by side; their sums make the differences of pairs, the measures of a pair together."""
        runs, rows, width = self.columns.shape
        first, second = np.array(pairs, np.int64).T

        def finish(sums: Floats) -> Floats:
            values = self.finish(sums.reshape(*sums.shape[:-1], runs, width))
            return (values[..., second, :] - values[..., first, :]).reshape(*sums.shape[:-1], -1)

        return Totals(self.columns.transpose(1, 0, 2).reshape(rows, runs * width), finish)


def differences(board: Mapping[str, Scores], pairs: Sequence[Pair], choices: Choices) -> tuple[Difference, ...]:
    """Return one difference for each pair of runs and measure, the measures of a pair together."""
    names, runs = list(board), list(board.values())
    sums = Sums.of(runs, choices.cluster)
    table = sums.differences(pairs)
    clusters = None if choices.cluster is None else np.arange(len(table.columns))
    intervals = interval_of(table, clusters, choices.resampling)
    raw = _p_values(sums, runs, pairs, choices)
    corrected = _corrected(raw, sums, pairs, choices)
    shows = _detectable(table, corrected, choices)
    cells = zip(intervals, (p for row in raw for p in row), (p for row in corrected for p in row), shows, strict=True)
    return tuple(
        _difference((names[a], runs[a]), (names[b], runs[b]), place, next(cells), choices)
        for a, b in pairs
        for place in range(len(runs[0]))
    )


Numbers = tuple[Interval, PValue, float | None, float | None]


def _difference(
    one: tuple[str, Scores], other: tuple[str, Scores], place: int, numbers: Numbers, choices: Choices
) -> Difference:
    (a, before), (b, after) = one, other
    interval, p, corrected, shows = numbers
    measure = before.computed[place]
    by_query = after.values[:, place] - before.values[:, place]
    up, ties, down = wins_ties_losses(by_query)
    wins, losses = (down, up) if measure.row.higher_is_better is False else (up, down)
    mean_a, mean_b = before.means[place], after.means[place]
    difference = mean_b - mean_a
    if not interval.ends and interval.reason.startswith("every"):
        interval = replace(interval, reason=p.reason or SAME_STEP)
    verdict, reason = verdict_of(
        difference, interval, p, corrected, choices, higher_is_better=measure.row.higher_is_better
    )
    return Difference(
        a=a,
        b=b,
        measure=before.measures[place],
        mean_a=mean_a,
        mean_b=mean_b,
        difference=difference,
        interval=interval,
        relative=difference / abs(mean_a) if mean_a else None,
        wins=wins,
        ties=ties,
        losses=losses,
        effect=effect_size(by_query),
        p=p,
        corrected=corrected,
        detectable=shows,
        verdict=verdict,
        reason=reason,
    )


def _p_values(sums: Sums, runs: Sequence[Scores], pairs: Sequence[Pair], choices: Choices) -> Table:
    if choices.test != "flips":
        plain = choices.cluster is None and weights_of(runs[0].aligned.queries) is None
        return [[_single(runs[a], runs[b], place, choices, plain) for place in range(len(runs[a]))] for a, b in pairs]
    rows = sums.columns.shape[1]
    flips = choices.flips or flips_for(rows)
    return [
        row
        for some in _in_parts(pairs, rows, len(runs[0]))
        for row in sign_flip_test(sums.columns, sums.finish, some, flips=flips, seed=choices.seed)
    ]


def _in_parts(pairs: Sequence[Pair], rows: int, measures: int) -> Iterator[Sequence[Pair]]:
    """Yield so many pairs at a time that one block of swaps, with a value for each pair and measure, stays small."""
    block = max(1, RESAMPLED_CELLS // max(rows, 1))
    size = max(1, _MOST_VALUES // (block * measures))
    return (pairs[start : start + size] for start in range(0, len(pairs), size))


_MOST_VALUES = 1 << 22
"""Values of one block of swaps: 32 MiB."""


def _single(a: Scores, b: Scores, place: int, choices: Choices, plain: bool) -> PValue:  # noqa: FBT001
    """Return the p of a test that reads the differences of queries, which only plain means are made of."""
    measure = a.computed[place]
    if measure.row.aggregate not in ("mean", "sum") or not plain:
        what = f"{measure} is no plain mean of queries" if plain else "queries have weights or clusters"
        return PValue(reason=f"{what}: use the test by flips")
    return _TESTS[choices.test](b.values[:, place] - a.values[:, place])


def _corrected(raw: Table, sums: Sums, pairs: Sequence[Pair], choices: Choices) -> list[list[float | None]]:
    if choices.correction == "max-t":
        over_all = choices.family == "all"
        permuted = max_t_test(sums.columns, sums.finish, pairs, over_statistics=over_all, seed=choices.seed)
        return [[p.value for p in row] for row in permuted]
    correct = CORRECTIONS[choices.correction]
    values = [[p.value for p in row] for row in raw]
    if choices.family == "all":
        together = iter(correct([p for row in values for p in row]))
        return [[next(together) for _ in row] for row in values]
    return [list(row) for row in zip(*(correct(column) for column in zip(*values, strict=True)), strict=True)]


def _detectable(table: Totals, corrected: Sequence[Sequence[float | None]], choices: Choices) -> Iterator[float | None]:
    """Yield the smallest difference that can be shown, where the strictest step of the correction has to be passed."""
    n = len(table.columns)
    together = len(corrected) * (len(corrected[0]) if choices.family == "all" else 1)
    tries = together if choices.correction in ("holm", "max-t") else 1
    level = 1 - (1 - choices.level) / tries
    errors = standard_errors(table.columns, table.finish) if n > 1 else np.zeros(len(corrected) * len(corrected[0]))
    for error in errors.tolist():
        yield detectable(n, error * sqrt(n), level=level) if error > 0 else None

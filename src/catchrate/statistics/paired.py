"""Tests of a difference between runs over the same queries."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from catchrate.statistics.sums import Floats, Statistic, every_flip, flipped, on_grid, permuted

FLIPS = 100_000
FEWEST_FLIPS = 10_000
MOST_SIGNS = 1_000_000_000
PERMUTATIONS = 10_000
NO_DIFFERENCE = "no query differs"
_SAME = 1e-9
"""Differences closer than that differ by rounding alone; among discrete values equal ones are common."""

Pair = tuple[int, int]
"""Two runs by number; the difference is the second less the first."""
Mask = npt.NDArray[np.bool_]
Stack = npt.NDArray[np.float64]
"""Numbers with the axes run, query (or cluster), column."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PValue:
    """How often chance alone makes a difference as large as the one observed, or why that cannot be said."""

    value: float | None = None
    """The probability; None where it cannot be computed."""
    exact: bool = False
    """Whether every possible outcome was counted, not a sample of them."""
    reason: str = ""
    """Why there is no value."""


def flips_for(n: int) -> int:
    """Return how many flips to try where nobody says: fewer when there are very many queries."""
    return min(FLIPS, max(FEWEST_FLIPS, MOST_SIGNS // max(n, 1)))


def sign_flip_test(
    columns: Stack,
    statistic: Statistic,
    pairs: Sequence[Pair] = ((0, 1),),
    *,
    flips: int = FLIPS,
    seed: int = 0,
) -> list[list[PValue]]:
    """Swap the runs of a pair at random queries and count how often the difference is as large as the real one.

    `statistic` turns column sums into values. Every pair and statistic sees the same swaps. Where so few queries differ
    that all swaps can be tried, the test is exact; else p is (b + 1) / (m + 1) of m random swaps, and so never 0.
    Returns one list a pair, one p a statistic.

    >>> import numpy as np
    >>> old, new = np.array([0.1, 0.4, 0.3, 0.0]), np.array([0.2, 0.9, 0.4, 0.3])
    >>> sign_flip_test(np.stack([old, new])[:, :, None], lambda sums: sums / 4)
    [[PValue(value=0.125, exact=True, reason='')]]
    """
    grid = _on_one_grid(columns)
    moving = _side_by_side(grid[:, _differing(columns)])
    total = grid.sum(axis=1)
    first, second = np.array(pairs, np.int64).T
    middle = (total[first] + total[second]) / 2
    observed = np.abs(statistic(total[second]) - statistic(total[first]))
    slack = _slack(statistic(middle))
    exact = len(moving) < _EVERY and 1 << len(moving) <= flips
    reached, largest = np.zeros(observed.shape, np.int64), np.zeros(observed.shape)
    for block in every_flip(moving) if exact else flipped(moving, flips, seed):
        sums = block.reshape(-1, *total.shape)
        half = (sums[:, second] - sums[:, first]) / 2
        swapped = np.abs(statistic(middle + half) - statistic(middle - half))
        reached += np.count_nonzero(swapped >= observed - slack, axis=0)
        np.maximum(largest, swapped.max(axis=0), out=largest)
    p = reached / 2.0 ** len(moving) if exact else (reached + 1) / (flips + 1)
    return _told(p, exact=exact, possible=largest > slack)


_EVERY = 32
"""So many queries have more swaps than anyone would try."""


def max_t_test(
    columns: Stack,
    statistic: Statistic,
    pairs: Sequence[Pair],
    *,
    over_statistics: bool = False,
    permutations: int = PERMUTATIONS,
    seed: int = 0,
) -> list[list[PValue]]:
    """Shuffle the runs of each query and count how often the largest difference of any pair reaches the real one.

    This is the randomised form of Tukey's HSD: the p of a pair is corrected for all pairs that are given. With
    `over_statistics` the largest is taken over the statistics, too, each measured by its spread under shuffling.
    """
    grid = _on_one_grid(columns)
    total = grid.sum(axis=1)
    first, second = np.array(pairs, np.int64).T
    observed = np.abs(statistic(total[second]) - statistic(total[first]))
    sums = np.concatenate(list(permuted(grid, permutations, seed)))
    values = statistic(sums)
    shuffled = np.abs(values[:, second] - values[:, first])
    slack = _slack(statistic(total).max(axis=0))
    spread = np.sqrt((shuffled**2).mean(axis=(0, 1)))
    scale = np.where(spread > 0, spread, 1.0)
    largest = (shuffled / scale).max(axis=(1, 2) if over_statistics else 1, keepdims=True)
    possible = np.broadcast_to(largest.max(axis=0) * scale > slack, observed.shape)
    reached = np.count_nonzero(largest >= (observed - slack) / scale, axis=0)
    return _told((reached + 1) / (permutations + 1), exact=False, possible=possible)


def t_test(differences: Floats) -> PValue:
    """Return the p of the paired t test."""
    from scipy import stats

    if missing := _no_test(differences):
        return missing
    if np.ptp(differences) <= _SAME * np.abs(differences).max():
        return PValue(reason="every query differs by the same amount")
    return _p_of(stats.ttest_1samp(differences, 0.0))


def wilcoxon_test(differences: Floats) -> PValue:
    """Return the p of the signed-rank test; queries without a difference are left out."""
    from scipy import stats

    if missing := _no_test(differences):
        return missing
    # the smallest rounding would part equal differences, and rank one above the other
    return _p_of(stats.wilcoxon(_moving(differences).round(12)))


def sign_test(differences: Floats) -> PValue:
    """Return the p of the sign test, which for values of 0 and 1 is the exact test of McNemar."""
    from scipy import stats

    if missing := _no_test(differences):
        return missing
    moving = _moving(differences)
    wins = int(np.count_nonzero(moving > 0))
    return _p_of(stats.binomtest(wins, moving.size), exact=True)


def wins_ties_losses(differences: Floats) -> tuple[int, int, int]:
    """Count the queries with a difference above 0, without one and below 0."""
    wins, losses = (int(np.count_nonzero(side > _SAME)) for side in (differences, -differences))
    return wins, differences.size - wins - losses, losses


def effect_size(differences: Floats) -> float | None:
    """Return the mean difference in standard deviations of the differences (Cohen's d of pairs); None without any.

    >>> import numpy as np
    >>> round(effect_size(np.array([0.1, 0.3, 0.2, 0.0])), 3)
    1.162
    """
    if differences.size < 2:
        return None
    spread = float(differences.std(ddof=1))
    return float(differences.mean()) / spread if spread > _SAME else None


def _p_of(result: Any, *, exact: bool = False) -> PValue:
    return PValue(value=float(result.pvalue), exact=exact)


def _no_test(differences: Floats) -> PValue | None:
    if differences.size < 2:
        return PValue(reason="there is no query" if differences.size == 0 else "there is only one query")
    return None if _moving(differences).size else PValue(reason=NO_DIFFERENCE)


def _moving(differences: Floats) -> Floats:
    return differences[np.abs(differences) > _SAME]


def _told(p: Floats, *, exact: bool, possible: Mask) -> list[list[PValue]]:
    return [
        [
            PValue(value=value, exact=exact) if can else PValue(reason=NO_DIFFERENCE)
            for value, can in zip(values, cans, strict=True)
        ]
        for values, cans in zip(p.tolist(), possible.tolist(), strict=True)
    ]


def _on_one_grid(columns: Stack) -> Stack:
    """Round as `on_grid` does, all runs of a column alike, so that swapping runs keeps sums exact."""
    runs, rows, width = columns.shape
    return on_grid(columns.reshape(runs * rows, width)).reshape(columns.shape)


def _side_by_side(columns: Stack) -> Floats:
    """Return one row a query, the columns of each run beside those of the one before."""
    runs, rows, width = columns.shape
    return columns.transpose(1, 0, 2).reshape(rows, runs * width)


def _differing(columns: Stack) -> Mask:
    """Mark the queries at which any two runs differ."""
    return np.any(np.abs(columns - columns[:1]) > _SAME, axis=(0, 2))


def _slack(values: Floats) -> Floats:
    return _SAME * np.maximum(np.abs(values), 1.0)

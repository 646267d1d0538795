"""Tests of groups of queries against all others: whether a kind of query is really worse than the rest."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from catchrate.limits import RESAMPLED_CELLS
from catchrate.statistics.paired import PValue
from catchrate.statistics.sums import Floats, Ints, on_grid

SHUFFLES = 10_000
FEWEST_SHUFFLES = 2_000
MOST_SHUFFLED = 20_000_000
_SAME = 1e-9


def shuffles_for(n: int) -> int:
    """Return how many shuffles to try where nobody says: fewer when there are very many queries."""
    return min(SHUFFLES, max(FEWEST_SHUFFLES, MOST_SHUFFLED // max(n, 1)))


def group_test(
    values: Floats,
    partitions: Sequence[Ints],
    *,
    weights: Floats | None = None,
    shuffles: int | None = None,
    seed: int = 0,
) -> list[list[PValue]]:
    """Return, for each group of each partition, how often chance makes its mean differ as much from all others'.

    `partitions` hold the number of each query's group. Queries are shuffled over the groups, the same shuffles for all
    partitions; p is (b + 1) / (m + 1) of m shuffles, and so never 0.

    >>> import numpy as np
    >>> values, group = np.array([1.0] * 10 + [0.0] * 5), np.array([0] * 10 + [1] * 5)
    >>> [round(p.value, 4) for p in group_test(values, [group])[0]]
    [0.0005, 0.0005]
    """
    n = values.size
    shuffles = shuffles or shuffles_for(n)
    weights = np.ones(n) if weights is None else weights
    columns = on_grid(np.column_stack([weights * values, weights]))
    sizes = [np.bincount(numbers) for numbers in partitions]
    orders = [np.argsort(numbers, kind="stable") for numbers in partitions]
    observed = [_distances(columns[order][None], size)[0] for order, size in zip(orders, sizes, strict=True)]
    reached = [np.zeros(size.size, np.int64) for size in sizes]
    largest = [np.zeros(size.size) for size in sizes]
    for block in _shuffled(n, shuffles, seed):
        mixed = columns[block]
        for place, size in enumerate(sizes):
            distances = _distances(mixed, size)
            reached[place] += np.count_nonzero(distances >= observed[place] - _SAME, axis=0)
            np.maximum(largest[place], distances.max(axis=0), out=largest[place])
    return [
        [_told(int(count), shuffles, size, n, most) for count, size, most in zip(*parts, strict=True)]
        for parts in zip(reached, sizes, largest, strict=True)
    ]


def _distances(columns: Floats, sizes: Ints) -> Floats:
    """Return how far the mean of each group lies from that of the others; rows come group by group."""
    starts = np.cumsum(sizes) - sizes
    sums = np.add.reduceat(columns, starts, axis=1)
    rest = columns.sum(axis=1, keepdims=True) - sums
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.nan_to_num(np.abs(sums[..., 0] / sums[..., 1] - rest[..., 0] / rest[..., 1]))


def _shuffled(n: int, shuffles: int, seed: int) -> Iterator[npt.NDArray[np.int32]]:
    """Yield blocks of row numbers in random order, one order a line."""
    size = max(1, RESAMPLED_CELLS // max(n, 1))
    for number, start in enumerate(range(0, shuffles, size)):
        dice = np.random.Generator(np.random.SFC64([seed, number]))
        rows = np.broadcast_to(np.arange(n, dtype=np.int32), (min(size, shuffles - start), n))
        yield dice.permuted(rows, axis=1)


def _told(reached: int, shuffles: int, size: int, n: int, largest: float) -> PValue:
    if size == n:
        return PValue(reason="there is no other slice")
    if largest <= _SAME:
        return PValue(reason="every query has the same value")
    return PValue(value=(reached + 1) / (shuffles + 1))

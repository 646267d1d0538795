"""Sums over queries under resampling and under flipped signs, all columns in one matrix product.

Every statistic of this room is a function of column sums: of a mean, the sum of the values and the sum of the weights;
of a pooled ratio, the sums of its two sides. So one product of counts (or signs) with the columns serves all measures
and all runs at once.

scipy.stats.bootstrap and permutation_test do the same from Python callables, a measure at a time: for 10,000 samples of
7,000 queries they take gigabytes and tens of times as long. They are the oracle of the tests.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import numpy.typing as npt

from catchrate.limits import RESAMPLED_CELLS

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Statistic = Callable[[Floats], Floats]
"""Takes column sums along the last axis and returns one value a statistic along it."""

_MANTISSA = 52
_SMALLEST = -900
"""Columns of smaller numbers, by the power of two, count as zero."""


def on_grid(columns: Floats) -> Floats:
    """Round each column so finely that every sum of it is exact, in whatever order it is added.

    So no result depends on how many threads the matrix product uses. The mean moves by less than n x 1e-16 of the
    largest value.
    """
    largest = np.abs(columns).max(axis=0, initial=0.0) * max(len(columns), 1)
    _, exponent = np.frexp(np.where(largest > 0, largest, 1.0))
    unit = np.ldexp(1.0, np.maximum(exponent, _SMALLEST) - _MANTISSA)
    return np.round(columns / unit) * unit


def by_cluster(columns: Floats, cluster: Ints | None) -> Floats:
    """Add the rows of each cluster, which then is drawn, left out or flipped as one."""
    if cluster is None:
        return columns
    grid = on_grid(columns)
    out = np.zeros((int(cluster.max(initial=-1)) + 1, columns.shape[1]))
    np.add.at(out, cluster, grid)
    return out


def resampled(columns: Floats, samples: int, seed: int) -> Iterator[Floats]:
    """Yield blocks of column sums over rows drawn with replacement, as many as there are."""
    rows, width = columns.shape
    small = np.uint16 if rows <= 1 << 16 else np.int64
    for number, size in enumerate(_blocks(samples, rows)):
        drawn = _random(seed, number).integers(0, rows, size=(size, rows), dtype=small)
        cells = drawn + np.arange(size)[:, None] * rows
        counts = np.bincount(cells.ravel(), minlength=size * rows).reshape(size, rows)
        yield counts.astype(np.float64) @ columns if width else np.zeros((size, 0))


def flipped(columns: Floats, flips: int, seed: int) -> Iterator[Floats]:
    """Yield blocks of column sums with a random sign for each row."""
    rows = len(columns)
    total = columns.sum(axis=0)
    for number, size in enumerate(_blocks(flips, rows)):
        width = -(-rows // 8)
        packed = np.frombuffer(_random(seed, number).bytes(size * width), np.uint8).reshape(size, width)
        yield _signed(packed, columns, total)


def every_flip(columns: Floats) -> Iterator[Floats]:
    """Yield blocks of column sums for every choice of signs, the unchanged one among them."""
    rows = len(columns)
    total = columns.sum(axis=0)
    done = 0
    for size in _blocks(1 << rows, rows):
        patterns = np.arange(done, done + size, dtype="<u4")
        packed = patterns.view(np.uint8).reshape(size, 4)
        yield _signed(packed, columns, total, order="little")
        done += size


def _signed(packed: npt.NDArray[np.uint8], columns: Floats, total: Floats, order: str = "big") -> Floats:
    positive = np.unpackbits(packed, axis=1, count=len(columns), bitorder=order)  # type: ignore[call-overload]
    return 2 * (positive.astype(np.float64) @ columns) - total


def permuted(columns: Floats, permutations: int, seed: int) -> Iterator[Floats]:
    """Yield blocks of sums with the axes permutation, run, column, the runs of each query in a random order.

    `columns` has the axes run, query, column.
    """
    runs, rows, width = columns.shape
    total = columns.sum(axis=(0, 1))
    for number, size in enumerate(_blocks(permutations, rows * runs)):
        order = _random(seed, number).random((size, rows, runs), dtype=np.float32).argsort(axis=2)
        sums = np.zeros((size, runs, width))
        for place in range(runs - 1):
            for run in range(runs):
                sums[:, place] += (order[:, :, place] == run).astype(np.float64) @ columns[run]
        sums[:, -1] = total - sums.sum(axis=1)
        yield sums


def _blocks(total: int, row_cells: int) -> Iterator[int]:
    """Yield sizes of blocks that depend on the data alone, so that any machine draws the same."""
    size = max(1, RESAMPLED_CELLS // max(row_cells, 1))
    while total > 0:
        yield min(size, total)
        total -= size


def _random(seed: int, block: int) -> np.random.Generator:
    return np.random.Generator(np.random.SFC64([seed, block]))

"""How a number is spread: over queries, over slices of them, and the relevant documents over ranks."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from catchrate.evaluation.intervals import USUAL, Resampling
from catchrate.evaluation.scores import Scores
from catchrate.evaluation.slices import slices_by
from catchrate.evaluation.subset import some_measures, some_queries
from catchrate.measures import Measure
from catchrate.statistics import Interval

BINS = 10
RANKS = (1, 2, 3, 4, 6, 11, 21, 51, 101, 201, 501, 1001)
"""Where the bins of ranks begin."""


class Bin(NamedTuple):
    """How many queries have a value from `low` to `high`; the last bin holds its upper end, too."""

    low: float
    high: float
    queries: int


class Place(NamedTuple):
    """How many relevant documents stand at some ranks."""

    ranks: str
    documents: int


class SliceMean(NamedTuple):
    """A measure over the queries of one slice."""

    name: str
    queries: int
    mean: float
    interval: Interval


def spread_of(scores: Scores, measure: Measure) -> tuple[Bin, ...]:
    """Return how many queries have which values: ten bins over the range of the measure, or over what was seen."""
    place = scores.place(measure)
    values = scores.values[:, place]
    low, high = scores.computed[place].row.range
    if not (math.isfinite(low) and math.isfinite(high)):
        low, high = float(values.min(initial=0)), float(values.max(initial=0))
    counts, edges = np.histogram(values, BINS, (low, high if high > low else low + 1))
    return tuple(Bin(a, b, count) for (a, b), count in zip(pairwise(edges.tolist()), counts.tolist(), strict=True))


def rank_positions(scores: Scores) -> tuple[Place, ...]:
    """Return how many of the relevant documents stand at which ranks, and how many at none."""
    items = scores.aligned.arrays.items
    slots = items.slot[items.grade >= scores.rel]
    deepest = max(int(slots.max(initial=0)), 1)
    starts = [start for start in RANKS if start <= deepest]
    counts = np.histogram(slots[slots > 0], [*starts, deepest + 1])[0].tolist()
    names = [_ranks(start, end - 1) for start, end in pairwise([*starts, deepest + 1])]
    return (*map(Place, names, counts), Place("not returned", int((slots == 0).sum())))


def slice_means(scores: Scores, measure: Measure, by: str, how: Resampling = USUAL) -> tuple[SliceMean, ...]:
    """Return a measure for each slice of the queries, with its interval.

    Raises UsageError for slices that are not known.
    """
    alone = some_measures(scores, (measure,))
    parts = [(name, some_queries(alone, mask)) for name, mask in slices_by(scores.aligned, by, rel=scores.rel)]
    return tuple(SliceMean(name, part.queries, part.means[0], part.intervals(how)[0]) for name, part in parts)


def _ranks(first: int, last: int) -> str:
    return f"{first:,}" if first == last else f"{first:,} to {last:,}"

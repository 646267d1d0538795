"""How the values of a measure are spread over the queries."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from catchrate.evaluation.scores import Scores
from catchrate.measures import Measure

BINS = 10


class Bin(NamedTuple):
    """How many queries have a value from `low` to `high`; the last bin holds its upper end, too."""

    low: float
    high: float
    queries: int


def spread_of(scores: Scores, measure: Measure) -> tuple[Bin, ...]:
    """Return how many queries have which values: ten bins over the range of the measure, or over what was seen."""
    place = scores.place(measure)
    values = scores.values[:, place]
    low, high = scores.computed[place].row.range
    if not (math.isfinite(low) and math.isfinite(high)):
        low, high = float(values.min(initial=0)), float(values.max(initial=0))
    counts, edges = np.histogram(values, BINS, (low, high if high > low else low + 1))
    return tuple(Bin(a, b, count) for (a, b), count in zip(pairwise(edges.tolist()), counts.tolist(), strict=True))

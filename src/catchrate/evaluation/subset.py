"""Some queries or measures of an evaluation, without evaluating again."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np
import numpy.typing as npt
import polars as pl

from catchrate.alignment import Aligned
from catchrate.evaluation.scores import Scores
from catchrate.evaluation.totals import weights_of
from catchrate.measures import Measure


def some_queries(scores: Scores, keep: npt.NDArray[np.bool_]) -> Scores:
    """Return the scores of the marked queries alone: a query's values depend on no other query."""
    if keep.all():
        return scores
    part = _joined(scores.aligned, keep)
    values, weights = scores.values[keep], weights_of(part.queries)
    means = (m.mean(part.arrays, values[:, i], weights) for i, m in enumerate(scores.computed))
    return replace(scores, means=tuple(means), values=values, aligned=part, known_intervals={})


def some_measures(scores: Scores, measures: Iterable[Measure]) -> Scores:
    """Return the scores of some measures in the order given.

    Raises UsageError for a measure that was not evaluated.
    """
    chosen = tuple(measures)
    places = [scores.place(measure) for measure in chosen]
    return replace(
        scores,
        measures=chosen,
        computed=tuple(scores.computed[place] for place in places),
        means=tuple(scores.means[place] for place in places),
        values=scores.values[:, places],
        known_intervals={},
    )


def _joined(aligned: Aligned, keep: npt.NDArray[np.bool_]) -> Aligned:
    return replace(
        aligned,
        arrays=aligned.arrays.some_queries(keep),
        queries=aligned.queries.filter(pl.Series(keep)),
        items=aligned.items.filter(pl.Series(keep[aligned.arrays.items.query])),
        in_run=aligned.in_run[keep],
        missing=int(np.count_nonzero(~aligned.in_run[keep])),
    )

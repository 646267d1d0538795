"""Measures as functions of sums over queries: what intervals and tests resample.

A mean of queries, weighted or not, their sum, their geometric mean, a ratio of totals and a function of such ratios are
all functions of a few sums over queries. So to resample queries is to resample the rows of a matrix.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import polars as pl

from catchrate.measures import Alignment, Combined, Measure, Terms
from catchrate.measures.chosen import GEOMETRIC_FLOOR
from catchrate.measures.terms import ratio
from catchrate.statistics import Statistic

Floats = npt.NDArray[np.float64]
_Value = Callable[[Floats], Floats]
"""Takes the sums of all columns along the last axis and returns one number for each row of sums."""


@dataclass(frozen=True, slots=True, eq=False)
class Totals:
    """One row a query; the sums of the columns make the measures."""

    columns: Floats
    """What each query adds, one column a sum."""
    finish: Statistic
    """Takes the sums along the last axis and returns the measures along it."""


def totals(measures: Sequence[Measure], values: Floats, arrays: Alignment, weights: Floats | None) -> Totals:
    """Return the sums behind measures; `values` holds one row a query, one column a measure."""
    table = _Table(np.ones(len(values)) if weights is None else weights)
    parts = [table.value_of(measure, values[:, i], arrays) for i, measure in enumerate(measures)]
    return Totals(np.column_stack(table.columns), lambda sums: np.stack([part(sums) for part in parts], axis=-1))


def beside(tables: Sequence[Totals]) -> Totals:
    """Return the columns of several tables over the same queries side by side, and their measures one after another."""
    ends = np.cumsum([table.columns.shape[1] for table in tables]).tolist()
    parts = [(table.finish, slice(end - table.columns.shape[1], end)) for table, end in zip(tables, ends, strict=True)]
    return Totals(
        np.hstack([table.columns for table in tables]),
        lambda sums: np.concatenate([finish(sums[..., mine]) for finish, mine in parts], axis=-1),
    )


def weights_of(queries: pl.DataFrame) -> Floats | None:
    """Return the weight of each query; None where none has one."""
    return queries["weight"].cast(pl.Float64).fill_null(1.0).to_numpy() if "weight" in queries.columns else None


class _Table:
    """The columns so far. The first one is the weight of each query, which every mean divides by."""

    def __init__(self, weights: Floats) -> None:
        self._weights = weights
        self.columns = [weights]

    def _add(self, column: Floats) -> int:
        self.columns.append(column)
        return len(self.columns) - 1

    def value_of(self, measure: Measure, values: Floats, arrays: Alignment) -> _Value:
        """Add what a measure needs and return how its value follows from the sums."""
        how = measure.row.aggregate
        if how == "pooled":
            return self._pooled(measure.terms(arrays))
        if how == "sum":
            return _sum_of(self._add(values))
        if how == "geometric":
            mean = _quotient(self._add(self._weights * np.log(np.maximum(values, GEOMETRIC_FLOOR))), 0)
            return lambda sums: np.exp(mean(sums))
        return _quotient(self._add(self._weights * values), 0)

    def _pooled(self, terms: Terms | Combined) -> _Value:
        if isinstance(terms, Combined):
            parts = [self._pooled(part) for part in terms.parts]
            return lambda sums: terms.combine(*(part(sums) for part in parts))
        return _quotient(self._add(self._weights * terms.sums()), self._add(self._weights * terms.over))


def _sum_of(column: int) -> _Value:
    return lambda sums: sums[..., column]


def _quotient(upper: int, lower: int) -> _Value:
    return lambda sums: ratio(sums[..., upper], sums[..., lower], 0.0)

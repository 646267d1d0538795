"""What a measure returns: the terms of its value, so that score, curve and explanation are one thing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, Self

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Terms:
    """One value a row (item, slot or query). A query's score is the sum of its rows' values over its divisor."""

    rows: Literal["items", "slots", "queries"]
    """Which rows of the alignment the values belong to."""
    query: npt.NDArray[np.int64]
    """The query of each row."""
    values: Floats
    """What each row adds."""
    over: Floats
    """What divides the sum, one number a query."""

    @classmethod
    def of(
        cls,
        rows: Literal["items", "slots", "queries"],
        query: npt.NDArray[np.int64],
        values: npt.ArrayLike,
        over: npt.ArrayLike,
        queries: int,
    ) -> Self:
        """Build terms, spreading a single divisor over all queries."""
        return cls(
            rows,
            query,
            np.broadcast_to(np.asarray(values, np.float64), query.shape),
            np.broadcast_to(np.asarray(over, np.float64), (queries,)),
        )

    def sums(self) -> Floats:
        """Return each query's sum, added in the order of its rows."""
        if self.rows == "queries":
            return self.values
        return summed(self.query, self.values, self.over.size)

    def per_query(self, empty: float) -> Floats:
        """Return each query's score; `empty` where there is nothing to divide by."""
        return ratio(self.sums(), self.over, empty)

    def pooled(self, weights: Floats | None) -> tuple[float, float]:
        """Return the sum and the divisor over all queries together."""
        scale = 1.0 if weights is None else weights
        return in_order(self.sums() * scale), in_order(self.over * scale)


@dataclass(frozen=True, slots=True, eq=False)
class Combined:
    """A score that is a function of other scores, such as F of precision and recall."""

    combine: Callable[..., Floats]
    """Takes the scores of the parts, arrays or numbers."""
    parts: tuple[Terms, ...]
    """What is combined."""
    names: tuple[str, ...] = ()
    """What the parts are called."""

    def per_query(self, empty: float) -> Floats:
        """Return each query's score; a part with nothing to divide by is 0."""
        return self.combine(*(part.per_query(0.0) for part in self.parts))


def summed(query: npt.NDArray[np.int64], values: npt.ArrayLike, queries: int) -> Floats:
    """Add the values of each query, from its first row to its last."""
    values = np.asarray(values)
    if values.dtype == np.bool_:
        return np.bincount(query[np.flatnonzero(values)], minlength=queries).astype(np.float64)
    if _FEW * np.count_nonzero(values) < values.size:  # the others add nothing
        rows = np.flatnonzero(values)
        query, values = query[rows], values[rows]
    return np.bincount(query, values, minlength=queries).astype(np.float64, copy=False)


_FEW = 8
"""Where one value in so many is not 0, finding these is faster than adding all."""


def ratio(upper: Floats, lower: Floats, empty: float) -> Floats:
    """Divide where there is something to divide by, and say `empty` elsewhere."""
    out = np.full(upper.shape, empty, np.float64)
    return np.divide(upper, lower, out=out, where=lower != 0)


def in_order(values: Floats) -> float:
    """Sum from the first to the last, as the reference tools do, so that sums agree to the last bit."""
    return float(np.cumsum(values)[-1]) if values.size else 0.0

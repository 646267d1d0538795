"""What means would be if documents with equal scores stood in another order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from catchrate.alignment import Aligned, TieOrders
from catchrate.errors import Finding
from catchrate.evaluation.totals import weights_of
from catchrate.measures import Alignment, Measure

WORTH_TELLING = 0.005
"""How far the order of ties must move a mean: ordinary runs have a few ties, which move it less."""


class TieRange(NamedTuple):
    """A mean with all ties in their worst and in their best order."""

    measure: Measure
    worst: float
    """With what nobody judged first, and then the lowest grades."""
    best: float
    """With the highest grades first."""

    @property
    def width(self) -> float:
        """How far the two are apart."""
        return abs(self.best - self.worst)


def tie_ranges(aligned: Aligned, measures: Sequence[Measure]) -> tuple[TieRange, ...]:
    """Return what ties leave open of each mean; nothing for a run in which no judged document is tied."""
    if aligned.orders is None:
        return ()
    weights = weights_of(aligned.queries)

    def mean(measure: Measure, arrays: Alignment) -> float:
        return measure.mean(arrays, measure.per_query(arrays), weights)

    worst, best = (aligned.orders.arranged(best=best) for best in (False, True))
    return tuple(TieRange(measure, mean(measure, worst), mean(measure, best)) for measure in measures)


def tie_note(aligned: Aligned, measures: Sequence[Measure], file: str) -> Iterator[Finding]:
    """Tell of the mean that ties leave most open, if that is worth telling."""
    shares = [measure for measure in measures if measure.row.range == (0.0, 1.0)]
    if aligned.orders is None or not shares or _is_rare(aligned.orders, aligned):
        return
    widest = max(tie_ranges(aligned, shares), key=lambda found: found.width)
    if widest.width >= WORTH_TELLING:
        message = (
            f"documents with equal scores stand in the order of their ids: {widest.measure} would be "
            f"{widest.best:.4f} with the relevant ones first, {widest.worst:.4f} with them last"
        )
        fix = "break ties where you rank"
        yield Finding(code="N215", message=message, fix=fix, file=file, count=aligned.orders.queries)


def _is_rare(orders: TieOrders, aligned: Aligned) -> bool:
    """Tell whether ties are no more than any run has: then the two orders are not worth their time."""
    few = WORTH_TELLING * aligned.arrays.hits.query.size
    few_queries = WORTH_TELLING * aligned.arrays.queries
    return orders.hits.size < few or (orders.queries < few_queries and weights_of(aligned.queries) is None)

"""What the records carry beside quality, such as latency, cost or the score of the answer: never recall alone."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from catchrate.evaluation.diagnosis.loss import checked_k
from catchrate.evaluation.evaluate import remeasured
from catchrate.evaluation.scores import Scores
from catchrate.evaluation.slices import slice_values
from catchrate.measures import parse_all
from catchrate.statistics import PValue, holm

FEWEST = 3
"""With fewer known values there is nothing to summarise."""
_SAME = 1e-12


@dataclass(frozen=True, slots=True, kw_only=True)
class Beside:
    """One number that is known of each query, and how it goes with recall."""

    name: str
    known: int
    """Of how many queries it is known."""
    mean: float
    median: float
    high: float
    """What 95 of 100 queries do not exceed."""
    largest: float
    correlation: float | None
    """Spearman's rank correlation with recall@k; None where one of the two never changes."""
    p: PValue
    """How often chance makes such a correlation."""
    corrected: float | None
    """The same, corrected for all numbers that are looked at together, by Holm."""


def beside(scores: Scores, k: int = 10) -> tuple[Beside, ...]:
    """Summarise every number that is known of the queries, and say whether it rises or falls with recall@k."""
    recall = remeasured(scores, parse_all(f"recall@{checked_k(k)}")).values[:, 0]
    found = [
        _looked_at(name, values, recall)
        for name, column in slice_values(scores.aligned).items()
        if (values := _numbers(column)) is not None
    ]
    corrected = holm([one[2].value for one in found])
    return tuple(_told(*one, fixed) for one, fixed in zip(found, corrected, strict=True))


def _numbers(column: list[object]) -> np.ndarray | None:
    """Return a column as numbers, NaN where it says nothing; None where it holds anything else."""
    if not all(value is None or isinstance(value, int | float) for value in column):
        return None
    values = np.array([np.nan if value is None else float(value) for value in column])  # type: ignore[arg-type]
    values[~np.isfinite(values)] = np.nan
    return values if np.count_nonzero(~np.isnan(values)) >= FEWEST else None


def _looked_at(name: str, values: np.ndarray, recall: np.ndarray) -> tuple[str, np.ndarray, PValue, float | None]:
    known = ~np.isnan(values)
    ours, theirs = values[known], recall[known]
    for what, one in ((name, ours), ("recall", theirs)):
        if np.ptp(one) <= _SAME * max(1.0, float(np.abs(one).max())):
            return name, ours, PValue(reason=f"{what} is the same for every query"), None
    from scipy import stats

    statistic, p = stats.spearmanr(ours, theirs)
    return name, ours, PValue(value=float(p)), float(statistic)  # type: ignore[arg-type]


def _told(name: str, values: np.ndarray, p: PValue, correlation: float | None, corrected: float | None) -> Beside:
    return Beside(
        name=name,
        known=values.size,
        mean=float(values.mean()),
        median=float(np.median(values)),
        high=float(np.quantile(values, 0.95)),
        largest=float(values.max()),
        correlation=correlation,
        p=p,
        corrected=corrected,
    )

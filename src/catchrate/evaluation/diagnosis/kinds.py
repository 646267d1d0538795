"""Slices compared: the recall of each kind of query, and which kinds are really worse than the rest."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from catchrate.errors import UsageError
from catchrate.evaluation.diagnosis.loss import LossAccount, checked_k, loss_by
from catchrate.evaluation.evaluate import remeasured
from catchrate.evaluation.scores import Scores
from catchrate.evaluation.slices import DERIVED, Slices, slice_values, slices_by
from catchrate.evaluation.subset import some_queries
from catchrate.evaluation.totals import weights_of
from catchrate.measures import parse_all
from catchrate.measures.chosen import aggregate
from catchrate.statistics import LEVEL, Interval, PValue, group_test, holm

MOST = 12
"""Something known of the queries that parts them into more slices is not looked at unless it is named."""
FEWEST_EACH = 3
"""Nor is something that leaves fewer queries to a slice in the mean."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Slice:
    """One kind of query."""

    by: str
    """What parts the queries."""
    name: str
    queries: int
    recall: float
    """Mean recall@k."""
    interval: Interval
    difference: float | None
    """By how much it is above the mean of all other queries; None where there are none."""
    p: PValue
    """How often chance makes such a difference, for this slice alone."""
    corrected: float | None
    """The same, corrected for all slices that are looked at together, by Holm."""
    loss: LossAccount
    """Where its relevant documents are."""

    @property
    def verdict(self) -> Literal["worse", "better"] | None:
        """Whether it is really worse or better than the rest; None where that cannot be said."""
        if self.corrected is None or self.corrected > 1 - LEVEL or not self.difference:
            return None
        return "worse" if self.difference < 0 else "better"


def slice_kinds(scores: Scores, by: str | Iterable[str] | None = None, k: int = 10) -> tuple[Slice, ...]:
    """Compare each slice with all queries outside of it; p is corrected for all slices of all kinds together.

    `by` names what parts the queries: columns of their metadata, `relevant` or `length`. Without it, everything is
    looked at that is known of the queries and parts them into 2 to 12 slices, of 3 queries or more in the mean.

    Raises UsageError for a name of which nothing is known.
    """
    k = checked_k(k)
    parted = _named(scores, by) if by is not None else _known(scores)
    if not parted:
        return ()
    measured = remeasured(scores, parse_all(f"recall@{k}"))
    values, weights = measured.values[:, 0], weights_of(scores.aligned.queries)
    tests = group_test(values, [slices.number for slices in parted], weights=weights)
    corrected = iter(_corrected(tests))
    found: list[Slice] = []
    for slices, ps in zip(parted, tests, strict=True):
        accounts = loss_by(scores, slices.by, k)
        for (name, keep), p in zip(slices, ps, strict=True):
            part = some_queries(measured, keep)
            found.append(
                Slice(
                    by=slices.by,
                    name=name,
                    queries=part.queries,
                    recall=part.means[0],
                    interval=part.intervals()[0],
                    difference=_above_rest(values, weights, keep),
                    p=p,
                    corrected=next(corrected),
                    loss=accounts[name],
                )
            )
    return tuple(found)


def _named(scores: Scores, by: str | Iterable[str]) -> list[Slices]:
    names = dict.fromkeys((by,) if isinstance(by, str) else by)
    return [slices_by(scores.aligned, name, rel=scores.rel) for name in names]


def _known(scores: Scores) -> list[Slices]:
    """Return what parts the queries into a few slices."""
    found: list[Slices] = []
    for name in (*slice_values(scores.aligned), *DERIVED):
        try:
            slices = slices_by(scores.aligned, name, rel=scores.rel)
        except UsageError:
            continue
        if 2 <= len(slices) <= min(MOST, scores.queries // FEWEST_EACH):
            found.append(slices)
    return found


def _corrected(tests: list[list[PValue]]) -> list[float | None]:
    """Correct for all slices that are looked at together; two slices of one kind are one question, asked twice."""
    asked = [ps[:1] if len(ps) == 2 else ps for ps in tests]
    answers = iter(holm([p.value for ps in asked for p in ps]))
    return [one for ps in tests for one in ([next(answers)] * 2 if len(ps) == 2 else [next(answers) for _ in ps])]


def _above_rest(values: np.ndarray, weights: np.ndarray | None, keep: np.ndarray) -> float | None:
    if keep.all():
        return None
    mine, others = (aggregate("mean", values[m], None if weights is None else weights[m]) for m in (keep, ~keep))
    return mine - others


def really_worse(kinds: Sequence[Slice]) -> tuple[Slice, ...]:
    """Return the slices that are really worse than the rest, the worst first."""
    return tuple(sorted((one for one in kinds if one.verdict == "worse"), key=lambda one: one.recall))

"""Diagnose one run: all parts at once. Each part is a function of its own, too."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from catchrate.errors import UsageError
from catchrate.evaluation.diagnosis.loss import checked_k, loss_account, loss_by
from catchrate.evaluation.diagnosis.modes import mode_of
from catchrate.evaluation.diagnosis.result import Diagnosis
from catchrate.evaluation.evaluate import evaluate, remeasured
from catchrate.evaluation.scores import Scores
from catchrate.formats import ReadOptions
from catchrate.measures import parse_all


def diagnose(
    judgments: object,
    ranking: object = None,
    k: int = 10,
    *,
    by: str | Iterable[str] = (),
    options: ReadOptions | None = None,
    **policies: Any,
) -> Diagnosis:
    """Say why a run misses what it misses: where its relevant documents are, and what kind of mistakes it makes.

    Inputs and policies are those of `evaluate`. `by` names what parts the queries into slices: a column of their
    metadata, `relevant` or `length`.

    Raises what `evaluate` raises, and UsageError for a k that is no whole number above 0 and for unknown slices.

    >>> import catchrate
    >>> judged = {"q1": {"a": 1, "b": 1, "c": 1}, "q2": {"d": 1}}
    >>> catchrate.diagnose(judged, {"q1": ["a", "x", "b"], "q2": ["d"]}, k=2)
    Diagnosis over 2 queries: recall@2 0.6667, precision@2 0.5000, hit@2 1.0000, judged@2 0.7500
      LossAccount at 2 over 2 queries: found 66.7%, ranked below k 16.7%, never returned 16.7%
      selective
    """
    names = first_measures(checked_k(k))
    scores = evaluate(judgments, ranking, names, options=options, **policies)
    if not isinstance(scores, Scores):
        raise UsageError.of("E260", "several runs are given", fix="diagnose one at a time")
    return diagnose_scores(scores, k, by=by)


def diagnose_scores(scores: Scores, k: int = 10, *, by: str | Iterable[str] = ()) -> Diagnosis:
    """Diagnose a run that was measured already, whatever was measured: nothing is read again."""
    k = checked_k(k)
    wanted = (by,) if isinstance(by, str) else tuple(by)
    return Diagnosis(
        k=k,
        scores=remeasured(scores, parse_all(first_measures(k))),
        loss=loss_account(scores, k),
        mode=mode_of(scores, k),
        slices={name: loss_by(scores, name, k) for name in wanted},
    )


def first_measures(k: int) -> tuple[str, ...]:
    """Return the names of what a diagnosis measures first."""
    return f"recall@{k}", f"precision@{k}", f"hit@{k}", f"judged@{k}"

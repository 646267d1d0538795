"""Diagnose one run: all parts at once. Each part is a function of its own, too."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from catchrate.alignment import Policy
from catchrate.errors import UsageError
from catchrate.evaluation.diagnosis.beside import beside
from catchrate.evaluation.diagnosis.choosing import Choice, choose_k
from catchrate.evaluation.diagnosis.crowd import crowd
from catchrate.evaluation.diagnosis.first import first_documents
from catchrate.evaluation.diagnosis.kinds import slice_kinds
from catchrate.evaluation.diagnosis.lengths import with_words
from catchrate.evaluation.diagnosis.loss import checked_k, loss_account
from catchrate.evaluation.diagnosis.misses import missed_often, misses, nothing_found
from catchrate.evaluation.diagnosis.modes import FINDS, mode_of
from catchrate.evaluation.diagnosis.positions import positions
from catchrate.evaluation.diagnosis.result import Diagnosis
from catchrate.evaluation.diagnosis.target import Target, target_of
from catchrate.evaluation.diagnosis.worklist import worklist
from catchrate.evaluation.evaluate import both_sides, remeasured, score
from catchrate.evaluation.matches import matched_sides, matching_options
from catchrate.evaluation.scores import Scores
from catchrate.formats import ReadOptions, open_ranking
from catchrate.matching.rules import Match
from catchrate.measures import parse_all
from catchrate.tables import RankingSource


def diagnose(
    judgments: object,
    ranking: object = None,
    k: int = 10,
    *,
    target: str | Target | None = None,
    by: str | Iterable[str] | None = None,
    tokens: float | None = None,
    price: float | None = None,
    pool: Iterable[object] = (),
    match: Match | None = None,
    options: ReadOptions | None = None,
    **policies: Any,
) -> Diagnosis:
    """Say why a run misses what it misses: where its relevant documents are, and what kind of mistakes it makes.

    Inputs and policies are those of `evaluate`. `target` is what should be reached, such as "recall@k >= 0.9": the
    smallest k that does is looked for. `by` names what parts the queries into slices: columns of their metadata,
    `relevant` or `length`; without it, all that makes a few slices. `tokens` is the length of a document, where the
    lengths are not known, and `price` that of a million tokens. `pool` are rankings of other retrievers: what they
    return is worth judging, too.

    Raises what `evaluate` raises, and UsageError for a k that is no whole number above 0, a target that is none, and
    unknown slices.

    >>> import catchrate
    >>> judged = {"q1": {"a": 1, "b": 1, "c": 1}, "q2": {"d": 1}}
    >>> catchrate.diagnose(judged, {"q1": ["a", "x", "b"], "q2": ["d"]}, k=2)
    Diagnosis over 2 queries: recall@2 0.6667, precision@2 0.5000, hit@2 1.0000, judged@2 0.7500
      LossAccount at 2 over 2 queries: found 66.7%, ranked below k 16.7%, never returned 16.7%
      selective
    """
    if "runs" in policies:
        raise UsageError.of("E260", "several runs are given", fix="diagnose one at a time")
    policy, names = Policy(**policies), parse_all(first_measures(checked_k(k)))
    reading = matching_options(options, match)
    judged, returned = matched_sides(*both_sides(judgments, ranking, reading), match)
    scores = score(judged, returned, names, policy)
    others = [matched_sides(judged, open_ranking(other, reading), match)[1] for other in pool]
    return diagnose_scores(
        scores,
        k,
        target=target,
        by=by,
        tokens=tokens,
        price=price,
        ranking=returned,
        pool=[(score(judged, other, names, policy), other) for other in others],
    )


def diagnose_scores(
    scores: Scores,
    k: int = 10,
    *,
    target: str | Target | None = None,
    by: str | Iterable[str] | None = None,
    tokens: float | None = None,
    price: float | None = None,
    ranking: RankingSource | None = None,
    pool: Iterable[tuple[Scores, RankingSource]] = (),
) -> Diagnosis:
    """Diagnose a run that was measured already, whatever was measured.

    Without the `ranking` nothing is read again, and nothing is said of what the slots hold that nobody judged: hubs,
    duplicates, what stands in the place of a miss, what to judge next.
    """
    k = checked_k(k)
    first = None if ranking is None else first_documents(scores, ranking, k)
    pooled = [(other, first_documents(other, source, k)) for other, source in pool]
    wanted = None if target is None else target_of(target)
    finds = wanted.value if wanted and wanted.measure.name == "recall" else FINDS
    return Diagnosis(
        k=k,
        scores=remeasured(scores, parse_all(first_measures(k))),
        loss=loss_account(scores, k),
        mode=mode_of(scores, k, finds=finds),
        choice=_choice(scores, wanted, ranking, tokens, price),
        positions=positions(scores, k),
        slices=slice_kinds(scores, by, k),
        beside=beside(scores, k),
        misses=misses(scores, k, first),
        nothing_found=nothing_found(scores, k),
        missed_often=missed_often(scores, k),
        crowd=None if first is None else crowd(scores, first, k),
        worklist=None if first is None else worklist([(scores, first), *pooled], k),
    )


def _choice(
    scores: Scores, target: Target | None, ranking: RankingSource | None, tokens: float | None, price: float | None
) -> Choice:
    """Choose k, with the words of texts as lengths where nobody says how many tokens a document has."""
    if ranking is None or tokens is not None or scores.aligned.arrays.lengths is not None:
        return choose_k(scores, target, tokens=tokens, price=price)
    known = with_words(scores, ranking)
    return choose_k(known, target, price=price, counted="tokens" if known is scores else "words")


def first_measures(k: int) -> tuple[str, ...]:
    """Return the names of what a diagnosis measures first."""
    return f"recall@{k}", f"precision@{k}", f"hit@{k}", f"judged@{k}"

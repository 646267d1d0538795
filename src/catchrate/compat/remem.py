"""REMem's retrieval metrics with its numbers, quirks included. docs/compat.md says what each quirk costs.

`RetrievalRecall`, `RetrievalRecallAll` and `RetrievalNDCGAny` take and return what the originals do, and
`is_chunk_from_original` is their rule by which a chunk comes from a document.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from typing import Any, ClassVar

import numpy as np

from catchrate.compat.parallel import Lists, paired
from catchrate.errors import UsageError, shown
from catchrate.evaluation.one_query import align_one
from catchrate.matching.grammar import parse_rule
from catchrate.matching.remem import is_chunk_from_original
from catchrate.matching.rules import Match, Rule
from catchrate.matching.strings import Remem
from catchrate.measures import Alignment, Hits, parse
from catchrate.measures.arrays import repeated
from catchrate.measures.parameters import whole
from catchrate.measures.terms import in_order

__all__ = ["RetrievalNDCGAny", "RetrievalRecall", "RetrievalRecallAll", "is_chunk_from_original"]

K_LIST = (1, 5, 10, 20)
SIDES = ("gold_docs", "retrieved_chunks")
Pooled = dict[str, float]
"""The mean over all examples by key, such as `Recall@5`, rounded to 4 decimals."""

_log = logging.getLogger(__name__)


class _Metric:
    """What the three metrics share: the mean of the examples at every cut-off."""

    metric_name: ClassVar[str]
    _key: ClassVar[str]

    def __init__(self, global_config: Any = None) -> None:
        self.global_config = global_config

    def calculate_metric_scores(
        self,
        gold_docs: Lists,
        retrieved_chunks: Lists | None = None,
        k_list: Iterable[int] = K_LIST,
        *,
        retrieved_docs: Lists | None = None,
        matcher: Match | None = None,
    ) -> tuple[Pooled, list[dict[str, float]]]:
        """Return the means, rounded to 4 decimals, and the scores of each example, unrounded.

        `gold_docs` holds the relevant documents of each example and `retrieved_chunks` (or `retrieved_docs`) what came
        back, best first. An example without relevant documents scores 0.0. A list that is shorter than the largest k
        is worth a warning in the log. `matcher` is a rule by which chunks come from documents, such as "covered(0.5)",
        in place of REMem's. Raises ValueError for lists that do not belong together.
        """
        if (retrieved_chunks is None) == (retrieved_docs is None):
            fix = "give what was retrieved once, as retrieved_chunks or as retrieved_docs"
            raise UsageError.of("E260", "what was retrieved is missing, or there twice", fix=fix)
        cutoffs = _cutoffs(k_list)
        retrieved = retrieved_docs if retrieved_chunks is None else retrieved_chunks
        examples = paired(gold_docs, retrieved, names=SIDES, of="texts", fits=lambda text: isinstance(text, str))
        _warn_of_short([len(chunks) for _, chunks in examples], cutoffs[-1])
        keys = [f"{self._key}@{k}" for k in cutoffs]
        rule = None if matcher is None else parse_rule(matcher)
        scores = [dict(zip(keys, self._scores(gold, chunks, cutoffs, rule), strict=True)) for gold, chunks in examples]
        means = {key: in_order(np.array([score[key] for score in scores])) / len(scores) for key in keys}
        return {key: round(mean, 4) for key, mean in means.items()}, scores

    def _scores(self, gold: Sequence[str], chunks: Sequence[str], cutoffs: list[int], rule: Rule | None) -> list[float]:
        """Return the score of one example at each cut-off."""
        raise NotImplementedError


class RetrievalRecall(_Metric):
    """Share of the relevant documents that are among the first k, which has to hold them as they are.

    Texts and ids are compared whole: a chunk of a document is not the document.

    >>> RetrievalRecall().calculate_metric_scores([["doc1", "doc2"]], [["doc1", "doc3", "doc2"]], [1, 5])
    ({'Recall@1': 0.5, 'Recall@5': 1.0}, [{'Recall@1': 0.5, 'Recall@5': 1.0}])
    """

    metric_name = "retrieval_recall"
    _key = "Recall"

    def _scores(self, gold: Sequence[str], chunks: Sequence[str], cutoffs: list[int], rule: Rule | None) -> list[float]:
        return _measured("recall", align_one(chunks, gold) if rule is None else _origins(gold, chunks, rule), cutoffs)


class RetrievalRecallAll(_Metric):
    """Whether every relevant document has a chunk among the first k that comes from it.

    As in REMem, an example that names a relevant document twice never reaches 1.

    >>> RetrievalRecallAll().calculate_metric_scores([["I like tea. I hike."]], [["I hike."]], [1])
    ({'Recall_all@1': 1.0}, [{'Recall_all@1': 1.0}])
    """

    metric_name = "retrieval_recall_all"
    _key = "Recall_all"

    def _scores(self, gold: Sequence[str], chunks: Sequence[str], cutoffs: list[int], rule: Rule | None) -> list[float]:
        if len(set(gold)) < len(gold):
            return [0.0] * len(cutoffs)
        return _measured("recall_all", _origins(gold, chunks, rule or Remem()), cutoffs)


class RetrievalNDCGAny(_Metric):
    """Discounted gain of the chunks that come from any relevant document, as a share of the best order of all chunks.

    The second rank is not discounted, and what was not retrieved costs nothing: this is our
    `ndcg(discount=jarvelin)` with the chunks that come from a relevant document as the judged items.

    >>> metric = RetrievalNDCGAny()
    >>> metric.calculate_metric_scores([["I like tea."]], [["It rains.", "It snows.", "I like tea."]], [5])[0]
    {'NDCG_any@5': 0.6309}
    """

    metric_name = "retrieval_ndcg_any"
    _key = "NDCG_any"

    def _scores(self, gold: Sequence[str], chunks: Sequence[str], cutoffs: list[int], rule: Rule | None) -> list[float]:
        relevant = np.zeros(len(chunks))
        relevant[_origins(gold, chunks, rule or Remem()).hits.slot - 1] = 1.0
        best = np.sort(relevant)[::-1]
        return [_dcg(relevant[:k]) / _dcg(best[:k]) if best.any() else 0.0 for k in cutoffs]


def _measured(name: str, alignment: Alignment, cutoffs: list[int]) -> list[float]:
    return [float(parse(f"{name}@{k}").per_query(alignment)[0]) for k in cutoffs]


def _dcg(relevant: np.ndarray) -> float:
    """Return the discounted gain, added by NumPy as in REMem: another order of adding differs in the last bit."""
    return float(relevant[0] + np.sum(relevant[1:] / np.log2(np.arange(2, relevant.size + 1))))


def _origins(gold: Sequence[str], chunks: Sequence[str], rule: Rule) -> Alignment:
    """Join the chunks with the documents that they come from."""
    pairs = rule.pairs(chunks, gold)
    found = pairs.where(pairs.matches(rule.level))
    slot, item = found.slot + 1, found.item
    grade = np.ones(len(gold))
    return Alignment.of(
        hits=Hits(np.zeros_like(slot), slot, item, grade[item], repeated(item, grade.size)),
        item_query=np.zeros(grade.size, np.int64),
        item_grade=grade,
        returned=np.array([len(chunks)]),
    )


def _cutoffs(k_list: Iterable[int]) -> list[int]:
    """Return the cut-offs in order, each once."""
    try:
        cutoffs = [] if isinstance(k_list, str) else sorted({whole(k) for k in k_list})
    except (TypeError, ValueError):
        cutoffs = []
    if not cutoffs:
        raise UsageError.of("E272", f"k_list is {shown(repr(k_list), 40)}", fix="give whole numbers from 1 upwards")
    return cutoffs


def _warn_of_short(counts: list[int], deepest: int) -> None:
    short = [count for count in counts if count < deepest]
    if short:
        _log.warning(
            "%d of %d lists are shorter than the largest k, %d: the shortest has %d entries",
            *(len(short), len(counts), deepest, min(short)),
        )

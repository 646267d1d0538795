"""Haystack's document evaluators on our measures, and one component for all measures. Needs haystack-ai 3.1 or newer.

`DocumentRecallEvaluator`, `DocumentMRREvaluator`, `DocumentMAPEvaluator` and `DocumentNDCGEvaluator` take, return and
serialise what Haystack's own do, and give the same numbers. `RetrievalEvaluator` measures anything in one pass.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from enum import Enum
from typing import Any, Self

import numpy as np

from catchrate.alignment import Policy
from catchrate.compat.documents import (
    Documents,
    Names,
    Question,
    ValueOf,
    aligned,
    any_comparable,
    comparison,
    in_pairs,
    in_records,
    value_in,
    without_blanks,
)
from catchrate.errors import InputError, MissingExtra, UsageError, shown
from catchrate.evaluation.evaluate import DEFAULT_MEASURES, score
from catchrate.evaluation.scores import Scores
from catchrate.formats import read_records
from catchrate.measures import Alignment, Terms, parse, parse_all
from catchrate.measures.arrays import log2
from catchrate.measures.terms import Floats, summed

try:
    from haystack import Document, component, default_from_dict, default_to_dict, logging
    from haystack.components.evaluators.document_recall import RecallMode
except ImportError as error:
    raise MissingExtra.named("haystack-ai", "haystack") from error

__all__ = [
    "DocumentMAPEvaluator",
    "DocumentMRREvaluator",
    "DocumentNDCGEvaluator",
    "DocumentRecallEvaluator",
    "RecallMode",
    "RetrievalEvaluator",
]

_log = logging.getLogger(__name__)


class _DocumentEvaluator:
    """What the evaluators of one measure share."""

    def __init__(self, document_comparison_field: str = "content") -> None:
        comparison(document_comparison_field)
        self.document_comparison_field = document_comparison_field

    @component.output_types(score=float, individual_scores=list[float])
    def run(
        self, ground_truth_documents: list[list[Document]], retrieved_documents: list[list[Document]]
    ) -> dict[str, Any]:
        """Return `individual_scores`, one for each question, and `score`, their mean.

        Both sides hold one list of documents for each question, in the same order. Raises ValueError (InputError) when
        they do not, or when there is no question.
        """
        questions = in_pairs(ground_truth_documents, retrieved_documents)
        value_of = self._value_of()
        self._notice(questions, value_of)
        scores = [self._score(*question, value_of) for question in questions]
        return {"score": sum(scores) / len(scores), "individual_scores": scores}

    def to_dict(self) -> dict[str, Any]:
        """Return the component as plain data."""
        return default_to_dict(self, document_comparison_field=self.document_comparison_field)

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Self:
        """Return the component that `to_dict` described."""
        return default_from_dict(cls, data)

    def _value_of(self) -> ValueOf:
        return comparison(self.document_comparison_field)

    def _notice(self, questions: Sequence[Question], value_of: ValueOf) -> None:
        """Say what is worth a line in the log."""

    def _score(self, truths: Documents, retrieved: Documents, value_of: ValueOf) -> float:
        graded = [(value_of(document), 1.0) for document in truths]
        return float(self._per_query(aligned(graded, map(value_of, retrieved)))[0])

    def _per_query(self, alignment: Alignment) -> Floats:
        raise NotImplementedError


@component
class DocumentRecallEvaluator(_DocumentEvaluator):
    """Recall of the retrieved documents, like Haystack's evaluator of this name.

    `single_hit`, the default, is 1 when any relevant document was retrieved, which catchrate calls hit. `multi_hit` is
    the share of the relevant documents that were retrieved. Equal documents count once, and empty texts are equal to
    nothing. A question without anything to compare scores 0, and a warning in the log says how many there are.

    >>> from haystack import Document
    >>> truths, retrieved = [Document(content="Paris"), Document(content="France")], [Document(content="Paris")]
    >>> DocumentRecallEvaluator(mode="multi_hit").run([truths], [retrieved])
    {'score': 0.5, 'individual_scores': [0.5]}
    """

    def __init__(
        self, mode: str | RecallMode = RecallMode.SINGLE_HIT, document_comparison_field: str = "content"
    ) -> None:
        _DocumentEvaluator.__init__(self, document_comparison_field)  # a component is a copy: super() does not know it
        self.mode = _recall_mode(mode)

    def to_dict(self) -> dict[str, Any]:
        """Return the component as plain data."""
        return default_to_dict(self, mode=str(self.mode), document_comparison_field=self.document_comparison_field)

    def _value_of(self) -> ValueOf:
        return without_blanks(comparison(self.document_comparison_field))

    def _notice(self, questions: Sequence[Question], value_of: ValueOf) -> None:
        for place, side in enumerate(("ground truth", "retrieved")):
            bare = [n for n, question in enumerate(questions, 1) if not any_comparable(question[place], value_of)]
            if bare:
                _log.warning(
                    "There are no {side} documents with a {field} to compare for {count} of {all} questions "
                    "({numbers}); their score is 0.",
                    side=side,
                    field=self.document_comparison_field,
                    count=len(bare),
                    all=len(questions),
                    numbers=", ".join(map(str, bare[:10])) + (", ..." if len(bare) > 10 else ""),
                )

    def _per_query(self, alignment: Alignment) -> Floats:
        return parse("hit" if self.mode == RecallMode.SINGLE_HIT else "recall").per_query(alignment)


def _recall_mode(mode: object) -> RecallMode:
    named = mode.value if isinstance(mode, Enum) else mode
    known = {known.value: known for known in RecallMode}
    if not isinstance(named, str) or named not in known:
        raise UsageError.of("E272", f"mode is {shown(named)}", fix=f"it is one of {', '.join(known)}")
    return known[named]


@component
class DocumentMRREvaluator(_DocumentEvaluator):
    """Mean reciprocal rank of the first relevant document, like Haystack's evaluator of this name.

    A document without anything to compare keeps its rank. Documents with an empty text are equal to each other.

    >>> from haystack import Document
    >>> retrieved = [Document(content="Berlin"), Document(content="Paris")]
    >>> DocumentMRREvaluator().run([[Document(content="Paris")]], [retrieved])
    {'score': 0.5, 'individual_scores': [0.5]}
    """

    def _per_query(self, alignment: Alignment) -> Floats:
        return parse("rr").per_query(alignment)


@component
class DocumentMAPEvaluator(_DocumentEvaluator):
    """Mean average precision, like Haystack's evaluator of this name since 3.1.

    Equal documents count once, at the first rank that holds one.

    >>> from haystack import Document
    >>> truths = [Document(content="9th century"), Document(content="9th")]
    >>> DocumentMAPEvaluator().run([truths], [[truths[0], Document(content="10th century"), truths[1]]])
    {'score': 0.8333333333333333, 'individual_scores': [0.8333333333333333]}
    """

    def _per_query(self, alignment: Alignment) -> Floats:
        return parse("ap").per_query(alignment)


@component
class DocumentNDCGEvaluator(_DocumentEvaluator):
    """Discounted gain as a share of the ideal list's, like Haystack's evaluator of this name since 3.1.

    The gain of a document is the score of its twin among the ground truth documents, or 1 where these have none. Of
    equal ground truth documents the highest score counts. A negative score is a loss, as in Haystack; the measure
    ndcg counts it as no gain.

    >>> from haystack import Document
    >>> truths = [Document(content="France", score=1.0), Document(content="Paris", score=0.5)]
    >>> found = [Document(content="France"), Document(content="Germany"), Document(content="Paris")]
    >>> round(DocumentNDCGEvaluator().run([truths], [found])["score"], 4)
    0.9502
    """

    def _score(self, truths: Documents, retrieved: Documents, value_of: ValueOf) -> float:
        scores = [document.score for document in truths]
        if None in scores and set(scores) != {None}:
            message = "some ground truth documents of a question have a score and some have none"
            raise InputError.of("E202", message, fix="give all documents of a question a score, or none")
        graded = [(value_of(document), 1.0 if document.score is None else document.score) for document in truths]
        return float(self._per_query(aligned(graded, map(value_of, retrieved)))[0])

    def _per_query(self, alignment: Alignment) -> Floats:
        return _signed_ndcg(alignment).per_query(0.0)


def _signed_ndcg(a: Alignment) -> Terms:
    ideal = summed(a.items.query, a.items.grade / log2(a.items.place + 1), a.queries)
    return a.slot_terms(a.slots.grade / log2(a.slots.slot + 1), over=np.maximum(ideal, 0.0))


@component
class RetrievalEvaluator:
    """Any measures in one pass over the documents, with everything behind the numbers on an output socket.

    `measures` are names such as "recall@10". `grade_field` says where a ground truth document keeps its grade: "score"
    or "meta.<key>"; without it each has grade 1. Documents of grade `rel` and above are relevant.

    >>> from haystack import Document
    >>> paris, berlin = Document(content="Paris"), Document(content="Berlin")
    >>> result = RetrievalEvaluator(["recall@1", "rr"]).run([[paris]], [[berlin, paris]], questions=["Capital?"])
    >>> result["per_query"], result["scores"]["rr"]
    ([{'query': 'Capital?', 'recall@1': 0.0, 'rr': 0.5}], 0.5)
    """

    def __init__(
        self,
        measures: Sequence[str] | None = None,
        document_comparison_field: str = "content",
        grade_field: str | None = None,
        rel: float = 1,
    ) -> None:
        comparison(document_comparison_field)
        if not (grade_field is None or grade_field == "score" or str(grade_field).startswith("meta.")):
            raise UsageError.of("E272", f"grade_field is {shown(grade_field)}", fix="it is 'score' or 'meta.<key>'")
        self.measures = [str(measure) for measure in parse_all(DEFAULT_MEASURES if measures is None else measures)]
        self.document_comparison_field = document_comparison_field
        self.grade_field = grade_field
        self.rel = rel

    @component.output_types(
        score=float,
        individual_scores=list[float],
        results=dict[str, dict[str, Any]],
        per_query=list[dict[str, Any]],
        scores=Scores,
    )
    def run(
        self,
        ground_truth_documents: list[list[Document]],
        retrieved_documents: list[list[Document]],
        questions: list[str] | None = None,
    ) -> dict[str, Any]:
        """Measure what was retrieved.

        Both sides hold one list of documents for each question, in the same order; `questions` names them, else they
        are numbered. Returns `scores`, the whole Scores; `per_query`, one row a question; and `results`, the score and
        the individual scores of each measure, as EvaluationRunResult takes them. `score` and `individual_scores` are
        those of the first measure. Raises ValueError (InputError) when the lists do not belong together.
        """
        pairs = in_pairs(ground_truth_documents, retrieved_documents)
        records, notes = in_records(pairs, questions, Names(self.document_comparison_field), self._grade_of())
        scores = score(*read_records(records), parse_all(self.measures), Policy(rel=self.rel))
        scores = replace(scores, notes=(*notes, *scores.notes))
        rows = {row["query"]: row for row in scores.per_query.to_dicts()}
        per_query = [rows[record["query"]] for record in records]
        means = scores.as_dict()
        results = {m: {"score": means[m], "individual_scores": [row[m] for row in per_query]} for m in means}
        return {**results[self.measures[0]], "results": results, "per_query": per_query, "scores": scores}

    def to_dict(self) -> dict[str, Any]:
        """Return the component as plain data."""
        return default_to_dict(
            self,
            measures=self.measures,
            document_comparison_field=self.document_comparison_field,
            grade_field=self.grade_field,
            rel=self.rel,
        )

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Self:
        """Return the component that `to_dict` described."""
        return default_from_dict(cls, data)

    def _grade_of(self) -> ValueOf:
        return (lambda _: 1.0) if self.grade_field is None else value_in(self.grade_field)

"""What retrievers return, in the many shapes that they have, to ids with texts and scores."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable, Mapping, Sequence
from numbers import Integral, Real
from typing import Any, NamedTuple, cast

from catchrate.errors import InputError, shown

IDS = ("id", "_id", "doc_id", "document_id", "chunk_id", "docno", "id_", "node_id", "key")
TEXTS = ("text", "content", "page_content")
SCORES = ("score", "similarity", "relevance_score")
LISTS = ("documents", "results", "hits", "nodes", "matches", "chunks")
"""What objects and mappings call these, in LangChain, LlamaIndex, Haystack and elsewhere."""
INNER = ("metadata", "meta")
"""Where an object without an id of its own may carry one."""
SHAPES = "return ids, (id, score) pairs, dicts or objects with id, text and score, best first"


class Answer(NamedTuple):
    """What came back for a question, best first."""

    ids: list[str]
    scores: list[float] | None
    texts: list[str] | None

    def fields(self) -> dict[str, Any]:
        """Return the fields of the evaluation record."""
        known = {"retrieved": self.ids, "scores": self.scores, "texts": self.texts}
        return {name: value for name, value in known.items() if value is not None}


class _Hit(NamedTuple):
    id: str
    score: float | None
    text: str | None


def answer_of(returned: object, k: int | None) -> Answer:
    """Return the first k results in whatever shape they are.

    Scores and texts are kept where every result has one. Raises InputError for a shape that nobody knows.
    """
    hits = [_hit(result) for result in list(_results(returned))[:k]]
    scores = [hit.score for hit in hits if hit.score is not None]
    texts = [hit.text for hit in hits if hit.text is not None]
    return Answer(
        ids=[hit.id for hit in hits],
        scores=scores if hits and len(scores) == len(hits) else None,
        texts=texts if hits and len(texts) == len(hits) else None,
    )


def _results(returned: object) -> Iterable[object]:
    inside = _field(returned, LISTS)
    if inside is not None:
        return _results(inside)
    if isinstance(returned, Mapping):
        return _by_score(cast("Mapping[object, Any]", returned))
    if isinstance(returned, str | bytes) or not isinstance(returned, Iterable):
        raise _odd(returned)
    return cast("Iterable[object]", returned)


def _by_score(scores: Mapping[object, Any]) -> Sequence[object]:
    """Return the pairs of a mapping, which has no order but that of its scores."""
    if not all(map(_is_number, scores.values())):
        raise _odd(scores)
    return [(result, scores[result]) for result in sorted(scores, key=lambda result: -scores[result])]


def _hit(result: object) -> _Hit:
    if isinstance(result, tuple | list) and len(result) == 2 and _is_number(result[1]):
        hit = _hit(cast("Sequence[object]", result)[0])
        return hit._replace(score=_number(result[1]))
    if isinstance(result, str) or (isinstance(result, Integral) and not isinstance(result, bool)):
        return _Hit(_id(result), None, None)
    text = _field(result, TEXTS)
    given = _field(result, IDS)
    if given is None:
        given = next((found for name in INNER if (found := _field(_field(result, (name,)), IDS)) is not None), None)
    if given is None and isinstance(text, str):
        given = id_of_text(text)
    if given is None:
        raise _odd(result)
    score = _field(result, SCORES)
    return _Hit(_id(given), _number(score) if _is_number(score) else None, text if isinstance(text, str) else None)


def id_of_text(text: str) -> str:
    """Return an id for a text that has none: equal texts share it."""
    return f"text-{hashlib.sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()[:16]}"


def _field(value: object, names: Iterable[str]) -> Any:
    """Return the first of some fields that is there and not empty, of a mapping or an object."""
    if isinstance(value, Mapping):
        fields = cast("Mapping[str, object]", value)
        return next((fields[name] for name in names if fields.get(name) is not None), None)
    return next((found for name in names if (found := getattr(value, name, None)) is not None), None)


def _id(value: object) -> str:
    if isinstance(value, bool) or not isinstance(value, str | Integral):
        value = str(value)  # a UUID, say
    text = value if isinstance(value, str) else str(int(value))
    if not text or "\0" in text:
        raise InputError.of("E296", f"a result has the id {shown(text)}", fix="give each result an id")
    return text


def _is_number(value: object) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool)


def _number(value: Any) -> float:
    number = float(value)
    if not math.isfinite(number):
        raise InputError.of("E296", f"a result has the score {number}", fix="return finite scores, or none")
    return number


def _odd(value: object) -> InputError:
    kind = type(value).__name__
    return InputError.of("E296", f"the retriever returned {kind} {shown(repr(value), 40)}", fix=SHAPES)

"""Questions as Haystack's evaluators get them: parallel lists of documents, compared by one of their fields.

Equality is Python's, so any value compares: texts, numbers, lists. A document is whatever has `content`, `id` and
`meta`; nothing here knows Haystack.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from operator import attrgetter
from typing import Any

from catchrate.compat.parallel import paired
from catchrate.errors import Finding, InputError, UsageError, shown
from catchrate.evaluation.one_query import align_one
from catchrate.measures import Alignment

Documents = Sequence[Any]
Question = tuple[Documents, Documents]
"""The relevant documents of a question and those that were retrieved."""
ValueOf = Callable[[Any], Any]
"""Takes from a document what it is compared by; None where there is nothing to compare."""

SIDES = ("ground_truth_documents", "retrieved_documents")
MAX_NAME = 200
"""Longest value that names a document by itself."""


def value_in(field: str) -> ValueOf:
    """Return the function that reads a field: content, id, score, or meta.<key>[.<key>]."""
    if field in ("content", "id", "score"):
        return attrgetter(field)
    keys = field.removeprefix("meta.").split(".")
    return lambda document: _nested(document.meta, keys)


def comparison(field: str) -> ValueOf:
    """Return the function that takes from a document what it is compared by.

    Raises UsageError for a field that documents are not compared by.
    """
    if isinstance(field, str) and (field in ("content", "id") or field.startswith("meta.")):
        return value_in(field)
    fix = "it is 'content', 'id' or 'meta.<key>', with further keys behind further dots"
    raise UsageError.of("E272", f"document_comparison_field is {shown(field)}", fix=fix)


def without_blanks(value_of: ValueOf) -> ValueOf:
    """Return the function with which an empty text is nothing to compare."""

    def value_or_none(document: Any) -> Any:
        value = value_of(document)
        return None if isinstance(value, str) and not value else value

    return value_or_none


def any_comparable(documents: Documents, value_of: ValueOf) -> bool:
    """Tell whether any document has something to compare."""
    return any(value_of(document) is not None for document in documents)


def _nested(value: object, keys: Sequence[str]) -> object:
    for key in keys:
        if not isinstance(value, dict) or key not in value:
            return None
        value = value[key]
    return value


def in_pairs(truths: object, retrieved: object) -> list[Question]:
    """Return the documents of each question, relevant ones first; refuse what does not belong together."""
    return paired(truths, retrieved, names=SIDES, of="documents", fits=lambda document: hasattr(document, "meta"))


class Keys:
    """What stands for a value in a dict: itself, or where no dict can hold it one object for all its equals."""

    def __init__(self) -> None:
        self._others: list[tuple[object, object]] = []

    def of(self, value: object) -> Hashable:
        """Return the key of a value; no two values without anything to compare share one."""
        if value is None:
            return object()
        try:
            hash(value)
        except TypeError:
            return self._of_other(value)
        return value

    def _of_other(self, value: object) -> object:
        known = next((key for other, key in self._others if other == value), None)
        if known is None:
            known = object()
            self._others.append((value, known))
        return known


def aligned(graded: Iterable[tuple[object, float]], retrieved: Iterable[object]) -> Alignment:
    """Join the values that were returned with those that are relevant; equal ones are one, with the best grade."""
    keys = Keys()
    grades: dict[Hashable, float] = {}
    for value, grade in graded:
        if value is not None:
            key = keys.of(value)
            grades[key] = max(grades.get(key, grade), grade)
    return align_one([keys.of(value) for value in retrieved], grades)


class Names:
    """Ids for documents that are compared by a field: one for all that are equal, readable where the value is."""

    def __init__(self, field: str) -> None:
        self.field = field
        self.value_of = comparison(field)
        self._keys = Keys()
        self._names: dict[Hashable, str] = {}
        self._taken: dict[str, int] = {}

    def of(self, document: Any) -> str:
        """Return the id of a document; one without anything to compare is equal to no other."""
        value = self.value_of(document)
        key = self._keys.of(value)
        if key not in self._names:
            self._names[key] = self._free(self._proposed(document, value))
        return self._names[key]

    def _proposed(self, document: Any, value: object) -> str:
        text = str(value)
        plain = 0 < len(text) <= MAX_NAME and text.isprintable()
        return text if plain and value is not None and self.field != "content" else str(document.id)

    def _free(self, name: str) -> str:
        while name in self._taken:
            self._taken[name] += 1
            name = f"{name}#{self._taken[name]}"
        self._taken[name] = 1
        return name


def in_records(
    pairs: Sequence[Question], questions: object, names: Names, grade_of: ValueOf
) -> tuple[list[dict[str, Any]], tuple[Finding, ...]]:
    """Return the questions as evaluation records, and a note on relevant documents that have nothing to compare."""
    asked = _questions(questions, len(pairs))
    bare = 0
    records: list[dict[str, Any]] = []
    for query, (truths, retrieved) in zip(asked, pairs, strict=True):
        comparable = [document for document in truths if names.value_of(document) is not None]
        bare += len(truths) - len(comparable)
        grades: dict[str, float] = {}
        for document in comparable:
            name, grade = names.of(document), _grade(grade_of(document), query)
            grades[name] = max(grades.get(name, grade), grade)
        records.append(
            {
                "query": query,
                "ground_truth": grades,
                "retrieved": [names.of(document) for document in retrieved],
                "texts": [document.content for document in retrieved],
            }
        )
    message = f"{bare:,} ground truth documents have no {names.field} to compare and were left out"
    return records, (Finding(code="N295", message=message, count=bare),) if bare else ()


def _questions(questions: object, count: int) -> list[str]:
    if questions is None:
        return [str(number) for number in range(1, count + 1)]
    if not isinstance(questions, list | tuple) or len(questions) != count:
        found = shown(repr(questions), 40)
        raise InputError.of("E261", f"questions is {found}", fix=f"give a list of {count:,}, one for each question")
    return list(questions)


def _grade(grade: object, query: str) -> float:
    if isinstance(grade, int | float) and not isinstance(grade, bool):
        return float(grade)
    message = f"question {shown(query)}: a ground truth document has the grade {shown(grade)}"
    raise InputError.of("E202", message, fix="give each a number, or leave grade_field out")

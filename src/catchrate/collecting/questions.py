"""Questions from wherever people keep them: texts, records, judgments with texts, files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from catchrate.errors import InputError, shown
from catchrate.formats import ReadOptions, question_rows, read_judgments
from catchrate.tables import Judgments

GOLD, TEXT = "ground_truth", "text"


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """One question, and what is known of it."""

    id: str
    """What tells it from the others."""
    text: str
    """What is asked."""
    record: Mapping[str, Any]
    """All its fields, as they go into the evaluation record."""


def questions_of(where: object, options: ReadOptions) -> tuple[Question, ...]:
    """Return the questions in texts, `{id: text}`, records with `query`, judgments with texts, or a file of these.

    Raises InputError when there is none, when one has no text, and when two share an id.
    """
    rows = _rows(where, options)
    questions = tuple(_question(row, place) for place, row in enumerate(rows, start=1))
    if not questions:
        raise InputError.of("E101", "there are no questions", fix="give a list of texts, or a file of records")
    _refuse_repeated(questions)
    return questions


def _rows(where: object, options: ReadOptions) -> Sequence[Mapping[str, Any]]:
    if isinstance(where, Mapping):
        texts = cast("Mapping[object, object]", where)
        return [{"id": str(key), "query": text} for key, text in texts.items()]
    if isinstance(where, list | tuple):
        return [row if isinstance(row, Mapping) else {"query": row} for row in where]
    rows = None if isinstance(where, Judgments) else question_rows(where, options)
    return _judged_rows(read_judgments(where, options)) if rows is None else rows


def _judged_rows(judgments: Judgments) -> list[Mapping[str, Any]]:
    """Return one record a judged query: its id, its text, what is known of it and its judgments."""
    if TEXT not in judgments.queries.columns:
        fix = "give records with `query` and `id`, or a BEIR folder with queries.jsonl"
        raise InputError.of("E236", "the judgments hold no texts of queries", fix=fix, file=judgments.name)
    grades: dict[str, dict[str, float]] = {}
    for query, doc, grade in judgments.items.select("query", "doc", "grade").iter_rows():
        grades.setdefault(query, {})[doc] = grade
    return [
        {"id": row.pop("query"), "query": row.pop(TEXT), GOLD: grades.get(query, {}), **row}
        for row in judgments.queries.to_dicts()
        if (query := row["query"])
    ]


def _question(row: Mapping[str, Any], place: int) -> Question:
    text = row.get("query")
    if not isinstance(text, str) or not text.strip():
        fix = "give each question its text as `query`"
        raise InputError.of("E236", f"question {place:,} has the text {shown(repr(text), 40)}", fix=fix)
    given = row.get("id", text)
    if not isinstance(given, str | int) or isinstance(given, bool):
        raise InputError.of("E234", f"question {place:,} has the id {shown(repr(given), 40)}", fix="write ids as text")
    return Question(id=str(given), text=text, record=row)


def _refuse_repeated(questions: Sequence[Question]) -> None:
    seen: dict[str, int] = {}
    for place, question in enumerate(questions, start=1):
        earlier = seen.setdefault(question.id, place)
        if earlier != place:
            message = f"questions {earlier:,} and {place:,} share the id {shown(question.id)}"
            raise InputError.of("E238", message, fix="give each question an `id` of its own")

"""LongMemEval: questions about long chat histories, each with a history of its own and labels of where the evidence is.

The fields are those of its release: `question_id`, `question`, `question_type`, `question_date`, `answer`,
`haystack_session_ids`, `haystack_dates`, `haystack_sessions` (lists of turns with `role`, `content` and perhaps
`has_answer`) and `answer_session_ids`. A question whose id ends with `_abs` asks for what the history does not hold.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NoReturn, get_args

import polars as pl

from catchrate.errors import Finding, UsageError, shown
from catchrate.formats.nested import Origin, kind_of
from catchrate.formats.options import LONGMEMEVAL_TURNS, ReadOptions
from catchrate.formats.query_table import metadata_column
from catchrate.formats.records import Records
from catchrate.tables import Judgments

Level = Literal["session", "turn"]
ABSTENTION = "_abs"
KNOWN = ("question_type", "question_date", "answer")
"""What is kept of each question as its metadata."""
_SHAPE = {"question_id": str, "question": str, "answer_session_ids": list, "haystack_session_ids": list}

Entry = Mapping[str, Any]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class LongMemEval:
    """The questions of LongMemEval as tables."""

    judgments: Judgments
    """The sessions or turns that hold the evidence of each question, and what is asked."""
    passages: pl.DataFrame
    """What there is to retrieve from: `query, doc, date, role, text`, one row a session or turn of a question."""
    abstentions: pl.DataFrame
    """The questions whose history holds no answer: `query, text` and metadata. They are not judged."""

    def __repr__(self) -> str:
        queries, apart = self.judgments.queries.height, self.abstentions.height
        return f"LongMemEval({queries:,} questions, {apart:,} abstentions, {self.passages.height:,} passages)"


def is_longmemeval(records: Records) -> bool:
    """Tell whether records are those of LongMemEval; looks at the first."""
    return all(field in records.rows[0] for field in _SHAPE)


def longmemeval_of(records: Records, level: Level) -> LongMemEval:
    """Return judgments and passages at the level of sessions or of turns.

    Raises InputError for an entry that has not the fields of a release, naming its line.
    """
    if level not in get_args(Level):
        raise UsageError.of("E272", f"level is {shown(level)}", fix=f"it is one of {', '.join(get_args(Level))}")
    for place, entry in enumerate(records.rows):
        _refuse_odd(entry, place, records.origin)
    asked = [entry for entry in records.rows if not entry["question_id"].endswith(ABSTENTION)]
    apart = [entry for entry in records.rows if entry["question_id"].endswith(ABSTENTION)]
    return LongMemEval(
        judgments=_judgments(asked, level, records, len(apart)),
        passages=_passages(records.rows, level),
        abstentions=_described(apart),
    )


def longmemeval_judgments(records: Records, options: ReadOptions) -> Judgments:
    """Return the judged side alone."""
    return longmemeval_of(records, "turn" if options.format == LONGMEMEVAL_TURNS else "session").judgments


def _judgments(asked: Sequence[Entry], level: Level, records: Records, apart: int) -> Judgments:
    evidence = _evidence_turns if level == "turn" else _evidence_sessions
    rows = [(entry["question_id"], doc) for entry in asked for doc in evidence(entry)]
    items = pl.DataFrame(rows, schema={"query": pl.String, "doc": pl.String}, orient="row").unique(maintain_order=True)
    name = records.origin.name
    message = f"{apart:,} abstention questions have no evidence to find and are set apart"
    notes = (Finding(code="N293", message=message, file=name, count=apart),) if apart else ()
    queries = _described(asked)
    return Judgments.of(
        items.with_columns(pl.lit(1.0).alias("grade")), queries, notes=(*records.notes, *notes), name=name
    )


def _described(entries: Sequence[Entry]) -> pl.DataFrame:
    columns = {
        "query": pl.Series([entry["question_id"] for entry in entries], dtype=pl.String),
        "text": pl.Series([entry["question"] for entry in entries], dtype=pl.String),
    }
    known = {name: metadata_column([_plain(entry.get(name)) for entry in entries]) for name in KNOWN}
    return pl.DataFrame(columns | known)


def _plain(value: object) -> object:
    """Answers are texts, and now and then a number."""
    return value if value is None or isinstance(value, str) else str(value)


def _evidence_sessions(entry: Entry) -> Iterator[str]:
    yield from entry["answer_session_ids"]


def _evidence_turns(entry: Entry) -> Iterator[str]:
    for session, turns in zip(entry["haystack_session_ids"], entry["haystack_sessions"], strict=True):
        yield from (turn_id(session, place) for place, turn in enumerate(turns, start=1) if turn.get("has_answer"))


def turn_id(session: str, place: int) -> str:
    """Return the id of a turn, counted from 1, as LongMemEval's own retrieval logs write it."""
    return f"{session}_{place}"


def _passages(entries: Sequence[Entry], level: Level) -> pl.DataFrame:
    names = ("query", "doc", "date", "role", "text")
    rows = [row for entry in entries for row in (_turns(entry) if level == "turn" else _sessions(entry))]
    return pl.DataFrame(rows, schema=dict.fromkeys(names, pl.String), orient="row")


_Passage = tuple[str, str, str | None, str | None, str]


def _sessions(entry: Entry) -> Iterator[_Passage]:
    for session, date, turns in _history(entry):
        text = "\n".join(f"{turn['role']}: {turn['content']}" for turn in turns)
        yield entry["question_id"], session, date, None, text


def _turns(entry: Entry) -> Iterator[_Passage]:
    for session, date, turns in _history(entry):
        for place, turn in enumerate(turns, start=1):
            yield entry["question_id"], turn_id(session, place), date, turn["role"], turn["content"]


def _history(entry: Entry) -> Iterator[tuple[str, str | None, Sequence[Entry]]]:
    ids, sessions = entry["haystack_session_ids"], entry["haystack_sessions"]
    yield from zip(ids, entry.get("haystack_dates") or [None] * len(ids), sessions, strict=True)


def _refuse_odd(entry: Entry, place: int, origin: Origin) -> None:
    def refuse(found: str, fix: str) -> NoReturn:
        origin.refuse("E294", place, found, fix=fix)

    for field, kind in {**_SHAPE, "haystack_sessions": list}.items():
        if not isinstance(entry.get(field), kind):
            refuse(f"the field {field} is {kind_of(entry.get(field))}", "use a file of the release as it is")
    ids, sessions = entry["haystack_session_ids"], entry["haystack_sessions"]
    if len(ids) != len(sessions) or len(entry.get("haystack_dates") or ids) != len(ids):
        refuse(f"there are {len(ids):,} session ids for {len(sessions):,} sessions", "give each session an id")
    if not all(isinstance(name, str) for name in (*ids, *entry["answer_session_ids"])):
        refuse("a session id is no text", "write ids as text")
    for turns in sessions:
        if not isinstance(turns, list) or not all(_is_turn(turn) for turn in turns):
            refuse(f"a session is {kind_of(turns)}", "a session is a list of turns with role and content")


def _is_turn(turn: object) -> bool:
    return isinstance(turn, dict) and isinstance(turn.get("role"), str) and isinstance(turn.get("content"), str)

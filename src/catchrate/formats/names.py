"""The usual names of columns and fields, declared once."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Mapping, Sequence
from difflib import get_close_matches
from typing import Final, Literal

from catchrate.errors import InputError, UsageError, shown

Role = Literal["query", "doc", "grade", "score", "rank", "text", "distance"]
QUERY: Final = "query"
DOC: Final = "doc"
GRADE: Final = "grade"
SCORE: Final = "score"
RANK: Final = "rank"
TEXT: Final = "text"
DISTANCE: Final = "distance"

NAMES: Mapping[Role, frozenset[str]] = {
    "query": frozenset(("query", "queryid", "q", "qid", "topic", "topicid", "question", "questionid")),
    "doc": frozenset(
        ("doc", "docid", "docno", "did", "document", "documentid", "corpusid", "pid", "passage", "passageid", "chunk")
    )
    | {"chunkid", "item", "itemid"},
    "grade": frozenset(("grade", "relevance", "rel", "label", "judgment", "judgement", "relevancelabel", "gain")),
    "score": frozenset(("score", "sim", "similarity", "relevancescore")),
    "rank": frozenset(("rank", "position", "pos")),
    "text": frozenset(("text", "content")),
    "distance": frozenset(("distance", "dist")),
}
"""What each column may be called: in lower case, without blanks, hyphens and underscores."""

FIELDS: Final = ("id", "query", "retrieved", "ground_truth", "scores", "grades", "texts", "gold_texts", "weight")
"""The fields of an evaluation record."""

_JOINERS = re.compile(r"[\s_-]+")


def plain(name: str) -> str:
    """Return a name as `NAMES` spells it."""
    return _JOINERS.sub("", name).lower()


def find_column(
    columns: Sequence[str], role: Role, chosen: Mapping[str, str] | None = None, *, file: str = ""
) -> str | None:
    """Return the column that plays a role, or None; what the caller chose wins over the usual names.

    One choice serves judgments and runs alike, so a usual name will do where the chosen column is absent. Raises
    InputError when there is neither, when the choice is only spelled otherwise, or when several have usual names.
    """
    wanted = (chosen or {}).get(role)
    if wanted in columns:
        return wanted
    found = [column for column in columns if plain(column) in NAMES[role]]
    if wanted is not None and (not found or any(plain(column) == plain(wanted) for column in columns)):
        raise missing_column(f"no column {shown(wanted)}", columns, file, near=[plain(wanted)])
    if len(found) > 1:
        message = f"the columns {' and '.join(map(shown, found))} could each be the {role}"
        raise InputError.of("E250", message, fix=f"choose one with columns={{'{role}': '...'}}", file=file, line=1)
    return found[0] if found else None


def field_of(names: Container[str], field: str, chosen: Mapping[str, str]) -> str:
    """Return the name that a field has: the chosen one where it is there, else its usual one."""
    return chosen[field] if field in chosen and chosen[field] in names else field


def missing_column(
    message: str, columns: Sequence[str], file: str, *, near: Iterable[str] = (), fix: str = ""
) -> InputError:
    """Return the error for a column that is not there, naming those that are and the nearest one."""
    wanted = list(near)
    nearest = next((column for column in columns if get_close_matches(plain(column), wanted, n=1, cutoff=0.7)), None)
    there = ", ".join(shown(column, 40) for column in columns[:12]) + (", ..." if len(columns) > 12 else "")
    hint = f"name it with columns={{...}}; did you mean {shown(nearest)}?" if nearest else "name it with columns={...}"
    return InputError.of("E250", f"{message}; there are {there or 'no columns'}", fix=fix or hint, file=file)


def refuse_unknown_roles(chosen: Mapping[str, str]) -> None:
    """Refuse a choice of columns for something that no reader asks for."""
    known = dict.fromkeys((*NAMES, *FIELDS))
    for role in chosen:
        if role not in known:
            fix = f"choose columns for {', '.join(known)}"
            raise UsageError.of("E250", f"columns has the key {shown(role)}", fix=fix)

"""What is worth a note about the scores of a ranking."""

from __future__ import annotations

import polars as pl

from catchrate.errors import Finding
from catchrate.formats.names import QUERY, SCORE
from catchrate.tables.checks import tell

INFINITE = "some scores are infinite: those of one query tie, and their documents rank by id"
FINITE = "check how they were made; write finite scores if one of these documents is better than another"


def score_notes(rows: pl.DataFrame, name: str, *, ordered: bool) -> tuple[Finding, ...]:
    """Note infinite scores, and scores that contradict the order of the lists that they ride along with."""
    if SCORE not in rows.columns:
        return ()
    scores, queries = rows[SCORE], rows[QUERY]
    notes: list[Finding] = []
    infinite = queries.filter(scores.is_infinite()).unique(maintain_order=True)
    if infinite.len():
        notes.append(tell("W212", INFINITE, infinite, fix=FINITE, file=name))
    rising = (scores > scores.shift()) & (queries == queries.shift())
    unlike = queries.filter(rising).unique(maintain_order=True) if ordered else queries.clear()
    if unlike.len():
        message = f"the scores of {unlike.len():,} queries rise within their lists; the order of the lists ranks"
        notes.append(tell("N223", message, unlike, file=name))
    return tuple(notes)

"""Cells of text tables: numbers as they may be spelled, and the guard that keeps spreadsheets from running text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import polars as pl

from catchrate.errors import Finding, InputError, shown
from catchrate.formats.names import GRADE, RANK, SCORE, Role
from catchrate.tables.checks import first_true, tell

_NUMBER: Final = r"^[-+]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?$"
_INFINITE: Final = r"^[-+]?(?i:inf|infinity)$"
_NAN: Final = r"^[-+]?(?i:nan)$"
_RISKY: Final = r"^('*[=+\-@\t\r＝＋－＠])"
_GUARDED: Final = f"^'{_RISKY[1:]}"
_BAD: dict[Role, str] = {GRADE: "E202", SCORE: "E214", RANK: "E224"}


def guarded(texts: pl.Expr) -> pl.Expr:
    """Return text that no spreadsheet takes for a formula: a leading quote goes before what could be one."""
    return texts.str.replace(_RISKY, "'${1}")


def unguarded(texts: pl.Series) -> pl.Series:
    """Take exactly the guard of `guarded` off again."""
    return texts.str.replace(_GUARDED, "${1}") if texts.str.starts_with("'").any() else texts


def guard_notes(columns: Sequence[pl.Series], name: str) -> tuple[Finding, ...]:
    """Tell which ids had a guard: nobody but the caller knows whether the quote was part of an id."""
    found = pl.concat([texts.filter(texts.str.contains(_GUARDED)).alias("id") for texts in columns])
    ids = found.unique(maintain_order=True)
    if ids.is_empty():
        return ()
    message = f"{ids.len():,} ids begin with ' before =, +, -, @ or a tab; this guard against spreadsheets was left out"
    fix = "if the quote is part of the id, double it here, or keep the ids in jsonl or parquet"
    return (tell("N258", message, ids, fix=fix, file=name),)


def numbers_from_text(texts: pl.Series, role: Role, name: str) -> pl.Series:
    """Return numbers from their usual spelling, to the last bit.

    Raises InputError for anything else: NaN, hexadecimal, underscores, decimal commas, blanks, foreign digits, and
    numbers that are too large for a float.
    """
    infinite = texts.str.contains(_INFINITE) if role == SCORE else pl.Series([False]).new_from_index(0, texts.len())
    row = first_true(~(texts.str.contains(_NUMBER) | infinite))
    if row is not None:
        raise _odd_number(texts, row, role, name)
    values = texts.str.strip_suffix(".").cast(pl.Float64, strict=False)
    if values.null_count():  # a spelling that only Python reads, such as 1.e5
        values = pl.Series(texts.name, [float(text) for text in texts], dtype=pl.Float64)
    row = first_true(values.is_infinite() & ~infinite)
    if row is not None:
        message = f"the {role} {shown(texts[row], 40)} is too large"
        raise InputError.of("E204" if role == GRADE else "E213", message, fix="rescale it", file=name, line=row + 1)
    return values


def _odd_number(texts: pl.Series, row: int, role: Role, name: str) -> InputError:
    text = texts[row]
    if role == SCORE and texts.str.contains(_NAN)[row]:
        message, fix = "a score is NaN", "drop the row or give it a number"
        return InputError.of("E211", message, fix=fix, file=name, line=row + 1)
    comma = "," in text and text.replace(",", "", 1).isdigit()
    fix = "write numbers with a decimal point" if comma else "write a plain number such as 1 or 0.5"
    message = f"the {role} {shown(text, 40)} is not a number"
    return InputError.of(_BAD[role], message, fix=fix, file=name, line=row + 1)

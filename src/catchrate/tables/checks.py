"""Checks that every table passes, wherever its rows came from."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import TypeVar

import polars as pl

from catchrate.errors import Finding, InputError, shown
from catchrate.limits import MAX_ID_BYTES


def first_true(mask: pl.Series) -> int | None:
    """Return the row of the first true value, or None."""
    return mask.arg_max() if mask.any() else None


T = TypeVar("T", bound=Hashable)


def first_repeated(values: Iterable[T]) -> T | None:
    """Return the first value that was there before, or None."""
    seen: set[T] = set()
    for value in values:
        if value in seen:
            return value
        seen.add(value)
    return None


def refuse_bad_ids(frame: pl.DataFrame, columns: tuple[str, ...], file: str) -> None:
    """Refuse ids that are null, empty or absurdly long."""
    for column in columns:
        ids = frame[column]
        if ids.null_count():
            row = first_true(ids.is_null())
            raise InputError.of(
                "E255", f"column {shown(column)} is null", fix="drop or fill the row", file=file, line=(row or 0) + 1
            )
        lengths = ids.str.len_bytes()
        longest = lengths.max()
        if isinstance(longest, int) and longest > MAX_ID_BYTES:
            row = first_true(lengths > MAX_ID_BYTES) or 0
            found = f"an id of {longest:,} bytes, {shown(ids[row], 40)}"
            raise InputError.of("E108", found, fix=f"ids have at most {MAX_ID_BYTES:,} bytes", file=file, line=row + 1)
        if lengths.len() and lengths.min() == 0:
            row = first_true(lengths == 0) or 0
            raise InputError.of("E255", f"column {shown(column)} is empty", file=file, line=row + 1)


def refuse_bad_numbers(values: pl.Series, code: str, what: str, file: str) -> None:
    """Refuse numbers that are null or NaN."""
    bad = values.is_null() | values.is_nan()
    row = first_true(bad)
    if row is not None:
        found = "null" if values[row] is None else "NaN"
        raise InputError.of(code, f"{what} is {found}", fix="drop the row or give it a number", file=file, line=row + 1)


def tell(code: str, message: str, ids: pl.Series, *, fix: str = "", file: str = "") -> Finding:
    """Return a note that counts the ids it concerns and names the first five."""
    sample = tuple(str(value) for value in ids.head(5))
    return Finding(code=code, message=message, fix=fix, file=file, count=ids.len(), sample=sample)

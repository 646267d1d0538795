"""How a value is printed, in one place for every renderer."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from catchrate.reports.view import Cell, Kind, Mark

NOTHING = "–"
"""Stands where there is no value."""
LEFT: frozenset[Kind] = frozenset(("text", "id"))
"""Kinds that are aligned at the left; the others are numbers."""


class Sign(NamedTuple):
    """How a mark is shown: by a sign where room is short, by a word where it is not."""

    sign: str
    word: str


SIGNS: dict[Mark, Sign] = {
    "best": Sign("*", "best"),
    "better": Sign("▲", "better"),
    "worse": Sign("▼", "worse"),
    "unsure": Sign("?", "cannot tell"),
    "found": Sign("✓", "found"),
    "missed": Sign("✗", "missed"),
    "unjudged": Sign("○", "not judged"),
    "repeat": Sign("=", "seen before"),
}


def cell_text(cell: Cell, kind: Kind) -> str:
    """Return the value of a cell, with its interval where it has one; its mark is left to the renderer.

    >>> cell_text(Cell(0.65, 0.5391, 0.754), "score")
    '0.6500 [0.5391, 0.7540]'
    """
    text = value_text(cell.value, kind)
    if cell.low is None or cell.high is None:
        return text
    return f"{text} [{value_text(cell.low, kind)}, {value_text(cell.high, kind)}]"


def reasons_of(rows: Iterable[Iterable[Cell]]) -> dict[str, bool]:
    """Return the reasons of a table, each once, with whether it says why a value is missing, and not an interval."""
    cells = [cell for row in rows for cell in row if cell.reason]
    return {cell.reason: cell.value is None for cell in cells}


def value_text(value: str | float | None, kind: Kind) -> str:
    """Return a value as it is read: a score with four decimals, a share in percent, a difference with its sign.

    >>> [value_text(x, kind) for x, kind in [(0.5, "score"), (0.123, "share"), (0.02, "difference"), (1234, "count")]]
    ['0.5000', '12.3%', '+0.0200', '1,234']
    """
    if value is None:
        return "" if kind in LEFT else NOTHING
    if isinstance(value, str):
        return value
    return _PRINTED.get(kind, str)(value)


def _signed(value: float) -> str:
    text = f"{value:+.4f}"
    return text[1:] if not float(text) else text


def _probability(value: float) -> str:
    return "<0.001" if value < 0.001 else f"{value:.3f}"


def _whole(value: float) -> str:
    return f"{value:,.0f}" if float(value).is_integer() else f"{value:.4f}"


def _number(value: float) -> str:
    """Return four significant digits, or all digits before the point."""
    return f"{value:,.0f}" if abs(value) >= 1000 or float(value).is_integer() else f"{value:.4g}"


_PRINTED = {
    "score": "{:.4f}".format,
    "difference": _signed,
    "share": "{:.1%}".format,
    "count": _whole,
    "rank": "{:.0f}".format,
    "grade": "{:g}".format,
    "p": _probability,
    "number": _number,
}

"""How a value is printed, in one place for every renderer."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from catchrate.errors import visible
from catchrate.limits import MAX_CELL_CHARS
from catchrate.reports.view import Cell, Grid, Kind, Mark

NOTHING = "–"
"""Stands where there is no value."""
LEFT: frozenset[Kind] = frozenset(("text", "id"))
"""Kinds that are aligned at the left; the others are numbers."""
LONG = 30
"""Rows of a table that are shown at once, where its view does not say how many are worth it."""

Row = tuple[Cell, ...]


class Sign(NamedTuple):
    """How a mark is shown: by a sign where room is short, by a word where it is not."""

    sign: str
    word: str


SIGNS: dict[Mark, Sign] = {
    "best": Sign("*", "best"),
    "chosen": Sign("←", "chosen"),
    "better": Sign("▲", "better"),
    "worse": Sign("▼", "worse"),
    "unsure": Sign("?", "cannot tell"),
    "found": Sign("✓", "found"),
    "missed": Sign("✗", "missed"),
    "unjudged": Sign("○", "not judged"),
    "repeat": Sign("=", "seen before"),
    "passed": Sign("✔", "passed"),
    "failed": Sign("✘", "failed"),
}


def cell_text(cell: Cell, kind: Kind) -> str:
    """Return the value of a cell, with its interval where it has one; its mark is left to the renderer.

    >>> cell_text(Cell(0.65, 0.5391, 0.754), "score")
    '0.6500 [0.5391, 0.7540]'
    """
    text, interval = value_text(cell.value, kind), interval_text(cell, kind)
    return f"{text} {interval}" if interval else text


def interval_text(cell: Cell, kind: Kind) -> str:
    """Return the interval of a cell in brackets, or nothing where it has none."""
    if cell.low is None or cell.high is None:
        return ""
    return f"[{value_text(cell.low, kind)}, {value_text(cell.high, kind)}]"


def printed(value: object) -> str:
    """Return foreign text on one line, with nothing invisible, and cut where nobody reads on."""
    text = visible(str(value)[: MAX_CELL_CHARS + 1])
    return f"{text[:MAX_CELL_CHARS]}…" if len(text) > MAX_CELL_CHARS else text


def marks_of(rows: Iterable[Row]) -> dict[Mark, Sign]:
    """Return the marks that a table shows, for the line that explains them."""
    seen = {cell.mark for row in rows for cell in row if cell.mark}
    return {mark: sign for mark, sign in SIGNS.items() if mark in seen}


def reasons_of(rows: Iterable[Row]) -> dict[str, bool]:
    """Return the reasons of a table, each once, with whether it says why a value is missing, and not an interval."""
    cells = [cell for row in rows for cell in row if cell.reason]
    return {cell.reason: cell.value is None for cell in cells}


def rows_at_once(grid: Grid) -> int:
    """Return how many rows of a table are shown at once; the rest is folded, or left to the full data."""
    rows = len(grid.rows)
    return min(rows, grid.shown or (rows if rows <= LONG + LONG // 2 else LONG))


def title_of(grid: Grid) -> str:
    """Return what a table is called where it has no caption."""
    return grid.name.replace("-", " ").capitalize()


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

"""Views for people at a terminal: aligned text, with colour only where it is wanted."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Iterator
from typing import TextIO

from catchrate.errors import visible
from catchrate.reports.layout import HEADING, QUIET, Line, Piece, Table, wrapped
from catchrate.reports.values import LEFT, NOTHING, SIGNS, cell_text, marks_of, reasons_of
from catchrate.reports.view import Block, Bullets, Cell, Figure, Grid, Heading, Kind, Mark, Text, View

WIDEST = 100
"""Columns that a paragraph takes at most, however wide the terminal is."""
STYLES: dict[Mark | None, str] = {
    None: "",
    "best": "bold green",
    "chosen": "bold",
    "better": "bold green",
    "worse": "bold red",
    "unsure": "yellow",
    "found": "green",
    "missed": "red",
    "unjudged": "dim",
    "repeat": "dim",
    "passed": "green",
    "failed": "bold red",
}


EXPLAINED: tuple[Mark, ...] = ("best", "chosen")
"""Marks whose sign says nothing by itself, and of which no cell speaks."""


def columns_of(stream: TextIO) -> int | None:
    """Return how wide a terminal is, or None for a file or a pipe."""
    return shutil.get_terminal_size().columns if stream.isatty() else None


def wants_colour(stream: TextIO) -> bool:
    """Tell whether a stream is a terminal whose user has not asked for plain text."""
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def as_text(lines: Iterable[Line]) -> str:
    """Return lines without their styles."""
    return "".join("".join(text for text, _ in line) + "\n" for line in lines)


def write_lines(lines: Iterable[Line], stream: TextIO) -> None:
    """Write lines with their styles, or plain where colour is not wanted."""
    if not wants_colour(stream):
        stream.write(as_text(lines))
        return
    from rich.console import Console
    from rich.text import Text as RichText

    console = Console(file=stream, force_terminal=True, highlight=False, markup=False, emoji=False)
    for line in lines:
        console.print(RichText.assemble(*line), soft_wrap=True)


def view_lines(view: View, columns: int | None = None) -> Iterator[Line]:
    """Yield what a view says for a terminal of a given width, or for a file; its title and notes are left to others."""
    prose = None if columns is None else min(columns, WIDEST)
    before: Block | None = None
    for block in view.blocks:
        if before is not None and not _close(before, block):
            yield []
        yield from _block_lines(block, columns, prose)
        before = block


def _close(before: Block, block: Block) -> bool:
    """Tell whether no empty line parts two blocks: a heading from what it heads, and verdicts."""
    verdicts = all(isinstance(one, Text) and one.style == "verdict" for one in (before, block))
    return isinstance(before, Heading) or verdicts


def _block_lines(block: Block, columns: int | None, prose: int | None) -> Iterator[Line]:
    match block:
        case Heading():
            yield from wrapped(visible(block.text), prose, style=HEADING)
        case Text():
            yield from _text_lines(block, prose)
        case Bullets():
            for item in block.items:
                yield from wrapped(visible(item), prose, first="- ", indent="  ")
        case Grid():
            yield from grid_lines(block, columns, prose)
        case Figure():
            yield from wrapped(visible(block.title), prose, style=HEADING)
            yield from wrapped(visible(block.summary), prose)
            yield from grid_lines(block.data, columns, prose)


def _text_lines(block: Text, prose: int | None) -> Iterator[Line]:
    first = {"advice": "-> ", "verdict": f"{SIGNS[block.mark].sign} " if block.mark else ""}.get(block.style, "")
    style = {"verdict": STYLES[block.mark] or HEADING, "quiet": QUIET}.get(block.style, "")
    yield from wrapped(visible(block.text), prose, first=first, indent=" " * len(first), style=style)


def grid_lines(grid: Grid, columns: int | None, prose: int | None = None) -> Iterator[Line]:
    """Yield a table under its caption; rows that are not worth showing are counted; what needs a word stands below."""
    if grid.caption:
        yield from wrapped(visible(grid.caption), prose, style=QUIET)
    rows = grid.rows[: grid.shown]
    for i, table in enumerate(_table(grid, rows).fitted(columns)):
        yield from [[]] if i else []
        yield from table.lines()
    if len(grid.rows) > len(rows):
        yield [(f"... and {len(grid.rows) - len(rows):,} more", QUIET)]
    for mark, sign in marks_of(rows).items():
        if mark in EXPLAINED:
            yield [(f"{sign.sign} {sign.word}", QUIET)]
    for reason, missing in reasons_of(rows).items():
        first = f"{NOTHING} " if missing else ""
        yield from wrapped(visible(reason), prose, first=first, indent=" " * len(first), style=QUIET)


def _table(grid: Grid, rows: tuple[tuple[Cell, ...], ...]) -> Table:
    kinds: list[Kind] = [column.kind for column in grid.columns]
    texts = {i for i, kind in enumerate(kinds) if i < grid.labels or kind in LEFT}
    return Table(
        headers=tuple(visible(column.name) for column in grid.columns),
        rows=tuple(tuple(map(_piece, row, kinds)) for row in rows),
        labels=grid.labels,
        texts=frozenset(texts),
    )


def _piece(cell: Cell, kind: Kind) -> Piece:
    sign = SIGNS[cell.mark].sign if cell.mark else ""
    raised = f"^{cell.raised}" if cell.raised else ""
    return Piece(visible(cell_text(cell, kind) + raised), sign, STYLES[cell.mark])

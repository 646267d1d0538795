"""What a view says as plain data, which is all that the template reads."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from catchrate.reports.charts import can_be_drawn, svg_of
from catchrate.reports.document import document
from catchrate.reports.escape import shortened, width
from catchrate.reports.values import (
    LEFT,
    NOTHING,
    SIGNS,
    Row,
    interval_text,
    marks_of,
    printed,
    reasons_of,
    rows_at_once,
    value_text,
)
from catchrate.reports.view import Block, Bullets, Cell, Column, Figure, Grid, Heading, Mark, Text, View

Piece = dict[str, Any]
LONGEST_WORD = 18
"""Characters of a word that may not be broken; ids can be longer than a line."""
ROOM = 96
"""Characters that stand beside each other in a table."""
MAX_FOOTER = 60
"""Characters of the title at the foot of a page."""


@dataclass(slots=True)
class Pictures:
    """The charts of a document as files beside its text."""

    files: dict[str, bytes] = field(default_factory=dict[str, bytes])

    def add(self, figure: Figure) -> str:
        """Draw a figure and return the name of its file; nothing where there is no such chart."""
        if not can_be_drawn(figure):
            return ""
        name = f"chart-{len(self.files) + 1}.svg"
        self.files[name] = svg_of(figure, name="chart").encode()
        return name


def pdf_content(view: View, pictures: Pictures) -> Piece:
    """Return the blocks of a view in order, and the tables behind its charts as an appendix."""
    blocks = list(document(view))
    behind = [block for block in blocks if isinstance(block, Figure) and can_be_drawn(block)]
    return {
        "title": _said(view.title),
        "footer": shortened(printed(view.title), MAX_FOOTER),
        "brief": view.brief,
        "blocks": [_block(block, pictures) for block in blocks],
        "appendix": [] if view.brief else [{**_table(one.data), "caption": _said(one.title)} for one in behind],
    }


def _block(block: Block, pictures: Pictures) -> Piece:
    match block:
        case Heading():
            return {"is": "heading", "text": _said(block.text), "level": block.level}
        case Text():
            return {"is": "text", "text": _said(block.text), "style": block.style, **_mark(block.mark)}
        case Bullets():
            return {"is": "bullets", "items": [_said(item) for item in block.items]}
        case Grid():
            return {"is": "table", **_table(block)}
        case Figure():
            return {"is": "figure", **_figure(block, pictures)}


def _figure(figure: Figure, pictures: Pictures) -> Piece:
    picture = pictures.add(figure)
    said = {"title": _said(figure.title), "summary": _said(figure.summary), "picture": picture}
    return said if picture else {**said, "table": _table(figure.data)}


def _table(grid: Grid) -> Piece:
    """Return the first rows of a table; one that is too wide has its rows as columns, where that is narrower."""
    rows = grid.rows[: rows_at_once(grid)]
    lines = [[_header(column, right=_is_number(column, i, grid)) for i, column in enumerate(grid.columns)]]
    lines += [[_cell(cell, column) for cell, column in zip(row, grid.columns, strict=True)] for row in rows]
    turned = [[{**label, "right": False}, *others] for label, *others in zip(*lines, strict=True)]
    is_turned = grid.labels == 1 and _room(lines) > ROOM and len(turned[0]) > 1 and _room(turned) <= ROOM
    return {
        "caption": _said(grid.caption),
        "lines": turned if is_turned else lines,
        "labels": grid.labels,
        "wraps": any(column.kind in LEFT for column in grid.columns[grid.labels :]),
        "legend": list(_legend(rows)),
        "more": len(grid.rows) - len(rows),
    }


def _is_number(column: Column, place: int, grid: Grid) -> bool:
    return column.kind not in LEFT and place >= grid.labels


def _header(column: Column, *, right: bool) -> Piece:
    return {"text": _said(column.name), "right": right}


def _cell(cell: Cell, column: Column) -> Piece:
    text = _said(value_text(cell.value, column.kind))
    interval = interval_text(cell, column.kind)
    right = column.kind not in LEFT
    return {"text": text, "right": right, "interval": interval, "raised": printed(cell.raised), **_mark(cell.mark)}


def _mark(mark: Mark | None) -> Piece:
    return {"mark": mark, "sign": SIGNS[mark].sign} if mark else {}


def _legend(rows: Iterable[Row]) -> Iterator[str]:
    """Yield what the signs of a table mean, and why values are missing."""
    rows = list(rows)
    signs = [f"{sign.sign} {sign.word}" for sign in marks_of(rows).values()]
    if signs:
        yield ",  ".join(signs)
    for reason, missing in reasons_of(rows).items():
        yield _said(f"{NOTHING} {reason}" if missing else reason)


def _room(lines: list[list[Piece]]) -> float:
    """Return about how many characters the columns of a table take."""
    return sum(3 + max(_length(piece) for piece in column) for column in zip(*lines, strict=True))


def _length(piece: Piece) -> float:
    return max(min(width(piece["text"]), 2 * LONGEST_WORD), 0.85 * len(piece.get("interval", "")))


def _said(text: str) -> str:
    """Return text whose long words can be broken."""
    return " ".join(map(_breakable, printed(text).split(" ")))


def _breakable(word: str) -> str:
    if len(word) <= LONGEST_WORD:
        return word
    return "\u200b".join(word[i : i + LONGEST_WORD // 2] for i in range(0, len(word), LONGEST_WORD // 2))

"""Views as Markdown that GitHub, GitLab and notebooks read: foreign text stays text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from catchrate.errors import visible
from catchrate.reports.document import document
from catchrate.reports.escape import width
from catchrate.reports.values import LEFT, NOTHING, SIGNS, cell_text, reasons_of
from catchrate.reports.view import Block, Bullets, Cell, Column, Figure, Grid, Heading, Text, View

_SPECIAL = re.compile(r"[\\`*\[\]<>|~$&#!]|(?<![^\W_])_|_(?![^\W_])")
_LINKED = re.compile(r"(?<=www)\.|:(?=//)|(?<!\w)@|@(?=[\w-]*\.)|(?<=mailto):|(?<=xmpp):", re.IGNORECASE)
_BEGINS = re.compile(r"^([-+]|\d+[.)])(?=\s|$)|^[-=](?=[-=\s]*$)")


def view_markdown(view: View) -> str:
    """Return a view as a Markdown document."""
    blocks = [Heading(text=view.title, level=1), *document(view)]
    return "\n\n".join(text for block in blocks for text in _block(block)) + "\n"


def escaped(text: str) -> str:
    r"""Return foreign text that Markdown shows as it is: no markup, no element, no link.

    >>> print(escaped("a*b* <i> www.x.org"))
    a\*b\* \<i\> www&#46;x.org
    """
    text = _SPECIAL.sub(lambda found: f"\\{found[0]}", visible(text).strip())
    text = _LINKED.sub(lambda found: f"&#{ord(found[0])};", text)
    return _BEGINS.sub(lambda found: f"{found[0][:-1]}\\{found[0][-1]}", text)


def _block(block: Block) -> Iterator[str]:
    match block:
        case Heading():
            yield f"{'#' * block.level} {escaped(block.text)}"
        case Text():
            yield _text(block)
        case Bullets():
            yield "\n".join(f"- {escaped(item)}" for item in block.items)
        case Grid():
            yield from _grid(block)
        case Figure():
            yield f"**{escaped(block.title)}**"
            yield escaped(block.summary)
            yield from _grid(block.data)


def _text(block: Text) -> str:
    text = escaped(block.text)
    if block.style == "verdict":
        sign = f"{SIGNS[block.mark].sign} " if block.mark else ""
        return f"**{sign}{text}**"
    return f"> {text}" if block.style == "advice" else text


def _grid(grid: Grid) -> Iterator[str]:
    if grid.caption:
        yield escaped(grid.caption)
    rows = grid.rows[: grid.shown]
    lines = [[escaped(column.name) for column in grid.columns]]
    lines += [[_cell(cell, column) for cell, column in zip(row, grid.columns, strict=True)] for row in rows]
    yield _aligned(lines, [i < grid.labels or column.kind in LEFT for i, column in enumerate(grid.columns)])
    if len(grid.rows) > len(rows):
        yield f"... and {len(grid.rows) - len(rows):,} more"
    reasons = reasons_of(rows)
    if reasons:
        yield "\n".join(f"{f'{NOTHING} ' if missing else ''}{escaped(why)}  " for why, missing in reasons.items())


def _cell(cell: Cell, column: Column) -> str:
    text = cell_text(cell, column.kind)
    text = escaped(text) if isinstance(cell.value, str) else text
    if cell.mark == "best" and text:
        text = f"**{text}**"
    elif cell.mark:
        text = f"{text} {SIGNS[cell.mark].sign}"
    return f"{text}<sup>{escaped(cell.raised)}</sup>" if cell.raised else text


def _aligned(lines: Sequence[Sequence[str]], left: Sequence[bool]) -> str:
    widths = [max(3, *map(width, column)) for column in zip(*lines, strict=True)]
    head, *body = (
        [text + " " * (room - width(text)) if at else " " * (room - width(text)) + text for text, room, at in padded]
        for padded in (zip(line, widths, left, strict=True) for line in lines)
    )
    rule = ["-" * room if at else "-" * (room - 1) + ":" for room, at in zip(widths, left, strict=True)]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (head, rule, *body))

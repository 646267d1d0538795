"""Tables of text as lines of styled pieces, for a terminal of a given width or for none."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from catchrate.reports.escape import shortened, width

Span = tuple[str, str]
"""A piece of text and its style."""
Line = Sequence[Span]
GAP = "  "
HEADING = "bold"
QUIET = "dim"
BEST = "bold green"
MARK = "*"
MAX_LABEL = 32
"""Columns of a terminal that a label may take before it is cut."""


class Cell(NamedTuple):
    """One cell of a table."""

    text: str
    best: bool = False
    """Whether to mark it: with a star, and with colour where there is one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Rows of cells under headers; the first columns are labels, the rest are numbers."""

    headers: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    labels: int = 1

    def turned(self) -> Table:
        """Return the table with rows as columns; its rows have one label."""
        columns = zip(*self.rows, strict=True)
        first = next(columns)
        rows = tuple((Cell(h), *cells) for h, cells in zip(self.headers[1:], columns, strict=True))
        return Table(headers=("", *(cell.text for cell in first)), rows=rows)

    def with_short_labels(self) -> Table:
        """Return the table with labels and headers that leave room for numbers."""
        rows = tuple(
            (*(Cell(shortened(cell.text, MAX_LABEL)) for cell in row[: self.labels]), *row[self.labels :])
            for row in self.rows
        )
        headers = tuple(shortened(header, MAX_LABEL) for header in self.headers)
        return Table(headers=headers, rows=rows, labels=self.labels)

    def widths(self) -> list[int]:
        """Return the width of each column; a column with a mark has room for it in every row."""
        columns = zip(self.headers, *self.rows, strict=True)
        return [
            max(width(header), *(width(cell.text) for cell in cells), 0) + any(cell.best for cell in cells)
            if cells
            else width(header)
            for header, *cells in columns
        ]

    def fits(self, columns: int | None) -> bool:
        """Tell whether the table is at most so wide; None is without end."""
        widths = self.widths()
        return columns is None or sum(widths) + len(GAP) * (len(widths) - 1) <= columns

    def parts(self, columns: int | None) -> Iterator[Table]:
        """Yield tables that fit, each with the labels and as many of the other columns as there is room for."""
        start = self.labels
        while start < len(self.headers):
            end = start + 1
            while end < len(self.headers) and self._cut(start, end + 1).fits(columns):
                end += 1
            yield self._cut(start, end)
            start = end

    def _cut(self, start: int, end: int) -> Table:
        headers = (*self.headers[: self.labels], *self.headers[start:end])
        rows = tuple((*row[: self.labels], *row[start:end]) for row in self.rows)
        return Table(headers=headers, rows=rows, labels=self.labels)

    def lines(self) -> Iterator[Line]:
        """Yield the header and the rows as aligned lines."""
        widths = self.widths()
        marked = [any(row[i].best for row in self.rows) for i in range(len(widths))]
        yield self._line([Cell(header) for header in self.headers], widths, marked, HEADING)
        for row in self.rows:
            yield self._line(row, widths, marked, "")

    def _line(self, cells: Sequence[Cell], widths: list[int], marked: list[bool], style: str) -> Line:
        spans: list[Span] = []
        for i, (cell, room) in enumerate(zip(cells, widths, strict=True)):
            text = cell.text + (MARK if cell.best else " " if marked[i] else "")
            blanks = " " * (room - width(text))
            spans.append((text + blanks if i < self.labels else blanks + text, BEST if cell.best else style))
            spans.append((GAP, ""))
        return _without_tail(spans)


def _without_tail(spans: list[Span]) -> Line:
    while spans and not spans[-1][0].strip():
        spans.pop()
    return [*spans[:-1], (spans[-1][0].rstrip(), spans[-1][1])] if spans else []


def wrapped(text: str, columns: int | None, *, first: str = "", indent: str = "", style: str = "") -> Iterator[Line]:
    """Yield text in lines of at most so many columns, the first after `first`, the others after `indent`."""
    pieces = textwrap.wrap(text, columns - len(indent), break_on_hyphens=False) if columns else [text]
    for i, piece in enumerate(pieces or [""]):
        yield [(indent if i else first, ""), (piece, style)]


def labelled(label: str, text: str, columns: int | None, *, room: int, style: str = "") -> Iterator[Line]:
    """Yield text beside a label that takes so many columns; a longer label gets a line of its own."""
    indent = " " * room
    if width(label) + len(GAP) > room:
        yield [(label, style)]
        label = ""
    for i, line in enumerate(wrapped(text, columns, indent=indent)):
        yield [(indent, ""), *line[1:]] if i or not label else [(label.ljust(room), style), *line[1:]]

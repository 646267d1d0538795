"""Tables of text as lines of styled pieces, for a terminal of a given width or for none."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from catchrate.reports.escape import shortened, width

Span = tuple[str, str]
"""A piece of text and its style."""
Line = Sequence[Span]
GAP = "  "
HEADING = "bold"
QUIET = "dim"
MAX_LABEL = 32
"""Columns of a terminal that a label may take before it is cut."""
PAGE = 120
"""Columns that a table in a file or a pipe may have before it is turned."""
MIN_TEXT = 16
"""Columns of a terminal that text keeps when a table has to become narrower."""


class Piece(NamedTuple):
    """One cell of a table as it is printed."""

    text: str
    sign: str = ""
    """What marks the cell; all cells of a column leave room for it."""
    style: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Rows of cells under headers; the first columns are labels."""

    headers: tuple[str, ...]
    rows: tuple[tuple[Piece, ...], ...]
    labels: int = 1
    texts: frozenset[int] = frozenset()
    """The columns of text, which is aligned at the left and may be cut; all other columns hold numbers."""

    def fitted(self, columns: int | None) -> Iterator[Table]:
        """Yield the table in a shape that fits into so many columns of a terminal; None is without end.

        Text is cut first, the longest most. Then rows become columns. Where that is too wide as well, the columns are
        shared out to several tables.
        """
        if columns is None:
            yield self.turned_to_fit(PAGE)
        else:
            yield from self._with_short_text(columns).turned_to_fit(columns).parts(columns)

    def turned_to_fit(self, columns: int) -> Table:
        """Return the table with rows as columns where that fits, and the table itself does not."""
        if self.fits(columns) or self.labels != 1 or self.texts - {0}:
            return self
        turned = self.turned()
        return turned if turned.fits(columns) else self

    def fits(self, columns: int) -> bool:
        """Tell whether the table is at most so wide."""
        widths = self.widths()
        return sum(widths) + len(GAP) * (len(widths) - 1) <= columns

    def widths(self) -> list[int]:
        """Return the width of each column; a column with a sign has room for it in every row."""
        return [max(width(h), self._widest(i)) + self._sign_room(i) for i, h in enumerate(self.headers)]

    def lines(self) -> Iterator[Line]:
        """Yield the header and the rows as aligned lines."""
        widths = self.widths()
        yield self._line([Piece(header, style=HEADING) for header in self.headers], widths)
        for row in self.rows:
            yield self._line(row, widths)

    def _with_short_text(self, columns: int) -> Table:
        table = self.with_text_of(dict.fromkeys(range(self.labels), MAX_LABEL))
        widths = table.widths()
        room = columns - sum(widths) - len(GAP) * (len(widths) - 1) + sum(widths[i] for i in table.texts)
        cap = max((widths[i] for i in table.texts), default=0)
        while cap > MIN_TEXT and sum(min(widths[i], cap) for i in table.texts) > room:
            cap -= 1
        return table.with_text_of({i: min(widths[i], cap) for i in table.texts})

    def with_text_of(self, rooms: Mapping[int, int]) -> Table:
        """Return the table with the text of some columns cut to so much room."""

        def cut(cell: Piece, i: int) -> Piece:
            return cell._replace(text=shortened(cell.text, rooms[i] - self._sign_room(i))) if i in rooms else cell

        rows = tuple(tuple(cut(cell, i) for i, cell in enumerate(row)) for row in self.rows)
        headers = tuple(
            shortened(header, min(rooms.get(i, MAX_LABEL), MAX_LABEL)) for i, header in enumerate(self.headers)
        )
        return replace(self, headers=headers, rows=rows)

    def turned(self) -> Table:
        """Return the table with rows as columns; its rows have one label."""
        columns = zip(*self.rows, strict=True)
        first = next(columns, ())
        rows = tuple((Piece(h), *cells) for h, cells in zip(self.headers[1:], columns, strict=False))
        return Table(headers=("", *(cell.text for cell in first)), rows=rows, texts=frozenset((0,)))

    def parts(self, columns: int) -> Iterator[Table]:
        """Yield tables that fit, each with the labels and as many of the other columns as there is room for."""
        start = self.labels
        if start == len(self.headers):
            yield self
        while start < len(self.headers):
            end = start + 1
            while end < len(self.headers) and self._cut(start, end + 1).fits(columns):
                end += 1
            yield self._cut(start, end)
            start = end

    def _cut(self, start: int, end: int) -> Table:
        kept = (*range(self.labels), *range(start, end))
        return Table(
            headers=tuple(self.headers[i] for i in kept),
            rows=tuple(tuple(row[i] for i in kept) for row in self.rows),
            labels=self.labels,
            texts=frozenset(place for place, i in enumerate(kept) if i in self.texts),
        )

    def _widest(self, column: int) -> int:
        return max((width(row[column].text) for row in self.rows), default=0)

    def _sign_room(self, column: int) -> int:
        return any(row[column].sign for row in self.rows)

    def _line(self, cells: Sequence[Piece], widths: list[int]) -> Line:
        spans: list[Span] = []
        for i, (cell, room) in enumerate(zip(cells, widths, strict=True)):
            text = cell.text + (cell.sign or " " * self._sign_room(i))
            blanks = " " * (room - width(text))
            spans.append((text + blanks if i in self.texts else blanks + text, cell.style))
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

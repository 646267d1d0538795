"""The blocks of a view as a piece of HTML that any page can hold, such as one of the local app."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from catchrate.errors import MissingExtra
from catchrate.limits import MAX_HTML_ROWS
from catchrate.reports.charts import can_be_drawn, svg_of
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
    title_of,
    value_text,
)
from catchrate.reports.view import Block, Bullets, Cell, Column, Figure, Grid, Heading, Text

try:
    from jinja2 import Environment, PackageLoader, StrictUndefined
    from markupsafe import Markup
except ImportError as error:
    raise MissingExtra.named("jinja2", "report") from error


class Folded(NamedTuple):
    """The rows of a table, by how they are shown."""

    first: tuple[Row, ...]
    folded: tuple[Row, ...]
    left_out: int


@dataclass(slots=True)
class Anchors:
    """Names of places on one page, each used once, made of nothing but lower case, digits and hyphens."""

    prefix: str = ""
    taken: set[str] = field(default_factory=set[str])
    headings: list[tuple[str, Heading]] = field(default_factory=list[tuple[str, Heading]])
    """The headings so far, for a table of contents."""

    def new(self, text: str) -> str:
        """Return a name for a place."""
        name = wanted = self.prefix + (re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")[:48] or "part")
        count = 1
        while name in self.taken:
            count += 1
            name = f"{wanted}-{count}"
        self.taken.add(name)
        return name

    def of(self, heading: Heading) -> str:
        """Return a name for a heading, and remember it."""
        name = self.new(heading.text)
        self.headings.append((name, heading))
        return name


def blocks_html(blocks: Iterable[Block], anchors: Anchors | None = None) -> str:
    """Return blocks as one HTML element; a page that holds several gives each the same anchors."""
    return ENVIRONMENT.get_template("blocks.html").render(blocks=tuple(blocks), anchors=anchors or Anchors())


def folded(grid: Grid) -> Folded:
    """Return which rows of a table are shown at once, which can be unfolded, and how many the page does not hold."""
    rows, shown = grid.rows, rows_at_once(grid)
    most = max(MAX_HTML_ROWS, shown)
    return Folded(rows[:shown], rows[shown:most], max(len(rows) - most, 0))


def _drawn(figure: Figure, name: str) -> Markup | None:
    """Return a chart as a part of the page, where there is one of its name."""
    if not can_be_drawn(figure):
        return None
    return Markup(svg_of(figure, name=name))  # noqa: S704 - shapes and text alone, written by an XML library


def _interval(cell: Cell, column: Column) -> str:
    return interval_text(cell, column.kind)


ENVIRONMENT = Environment(
    loader=PackageLoader("catchrate.reports.html"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
ENVIRONMENT.filters |= {"printed": printed, "interval": _interval, "title_of": title_of, "folded": folded}
ENVIRONMENT.filters |= {"marks": marks_of, "reasons": reasons_of, "shown": value_text, "drawn": _drawn}
ENVIRONMENT.globals |= {"SIGNS": SIGNS, "NOTHING": NOTHING, "LEFT": LEFT}
ENVIRONMENT.tests |= {
    kind.__name__.lower(): lambda block, kind=kind: isinstance(block, kind)
    for kind in (Heading, Text, Bullets, Grid, Figure)
}

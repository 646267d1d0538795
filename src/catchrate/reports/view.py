"""What a result says, before anyone decides how it looks.

A view holds values, never formatted text, and every renderer (terminal, HTML, PDF, Markdown, LaTeX, CSV) draws the same
view. A result gets a view from one function in `reports/views/`; a renderer knows blocks and no results.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from catchrate.errors import Finding

Kind = Literal["text", "id", "score", "difference", "share", "count", "rank", "grade", "p", "number"]
"""What the values of a column are, which decides how they are printed and aligned.

A share is a number from 0 to 1 that is printed in percent; a difference has its sign; p is a probability of a test.
"""
Mark = Literal[
    "best", "chosen", "better", "worse", "unsure", "found", "missed", "unjudged", "repeat", "passed", "failed"
]
"""What is special about a cell. Every renderer shows it by a sign or a word, never by colour alone."""


class Cell(NamedTuple):
    """One value of a table, with its interval where it has one."""

    value: str | int | float | None = None
    low: float | None = None
    high: float | None = None
    mark: Mark | None = None
    reason: str = ""
    """Why there is no value, or no interval."""
    raised: str = ""
    """What stands raised behind the value, such as the stars or letters of what is significant."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """One column of a table."""

    name: str
    kind: Kind = "text"
    help: str = ""
    """What the column says, in one line."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Grid:
    """A table."""

    name: str
    """What the table is called as a file or an anchor: lower case, digits and hyphens."""
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    caption: str = ""
    labels: int = 1
    """How many columns at the left are labels."""
    shown: int | None = None
    """How many rows are worth showing at once; the rest is folded, or left to the full data."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Heading:
    """The title of what follows."""

    text: str
    level: int = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Text:
    """A paragraph in plain words."""

    text: str
    style: Literal["plain", "verdict", "advice", "quiet"] = "plain"
    mark: Mark | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Bullets:
    """Short sentences, one below the other."""

    items: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A chart with its summary in words and its table twin."""

    chart: str
    """The name of the chart in `reports/charts.py`."""
    title: str
    """What it shows, as a sentence."""
    summary: str
    data: Grid
    """What is drawn; also the table twin."""
    options: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """What else the chart needs, such as the cut-off to mark."""


Block = Heading | Text | Bullets | Grid | Figure


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """A result as blocks from top to bottom, with what was noticed and where it comes from."""

    title: str
    blocks: tuple[Block, ...]
    notes: tuple[Finding, ...] = ()
    provenance: Mapping[str, Any] = field(default_factory=dict[str, Any])
    brief: bool = False
    """Whether it is meant for one page: what stands behind its charts, and what is long, is left out."""

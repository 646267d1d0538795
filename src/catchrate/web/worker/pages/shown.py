"""What a page is asked for, and what it shows."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

from catchrate.errors import UsageError, shown
from catchrate.reports.view import View


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """One page."""

    title: str
    view: Callable[[], View]
    """What the page holds, for its twins."""
    template: str
    values: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """What the template needs."""
    table: str | None = None
    """The table that the CSV twin holds; None for the first one."""
    sheet: Callable[[], str] | None = None
    """What the CSV twin is instead, where it is to be filled in."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """The rows that stand on one page of a long list."""

    page: int
    pages: int

    @property
    def rows(self) -> slice:
        """Which of all rows these are."""
        return slice((self.page - 1) * PAGE, self.page * PAGE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What stands behind the question mark of an address."""

    base: str
    """Where the set is."""
    arguments: Mapping[str, str]
    form: str = ""
    """The suffix of a twin; nothing asks for the page."""

    def text(self, name: str) -> str:
        """Return what was typed, or nothing."""
        return self.arguments.get(name, "").strip()

    def chosen(self, name: str) -> str | None:
        """Return what was chosen; None where nothing was. Names of runs are not touched."""
        return self.arguments.get(name) or None

    def number(self, name: str) -> float | None:
        """Return a number. Raises UsageError for anything else."""
        text = self.text(name)
        if not text:
            return None
        try:
            value = float(text)
        except ValueError:
            value = float("nan")
        if value != value or abs(value) > _LARGEST:
            raise UsageError.of("E272", f"{name} is {shown(text)}", fix="give a number, such as 0.5")
        return value

    def part(self, found: int) -> Part:
        """Return the part of so many rows that is asked for."""
        pages = max(math.ceil(found / PAGE), 1)
        return Part(page=min(self.place("page"), pages), pages=pages)

    def place(self, name: str) -> int:
        """Return a number that counts from 1; 1 where there is none, or no such."""
        text = self.text(name)
        return max(int(text), 1) if text.isascii() and text.isdigit() and len(text) < 10 else 1

    def to(self, page: str, /, **arguments: object) -> str:
        """Return the address of a page of the same set; what is nothing is left out."""
        given = {name: value for name, value in arguments.items() if value not in (None, "", False)}
        return f"{self.base}/{page}" + (f"?{urlencode(given)}" if given else "")


_LARGEST = 1e12
PAGE = 50
"""Rows on one page of a long list."""

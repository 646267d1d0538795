"""Progress of long runs: on a terminal only, and at no cost elsewhere."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import polars as pl

from catchrate.errors import Finding
from catchrate.formats import Source
from catchrate.tables import RankingSource

LONG_BYTES = 100 << 20
"""Files below this are read before a bar could be looked at."""


def watched(ranking: RankingSource, where: Source | str) -> RankingSource:
    """Return the ranking, with a progress bar when it is long and somebody looks."""
    path = where.path if isinstance(where, Source) else None
    if path is None or not sys.stderr.isatty() or path.stat().st_size < LONG_BYTES:
        return ranking
    head = where.head() if isinstance(where, Source) else b""
    return Watched(ranking, path.stat().st_size * head.count(b"\n") // max(len(head), 1))


class Watched:
    """A ranking that shows how many of its rows have been read; how many there are is estimated from its head."""

    def __init__(self, ranking: RankingSource, rows: int) -> None:
        self._ranking = ranking
        self._rows = rows

    @property
    def name(self) -> str:
        """The input, as the caller named it."""
        return self._ranking.name

    @property
    def ordered(self) -> bool:
        """Whether the order of the rows ranks."""
        return self._ranking.ordered

    def blocks(self, *, gather: bool = False) -> Iterator[pl.DataFrame]:
        """Yield the blocks and move the bar."""
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn

        look = (TextColumn("{task.description}", markup=False), BarColumn(), TaskProgressColumn())
        with Progress(*look, console=Console(stderr=True), transient=True) as progress:
            task = progress.add_task(f"reading {self.name[-40:]}", total=self._rows)
            for block in self._ranking.blocks(gather=gather):
                progress.advance(task, block.height)
                yield block

    def empty_queries(self) -> tuple[str, ...]:
        """Return the queries for which nothing was returned."""
        return self._ranking.empty_queries()

    def notes(self) -> tuple[Finding, ...]:
        """Return what was noticed while reading."""
        return self._ranking.notes()

    def digest(self) -> str:
        """Return a digest of the content."""
        return self._ranking.digest()

    def lines_of(self, query: str, doc: str) -> tuple[int, ...]:
        """Return the lines on which a pair stands."""
        return self._ranking.lines_of(query, doc)

"""A long table as a run, batch by batch, wherever the batches come from."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace

import polars as pl

from catchrate.errors import Finding, InputError
from catchrate.formats.grouping import gathered_queries, whole_queries
from catchrate.formats.long_table import Columns, refuse_odd_ranks, refuse_repeated_ranks, typed
from catchrate.formats.names import DOC, QUERY, RANK, SCORE
from catchrate.formats.score_notes import score_notes
from catchrate.tables.checks import refuse_bad_ids, refuse_bad_numbers

Batches = Callable[[], Iterator[pl.DataFrame]]


class LongRun:
    """Rows of query, document and score, or rank where there is no score."""

    def __init__(self, batches: Batches, columns: Columns, *, name: str, ascending: bool) -> None:
        self._batches = batches
        self._columns = columns
        self._name = name
        self._ascending = ascending
        self._infinite: list[pl.DataFrame] = []

    @property
    def name(self) -> str:
        """The input, as the caller named it."""
        return self._name

    @property
    def ordered(self) -> bool:
        """Whether ranks order the documents, since there are no scores."""
        return RANK in self._columns

    def blocks(self, *, gather: bool = False) -> Iterator[pl.DataFrame]:
        """Yield frames of `query, doc[, score]` in which each query stands whole.

        Raises InterleavedError when a query comes back later, unless `gather` sorts everything first; InputError for
        what no ranking has.
        """
        self._infinite = []
        blocks = gathered_queries(self._rows()) if gather else whole_queries(self._rows())
        return map(self._by_rank, blocks) if self.ordered else blocks

    def empty_queries(self) -> tuple[str, ...]:
        """Return nothing: a long table cannot name a query without documents."""
        return ()

    def notes(self) -> tuple[Finding, ...]:
        """Return what was noticed while reading; known once the blocks are read."""
        infinite = pl.concat(self._infinite) if self._infinite else pl.DataFrame()
        return score_notes(infinite, self.name, ordered=False)

    def digest(self) -> str:
        """Return nothing: who has the bytes knows their digest."""
        return ""

    def lines_of(self, query: str, doc: str) -> tuple[int, ...]:
        """Return nothing: tables have no lines."""
        return ()

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.name!r})"

    def _rows(self) -> Iterator[pl.DataFrame]:
        above = 0
        for batch in self._batches():
            with _rows_from(above):
                yield self._checked(typed(batch, self._columns, self.name))
            above += batch.height
        if not above:
            raise InputError.of("E101", "no ranking", file=self.name)

    def _checked(self, rows: pl.DataFrame) -> pl.DataFrame:
        refuse_bad_ids(rows, (QUERY, DOC), self.name)
        if self.ordered:
            refuse_odd_ranks(rows[RANK], self.name)
            return rows
        refuse_bad_numbers(rows[SCORE], "E211", "a score", self.name)
        infinite = rows.filter(pl.col(SCORE).is_infinite())
        if not infinite.is_empty():
            self._infinite.append(infinite.unique(QUERY, maintain_order=True))
        return rows.with_columns(-pl.col(SCORE)) if self._ascending else rows

    def _by_rank(self, block: pl.DataFrame) -> pl.DataFrame:
        refuse_repeated_ranks(block, self.name)
        return block.sort(QUERY, RANK, maintain_order=True).drop(RANK)


@contextmanager
def _rows_from(above: int) -> Iterator[None]:
    """Count the rows of findings from the beginning of the table."""
    try:
        yield
    except InputError as error:
        found = [replace(each, line=each.line + above) if each.line else each for each in error.findings]
        raise InputError(found, total=error.total) from error

"""A long Parquet table as a run, read batch by batch."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import polars as pl

from catchrate.errors import Finding, InputError
from catchrate.formats.grouping import gathered_queries, whole_queries
from catchrate.formats.long_table import ranking_columns, refuse_odd_ranks, refuse_repeated_ranks, typed
from catchrate.formats.names import DOC, QUERY, RANK, SCORE
from catchrate.formats.options import ReadOptions
from catchrate.formats.parquet import ParquetTable
from catchrate.formats.score_notes import score_notes
from catchrate.formats.source import Source
from catchrate.tables.checks import refuse_bad_ids, refuse_bad_numbers


class ParquetRun:
    """Rows of query, document and score, or rank where there is no score."""

    def __init__(self, source: Source, table: ParquetTable, options: ReadOptions) -> None:
        self._source = source
        self._table = table
        self._options = options
        self._columns = ranking_columns(list(table.schema), options, table.name)
        self._infinite: list[pl.DataFrame] = []

    @property
    def name(self) -> str:
        """The input, as the caller named it."""
        return self._table.name

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
        return (*self._source.notes(), *score_notes(infinite, self.name, ordered=False))

    def digest(self) -> str:
        """Return the digest of the unpacked bytes."""
        return self._source.digest()

    def lines_of(self, query: str, doc: str) -> tuple[int, ...]:
        """Return nothing: Parquet has no lines."""
        return ()

    def __repr__(self) -> str:
        return f"ParquetRun({self.name!r})"

    def _rows(self) -> Iterator[pl.DataFrame]:
        above = 0
        for batch in self._table.batches(self._columns.values()):
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
        return rows.with_columns(-pl.col(SCORE)) if self._options.ascending else rows

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

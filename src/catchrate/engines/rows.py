"""Rows of a ranking as an executor gets them: sorted, so that every query stands whole, in batches of any size."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import groupby
from operator import itemgetter
from typing import Any

import numpy as np
import polars as pl

from catchrate.errors import Finding, InputError, shown
from catchrate.formats.grouping import whole_queries
from catchrate.formats.long_run import LongRun
from catchrate.formats.long_table import Columns, typed
from catchrate.formats.names import DOC, QUERY, RANK, SCORE
from catchrate.formats.score_notes import score_notes
from catchrate.limits import BLOCK_ROWS
from catchrate.tables.checks import first_true, refuse_bad_ids, refuse_bad_numbers
from catchrate.tables.rows import query_starts

RUN = "run"
NO_LIST = 0
"""The rank that says that there was no list, which is not the same as an empty one."""
HASH = "hash"
"""A hash of each row, of which the digest of a run is made: the sum is the same in any order."""


class Rows:
    """The rows of one run in one partition, and what is counted of them on the way."""

    def __init__(self, frames: Iterator[pl.DataFrame]) -> None:
        self._frames = frames
        self.count = 0
        """How many there were so far."""
        self.hashes = 0
        """The sum of their hashes so far."""

    def __iter__(self) -> Iterator[pl.DataFrame]:
        for frame in self._frames:
            self.count += frame.height
            self.hashes = (self.hashes + int(frame[HASH].to_numpy().astype(np.uint64).sum())) % (1 << 64)
            yield frame


class LongRows(LongRun):
    """One row a document. What is wrong is told with its query: nobody knows the lines of a cluster."""

    def __init__(self, rows: Rows, columns: Columns, *, name: str, ascending: bool) -> None:
        super().__init__(rows.__iter__, columns, name=name, ascending=ascending)

    def _checked(self, rows: pl.DataFrame) -> pl.DataFrame:
        with naming_the_query(rows[QUERY]):
            return super()._checked(rows)


class ListRows:
    """One list a query, taken apart: the place of each document is its rank, and null where the list is empty."""

    def __init__(self, rows: Rows, columns: Columns, *, name: str, ascending: bool, mapped: bool) -> None:
        self._rows = rows
        self._columns = columns
        self._ascending = ascending
        self._empty: list[str] = []
        self._notes: list[Finding] = []
        self.name = name
        self.ordered = not mapped

    def blocks(self, *, gather: bool = False) -> Iterator[pl.DataFrame]:
        """Yield frames of `query, doc[, score]` in which each query stands whole, in the order of its list."""
        for block in whole_queries(typed(frame, self._columns, self.name) for frame in self._rows):
            with naming_the_query(block[QUERY]):
                refuse_bad_ids(block, (QUERY,), self.name)
                self._refuse_null_lists(block)
                self._refuse_repeated_queries(block)
            empty = block[RANK].is_null()
            self._empty += block[QUERY].filter(empty).to_list()
            rows = block.filter(~empty).drop(RANK)
            if not rows.is_empty():
                yield self._checked(rows)

    def empty_queries(self) -> tuple[str, ...]:
        """Return the queries whose lists are empty."""
        return tuple(self._empty)

    def notes(self) -> tuple[Finding, ...]:
        """Return what was noticed of the scores that ride along."""
        return tuple(self._notes)

    def digest(self) -> str:
        """Return nothing: who merges the parts knows the digest."""
        return ""

    def lines_of(self, query: str, doc: str) -> tuple[int, ...]:
        """Return nothing: tables have no lines."""
        return ()

    def _checked(self, rows: pl.DataFrame) -> pl.DataFrame:
        with naming_the_query(rows[QUERY]):
            refuse_bad_ids(rows, (DOC,), self.name)
            if SCORE in rows.columns:
                refuse_bad_numbers(rows[SCORE], "E211", "a score", self.name)
        if self._ascending and SCORE in rows.columns:
            rows = rows.with_columns(-pl.col(SCORE))
        self._notes += score_notes(rows, self.name, ordered=self.ordered)
        return rows

    def _refuse_null_lists(self, block: pl.DataFrame) -> None:
        row = first_true((block[RANK] == NO_LIST).fill_null(False))
        if row is not None:
            fix = "write an empty list when there is nothing"
            raise InputError.of("E236", "the list of documents is null", fix=fix, file=self.name, line=row + 1)

    def _refuse_repeated_queries(self, block: pl.DataFrame) -> None:
        """Refuse a query with several lists: their places begin anew."""
        begins = block[RANK].fill_null(1.0) == 1
        row = first_true(begins & (block[QUERY] == block[QUERY].shift()).fill_null(False))
        if row is not None:
            message = "the query stands on several rows"
            raise InputError.of("E238", message, fix="give each row an `id` of its own", file=self.name, line=row + 1)


@contextmanager
def naming_the_query(queries: pl.Series) -> Iterator[None]:
    """Say the query where a check of a table says the row."""
    try:
        yield
    except InputError as error:
        found = [_named(each, queries) for each in error.findings]
        raise InputError(found, total=error.total) from error


def _named(finding: Finding, queries: pl.Series) -> Finding:
    query = queries[finding.line - 1] if finding.line else None
    place = f"query {shown(query)}: " if query is not None else ""
    return replace(finding, line=None, message=place + finding.message)


def by_run(frames: Iterator[pl.DataFrame], *, several: bool) -> Iterator[tuple[str, Rows]]:
    """Yield each run with its rows, which have to be read before the next one is asked for."""
    pieces = (piece for frame in frames for piece in (_pieces(frame) if several else [("", frame)]))
    for run, group in groupby(pieces, key=itemgetter(0)):
        yield run, Rows(frame for _, frame in group)


def _pieces(frame: pl.DataFrame) -> Iterator[tuple[str, pl.DataFrame]]:
    """Yield the rows of each run; refuse rows without one."""
    runs = typed(frame, {QUERY: RUN}, "").rename({QUERY: RUN})
    refuse_bad_ids(runs, (RUN,), "")
    starts = query_starts(runs[RUN]).tolist()
    for start, end in zip(starts, [*starts[1:], frame.height], strict=True):
        yield runs[RUN][start], frame[start:end]


def large(batches: Iterator[Any]) -> Iterator[pl.DataFrame]:
    """Yield frames of about `BLOCK_ROWS` rows: Arrow batches are small, and each block has a price of its own."""
    held: list[pl.DataFrame] = []
    for batch in filter(len, batches):
        held.append(pl.DataFrame(batch))
        if sum(frame.height for frame in held) >= BLOCK_ROWS:
            yield pl.concat(held)
            held = []
    if held:
        yield pl.concat(held)

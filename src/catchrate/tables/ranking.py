"""Rankings: what a retriever returned for each query, best first."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol, Self

import numpy as np
import polars as pl

from catchrate.errors import Finding, InputError
from catchrate.limits import BLOCK_ROWS
from catchrate.tables.checks import refuse_bad_ids, refuse_bad_numbers
from catchrate.tables.digest import digest_of
from catchrate.tables.rows import query_starts


class InterleavedError(Exception):
    """A query came back after its block had ended: ask for `blocks(gather=True)`. Never leaves the library."""


class RankingSource(Protocol):
    """Anything that yields a ranking block by block, so that a run larger than memory can be evaluated."""

    @property
    def name(self) -> str:
        """The input, as the caller named it."""
        ...

    @property
    def ordered(self) -> bool:
        """True when the order of the rows ranks (lists); False when scores do."""
        ...

    def blocks(self, *, gather: bool = False) -> Iterator[pl.DataFrame]:
        """Yield frames of `query, doc[, score]` in which each query stands whole and in one piece.

        Raises InterleavedError when a query comes back later; with `gather` everything is read first and grouped.
        May be called again from the start.
        """
        ...

    def empty_queries(self) -> tuple[str, ...]:
        """Return the queries for which nothing was returned; known once the blocks are read."""
        ...

    def notes(self) -> tuple[Finding, ...]:
        """Return what was noticed while reading; known once the blocks are read."""
        ...

    def digest(self) -> str:
        """Return a digest of the content; known once the blocks are read."""
        ...

    def lines_of(self, query: str, doc: str) -> tuple[int, ...]:
        """Return the physical lines on which a pair stands; nothing for sources without lines."""
        ...


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Ranking:
    """A ranking in memory, checked."""

    frame: pl.DataFrame
    """One row a slot: `query`, `doc`, perhaps `score` (float) and `text`; rows of a query in their given order."""
    ordered: bool
    """True when the order of the rows ranks, even if scores ride along."""
    empty: tuple[str, ...] = ()
    """Queries that were asked and returned nothing."""
    findings: tuple[Finding, ...] = ()
    """What was noticed while reading."""
    name: str = ""
    """The input, as the caller named it."""
    content: str = ""
    """A digest of the bytes that were read, if there were any."""

    @classmethod
    def of(
        cls,
        frame: pl.DataFrame,
        *,
        ordered: bool | None = None,
        empty: tuple[str, ...] = (),
        notes: tuple[Finding, ...] = (),
        name: str = "",
    ) -> Self:
        """Check rows of `query, doc[, score]` and group them by query, each query's rows in their given order.

        Raises InputError for null, empty or huge ids and for scores that are no number.
        """
        refuse_bad_ids(frame, ("query", "doc"), name)
        if "score" in frame.columns:
            frame = frame.with_columns(pl.col("score").cast(pl.Float64))
            refuse_bad_numbers(frame["score"], "E211", "a score", name)
        if frame.is_empty() and not empty:
            raise InputError.of("E101", "no ranking", file=name)
        ordered = "score" not in frame.columns if ordered is None else ordered
        return cls(frame=_grouped(frame), ordered=ordered, empty=empty, findings=notes, name=name)

    def blocks(self, *, gather: bool = False) -> Iterator[pl.DataFrame]:
        """Yield slices that end where a query ends."""
        ends = np.append(query_starts(self.frame["query"])[1:], self.frame.height)
        begin = 0
        while begin < self.frame.height:
            last = min(np.searchsorted(ends, begin + BLOCK_ROWS), ends.size - 1)
            end = int(ends[last])
            yield self.frame[begin:end]
            begin = end

    def empty_queries(self) -> tuple[str, ...]:
        """Return the queries for which nothing was returned."""
        return self.empty

    def notes(self) -> tuple[Finding, ...]:
        """Return what was noticed while reading."""
        return self.findings

    def digest(self) -> str:
        """Return the digest of what was read, or of the rows."""
        return self.content or digest_of(self.frame, self.empty)

    def lines_of(self, query: str, doc: str) -> tuple[int, ...]:
        """Return nothing: rows in memory have no lines."""
        return ()

    def __repr__(self) -> str:
        queries = query_starts(self.frame["query"]).size + len(self.empty)
        return f"Ranking({queries:,} queries, {self.frame.height:,} slots)"


def _grouped(frame: pl.DataFrame) -> pl.DataFrame:
    names = frame["query"].gather(query_starts(frame["query"]))
    return frame.sort("query", maintain_order=True) if names.is_duplicated().any() else frame

"""Rows to whole queries, in bounded memory: contiguous queries are streamed, interleaved ones are sorted on disk."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import mkdtemp
from typing import NamedTuple

import polars as pl

from catchrate.errors import OutputError
from catchrate.limits import BLOCK_ROWS, SORT_ROWS
from catchrate.tables.ranking import InterleavedError
from catchrate.tables.rows import query_starts

GROUP_ROWS = 1 << 16
"""Rows of a sorted file that are unpacked together."""


def whole_queries(frames: Iterator[pl.DataFrame]) -> Iterator[pl.DataFrame]:
    """Carry the last query of each frame over to the next, so that no query is split.

    Raises InterleavedError when a query comes back later.
    """
    held: list[pl.DataFrame] = []
    seen: set[str] = set()
    current = None
    for frame in frames:
        starts = query_starts(frame["query"])
        names = frame["query"].gather(starts).to_list()
        fresh = names[1:] if names[:1] == [current] else names
        if len(set(fresh)) < len(fresh) or not seen.isdisjoint(fresh):
            raise InterleavedError
        seen.update(fresh)
        if fresh:
            last = int(starts[-1])
            if held or last:
                yield pl.concat([*held, frame[:last]])
            held, current = [], names[-1]
            frame = frame[last:]
        held.append(frame)
    if held:
        yield pl.concat(held)


def gathered_queries(frames: Iterator[pl.DataFrame]) -> Iterator[pl.DataFrame]:
    """Yield the rows by query in byte order, rows of a query as they came.

    More than `SORT_ROWS` are sorted piece by piece into files of a temporary folder, which are merged: all
    of them are in the order of their queries, so that some queries are a slice of each.
    """
    folder = None
    try:
        pieces: list[_Piece] = []
        held: list[pl.DataFrame] = []
        for frame in frames:
            held.append(frame)
            if sum(one.height for one in held) > SORT_ROWS:
                folder = folder or mkdtemp(prefix="catchrate-")
                pieces.append(_Piece.stored(_sorted(held), Path(folder, f"{len(pieces)}.parquet")))
                held = []
        if held:
            pieces.append(_Piece.kept(_sorted(held)))
        yield from _merged(pieces)
    finally:
        if folder:
            shutil.rmtree(folder, ignore_errors=True)


class _Piece(NamedTuple):
    """Some of the rows, sorted by query."""

    rows: pl.LazyFrame
    queries: pl.DataFrame
    """Each `query` and how many `rows` it has here."""

    @classmethod
    def kept(cls, rows: pl.DataFrame) -> _Piece:
        counts = rows.group_by("query", maintain_order=True).agg(pl.len().alias("rows"))
        return cls(rows.lazy(), counts)

    @classmethod
    def stored(cls, rows: pl.DataFrame, path: Path) -> _Piece:
        try:
            rows.write_parquet(path, compression="lz4", row_group_size=GROUP_ROWS, statistics=False)
        except (OSError, pl.exceptions.PolarsError) as error:
            message = f"a run whose queries come in pieces is sorted in this folder: {error}"
            fix = "free some space, or name another folder in TMPDIR"
            raise OutputError.of("E302", message, fix=fix, file=str(path.parent)) from error
        return cls(pl.scan_parquet(path, glob=False), cls.kept(rows).queries)


def _sorted(frames: list[pl.DataFrame]) -> pl.DataFrame:
    return pl.concat(frames).sort("query", maintain_order=True)


def _merged(pieces: Sequence[_Piece]) -> Iterator[pl.DataFrame]:
    """Yield blocks of whole queries, each sorted from the slices that the pieces have of it."""
    if not pieces:
        return
    queries = pl.concat([piece.queries for piece in pieces]).group_by("query").agg(pl.col("rows").sum()).sort("query")
    queries = queries.select("query", block=(pl.col("rows").cum_sum() - pl.col("rows")) // BLOCK_ROWS)
    begins = [0] * len(pieces)
    blocks = [
        dict(
            piece.queries.join(queries, on="query", maintain_order="left")
            .group_by("block", maintain_order=True)
            .agg(pl.col("rows").sum())
            .iter_rows()
        )
        for piece in pieces
    ]
    for block in queries["block"].unique(maintain_order=True).to_list():
        slices: list[pl.DataFrame] = []
        for number, piece in enumerate(pieces):
            count = blocks[number].get(block, 0)
            if count:
                slices.append(piece.rows.slice(begins[number], count).collect())
                begins[number] += count
        yield _sorted(slices)

"""A ranking that is read once and can then be asked for the documents of any query, without reading it again."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import polars as pl

from catchrate.errors import Finding
from catchrate.tables import RankingSource
from catchrate.tables.rows import query_starts


class KeptRanking:
    """Passes the blocks of another ranking on, and keeps the documents of each query: about 25 bytes a row.

    >>> from catchrate.formats import open_ranking
    >>> kept = KeptRanking(open_ranking({"q1": ["a", "b"], "q2": ["c"]}))
    >>> sum(block.height for block in kept.blocks())
    3
    >>> kept.rows_of("q1")["doc"].to_list(), kept.rows_of("q9").height
    (['a', 'b'], 0)
    """

    def __init__(self, source: RankingSource) -> None:
        self._source = source
        self._start()

    def _start(self) -> None:
        self._blocks: list[pl.DataFrame] = []
        self._number: dict[str, int] = {}
        self._names: list[pl.Series] = []
        self._places: list[np.ndarray] = []
        self._where: np.ndarray | None = None
        self._whole = False

    @property
    def name(self) -> str:
        """The input, as the caller named it."""
        return self._source.name

    @property
    def ordered(self) -> bool:
        """True when the order of the rows ranks; False when scores do."""
        return self._source.ordered

    def blocks(self, *, gather: bool = False) -> Iterator[pl.DataFrame]:
        """Yield the blocks of the other ranking and keep them; from then on yield what was kept."""
        if self._whole:
            yield from map(self._again, range(len(self._blocks)))
            return
        self._start()
        for block in self._source.blocks(gather=gather):
            self._keep(block)
            yield block
        self._whole = True

    def rows_of(self, query: str) -> pl.DataFrame:
        """Return the rows of a query as they came; known once the blocks are read."""
        if self._where is None:
            self._where = np.concatenate(self._places) if self._places else np.zeros((0, 3), np.int64)
        number = self._number.get(query)
        if number is None:
            return pl.DataFrame({"doc": pl.Series([], dtype=pl.String)})
        block, start, end = self._where[number].tolist()
        return self._blocks[block][start:end]

    def empty_queries(self) -> tuple[str, ...]:
        """Return the queries for which nothing was returned; known once the blocks are read."""
        return self._source.empty_queries()

    def notes(self) -> tuple[Finding, ...]:
        """Return what was noticed while reading; known once the blocks are read."""
        return self._source.notes()

    def digest(self) -> str:
        """Return a digest of the content; known once the blocks are read."""
        return self._source.digest()

    def lines_of(self, query: str, doc: str) -> tuple[int, ...]:
        """Return the physical lines on which a pair stands."""
        return self._source.lines_of(query, doc)

    def _keep(self, block: pl.DataFrame) -> None:
        starts = query_starts(block["query"])
        self._names.append(block["query"].gather(starts))
        names = self._names[-1].to_list()
        self._number.update(zip(names, range(len(self._number), len(self._number) + len(names)), strict=True))
        ends = np.append(starts[1:], block.height)
        self._places.append(np.column_stack([np.full_like(starts, len(self._blocks)), starts, ends]))
        self._blocks.append(block.drop("query"))

    def _again(self, number: int) -> pl.DataFrame:
        """Return a block as it came."""
        sizes = np.diff(self._places[number][:, 1:], axis=1)[:, 0]
        rows = np.repeat(np.arange(sizes.size), sizes)
        return self._blocks[number].select(self._names[number].gather(rows).alias("query"), pl.all())

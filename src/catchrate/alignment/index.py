"""Judgments, made ready to be looked up block by block."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import polars as pl

from catchrate.alignment.block import Block
from catchrate.measures.arrays import Floats, Ints
from catchrate.tables import Judgments
from catchrate.tables.rows import query_starts

Hashes = npt.NDArray[np.uint64]


class JudgmentIndex:
    """The judged queries by number, and the judged items of each by a hash of their documents."""

    def __init__(self, judgments: Judgments) -> None:
        self.names: pl.Series = judgments.queries["query"]
        """Ids of the judged queries, in byte order; the place of an id is its number."""
        self.queries: int = self.names.len()
        self.number: dict[str, int] = {name: code for code, name in enumerate(self.names.to_list())}
        """The number of each judged query."""
        self.docs: pl.Series = judgments.items["doc"]
        """The document of each judged item."""
        self.item_grade: Floats = judgments.items["grade"].to_numpy()
        self.item_query: Ints = self._item_queries(judgments.items["query"])
        self.item_bounds: Ints = np.searchsorted(self.item_query, np.arange(self.queries + 1))
        """Where the items of each query begin, and where the last one's end."""
        self._table: _Table | None = None

    def _item_queries(self, queries: pl.Series) -> Ints:
        starts = query_starts(queries)
        return np.repeat(self.codes(queries.gather(starts)), np.diff(starts, append=queries.len()))

    def codes(self, names: pl.Series) -> Ints:
        """Return the numbers of queries; -1 for those that nobody judged."""
        return np.fromiter((self.number.get(name, -1) for name in names.to_list()), np.int64, names.len())

    def find(self, block: Block, codes: Ints) -> tuple[Ints, Ints]:
        """Return the rows of a block that hold a judged item, and these items; `codes` are its queries' numbers."""
        if self._table is None:
            self._table = _Table(self.item_query, self.docs.hash().to_numpy(), self.queries)
        rows, items = self._table.candidates(block.hashes, codes[block.query])
        same = (block.docs.gather(rows) == self.docs.gather(items)).to_numpy()
        return rows[same], items[same]


class _Table:
    """The judged items by the first bits of a hash of their document.

    A bucket holds one item, nothing, or the word that several items share it: these few are found by search. One look
    dismisses nearly every row of a run. Only the documents themselves decide.
    """

    def __init__(self, item_query: Ints, hashes: Hashes, queries: int) -> None:
        self._query = item_query
        size = 1 << min(max(16, (16 * hashes.size).bit_length()), 26)
        self._shift = np.uint64(65 - size.bit_length())
        bucket = hashes >> self._shift
        items = np.arange(hashes.size, dtype=np.int32)
        self._item = np.full(size, _NOTHING, np.int32)
        self._item[bucket] = items
        self._item[bucket[self._item[bucket] != items]] = _SEVERAL
        crowd = np.flatnonzero(self._item[bucket] == _SEVERAL)
        self._low = np.uint64(64 - max(1, (queries - 1).bit_length()))
        keys = self._keys(item_query[crowd], hashes[crowd])
        order = np.argsort(keys, kind="stable")
        self._crowd, self._crowd_keys = crowd[order], keys[order]

    def candidates(self, hashes: Hashes, query: Ints) -> tuple[Ints, Ints]:
        """Return rows, and the item that each of them may hold; `query` is -1 where nobody judged."""
        guess = self._item[hashes >> self._shift]
        one = np.flatnonzero(guess >= 0)
        item = guess[one].astype(np.int64)
        mine = self._query[item] == query[one]
        rows, items = one[mine], item[mine]
        crowded = np.flatnonzero((guess == _SEVERAL) & (query >= 0)) if self._crowd.size else rows[:0]
        if crowded.size == 0:
            return rows, items
        keys = self._keys(query[crowded], hashes[crowded])
        first = np.searchsorted(self._crowd_keys, keys, side="left")
        alike = np.searchsorted(self._crowd_keys, keys, side="right") - first
        more = self._crowd[np.repeat(first - (np.cumsum(alike) - alike), alike) + np.arange(alike.sum())]
        rows, items = np.append(rows, np.repeat(crowded, alike)), np.append(items, more)
        in_order = np.argsort(rows, kind="stable")
        return rows[in_order], items[in_order]

    def _keys(self, query: Ints, hashes: Hashes) -> Hashes:
        """Return the query in the upper bits and the hash in the lower ones."""
        return (query.astype(np.uint64) << self._low) | (hashes >> (np.uint64(64) - self._low))


_NOTHING, _SEVERAL = -1, -2

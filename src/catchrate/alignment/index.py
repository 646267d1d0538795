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
        self._listed = judgments.listed()
        self.item_query: Ints = self._listed.query if self._listed else self._item_queries(judgments.items["query"])
        self.item_bounds: Ints = np.searchsorted(self.item_query, np.arange(self.queries + 1))
        """Where the items of each query begin, and where the last one's end."""
        self._table: _Table | None = None

    def listed(self) -> tuple[list[str], Ints]:
        """Return the documents by query, else in any order, and for each item which of these it has."""
        if self._listed is not None:
            return self._listed.docs, self._listed.order
        return self.docs.to_list(), np.arange(self.docs.len())

    def _item_queries(self, queries: pl.Series) -> Ints:
        starts = query_starts(queries)
        return np.repeat(self.codes(queries.gather(starts)), np.diff(starts, append=queries.len()))

    def codes(self, names: pl.Series) -> Ints:
        """Return the numbers of queries; -1 for those that nobody judged."""
        return np.fromiter((self.number.get(name, -1) for name in names.to_list()), np.int64, names.len())

    def find(self, block: Block, codes: Ints) -> tuple[Ints, Ints]:
        """Return the rows of a block that hold a judged item, and these items; `codes` are its queries' numbers."""
        if self._table is None:
            self._table = _Table(np.diff(self.item_bounds), self.docs.hash().to_numpy())
        rows, items = self._table.candidates(block.hashes, codes, block.sizes)
        same = (_at(rows, block.docs) == self.docs.gather(items)).to_numpy()
        return (rows, items) if same.all() else (rows[same], items[same])


def _at(rows: Ints, docs: pl.Series) -> pl.Series:
    """Return the documents of some rows, which come in order; where these are many, a mask is far faster."""
    if rows.size < docs.len() // _MANY or (rows[1:] == rows[:-1]).any():
        return docs.gather(rows)
    wanted = np.zeros(docs.len(), bool)
    wanted[rows] = True
    return docs.filter(pl.Series(wanted))


_MANY = 16
"""One row in so many is many."""


class _Table:
    """The judged items by a hash of their query and document.

    Items that share a place form a chain. One look at their place dismisses nearly every row of most runs; only the
    documents themselves decide.
    """

    def __init__(self, sizes: Ints, hashes: Hashes) -> None:
        size = 1 << min(max(_LEAST_BITS, (4 * hashes.size).bit_length()), _MOST_BITS)
        self._shift = np.uint64(65 - size.bit_length())
        self._keys = np.repeat(_mixed(np.arange(sizes.size)), sizes)
        self._keys ^= hashes
        self._first = np.full(size, _NOTHING)
        self._next = np.full(hashes.size, _NOTHING)
        self._chain()

    def _chain(self) -> None:
        """Put each item into its place, or behind the item that holds it."""
        table, place = self._first, self._places(self._keys)
        items = np.arange(place.size, dtype=np.int32)
        while items.size:
            table[place] = items
            holder = table[place]
            lost = np.flatnonzero(holder != items)
            table, place, items = self._next, holder[lost], items[lost]

    def candidates(self, hashes: Hashes, codes: Ints, sizes: Ints) -> tuple[Ints, Ints]:
        """Return rows in order, and the item that each of them may hold.

        `codes` are the numbers of the queries of the rows, -1 where nobody judged, and `sizes` how many rows each has.
        """
        keys = np.repeat(_mixed(codes), sizes)
        keys ^= hashes
        items = self._first[self._places(keys)]
        rows = np.flatnonzero(items >= 0)
        keys, items = keys[rows], items[rows]
        found = [(rows[:0], items[:0])]
        while rows.size:
            same = np.flatnonzero(self._keys[items] == keys)
            found.append((rows[same], items[same]))
            items = self._next[items]
            more = np.flatnonzero(items >= 0)
            rows, keys, items = rows[more], keys[more], items[more]
        rows, items = (np.concatenate(parts) for parts in zip(*found, strict=True))
        in_order = np.argsort(rows, kind="stable")
        return rows[in_order], items[in_order].astype(np.int64)

    def _places(self, keys: Hashes) -> Ints:
        return (keys >> self._shift).view(np.int64)  # these are small, and rows by another type are copied first


_LEAST_BITS, _MOST_BITS = 17, 26
_NOTHING = np.int32(-1)
_ODD = np.uint64(0x9E3779B97F4A7C15)
"""Times this, different numbers stay different, and all of their bits differ."""


def _mixed(query: Ints) -> Hashes:
    """Return a hash of each query's number."""
    return query.astype(np.uint64) * _ODD

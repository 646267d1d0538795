"""A ranking as the mapping `{query: {doc: score}}` that it came as: looked up, never converted."""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Self

import numpy as np
import numpy.typing as npt
import polars as pl

from catchrate.errors import Finding
from catchrate.limits import MAX_ID_BYTES
from catchrate.tables.ranking import Ranking


@dataclass(frozen=True, slots=True, eq=False)
class MappedRanking:
    """A ranking by score whose mapping is kept.

    A run has a hundred times as many documents as its judgments name, so looking up these few beats any conversion.
    """

    queries: Mapping[str, Mapping[str, float]]
    """The ranking."""
    scores: npt.NDArray[np.float64]
    """All scores, query after query in the order of the mappings."""
    content: str
    """A digest of ids and scores."""
    name: str = ""
    """The input, as the caller named it."""

    @classmethod
    def of(cls, value: object) -> Self | None:
        """Return the ranking in a plain dict of dicts, or None for anything that needs a closer look."""
        if not isinstance(value, dict) or not value or set(map(type, value.values())) != {dict}:
            return None
        try:
            ids = ("\n".join(value) + "\0" + "\n".join(chain.from_iterable(value.values()))).encode()
            scores = np.frombuffer(_packed(chain.from_iterable(map(dict.values, value.values()))))
        except (TypeError, UnicodeEncodeError, OverflowError, struct.error):
            return None
        if not scores.size or not np.isfinite(scores).all() or ids.count(b"\0") != 1 or not _sane_lengths(ids):
            return None
        digest = hashlib.sha256(ids)
        digest.update(scores.data)
        digest.update(np.fromiter(map(len, value.values()), np.int64, len(value)).data)
        return cls(value, scores, f"sha256:{digest.hexdigest()}")

    @property
    def ordered(self) -> bool:
        """False: scores rank."""
        return False

    def blocks(self, *, gather: bool = False) -> Iterator[pl.DataFrame]:
        """Yield the rows as a frame, for what needs one."""
        sizes = np.fromiter(map(len, self.queries.values()), np.int64, len(self.queries))
        names = pl.Series(list(self.queries), dtype=pl.String).gather(np.repeat(np.arange(sizes.size), sizes))
        docs = pl.Series(list(chain.from_iterable(self.queries.values())), dtype=pl.String)
        return Ranking.of(pl.DataFrame({"query": names, "doc": docs, "score": self.scores})).blocks()

    def empty_queries(self) -> tuple[str, ...]:
        """Return the queries for which nothing was returned."""
        return tuple(query for query, docs in self.queries.items() if not docs)

    def notes(self) -> tuple[Finding, ...]:
        """Return nothing: what deserves a note takes the closer look."""
        return ()

    def digest(self) -> str:
        """Return the digest of ids and scores."""
        return self.content

    def lines_of(self, query: str, doc: str) -> tuple[int, ...]:
        """Return nothing: a mapping has no lines."""
        return ()


def _packed(numbers: Iterable[float]) -> bytes:
    """Return numbers as 64-bit floats; refuses text, which NumPy would read as a number."""
    values = tuple(numbers)
    return struct.pack(f"{len(values)}d", *values)


def _sane_lengths(ids: bytes) -> bool:
    """Tell whether no id is empty, nor as long as a wrong separator would make it."""
    marks = np.flatnonzero(np.frombuffer(ids, np.uint8) <= ord("\n"))
    lengths = np.diff(marks, prepend=-1, append=len(ids)) - 1
    return bool(lengths.min() > 0 and lengths.max() <= MAX_ID_BYTES)

"""Plain dicts of dicts: rankings that are looked up and never converted, and judgments, read without a loop."""

from __future__ import annotations

import hashlib
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, compress
from typing import Self
from weakref import ref

import numpy as np
import numpy.typing as npt
import polars as pl

from catchrate.errors import Finding
from catchrate.later import Later
from catchrate.limits import KEPT_BYTES, MAX_GRADE, MOST_WAITING
from catchrate.tables.judgments import Judgments, ListedItems, best_first, negative_note
from catchrate.tables.plain import Entries, OddError, plain_entries, plain_ids, plain_numbers, sizes_of
from catchrate.tables.ranking import Ranking


@dataclass(frozen=True, slots=True, eq=False)
class MappedRanking:
    """A ranking by score whose mapping is kept.

    A run has a hundred times as many documents as its judgments name, so looking up these few beats any conversion.
    """

    queries: Entries
    """The ranking."""
    scores: npt.NDArray[np.float64]
    """All scores, query after query in the order of the mappings."""
    content: Later[str]
    """A digest of ids and scores."""
    name: str = ""
    """The input, as the caller named it."""

    @classmethod
    def of(cls, value: object) -> Self | None:
        """Return the ranking in a plain dict of dicts, or None for anything that needs a closer look."""
        try:
            entries = plain_entries(value)
            names, docs = plain_ids(entries), plain_ids(chain.from_iterable(entries.values()))
            scores = plain_numbers(entries.values())
        except OddError:
            return None
        return cls(entries, scores, _digest_of(names, b"\0", docs, scores.data, sizes_of(entries.values()).data))

    @property
    def ordered(self) -> bool:
        """False: scores rank."""
        return False

    def blocks(self, *, gather: bool = False) -> Iterator[pl.DataFrame]:
        """Yield the rows as a frame, for what needs one."""
        rows = np.repeat(np.arange(len(self.queries)), sizes_of(self.queries.values()))
        names = pl.Series(list(self.queries), dtype=pl.String).gather(rows)
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
        return self.content.value

    def lines_of(self, query: str, doc: str) -> tuple[int, ...]:
        """Return nothing: a mapping has no lines."""
        return ()


def _digest_of(*parts: bytes | memoryview) -> Later[str]:
    """Return the digest of bytes, which are kept for it: few bytes of a few results that are still there."""

    def digest() -> str:
        content = hashlib.sha256()
        for part in parts:
            content.update(part)
        return f"sha256:{content.hexdigest()}"

    later = Later(digest)
    if sum(memoryview(part).nbytes for part in parts) > KEPT_BYTES:
        _ = later.value
    else:
        _waiting.append(ref(later))
        oldest = _waiting.popleft()() if len(_waiting) > MOST_WAITING else None
        _ = oldest and oldest.value
    return later


_waiting: deque[ref[Later[str]]] = deque()


def mapped_judgments(value: object) -> Judgments | None:
    """Return the judgments in a plain dict of dicts, or None for anything that needs a closer look."""
    try:
        return _judgments_of(plain_entries(value))
    except OddError:
        return None


def _judgments_of(entries: Entries) -> Judgments:
    try:
        names = sorted(entries)
    except TypeError as error:  # ids of several kinds
        raise OddError from error
    plain_ids(names)
    in_order = [entries[name] for name in names]
    docs = list(chain.from_iterable(in_order))
    plain_ids(docs)
    grades = plain_numbers(in_order)
    if np.abs(grades).max() > MAX_GRADE:
        raise OddError
    query = np.repeat(np.arange(len(names)), sizes_of(in_order))
    order = best_first(query, grades)
    known = pl.Series("query", names, dtype=pl.String)
    rows = known[query], pl.Series("doc", docs, dtype=pl.String)[order], pl.Series("grade", grades[order])
    items = pl.DataFrame(rows)
    return Judgments(
        items=items,
        queries=known.to_frame(),
        notes=_negative_note(entries) if grades.min() < 0 else (),
        known=ListedItems(frame=items, query=query, docs=docs, order=order),
    )


def _negative_note(entries: Entries) -> tuple[Finding, ...]:
    negative = plain_numbers(entries.values()) < 0
    docs = compress(chain.from_iterable(entries.values()), negative)
    return negative_note(pl.Series(list(docs), dtype=pl.String), "")

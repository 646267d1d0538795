"""Plain dicts of dicts: rankings that are looked up and never converted, and judgments, read without a loop."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from operator import itemgetter
from typing import Self

import numpy as np
import numpy.typing as npt
import polars as pl

from catchrate.errors import Finding
from catchrate.limits import MAX_GRADE
from catchrate.tables.digest import Content, digest_of_content
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
    content: str
    """A digest of ids and scores."""
    name: str = ""
    """The input, as the caller named it."""

    @classmethod
    def of(cls, value: object) -> Self | None:
        """Return the ranking in a plain dict of dicts, or None for anything that needs a closer look."""
        try:
            entries = plain_entries(value)
            ids = plain_ids(entries, chain.from_iterable(entries.values()))
            scores = plain_numbers(map(dict.values, entries.values()))
        except OddError:
            return None
        digest = hashlib.sha256(ids)
        digest.update(scores.data)
        digest.update(sizes_of(entries).data)
        return cls(entries, scores, f"sha256:{digest.hexdigest()}")

    @property
    def ordered(self) -> bool:
        """False: scores rank."""
        return False

    def blocks(self, *, gather: bool = False) -> Iterator[pl.DataFrame]:
        """Yield the rows as a frame, for what needs one."""
        rows = np.repeat(np.arange(len(self.queries)), sizes_of(self.queries))
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
        return self.content

    def lines_of(self, query: str, doc: str) -> tuple[int, ...]:
        """Return nothing: a mapping has no lines."""
        return ()


def mapped_judgments(value: object) -> Judgments | None:
    """Return the judgments in a plain dict of dicts, or None for anything that needs a closer look."""
    try:
        return _judgments_of(plain_entries(value))
    except OddError:
        return None


def _judgments_of(given: Entries) -> Judgments:
    try:
        entries = {name: given[name] for name in sorted(given)}
    except TypeError as error:  # ids of several kinds
        raise OddError from error
    names, sizes = list(entries), sizes_of(entries)
    query = np.repeat(np.arange(len(names)), sizes)
    grades = plain_numbers(map(dict.values, entries.values()))
    if np.abs(grades).max() > MAX_GRADE:
        raise OddError
    docs = list(chain.from_iterable(entries.values()))
    order = best_first(query, grades)
    if (order[1:] < order[:-1]).any():
        docs, grades = list(itemgetter(*order.tolist())(docs)), grades[order]
    content = _digest(names, sizes, docs, grades)
    known = pl.Series("query", names, dtype=pl.String)
    items = pl.DataFrame([known.gather(query), pl.Series("doc", docs, dtype=pl.String), pl.Series("grade", grades)])
    return Judgments(
        items=items,
        queries=known.to_frame(),
        notes=_negative_note(given) if grades.min() < 0 else (),
        content=content,
        known=ListedItems(frame=items, docs=docs, query=query),
    )


def _negative_note(entries: Entries) -> tuple[Finding, ...]:
    docs = [doc for grades in entries.values() for doc, grade in grades.items() if float(grade) < 0]
    return negative_note(pl.Series(docs, dtype=pl.String), "")


def _digest(names: list[str], sizes: npt.NDArray[np.int64], docs: list[str], grades: npt.NDArray[np.float64]) -> str:
    """Return what `digest_of` does of these items and names, once their ids are known to be sound."""
    names_read, docs_read = plain_ids(names, docs).split(b"\0")
    repeated = "".join(map(str.__mul__, names, sizes.tolist())).encode()
    columns: Iterable[tuple[str, Iterable[Content]]] = (
        ("query", (np.repeat(_lengths(names_read, len(names)), sizes).data, repeated)),
        ("doc", (_lengths(docs_read, len(docs)).data, docs_read.translate(None, b"\n"))),
        ("grade", (grades.data,)),
    )
    return digest_of_content(columns, names_read)


def _lengths(ids: bytes, count: int) -> npt.NDArray[np.uint32]:
    """Return how long ids are between the newlines; none of them may hold one itself."""
    ends = np.flatnonzero(np.frombuffer(ids, np.uint8) == ord("\n"))
    if ends.size != count - 1:
        raise OddError
    return (np.diff(ends, prepend=-1, append=len(ids)) - 1).astype(np.uint32)

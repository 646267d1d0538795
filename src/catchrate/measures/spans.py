"""Where gold spans and returned spans stand, as plain arrays: what measures of characters read.

All documents of all queries stand one behind the other on one line, so that a place says query and document, too.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Mask = npt.NDArray[np.bool_]
KEY = 1 << 40
"""More than any list has slots."""


@dataclass(frozen=True, slots=True, eq=False)
class Places:
    """One row a span."""

    query: Ints
    start: Ints
    """The place of its first character on the line."""
    end: Ints
    """The place behind its last character."""

    def where(self, mask: Mask) -> Places:
        """Return the rows that the mask keeps."""
        return Places(self.query[mask], self.start[mask], self.end[mask])

    def and_also(self, others: Places) -> Places:
        """Return these spans, then others."""
        return Places(*(np.append(getattr(self, n), getattr(others, n)) for n in ("query", "start", "end")))

    def characters(self, queries: int) -> Floats:
        """Count the characters of each query that stand in any of its spans, each once."""
        order = np.argsort(self.start, kind="stable")
        reached = np.maximum.accumulate(self.end[order])
        before = np.append(np.zeros(min(1, order.size), np.int64), reached[:-1])
        fresh = reached - np.maximum(before, np.minimum(self.start[order], reached))
        return np.bincount(self.query[order], weights=fresh, minlength=queries).astype(np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class SpanTable:
    """Gold spans with their grades, and returned spans with their slots."""

    gold: Places
    grade: Floats
    returned: Places
    slot: Ints

    def wanted(self, rel: float) -> Places:
        """Return the relevant spans."""
        return self.gold.where(self.grade >= rel)

    def within(self, k: float | None) -> Places:
        """Return the spans of the first k slots; all of them without k."""
        return self.returned if k is None else self.returned.where(self.slot <= k)

    def first_slots(self, most: Ints) -> SpanTable:
        """Keep the first slots of each query."""
        kept = self.slot <= most[self.returned.query]
        return SpanTable(self.gold, self.grade, self.returned.where(kept), self.slot[kept])

    def only_slots(self, query: Ints, slot: Ints, new_slot: Ints) -> SpanTable:
        """Keep some slots, under new numbers; query and slot rise."""
        keys, mine = query * KEY + slot, self.returned.query * KEY + self.slot
        place = np.minimum(np.searchsorted(keys, mine), max(keys.size - 1, 0))
        kept = keys[place] == mine if keys.size else np.zeros(mine.size, bool)
        return SpanTable(self.gold, self.grade, self.returned.where(kept), new_slot[place[kept]])

    def some_queries(self, keep: Mask) -> SpanTable:
        """Keep the marked queries only."""
        number = np.cumsum(keep) - 1
        gold, returned = keep[self.gold.query], keep[self.returned.query]
        return SpanTable(
            _renumbered(self.gold.where(gold), number),
            self.grade[gold],
            _renumbered(self.returned.where(returned), number),
            self.slot[returned],
        )


def _renumbered(places: Places, number: Ints) -> Places:
    return Places(number[places.query], places.start, places.end)

"""Gold spans and retrieved spans: how much of the one the other covers, by places in documents."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import pairwise
from typing import ClassVar

import numpy as np

from catchrate.matching.pairs import Pairs
from catchrate.matching.rules import ShareRule
from catchrate.tables.spans import Span, parse_span

Piece = tuple[int, int, int]
"""Start and end of what a chunk covers of a gold span, and the chunk's slot."""


@dataclass(frozen=True, slots=True)
class Spans(ShareRule):
    """The spans down to this place cover that share of the gold span's characters, each counted once."""

    name: ClassVar[str] = "spans"

    threshold: float = 0.5
    """The share of the gold span's characters."""

    def pairs(self, chunks: Sequence[str], gold: Sequence[str]) -> Pairs:
        """Add up what the spans cover, one after the other."""
        by_doc: dict[str, list[Piece]] = {}
        for slot, (doc, start, end) in enumerate(map(parse_span, chunks)):
            by_doc.setdefault(doc, []).append((start, end, slot))
        rows = [
            (slot, item, strength, together)
            for item, span in enumerate(map(parse_span, gold))
            for slot, strength, together in _shares(span, by_doc.get(span.doc, ()))
        ]
        table = np.array(sorted(rows), np.float64).reshape(-1, 4)
        return Pairs(table[:, 0].astype(np.int64), table[:, 1].astype(np.int64), table[:, 2], table[:, 3])


def _shares(gold: Span, pieces: Iterable[Piece]) -> Iterable[tuple[int, float, float]]:
    """Yield slot, share of the gold span by itself and by all slots so far, of each that has any of it, by slot."""
    inside = [(max(start, gold.start), min(end, gold.end), slot) for start, end, slot in pieces]
    inside = [piece for piece in inside if piece[0] < piece[1]]
    fresh, done, size = _fresh(inside), 0, gold.end - gold.start
    for start, end, slot in inside:
        done += fresh.get(slot, 0)
        yield slot, (end - start) / size, done / size


def _fresh(pieces: Sequence[Piece]) -> dict[int, int]:
    """Return how many characters each slot is the first to cover, in one sweep along the document."""
    waiting = sorted(pieces, reverse=True)
    marks = sorted({mark for start, end, _ in pieces for mark in (start, end)})
    fresh: dict[int, int] = {}
    open_here: list[tuple[int, int]] = []
    for here, there in pairwise(marks):
        while waiting and waiting[-1][0] <= here:
            _, end, slot = waiting.pop()
            heappush(open_here, (slot, end))
        while open_here and open_here[0][1] <= here:
            heappop(open_here)
        if open_here:
            first = open_here[0][0]
            fresh[first] = fresh.get(first, 0) + there - here
    return fresh

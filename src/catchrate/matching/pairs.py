"""How strongly each chunk of a query holds each gold text, and which of these pairs are matches."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Self

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class Pairs:
    """One row for each chunk of one query and gold text that it holds something of, by chunk, then gold text."""

    slot: Ints
    """Which of the chunks, counted from 0 in the order of the list."""
    item: Ints
    """Which of the gold texts, counted from 0."""
    strength: Floats
    """How much of the gold text the chunk holds by itself, from 0 to 1."""
    together: Floats
    """How much of it the chunks down to this one hold together; the same as `strength` for rules that do not add up."""

    @classmethod
    def of(cls, rows: Iterable[tuple[int, int, float]]) -> Self:
        """Return pairs of rows of slot, item and strength."""
        table = np.array(list(rows), np.float64).reshape(-1, 3)
        slot, item = table[:, 0].astype(np.int64), table[:, 1].astype(np.int64)
        return cls(slot, item, table[:, 2], table[:, 2])

    @classmethod
    def of_chunks(cls, chunks: Iterable[tuple[Floats, Floats]]) -> Self:
        """Return the pairs of which there is anything, from `strength` and `together` of each chunk for all texts."""
        columns: list[tuple[Ints, Ints, Floats, Floats]] = [_NOTHING]
        for slot, (strength, together) in enumerate(chunks):
            item = np.flatnonzero(strength)
            columns.append((np.full(item.size, slot), item, strength[item], together[item]))
        slot, item, strength, together = (np.concatenate(column) for column in zip(*columns, strict=True))
        return cls(slot, item, strength, together)

    def where(self, mask: Mask) -> Pairs:
        """Return the pairs that a mask keeps."""
        return Pairs(self.slot[mask], self.item[mask], self.strength[mask], self.together[mask])

    def and_also(self, others: Pairs) -> Pairs:
        """Return these pairs, then others."""
        return Pairs(
            np.append(self.slot, others.slot),
            np.append(self.item, others.item),
            np.append(self.strength, others.strength),
            np.append(self.together, others.together),
        )

    def matches(self, threshold: float) -> Mask:
        """Mark the pairs that match: the slot at which a gold text is found, and any that holds enough by itself."""
        found = self.strength >= threshold
        reached = np.flatnonzero(self.together >= threshold)
        _, first = np.unique(self.item[reached], return_index=True)
        found[reached[first]] = True
        return found

    def nearest(self, found: Mask, items: int) -> Mask:
        """Mark the strongest pair, the first of equals, of each gold text that no pair matches."""
        missed = np.ones(items, bool)
        missed[self.item[found]] = False
        order = np.lexsort((self.slot, -self.strength, self.item))
        order = order[missed[self.item[order]]]
        _, first = np.unique(self.item[order], return_index=True)
        best = np.zeros(self.slot.size, bool)
        best[order[first]] = True
        return best


_NOTHING = (np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0), np.zeros(0))

"""What ties leave open: a run whose documents have equal scores has many orders, and measures may differ among them."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from catchrate.alignment.join import Joined
from catchrate.measures.arrays import Floats, Ints, Mask


@dataclass(frozen=True, slots=True, eq=False)
class Ties:
    """The judged documents of a run that stand in a tie of scores."""

    joined: Joined
    """The join, in which document ids settle ties."""
    hits: Ints
    """Which of its hits are tied."""

    @classmethod
    def of(cls, joined: Joined) -> Ties | None:
        """Return the ties of a run, or None without any; texts have no ids, and lengths belong to their slots."""
        hits = np.flatnonzero(joined.first != joined.last)
        known = joined.match is None and joined.lengths is None
        return cls(joined, hits) if known and hits.size else None

    @property
    def queries(self) -> int:
        """How many queries have any."""
        return np.unique(self.joined.query[self.hits]).size

    def ordered(self, item_grade: Floats, *, best: bool) -> Joined:
        """Return the join with the best grades of each tie first, what nobody judged last, or the other way round."""
        query, first, last = (array[self.hits] for array in (self.joined.query, self.joined.first, self.joined.last))
        grade = item_grade[self.joined.item[self.hits]]
        order = np.lexsort((-grade if best else grade, first, query))
        place, size = _places(np.append(True, (np.diff(query[order]) != 0) | (np.diff(first[order]) != 0)))
        slot = self.joined.slot.copy()
        slot[self.hits[order]] = first[order] + place if best else last[order] - size + 1 + place
        return replace(self.joined, slot=slot)


def _places(begins: Mask) -> tuple[Ints, Ints]:
    """Return the place of each row in its group, from 0, and the size of the group."""
    starts = np.flatnonzero(begins)
    sizes = np.diff(starts, append=begins.size)
    return np.arange(begins.size) - np.repeat(starts, sizes), np.repeat(sizes, sizes)

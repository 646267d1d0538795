"""What ties leave open: a run whose documents have equal scores has many orders, and measures may differ among them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from catchrate.alignment.join import Joined
from catchrate.measures.arrays import Floats, Ints, places


def tied_hits(joined: Joined) -> Ints:
    """Return the hits in a tie of scores; none where texts, which have no ids, or lengths belong to their slots."""
    if joined.match is not None or joined.lengths is not None:
        return np.zeros(0, np.int64)
    return np.flatnonzero(joined.first != joined.last)


def arranged(joined: Joined, hits: Ints, item_grade: Floats, *, best: bool) -> Joined:
    """Return the join with the best grades of each tie first, what nobody judged last, or the other way round."""
    query, first, last = (array[hits] for array in (joined.query, joined.first, joined.last))
    grade = item_grade[joined.item[hits]]
    order = np.lexsort((-grade if best else grade, first, query))
    another = (np.diff(query[order], prepend=-1) != 0) | (np.diff(first[order], prepend=0) != 0)
    tie = np.cumsum(another) - 1
    sizes = np.bincount(tie)
    place = places(tie, sizes.size)
    slot = joined.slot.copy()
    slot[hits[order]] = place + (first[order] - 1 if best else last[order] - sizes[tie])
    return replace(joined, slot=slot)

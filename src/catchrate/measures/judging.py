"""Judging what nobody has judged: the alignment that a run would have if its unjudged slots had grades."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from catchrate.measures.arrays import Alignment, Floats, Hits, Ints


def judged_as(arrays: Alignment, grades: Callable[[int], Floats], most: Ints | None = None) -> Alignment:
    """Judge the slots that hold nothing: `grades` returns a grade for each of so many, NaN to leave one as it is.

    `most` says how many slots of each query are judged at most; None means all that were returned.
    """
    query, slot = _empty_slots(arrays, arrays.returned if most is None else np.minimum(most, arrays.returned))
    grade = grades(query.size)
    known = ~np.isnan(grade)
    return _with_items(arrays, query[known], slot[known], grade[known])


def all_judged(arrays: Alignment, grade: float, most: Ints) -> Alignment:
    """Give one grade to all that stands in the first slots and has none: unjudged, or pooled and left unjudged."""
    items = arrays.items
    pooled = (items.grade < 0) & items.found_within(None) & (items.slot <= most[items.query])
    known = _regraded(arrays, np.where(pooled, grade, items.grade)) if pooled.any() else arrays
    return judged_as(known, lambda n: np.full(n, grade), most)


def joined(item_query: Ints, item_grade: Floats, returned: Ints, query: Ints, slot: Ints, item: Ints) -> Alignment:
    """Put hits in order and mark the repeats."""
    order = np.lexsort((-item_grade[item], slot, query))
    query, slot, item = query[order], slot[order], item[order]
    repeat = np.ones(item.size, bool)
    repeat[np.unique(item, return_index=True)[1]] = False
    hits = Hits(query, slot, item, item_grade[item], repeat)
    return Alignment.of(hits=hits, item_query=item_query, item_grade=item_grade, returned=returned)


def _regraded(arrays: Alignment, grade: Floats) -> Alignment:
    nothing = np.zeros(0, np.int64)
    items = replace(arrays.items, grade=grade)
    return _with_items(replace(arrays, items=items), nothing, nothing, np.zeros(0))


def _with_items(arrays: Alignment, query: Ints, slot: Ints, grade: Floats) -> Alignment:
    """Return the alignment with one item more for each slot that is named, all items best first."""
    items, hits = arrays.items, arrays.hits
    item_query, item_grade = np.append(items.query, query), np.append(items.grade, grade)
    order = np.lexsort((-item_grade, item_query))
    number = np.empty_like(order)
    number[order] = np.arange(order.size)
    item = number[np.append(hits.item, items.query.size + np.arange(query.size))]
    query, slot = np.append(hits.query, query), np.append(hits.slot, slot)
    return replace(
        joined(item_query[order], item_grade[order], arrays.returned, query, slot, item),
        lengths=arrays.lengths,
        spans=arrays.spans,
    )


def _empty_slots(arrays: Alignment, most: Ints) -> tuple[Ints, Ints]:
    query = np.repeat(np.arange(arrays.queries), most)
    slot = np.arange(1, query.size + 1) - np.repeat(np.cumsum(most) - most, most)
    held = np.isin(query * (1 << 40) + slot, arrays.hits.query * (1 << 40) + arrays.hits.slot)
    return query[~held], slot[~held]

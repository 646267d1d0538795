"""Random alignments and their ideal: material for the laws."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from catchrate.measures.arrays import Alignment, Ints, Lengths, places
from catchrate.measures.judging import joined
from catchrate.measures.spans import Places, SpanTable


def random_alignment(random: np.random.Generator, *, highest: float = 4, one_to_one: bool = True) -> Alignment:
    """Return a few small queries: some without items, some without slots, some with negative grades."""
    queries = int(random.integers(1, 9))
    item_query = np.sort(random.integers(0, queries, int(random.integers(0, 4 * queries))))
    scale = np.array([-1.0, 0.0, 0.0, 1.0, 1.0, 2.0, 3.0, 4.0])
    grade = random.choice(scale[scale <= highest], item_query.size)
    order = np.lexsort((-grade, item_query))
    returned = random.integers(0, 8, queries)
    place = _free_slots if one_to_one else _any_slots
    query, slot, item = place(random, item_query, returned)
    of_slot = np.repeat(np.arange(queries), returned)
    lengths = Lengths(of_slot, random.integers(0, 60, of_slot.size))
    spans = SpanTable(
        _some_places(random, item_query), grade[order], _some_places(random, of_slot), places(of_slot, queries)
    )
    return replace(joined(item_query, grade[order], returned, query, slot, item), lengths=lengths, spans=spans)


def _some_places(random: np.random.Generator, query: Ints) -> Places:
    """Give each row a span of the document of its query."""
    start = 100 * query + random.integers(0, 50, query.size)
    return Places(query, start, start + random.integers(0, 50, query.size))


def _free_slots(random: np.random.Generator, item_query: Ints, returned: Ints) -> tuple[Ints, Ints, Ints]:
    """Give each item a slot of its own, or none."""
    slot = np.zeros(item_query.size, np.int64)
    for query, count in enumerate(returned.tolist()):
        mine = np.flatnonzero(item_query == query)
        slot[mine] = random.permutation(max(count, mine.size) + 2)[: mine.size] + 1
    item = np.flatnonzero(slot <= returned[item_query])
    return item_query[item], slot[item], item


def _any_slots(random: np.random.Generator, item_query: Ints, returned: Ints) -> tuple[Ints, Ints, Ints]:
    """Throw items at slots: a slot may hold several, and an item may come back."""
    thrown = np.repeat(np.arange(item_query.size), random.integers(0, 3, item_query.size))
    slot = random.integers(1, 8, thrown.size)
    kept = slot <= returned[item_query[thrown]]
    pairs = np.unique(np.column_stack([thrown[kept], slot[kept]]), axis=0)
    return item_query[pairs[:, 0]], pairs[:, 1], pairs[:, 0]


def ideal(arrays: Alignment) -> Alignment:
    """Return the best ranking of as many slots: one item a slot, best grades first."""
    items = arrays.items
    held = np.flatnonzero(items.place <= arrays.returned[items.query])
    best = joined(items.query, items.grade, arrays.returned, items.query[held], items.place[held], held)
    spans = arrays.spans
    if spans is not None:  # each slot returns the span that it holds
        spans = SpanTable(
            spans.gold, spans.grade, spans.gold.where(items.place <= arrays.returned[items.query]), items.place[held]
        )
    return replace(best, lengths=arrays.lengths, spans=spans)


def shown_query(arrays: Alignment, query: int) -> str:
    """Describe one query in a line."""
    hits = arrays.hits.where(arrays.hits.query == query)
    held = ", ".join(f"{slot}: {grade:g}" for slot, grade in zip(hits.slot.tolist(), hits.grade.tolist(), strict=True))
    judged = ", ".join(f"{grade:g}" for grade in arrays.items.grade[arrays.items.query == query].tolist())
    return f"{arrays.returned[query]} slots with the grades {{{held}}} of the judged [{judged}]"

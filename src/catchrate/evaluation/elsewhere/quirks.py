"""What other tools compute that no measure of the table is: one value a query, and nothing else of them.

Most of them count a place of the list each time that it holds a relevant document, were it the same one again.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from catchrate.measures import Alignment, parse
from catchrate.measures.arrays import Floats, Ints, log2, places, running_sum
from catchrate.measures.terms import ratio, summed

Quirk = Callable[[Alignment, int | None, float], Floats]
"""Takes what a measure reads, a cut-off and the lowest grade that is relevant; returns one value a query."""
NEVER_JUDGED = float(np.finfo(np.float64).min)
"""The grade of a document that is only there so that its repeats are known."""


def _found(a: Alignment, k: int | None, rel: float) -> tuple[Ints, Ints]:
    """Return query and number of each slot among the first k that holds a relevant item, repeats included."""
    good = a.hits.grade >= rel
    if k is not None:
        good &= a.hits.slot <= k
    query, slot = a.hits.query[good], a.hits.slot[good]
    first = np.ones(query.size, bool)
    first[1:] = (query[1:] != query[:-1]) | (slot[1:] != slot[:-1])
    return query[first], slot[first]


def _count(a: Alignment, query: Ints) -> Floats:
    return np.bincount(query, minlength=a.queries).astype(np.float64)


def _distinct(a: Alignment, k: int | None) -> Floats:
    """Count the different documents among the first k slots, as far as repeats are known."""
    again = a.hits.repeat & (True if k is None else a.hits.slot <= k)
    return a.slots_within(k) - _count(a, a.hits.query[again])


def _new(a: Alignment, k: int | None, rel: float) -> Floats:
    return a.count_slots((a.slots.grade >= rel) & a.slots.within(k))


def places_over_k(a: Alignment, k: int | None, rel: float) -> Floats:
    """Relevant places among the first k, repeats included, over k."""
    return ratio(_count(a, _found(a, k, rel)[0]), a.slots_within(None) if k is None else np.full(a.queries, k), 0.0)


def places_over_returned(a: Alignment, k: int | None, rel: float) -> Floats:
    """Relevant places among the first k, repeats included, over the places returned among them."""
    return ratio(_count(a, _found(a, k, rel)[0]), a.slots_within(k), 0.0)


def places_over_relevant(a: Alignment, k: int | None, rel: float) -> Floats:
    """Relevant places among the first k, repeats included, over the relevant documents."""
    return ratio(_count(a, _found(a, k, rel)[0]), a.relevant(rel), 0.0)


def places_over_judged(a: Alignment, k: int | None, rel: float) -> Floats:
    """Relevant places among the first k, repeats included, over all judged documents, to 3 decimals."""
    return np.round(ratio(_count(a, _found(a, k, rel)[0]), a.count(a.items.grade > NEVER_JUDGED), 0.0), 3)


def documents_over_documents(a: Alignment, k: int | None, rel: float) -> Floats:
    """Different relevant documents among the first k over the different documents among them."""
    return ratio(_new(a, k, rel), _distinct(a, k), 0.0)


def recall_of_nothing(a: Alignment, k: int | None, rel: float) -> Floats:
    """Recall, and 1 where nothing is relevant and nothing was returned."""
    return _right_of_nothing(a, rel, parse("recall" if k is None else f"recall@{k}").at_level(rel).per_query(a))


def mean_reciprocal_ranks(a: Alignment, k: int | None, rel: float) -> Floats:
    """Mean of one over the rank, over all relevant places."""
    query, slot = _found(a, k, rel)
    return ratio(summed(query, 1.0 / slot, a.queries), _count(a, query), 0.0)


def _precisions(a: Alignment, k: int | None, rel: float) -> Floats:
    """Sum the precisions at the relevant places, repeats included."""
    query, slot = _found(a, k, rel)
    return summed(query, running_sum(np.ones(query.size), query, a.queries) / slot, a.queries)


def ap_over_relevant(a: Alignment, k: int | None, rel: float) -> Floats:
    """Precisions at the relevant places, repeats included, over the relevant documents."""
    return ratio(_precisions(a, k, rel), a.relevant(rel), 0.0)


def ap_over_found(a: Alignment, k: int | None, rel: float) -> Floats:
    """Precisions at the relevant places, repeats included, over these places alone."""
    return ratio(_precisions(a, k, rel), _count(a, _found(a, k, rel)[0]), 0.0)


def ndcg_of_places(a: Alignment, k: int | None, rel: float) -> Floats:
    """Binary gain of the relevant places, repeats included, over that of all relevant documents, whatever k is."""
    query, slot = _found(a, k, rel)
    return ratio(summed(query, 1.0 / log2(slot + 1), a.queries), _best(a.relevant(rel)), 0.0)


def ndcg_with_repeats(a: Alignment, k: int | None, rel: float) -> Floats:
    """Binary gain of the relevant places, over an ideal list that is no longer and in which each repeat is relevant."""
    query, slot = _found(a, k, rel)
    wanted = a.relevant(rel) + _count(a, query) - _new(a, k, rel)
    best = _best(np.minimum(wanted, a.slots_within(k)))
    return _right_of_nothing(a, rel, ratio(summed(query, 1.0 / log2(slot + 1), a.queries), best, 0.0))


def ndcg_of_order(a: Alignment, k: int | None, rel: float) -> Floats:
    """Binary gain of the first k places over that of the best order of all places; rank 2 is not discounted."""
    query, slot = _found(a, None, rel)
    place = places(query, a.queries)
    inside, best = (True, True) if k is None else (slot <= k, place <= k)
    gained = summed(query, inside / np.maximum(1.0, log2(slot)), a.queries)
    return ratio(gained, summed(query, best / np.maximum(1.0, log2(place)), a.queries), 0.0)


def _best(wanted: Floats) -> Floats:
    """Return the binary gain of a list that begins with so many relevant documents."""
    ranks = np.arange(1, int(wanted.max(initial=0)) + 1)
    return np.append(0.0, np.cumsum(1.0 / log2(ranks + 1)))[wanted.astype(np.int64)]


def _right_of_nothing(a: Alignment, rel: float, values: Floats) -> Floats:
    return np.where((a.relevant(rel) == 0) & (a.returned == 0), 1.0, values)

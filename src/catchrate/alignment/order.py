"""The one tie rule: score descending, then document id descending in UTF-8 byte order.

A run has millions of rows and its judgments thousands, so only the rows that hold a judged document are ranked: their
place is a subtraction where scores already fall, a sort of their query where they do not, and documents are compared
only inside a tie that holds one of them.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import polars as pl

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.floating]


class Places(NamedTuple):
    """Where some rows stand."""

    slot: Ints
    first: Ints
    """The first slot of the tie in which a row stands: its own where no score is equal."""
    last: Ints

    @classmethod
    def certain(cls, slot: Ints) -> Places:
        """Return places without ties."""
        return cls(slot, slot, slot)


def places_by_score(rows: Ints, scores: Floats, docs: pl.Series, starts: Ints, query: Ints) -> Places:
    """Return the places of some rows in the lists of their queries, counted from 1.

    `scores` and `docs` hold all rows, each query's in one piece; `starts` is where each query begins, and `query` the
    number of the query of each row.
    """
    order = _order(scores, starts, query)
    position = rows if order is None else _inverse(order)[rows]
    ranked = scores if order is None else scores[order]
    slot = position + 1 - starts[query[rows]]
    return _settle_ties(slot, position, rows, ranked, docs, starts, order)


def _order(scores: Floats, starts: Ints, query: Ints) -> Ints | None:
    """Return the rows by falling score within each query, or None when they fall already."""
    rising = np.flatnonzero(scores[1:] > scores[:-1]) + 1
    rising = rising[query[rising] == query[rising - 1]]
    if rising.size == 0:
        return None
    ends = np.append(starts[1:], scores.size)
    order = np.arange(scores.size)
    for number in np.unique(query[rising]).tolist():
        start, end = starts[number], ends[number]
        order[start:end] = start + np.argsort(-scores[start:end], kind="stable")
    return order


def _inverse(order: Ints) -> Ints:
    position = np.empty_like(order)
    position[order] = np.arange(order.size)
    return position


def _settle_ties(
    slot: Ints, position: Ints, rows: Ints, ranked: Floats, docs: pl.Series, starts: Ints, order: Ints | None
) -> Places:
    """Move the rows that stand in a tie to the slots where the order of their documents puts them."""
    new_score = np.ones(ranked.size + 1, bool)
    new_score[1:-1] = ranked[1:] != ranked[:-1]
    new_score[starts] = True
    tied = ~(new_score[position] & new_score[position + 1])
    if not tied.any():
        return Places.certain(slot)
    bounds = np.flatnonzero(new_score)
    tie_of = np.searchsorted(bounds, position[tied], side="right") - 1
    ties = np.unique(tie_of)
    places = ranges(bounds[ties], bounds[ties + 1])
    members = places if order is None else order[places]
    tie = np.repeat(np.arange(ties.size), bounds[ties + 1] - bounds[ties])
    settled = pl.DataFrame({"tie": tie, "doc": docs.gather(members), "row": members})
    settled = settled.sort("tie", "doc", descending=[False, True], maintain_order=True)
    where = dict(zip(settled["row"].to_list(), places.tolist(), strict=True))
    before = (position - slot)[tied]
    first, last = slot.copy(), slot.copy()
    slot[tied] = [where[row] for row in rows[tied].tolist()] - before
    first[tied], last[tied] = bounds[tie_of] - before, bounds[tie_of + 1] - 1 - before
    return Places(slot, first, last)


def ranges(starts: Ints, ends: Ints) -> Ints:
    """Return the numbers of several ranges, one after the other."""
    sizes = ends - starts
    offset = np.repeat(starts - (np.cumsum(sizes) - sizes), sizes)
    return np.arange(sizes.sum()) + offset

"""The join for a ranking that is a mapping: looks up what was judged, and finds its place among the scores."""

from __future__ import annotations

from collections.abc import Callable
from itertools import groupby, pairwise

import numpy as np

from catchrate.alignment.index import JudgmentIndex
from catchrate.measures.arrays import Ints
from catchrate.tables.mapped import MappedRanking


def look_up(index: JudgmentIndex, ranking: MappedRanking, *, float32: bool) -> tuple[Ints, Ints, Ints]:
    """Return query, slot and item of each returned item."""
    docs = index.docs.to_list()
    found: list[float | None] = []
    for name, (start, end) in zip(index.number, pairwise(index.item_bounds.tolist()), strict=True):
        found.extend(map(ranking.queries.get(name, {}).get, docs[start:end]))
    score = np.array(found, np.float64)  # what was not returned is None, which becomes NaN; no score is NaN
    item = np.flatnonzero(~np.isnan(score))
    lists = _Lists(ranking, float32=float32)
    place = {name: number for number, name in enumerate(ranking.queries)}
    places = np.fromiter((place.get(name, -1) for name in index.number), np.int64, index.queries)
    query = index.item_query[item]
    return query, lists.slots(places[query], lists.rounded(score[item]), [docs[i] for i in item.tolist()]), item


class _Lists:
    """The scores of every query, one list after the other."""

    def __init__(self, ranking: MappedRanking, *, float32: bool) -> None:
        self._queries = list(ranking.queries.values())
        self._float32 = float32
        self._scores = self.rounded(ranking.scores)
        self._ends = np.cumsum(np.fromiter(map(len, self._queries), np.int64, len(self._queries)))

    def rounded(self, scores: np.ndarray) -> np.ndarray:
        """Return scores as the dialect compares them."""
        with np.errstate(over="ignore"):
            return scores.astype(np.float32) if self._float32 else scores

    def slots(self, query: Ints, score: np.ndarray, docs: list[str]) -> Ints:
        """Return the slots of documents: one more than there are better ones, by score and then by id."""
        starts, ends = np.append(0, self._ends)[query], self._ends[query]
        rising = self._rising()
        above = _first(rising, starts, ends, lambda found: found > score)
        slot = ends - above + 1
        equal = above - _first(rising, starts, ends, lambda found: found >= score)
        tied = np.flatnonzero(equal > 1)
        for number, hits in groupby(tied.tolist(), key=lambda hit: int(query[hit])):
            place = self._places(number)
            for hit in hits:
                slot[hit] = place[docs[hit]]
        return slot

    def _places(self, number: int) -> dict[str, int]:
        """Return the place of each document of a list in which there are ties."""
        ids = list(self._queries[number])
        end = int(self._ends[number])
        ranked = sorted(zip(self._scores[end - len(ids) : end].tolist(), ids, strict=True), reverse=True)
        return {doc: place for place, (_, doc) in enumerate(ranked, start=1)}

    def _rising(self) -> np.ndarray:
        """Return the scores of each list in rising order."""
        rising = self._scores.copy()
        for start, end in pairwise([0, *self._ends.tolist()]):
            rising[start:end].sort()
        return rising


def _first(values: np.ndarray, starts: Ints, ends: Ints, holds: Callable[[np.ndarray], np.ndarray]) -> Ints:
    """Return where in each range a condition begins to hold: one binary search, all ranges side by side."""
    low, high = starts.copy(), ends.copy()
    while (open_ := low < high).any():
        middle = (low + high) // 2
        held = holds(values[np.minimum(middle, values.size - 1)])
        high = np.where(open_ & held, middle, high)
        low = np.where(open_ & ~held, middle + 1, low)
    return low

"""The join for a ranking that is a mapping: looks up what was judged, and finds its place among the scores."""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Iterator, Sequence
from itertools import count, groupby, pairwise, repeat

import numpy as np

from catchrate.alignment.index import JudgmentIndex
from catchrate.alignment.order import Places
from catchrate.measures.arrays import Ints
from catchrate.tables.mapped import MappedRanking
from catchrate.tables.plain import sizes_of


def look_up(index: JudgmentIndex, ranking: MappedRanking, *, float32: bool) -> tuple[Ints, Ints, Places]:
    """Return query, item and places of each returned item."""
    docs = index.listed_docs
    score = _scores_of(index, ranking, docs)
    item = np.flatnonzero(~np.isnan(score))
    query = index.item_query[item]
    lists = _Lists(ranking, float32=float32)
    place = dict(zip(ranking.queries, count(), strict=False))
    in_run = np.fromiter(map(place.get, index.number, repeat(-1)), np.int64, index.queries)
    return query, item, lists.places(in_run[query], lists.rounded(score[item]), lambda hit: docs[item[hit]])


def _scores_of(index: JudgmentIndex, ranking: MappedRanking, docs: Sequence[str]) -> np.ndarray:
    """Return the score of each item; NaN, which no score is, for those that were not returned."""
    found: list[float] = []
    for name, (start, end) in zip(index.number, pairwise(index.item_bounds.tolist()), strict=True):
        found.extend(map(ranking.queries.get(name, {}).get, docs[start:end], repeat(math.nan)))
    return np.frombuffer(struct.pack(f"{len(found)}d", *found))


class _Lists:
    """The scores of every query, one list after the other."""

    def __init__(self, ranking: MappedRanking, *, float32: bool) -> None:
        self._docs = list(ranking.queries.values())
        self._float32 = float32
        self._scores = self.rounded(ranking.scores)
        self._sizes = sizes_of(ranking.queries)
        self._ends = np.cumsum(self._sizes)
        self._starts = self._ends - self._sizes
        self._rising = self._lists_that_rise()
        self._falling = self._in_falling_order()

    def rounded(self, scores: np.ndarray) -> np.ndarray:
        """Return scores as the dialect compares them."""
        with np.errstate(over="ignore"):
            return scores.astype(np.float32) if self._float32 else scores

    def places(self, number: Ints, score: np.ndarray, doc_of: Callable[[int], str]) -> Places:
        """Return the places of hits in lists: behind all better documents, by score and then by id."""
        starts, ends = self._starts[number], self._ends[number]
        first = self._behind(np.greater, score, starts, ends)
        slot = first - starts + 1
        tied = np.flatnonzero((first + 1 < ends) & (self._falling.take(first + 1, mode="clip") == score))
        tied = tied[np.argsort(first[tied])]
        last = self._behind(np.greater_equal, score[tied], first[tied], ends[tied])
        for hits, docs in self._ties(tied, number[tied], first[tied], last):
            before = {doc: better for better, doc in enumerate(sorted(docs, reverse=True))}
            for hit in hits:
                slot[hit] += before[doc_of(hit)]
        if not tied.size:
            return Places.certain(slot)
        lowest = first - starts + 1
        highest = lowest.copy()
        highest[tied] = last - starts[tied]
        return Places(slot, lowest, highest)

    def _lists_that_rise(self) -> Ints:
        """Return the lists in which some score is better than the one before it."""
        follows = np.ones(self._scores.size, bool)
        follows[self._starts[self._sizes > 0]] = False
        rising = np.flatnonzero(follows[1:] & (self._scores[1:] > self._scores[:-1])) + 1
        return np.unique(np.searchsorted(self._ends, rising, side="right"))

    def _in_falling_order(self) -> np.ndarray:
        """Return the scores of each list from the best: most runs come like that."""
        if not self._rising.size:
            return self._scores
        falling = self._scores.copy()
        for number in self._rising.tolist():
            mine = slice(self._starts[number], self._ends[number])
            falling[mine] = np.sort(falling[mine])[::-1]
        return falling

    def _behind(self, better: np.ufunc, score: np.ndarray, starts: Ints, ends: Ints) -> Ints:
        """Return the place behind all that is better than a score in its range: one binary search, all side by side."""
        place = starts.copy()
        step = 1 << int(self._sizes.max()).bit_length()
        while step := step // 2:
            ahead = place + (step - 1)
            place += step * ((ahead < ends) & better(self._falling.take(ahead, mode="clip"), score))
        return place

    def _ties(self, hits: Ints, number: Ints, first: Ints, last: Ints) -> Iterator[tuple[list[int], list[str]]]:
        """Yield the hits of each tie, and all documents in it; hits come by their first place."""
        ties = zip(number.tolist(), first.tolist(), last.tolist(), strict=True)
        of_hit = list(zip(ties, hits.tolist(), strict=True))
        for mine, of_list in groupby(of_hit, key=lambda pair: pair[0][0]):
            docs, start = self._best_first(mine), int(self._starts[mine])
            for (_, begin, end), pairs in groupby(of_list, key=lambda pair: pair[0]):
                yield [hit for _, hit in pairs], docs[begin - start : end - start]

    def _best_first(self, number: int) -> list[str]:
        """Return the documents of a list by score."""
        docs = list(self._docs[number])
        if number not in self._rising:
            return docs
        scores = self._scores[self._starts[number] : self._ends[number]]
        return [docs[place] for place in np.argsort(-scores, kind="stable").tolist()]

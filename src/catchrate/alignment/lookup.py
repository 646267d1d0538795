"""The join for a ranking that is a mapping: looks up what was judged, and finds its place among the scores."""

from __future__ import annotations

import math
import struct
from bisect import bisect_right
from collections.abc import Callable
from itertools import groupby, islice, repeat
from operator import itemgetter

import numpy as np

from catchrate.alignment.index import JudgmentIndex
from catchrate.alignment.order import Places
from catchrate.measures.arrays import Ints
from catchrate.tables.mapped import MappedRanking
from catchrate.tables.plain import sizes_of


def look_up(index: JudgmentIndex, ranking: MappedRanking, codes: Ints, *, float32: bool) -> tuple[Ints, Ints, Places]:
    """Return query, item and places of each returned item; `codes` are the numbers of the ranking's queries."""
    score = _scores_of(index, ranking)
    item = np.flatnonzero(~np.isnan(score))
    query = index.item_query[item]
    lists = _Lists(ranking, float32=float32)
    list_of = np.zeros(index.queries, np.int64)
    list_of[codes[codes >= 0]] = np.flatnonzero(codes >= 0)
    places = lists.places(list_of[query], lists.rounded(score[item]), lambda hits: index.docs[item[hits]].to_list())
    return query, item, places


def _scores_of(index: JudgmentIndex, ranking: MappedRanking) -> np.ndarray:
    """Return the score of each item; NaN, which no score is, for those that were not returned."""
    docs, order = index.listed()
    left, found = iter(docs), list[float]()
    for name, judged in zip(index.number, np.diff(index.item_bounds).tolist(), strict=True):
        found.extend(map(ranking.queries.get(name, _NOTHING).get, islice(left, judged), repeat(math.nan)))
    return np.frombuffer(struct.pack(f"{len(found)}d", *found))[order]


_NOTHING: dict[str, float] = {}


class _Lists:
    """The scores of every query, one list after the other."""

    def __init__(self, ranking: MappedRanking, *, float32: bool) -> None:
        self._docs = list(ranking.queries.values())
        self._float32 = float32
        self._scores = self.rounded(ranking.scores)
        self._sizes = sizes_of(self._docs)
        self._ends = np.cumsum(self._sizes)
        self._starts = self._ends - self._sizes
        self._rising = self._lists_that_rise()
        self._falling = self._in_falling_order()

    def rounded(self, scores: np.ndarray) -> np.ndarray:
        """Return scores as the dialect compares them."""
        with np.errstate(over="ignore"):
            return scores.astype(np.float32) if self._float32 else scores

    def places(self, number: Ints, score: np.ndarray, docs_of: Callable[[Ints], list[str]]) -> Places:
        """Return the places of hits in lists: behind all better documents, by score and then by id."""
        starts, ends = self._starts[number], self._ends[number]
        first = self._behind(np.greater, score, starts, ends)
        certain = first - starts + 1
        tied = np.flatnonzero((first + 1 < ends) & (self._falling.take(first + 1, mode="clip") == score))
        if not tied.size:
            return Places.certain(certain)
        tied = tied[np.argsort(first[tied])]
        last = self._behind(np.greater_equal, score[tied], first[tied], ends[tied])
        slot, highest = certain.copy(), certain.copy()
        slot[tied] += self._better_ids(docs_of(tied), number[tied], first[tied], last)
        highest[tied] = last - starts[tied]
        return Places(slot, certain, highest)

    def _lists_that_rise(self) -> Ints:
        """Return the lists in which some score is better than the one before it."""
        rises = np.zeros(self._scores.size, bool)
        np.greater(self._scores[1:], self._scores[:-1], out=rises[1:])
        rises[self._starts[self._sizes > 0]] = False
        return np.unique(np.searchsorted(self._ends, np.flatnonzero(rises), side="right"))

    def _in_falling_order(self) -> np.ndarray:
        """Return the scores of each list from the best: most runs come like that."""
        if not self._rising.size:
            return self._scores
        falling, sizes = self._scores.copy(), self._sizes[self._rising]
        for size in np.unique(sizes).tolist():  # all lists of a length are sorted as the rows of a matrix
            rows = self._starts[self._rising[sizes == size], None] + np.arange(size)
            falling[rows] = np.sort(falling[rows], axis=1)[:, ::-1]
        return falling

    def _behind(self, better: np.ufunc, score: np.ndarray, starts: Ints, ends: Ints) -> Ints:
        """Return the place behind all that is better than a score in its range: one binary search, all side by side."""
        place = starts.copy()
        step = 1 << int(self._sizes.max()).bit_length()
        while step := step // 2:
            ahead = place + (step - 1)
            place += step * ((ahead < ends) & better(self._falling.take(ahead, mode="clip"), score))
        return place

    def _better_ids(self, docs: list[str], number: Ints, first: Ints, last: Ints) -> list[int]:
        """Return how many documents in a tie with each of these stand before it; these come by their first place."""
        better: list[int] = []
        hits = zip(number.tolist(), first.tolist(), last.tolist(), docs, strict=True)
        for mine, of_list in groupby(hits, key=itemgetter(0)):
            listed, start = self._best_first(mine), int(self._starts[mine])
            known, tied = -1, listed
            for _, begin, end, doc in of_list:
                if begin != known:
                    known, tied = begin, sorted(listed[begin - start : end - start])
                better.append(len(tied) - bisect_right(tied, doc))
        return better

    def _best_first(self, number: int) -> list[str]:
        """Return the documents of a list by score."""
        docs = list(self._docs[number])
        scores = self._scores[self._starts[number] : self._ends[number]]
        rises = (scores[1:] > scores[:-1]).any()
        return [docs[place] for place in np.argsort(-scores, kind="stable").tolist()] if rises else docs

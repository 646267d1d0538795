"""Runs of words that gold texts share with chunks, found exactly and without looking at every pair of places.

A run grows one word at a time, and only those that still are runs of a gold text are looked at again. So a text is read
once, in numbers, and most of it is dismissed at the second word.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from catchrate.matching.pairs import Ints, Mask
from catchrate.matching.vocabulary import UNKNOWN, GoldWords


@dataclass(frozen=True, slots=True, eq=False)
class _Level:
    """All runs of one length in the gold texts."""

    codes: Ints
    """The different runs, rising: the number of the run without its last word, and its last word."""
    begin: Ints
    """Where in the gold texts runs of this length begin."""
    run: Ints
    """The number of the run that begins there."""
    whole: Mask
    """Whether that run is a gold text as a whole."""


class Runs:
    """The runs of up to so many words in the gold texts of one query."""

    def __init__(self, gold: GoldWords, longest: int) -> None:
        self._gold = gold
        self._shortest = int(gold.sizes[gold.sizes > 0].min(initial=longest))
        self._levels = list(self._grown(longest))

    def _grown(self, longest: int) -> Iterator[_Level]:
        gold = self._gold
        ends = np.cumsum(gold.sizes)[gold.owner] if gold.ids.size else gold.ids
        begin, run = np.arange(gold.ids.size), gold.ids
        codes = np.arange(gold.count)
        for length in range(1, longest + 1):
            if length > 1:
                inside = begin + length <= ends[begin]
                begin, run = begin[inside], run[inside]
                codes, run = np.unique(run * gold.count + gold.ids[begin + length - 1], return_inverse=True)
            yield _Level(codes, begin, run, gold.sizes[gold.owner[begin]] == length)

    def covered(self, numbers: Ints) -> Mask:
        """Mark the words of the gold texts that a chunk covers: those in a run of the full length that both share.

        A gold text or a chunk that is shorter counts where it stands as a whole.
        """
        covered = np.zeros(self._gold.ids.size, bool)
        place = np.flatnonzero(self._worth_a_look(numbers))
        run = numbers[place]
        for length, level in enumerate(self._levels, start=1):
            if length > 1:
                place, run = self._longer(place, run, numbers, length, level)
            if not place.size:
                break
            counts = length in (len(self._levels), numbers.size)
            self._mark(covered, level, run, length, None if counts else level.whole)
        return covered

    def _worth_a_look(self, numbers: Ints) -> Mask:
        """Mark where a run may begin: at known words, and only at so many in a row where no shorter run counts."""
        known = numbers != UNKNOWN
        longest = len(self._levels)
        if numbers.size < longest or self._shortest < longest:
            return known
        begins = known.copy()
        for offset in range(1, longest):
            begins[:-offset] &= known[offset:]
        begins[numbers.size - longest + 1 :] = False
        return begins

    def _longer(self, place: Ints, run: Ints, numbers: Ints, length: int, level: _Level) -> tuple[Ints, Ints]:
        """Return the runs that still are runs of a gold text with one word more."""
        inside = place + length <= numbers.size
        place, run = place[inside], run[inside]
        last = numbers[place + length - 1]
        known = last != UNKNOWN
        place, code = place[known], run[known] * self._gold.count + last[known]
        if not level.codes.size:
            return place[:0], code[:0]
        number = np.minimum(np.searchsorted(level.codes, code), level.codes.size - 1)
        same = level.codes[number] == code
        return place[same], number[same]

    def _mark(self, covered: Mask, level: _Level, run: Ints, length: int, only: Mask | None) -> None:
        if only is not None and not only.any():
            return
        found = np.zeros(max(level.codes.size, 1), bool)
        found[run] = True
        held = found[level.run] if only is None else found[level.run] & only
        begin = level.begin[held]
        for offset in range(length):
            covered[begin + offset] = True

"""Rules that compare words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from catchrate.errors import UsageError, shown
from catchrate.matching.pairs import Floats, Ints, Pairs
from catchrate.matching.rules import ShareRule
from catchrate.matching.runs import Runs
from catchrate.matching.vocabulary import UNKNOWN, GoldWords

MOST_WORDS = 20
"""Longest run that may be asked for: longer ones are whole sentences."""


@dataclass(frozen=True, slots=True)
class Covered(ShareRule):
    """The chunks down to this place cover that share of the gold text's words, however they were cut.

    A word is covered where it stands in a run of `run` words that a chunk has, too; a shorter chunk or gold text counts
    as a whole. Single words would not do: half of the words of any text are the same few.
    """

    name: ClassVar[str] = "covered"

    threshold: float = 0.5
    """The share of the gold text's words."""
    run: int = 4
    """How many words in a row have to be the same."""

    def __post_init__(self) -> None:
        """Refuse numbers out of range."""
        ShareRule.__post_init__(self)  # slots and super() do not go together
        if not 1 <= self.run <= MOST_WORDS:
            raise UsageError.of("E290", f"run is {shown(self.run)}", fix=f"give a whole number from 1 to {MOST_WORDS}")

    def pairs(self, chunks: Sequence[str], gold: Sequence[str]) -> Pairs:
        """Add up what the chunks cover, one after the other."""
        return Pairs.of_chunks(self._shares(chunks, GoldWords(gold)))

    def _shares(self, chunks: Sequence[str], known: GoldWords) -> Iterator[tuple[Floats, Floats]]:
        runs, texts = Runs(known, self.run), known.sizes.size
        done, total = np.zeros(known.ids.size, bool), np.zeros(texts, np.int64)
        for chunk in chunks:
            covered = runs.covered(known.numbers(chunk))
            alone = np.bincount(known.owner[covered], minlength=texts)
            total += np.bincount(known.owner[covered & ~done], minlength=texts)
            done |= covered
            yield alone / known.divisors, total / known.divisors


@dataclass(frozen=True, slots=True)
class Containment(ShareRule):
    """The chunk has that share of the gold text's words, in any order; a word that is there twice counts twice."""

    name: ClassVar[str] = "containment"

    threshold: float = 0.8
    """The share of the gold text's words."""

    def pairs(self, chunks: Sequence[str], gold: Sequence[str]) -> Pairs:
        """Count the words that both have."""
        known = GoldWords(gold)
        shares = (shared / known.divisors for shared, _ in _shared(chunks, known))
        return Pairs.of_chunks((share, share) for share in shares)


@dataclass(frozen=True, slots=True)
class Overlap(ShareRule):
    """Chunk and gold text share that much of all words of both, in any order (Jaccard's index of their words)."""

    name: ClassVar[str] = "overlap"

    threshold: float = 0.5
    """The share of all words of both."""

    def pairs(self, chunks: Sequence[str], gold: Sequence[str]) -> Pairs:
        """Count the words that both have, and those that either has."""
        known = GoldWords(gold)
        shares = (shared / np.maximum(known.sizes + size - shared, 1) for shared, size in _shared(chunks, known))
        return Pairs.of_chunks((share, share) for share in shares)


def _shared(chunks: Sequence[str], known: GoldWords) -> Iterator[tuple[Ints, int]]:
    """Yield, for each chunk, how many words it shares with each gold text, and how many words it has."""
    word = known.owner * max(known.count, 1) + known.ids
    keys, wanted = np.unique(word, return_counts=True)
    owner, ids = np.divmod(keys, max(known.count, 1))
    for chunk in chunks:
        numbers = known.numbers(chunk)
        there = np.bincount(numbers[numbers != UNKNOWN], minlength=known.count)
        shared = np.minimum(wanted, there[ids])
        yield np.bincount(owner, weights=shared, minlength=known.sizes.size).astype(np.int64), numbers.size

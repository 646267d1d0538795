"""The words of the gold texts of one query as numbers, and other texts in these numbers."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, repeat

import numpy as np

from catchrate.matching.pairs import Ints
from catchrate.matching.texts import words

UNKNOWN = -1
"""The number of a word that no gold text has."""


class GoldWords:
    """The words of all gold texts, one text after the other."""

    def __init__(self, gold: Sequence[str]) -> None:
        texts = [words(text) for text in gold]
        self._number = {word: number for number, word in enumerate(dict.fromkeys(chain.from_iterable(texts)))}
        self.ids: Ints = np.fromiter(map(self._number.__getitem__, chain.from_iterable(texts)), np.int64)
        """The number of each word."""
        self.sizes: Ints = np.fromiter(map(len, texts), np.int64, len(texts))
        """How many words each text has."""
        self.owner: Ints = np.repeat(np.arange(len(texts)), self.sizes)
        """The text of each word."""

    @property
    def divisors(self) -> Ints:
        """What makes shares of counts of words; a text without any word has no share of anything."""
        return np.maximum(self.sizes, 1)

    @property
    def count(self) -> int:
        """How many different words there are."""
        return len(self._number)

    def numbers(self, text: str) -> Ints:
        """Return the words of any text as numbers."""
        found = words(text)
        return np.fromiter(map(self._number.get, found, repeat(UNKNOWN)), np.int64, len(found))

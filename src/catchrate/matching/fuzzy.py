"""Texts that are alike but for a few characters: typing mistakes, scans, small edits.

Comparing every gold text with every stretch of every chunk takes a hundred times as long as anything else here. So the
words that both share say where in a chunk a text would stand: chance scatters them, a text that is there lines them up.
Only that stretch is compared. Long texts are compared piece by piece: time grows with length and not with its square.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from types import ModuleType
from typing import ClassVar

import numpy as np

from catchrate.errors import MissingExtra, UsageError
from catchrate.matching.pairs import Floats, Ints, Mask, Pairs
from catchrate.matching.rules import Rule
from catchrate.matching.texts import words

SHORT_CHARS, NEAR_CHARS = 100, 20_000
"""A gold text and a chunk up to these lengths are compared at every place."""
FEW_WORDS = 60
"""Texts up to here are located by single words; longer ones by two in a row, which are far fewer."""
PIECE_WORDS = 300
"""Longer texts are compared in pieces of so many words."""
WORD_CHARS = 64
"""Longer words are cut."""
USUAL_WORD = 5.5
"""Characters of a word: how likely one is left whole where characters change."""
DRIFT = 0.15
"""By how much of a piece words may be displaced where some are missing or added."""

END = 0.25
"""The part of a piece that tells where its end stands."""
MANY_PIECES = 8
"""Words that stand in more pieces of one text do not tell where it stands."""
Key = tuple[str, ...] | str
"""A word, or some in a row."""


@dataclass(frozen=True, slots=True)
class Fuzzy(Rule):
    """A stretch of the chunk is the gold text to that percentage of its characters, written alike (RapidFuzz's ratio).

    Case and punctuation do not count.
    """

    name: ClassVar[str] = "fuzzy"
    graded: ClassVar[bool] = True

    threshold: float = 90.0
    """The percentage from which on texts are alike."""

    def __post_init__(self) -> None:
        """Refuse a number out of range."""
        if not 0 < self.threshold <= 100:
            fix = "give a percentage above 0 and up to 100, such as fuzzy(90)"
            raise UsageError.of("E290", f"the threshold is {self.threshold:g}", fix=fix)

    @property
    def level(self) -> float:
        """The threshold as a share."""
        return self.threshold / 100

    def at(self, level: float) -> Rule:
        """Return the rule with another threshold."""
        return replace(self, threshold=100 * level)

    def pairs(self, chunks: Sequence[str], gold: Sequence[str]) -> Pairs:
        """Compare each gold text with the stretch of each chunk where it would stand."""
        texts = [_cut(text) for text in gold]
        long = np.array([len(text) > FEW_WORDS for text in texts], bool)
        groups = [_Located(texts, group, run, self.level) for group, run in ((~long, 1), (long, 2))]
        wholes = [" ".join(text) for text in texts]
        return Pairs.of_chunks(self._strengths(_cut(chunk), wholes, groups) for chunk in chunks)

    def _strengths(self, chunk: list[str], wholes: Sequence[str], groups: Sequence[_Located]) -> tuple[Floats, Floats]:
        joined = " ".join(chunk)
        strength = np.zeros(len(wholes))
        for group in groups:
            group.add(chunk, strength)
        for item, text in enumerate(wholes):
            if text and text in joined:
                strength[item] = 1.0
            elif 0 < len(text) <= SHORT_CHARS and len(joined) <= NEAR_CHARS:
                strength[item] = _best_place(text, joined)
        return strength, strength


class _Located:
    """Some of the gold texts in pieces, each with the runs of words by which it is located."""

    def __init__(self, texts: Sequence[list[str]], group: Mask, run: int, level: float) -> None:
        self._run = run
        self._pieces = [
            (item, text[begin : begin + PIECE_WORDS])
            for item, text in enumerate(texts)
            if group[item] and len(" ".join(text)) > 0
            for begin in range(0, len(text), PIECE_WORDS)
        ]
        self._joined = [" ".join(piece) for _, piece in self._pieces]
        self._sizes = np.array([len(piece) for _, piece in self._pieces], np.int64)
        self._drift = np.maximum((self._sizes * DRIFT).astype(np.int64), 4)
        self._needed = np.maximum(self._sizes * level ** (USUAL_WORD * run) / 3, min(run, 2))
        self._shares = self._share_of_text()
        self._places: dict[Key, list[tuple[int, int]]] = {}
        for _, pieces in groupby(enumerate(self._pieces), key=lambda numbered: numbered[1][0]):
            for key, places in self._places_of_text([(number, piece) for number, (_, piece) in pieces]).items():
                self._places.setdefault(key, []).extend(places)

    def _places_of_text(self, pieces: Sequence[tuple[int, list[str]]]) -> dict[Key, list[tuple[int, int]]]:
        """Return where each run stands first in each piece of a text; one that stands everywhere tells no place."""
        places: dict[Key, list[tuple[int, int]]] = {}
        for number, piece in pieces:
            for key, place in {key: place for place, key in reversed(list(enumerate(_runs(piece, self._run))))}.items():
                places.setdefault(key, []).append((number, place))
        return {key: found for key, found in places.items() if len(found) <= MANY_PIECES}

    def _share_of_text(self) -> Floats:
        chars = np.array([len(text) for text in self._joined], np.float64)
        owner = np.array([item for item, _ in self._pieces], np.int64)
        total = np.bincount(owner, weights=chars)
        return chars / total[owner] if owner.size else chars

    def add(self, chunk: list[str], strength: Floats) -> None:
        """Add how much of each gold text stands in a chunk."""
        for piece, begin, end in self._stretches(chunk):
            alike = _ratio(self._joined[piece], " ".join(chunk[begin:end]))
            strength[self._pieces[piece][0]] += alike * self._shares[piece]

    def _stretches(self, chunk: list[str]) -> Iterator[tuple[int, int, int]]:
        """Yield each piece that may stand in a chunk, with the words between which it would."""
        shared = [
            (piece, place, there)
            for there, key in enumerate(_runs(chunk, self._run))
            for piece, place in self._places.get(key, ())
        ]
        if not shared:
            return
        piece, place, there = np.array(shared, np.int64).T
        band = (there - place + PIECE_WORDS) // self._drift[piece]
        for number, best in self._lined_up(piece, band):
            mine = np.flatnonzero((piece == number) & ((band == best) | (band == best + 1)))
            size = int(self._sizes[number])
            shift, inside = there[mine] - place[mine], place[mine] / size
            yield number, max(_usual(shift, inside < END), 0), max(_usual(shift, inside >= 1 - END) + size, 0)

    def _lined_up(self, piece: Ints, band: Ints) -> Iterator[tuple[int, int]]:
        """Yield each piece with enough shared words in two neighbouring bands, and the first of the two."""
        width = int(band.max()) + 2
        keys, counts = np.unique(piece * width + band, return_counts=True)
        follows = np.append(keys[1:] == keys[:-1] + 1, False)
        both = counts + np.where(follows, np.append(counts[1:], 0), 0)
        number = keys // width
        order = np.lexsort((-both, number))
        order = order[np.unique(number[order], return_index=True)[1]]
        enough = order[both[order] >= self._needed[number[order]]]
        yield from zip(number[enough].tolist(), (keys[enough] % width).tolist(), strict=True)


def _usual(shift: Ints, at_this_end: Mask) -> int:
    """Return by how much words are displaced, at one end of a piece where there are any."""
    return int(np.median(shift[at_this_end] if at_this_end.any() else shift))


def _cut(text: str) -> list[str]:
    """Return the words of a text, long ones cut."""
    found = words(text)
    if max(map(len, found), default=0) <= WORD_CHARS:
        return found
    return [word[start : start + WORD_CHARS] for word in found for start in range(0, len(word), WORD_CHARS)]


def _runs(text: list[str], length: int) -> Iterable[Key]:
    return text if length == 1 else zip(*(text[offset:] for offset in range(length)), strict=False)


def _ratio(one: str, other: str) -> float:
    """Return how alike two texts are, from 0 to 1."""
    return _fuzz().ratio(one, other) / 100


def _best_place(text: str, chunk: str) -> float:
    """Return how alike a short text and the most similar stretch of a chunk are; one that is no longer counts whole.

    Of two texts of one length RapidFuzz would also look for the chunk in the text, and say more than is there.
    """
    return _ratio(text, chunk) if len(chunk) <= len(text) else _fuzz().partial_ratio(text, chunk) / 100


def _fuzz() -> ModuleType:
    try:
        from rapidfuzz import fuzz
    except ImportError as error:
        raise MissingExtra.named("rapidfuzz", "match") from error
    return fuzz

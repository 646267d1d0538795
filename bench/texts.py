"""Texts to be matched: gold texts of which some stand in the chunks as they are, among prose of the same few words."""

from __future__ import annotations

import numpy as np

Texts = dict[str, list[str]]

SENTENCE_WORDS = 12
SENTENCES = 200_000
WORDS = 6_000
HELD = 3
"""Gold texts of each query that stand in a chunk."""


def as_texts(*, queries: int, chunks: int, gold: int, chars: int) -> tuple[Texts, Texts]:
    """Return gold texts and chunks of so many characters each; the same numbers always give the same texts."""
    random = np.random.default_rng(11)
    pool = _sentences(random)

    def text() -> str:
        some = random.integers(0, len(pool), 2 + chars // 40)
        return " ".join(pool[number] for number in some.tolist())[:chars]

    judged: Texts = {}
    returned: Texts = {}
    for number in range(queries):
        judged[f"q{number}"] = [text() for _ in range(gold)]
        returned[f"q{number}"] = [text() for _ in range(chunks)]
        for held, slot in zip(judged[f"q{number}"][:HELD], random.permutation(chunks).tolist(), strict=False):
            returned[f"q{number}"][slot] = f"Before. {held} After."
    return judged, returned


def _sentences(random: np.random.Generator) -> list[str]:
    letters = np.array(list("etaoinshrdlucmfwyg"))
    words = ["".join(random.choice(letters, size)) for size in random.integers(2, 10, WORDS)]
    rarity = 1 / np.arange(1, WORDS + 1)
    chosen = random.choice(WORDS, SENTENCES * SENTENCE_WORDS, p=rarity / rarity.sum()).reshape(SENTENCES, -1)
    return [" ".join([words[word] for word in row]).capitalize() + "." for row in chosen.tolist()]

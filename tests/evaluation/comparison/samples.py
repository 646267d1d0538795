"""Runs to compare, over the same questions."""

from __future__ import annotations

import numpy as np

Run = dict[str, list[str]]


def judged(queries: int) -> dict[str, dict[str, int]]:
    """Return three relevant documents a question."""
    return {f"q{i:04}": {"a": 1, "b": 2, "c": 1} for i in range(queries)}


def run(queries: int, seed: int, luck: float = 0.5) -> Run:
    """Return lists in which each relevant document stands with some luck, between others that nobody judged."""
    random = np.random.default_rng(seed)
    found: Run = {}
    for i in range(queries):
        docs = [doc for doc in "avbwcxyz" if doc not in "abc" or random.random() < luck]
        found[f"q{i:04}"] = [docs[place] for place in random.permutation(len(docs))]
    return found


def pair(queries: int = 60, seed: int = 0, gain: float = 0.0) -> dict[str, Run]:
    """Return two runs, the second luckier by some gain."""
    return {"old": run(queries, seed), "new": run(queries, seed + 1000, 0.5 + gain)}

"""Where two runs find relevant documents that the other one misses."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from catchrate.evaluation.scores import Scores


@dataclass(frozen=True, slots=True, kw_only=True)
class Finds:
    """The relevant documents of all queries, by which of two runs holds them among its first slots."""

    depth: int | None
    """How many slots were looked at; None for all."""
    both: int
    """Held by both."""
    only_a: int
    """Held by the first alone."""
    only_b: int
    """Held by the second alone."""
    neither: int
    """Held by none."""
    recall_a: float
    """Mean recall of the first."""
    recall_b: float
    """Mean recall of the second."""
    recall_union: float
    """Mean recall of both lists together: what merging them could reach."""

    @property
    def overlap(self) -> float | None:
        """Share of the documents found by either that both found; None when nothing was found."""
        found = self.both + self.only_a + self.only_b
        return self.both / found if found else None


def finds(a: Scores, b: Scores, rel: float, depth: int | None) -> Finds:
    """Count the relevant documents that two runs over the same queries hold among their first slots."""
    items = a.aligned.arrays.items
    relevant = items.grade >= rel
    in_a, in_b = (s.aligned.arrays.items.found_within(depth)[relevant] for s in (a, b))
    query, queries = items.query[relevant], a.queries

    def recall(held: np.ndarray) -> float:
        wanted = np.bincount(query, minlength=queries)
        share = np.bincount(query, weights=held, minlength=queries) / np.maximum(wanted, 1)
        return float(share.mean()) if queries else 0.0

    return Finds(
        depth=depth,
        both=int((in_a & in_b).sum()),
        only_a=int((in_a & ~in_b).sum()),
        only_b=int((in_b & ~in_a).sum()),
        neither=int((~in_a & ~in_b).sum()),
        recall_a=recall(in_a),
        recall_b=recall(in_b),
        recall_union=recall(in_a | in_b),
    )

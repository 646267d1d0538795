"""Where relevant documents stand: in which third of the context, and at which ranks of the whole list."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from catchrate.evaluation.diagnosis.loss import checked_k
from catchrate.evaluation.scores import Scores

BINS = ((1, 1), (2, 2), (3, 3), (4, 5), (6, 10), (11, 20), (21, 50), (51, 100), (101, 200), (201, 500), (501, 1000))
"""Ranks that are counted together."""
THIRDS = ("first", "middle", "last")


@dataclass(frozen=True, slots=True, kw_only=True)
class Third:
    """One third of the first k slots of every query."""

    name: str
    relevant: int
    """How many of its slots hold a relevant document."""
    share: float | None
    """They as a share of all such slots; None where there are none."""
    slots: int
    """How many slots it has; short lists cannot be parted evenly."""
    precision: float | None
    """Relevant slots as a share of its slots; None where it has none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranks:
    """Some ranks, and the relevant documents that stand there first."""

    first: int
    last: int
    documents: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Positions:
    """Where relevant documents stand."""

    k: int
    thirds: tuple[Third, ...]
    """The thirds of what a reader gets: readers overlook what stands in the middle."""
    ranks: tuple[Ranks, ...]
    """The whole lists, by ranks."""


def positions(scores: Scores, k: int = 10) -> Positions:
    """Say in which third of the first k slots the relevant ones stand, and at which ranks of the whole lists.

    Each query's first k slots, or what it has of them, are parted into thirds. A list of two has no middle, and a list
    of one only a first third.
    """
    k = checked_k(k)
    arrays, rel = scores.aligned.arrays, scores.rel
    context = np.minimum(arrays.returned, k)
    held = (arrays.slots.grade >= rel) & arrays.slots.within(k)
    third = _third(arrays.slots.slot[held], context[arrays.slots.query[held]])
    relevant = np.bincount(third, minlength=3)
    slots = sum(np.bincount(_third(np.arange(1, n + 1), n), minlength=3) * count for n, count in _sizes(context))
    items = arrays.items
    found = items.slot[(items.grade >= rel) & (items.slot > 0)]
    return Positions(
        k=k,
        thirds=tuple(_told(place, relevant, np.zeros(3, np.int64) + slots) for place in range(3)),
        ranks=_ranks(found, int(arrays.returned.max(initial=0))),
    )


def _third(slot: np.ndarray, context: np.ndarray | int) -> np.ndarray:
    """Return the third of each slot: by the middle of the slot within the context."""
    return np.where(np.asarray(context) == 1, 0, (3 * (2 * slot - 1)) // (2 * np.maximum(context, 1)))


def _sizes(context: np.ndarray) -> list[tuple[int, int]]:
    sizes, counts = np.unique(context[context > 0], return_counts=True)
    return list(zip(sizes.tolist(), counts.tolist(), strict=True))


def _told(place: int, relevant: np.ndarray, slots: np.ndarray) -> Third:
    total, mine, room = int(relevant.sum()), int(relevant[place]), int(slots[place])
    return Third(
        name=THIRDS[place],
        relevant=mine,
        share=mine / total if total else None,
        slots=room,
        precision=mine / room if room else None,
    )


def _ranks(found: np.ndarray, depth: int) -> tuple[Ranks, ...]:
    """Count documents by ranks, as deep as the lists are."""
    deeper = max(depth, BINS[-1][1])
    bins = [*BINS, *([(BINS[-1][1] + 1, deeper)] if deeper > BINS[-1][1] else [])]
    return tuple(
        Ranks(first=low, last=min(high, depth), documents=int(np.count_nonzero((found >= low) & (found <= high))))
        for low, high in bins
        if low <= depth
    )

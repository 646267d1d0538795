"""How much of what was looked at has been judged."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from catchrate.evaluation.scores import Scores
from catchrate.measures import Alignment, Measure


class Coverage(NamedTuple):
    """Slots that were looked at, and those of them that nobody judged."""

    unjudged: int
    looked_at: int
    deepest: int | None
    """The cut-off up to which was looked; None for the whole list."""


def unjudged_slots(arrays: Alignment, measures: Iterable[Measure]) -> Coverage:
    """Count slots down to the deepest cut-off that a measure names, or all of them when none names one."""
    cutoffs = [k for k in (measure.get("k") for measure in measures) if isinstance(k, int)]
    deepest = max(cutoffs, default=None)
    looked_at = int(arrays.slots_within(deepest).sum())
    return Coverage(looked_at - int(arrays.judged_within(deepest).sum()), looked_at, deepest)


def unjudged_share(scores: Scores) -> float:
    """Return the share of unjudged slots among those that were looked at."""
    seen = unjudged_slots(scores.aligned.arrays, scores.measures)
    return seen.unjudged / seen.looked_at if seen.looked_at else 0.0


def slots_down_to(depth: int | None) -> str:
    """Say which slots of all queries are meant.

    >>> slots_down_to(10), slots_down_to(1), slots_down_to(None)
    ('the first 10 slots', 'the first slots', 'all returned slots')
    """
    if depth is None:
        return "all returned slots"
    return "the first slots" if depth == 1 else f"the first {depth} slots"

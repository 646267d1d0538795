"""How much of what was looked at has been judged."""

from __future__ import annotations

from catchrate.evaluation.scores import Scores


def unjudged_share(scores: Scores) -> float:
    """Return the share of unjudged slots among those that the deepest cut-off of the measures looks at."""
    cutoffs = [k for k in (measure.get("k") for measure in scores.measures) if isinstance(k, int)]
    deepest = max(cutoffs, default=None)
    arrays = scores.aligned.arrays
    looked_at = float(arrays.slots_within(deepest).sum())
    return 1 - float(arrays.judged_within(deepest).sum()) / looked_at if looked_at else 0.0

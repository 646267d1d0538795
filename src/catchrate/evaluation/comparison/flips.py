"""Verdicts that could flip: what a comparison would say if the unjudged documents were relevant."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from catchrate.evaluation.comparison.cells import Pair, differences
from catchrate.evaluation.comparison.choices import Choices
from catchrate.evaluation.comparison.result import Comparison, Difference
from catchrate.evaluation.coverage import unjudged_slots
from catchrate.evaluation.scores import Leaderboard, Scores
from catchrate.evaluation.unjudged import as_if_relevant, can_be_shown, has_bounds

ENOUGH, DRAWS = 10_000, 10_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Flip:
    """A difference whose verdict another reading of the unjudged documents would change."""

    found: Difference
    """What was found, unjudged documents counting as irrelevant."""
    if_relevant: Difference
    """The same with all unjudged documents that the measure looks at relevant, in both runs."""


def flips(comparison: Comparison) -> tuple[Flip, ...]:
    """Return the differences whose verdict would be another one, were all unjudged documents relevant.

    Only measures are asked whose value follows from the slots of one run, and so has bounds: for the others it depends
    on which unjudged documents both runs share. Nothing is asked of runs so large that it would take long.
    """
    runs = list(comparison.scores.values())
    places = [place for place in range(len(runs[0])) if _can_be_asked(runs, place)]
    if not places or not all(can_be_shown(scores, places) for scores in runs):
        return ()
    board = Leaderboard(runs={name: as_if_relevant(scores, places) for name, scores in comparison.scores.items()})
    others = differences(board, _pairs(comparison), _cheaper(comparison.choices, runs[0].queries))
    asked = {runs[0].measures[place] for place in places}
    return tuple(
        Flip(found=one, if_relevant=other)
        for one, other in zip(comparison, others, strict=True)
        if one.measure in asked and one.verdict != other.verdict
    )


def _can_be_asked(runs: Sequence[Scores], place: int) -> bool:
    measure = runs[0].computed[place]
    if not has_bounds(measure) or measure.row.aggregate == "pooled":
        return False
    return any(unjudged_slots(scores.aligned.arrays, [measure]).unjudged for scores in runs)


def _pairs(comparison: Comparison) -> list[Pair]:
    place = {name: number for number, name in enumerate(comparison.scores)}
    return [(place[a], place[b]) for a, b in comparison.pairs]


def _cheaper(choices: Choices, queries: int) -> Choices:
    """Return the choices with fewer samples and swaps: a verdict needs no more, and nobody reads the digits."""
    few = min(ENOUGH, max(1_000, DRAWS // max(queries, 1)))
    return replace(choices, samples=min(choices.samples or few, few), flips=min(choices.flips or few, few))

"""Equal k is not equal context: runs whose chunks differ in length, compared within equal budgets."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import ceil

from catchrate.errors import Finding, visible
from catchrate.evaluation.comparison.cells import Pair, differences
from catchrate.evaluation.comparison.choices import Choices
from catchrate.evaluation.comparison.result import EqualBudgets
from catchrate.evaluation.evaluate import remeasured
from catchrate.evaluation.moved import depth_of
from catchrate.evaluation.scores import Leaderboard, Scores
from catchrate.measures import Measure, choose

NEARLY = 1.1
"""Chunks that are longer by no more than a tenth make no other context."""
UNITS = {"words": "words", "chars": "characters"}


def equal_budgets(board: Mapping[str, Scores], pairs: Sequence[Pair], choices: Choices) -> EqualBudgets | None:
    """Compare runs at the budget that the run with the shorter contexts uses within the deepest k, and at twice it.

    None where no measure has a cut-off, where lengths are not known, and where chunks are about as long.
    """
    first = next(iter(board.values()))
    depth = max((depth_of(measure) or 0 for measure in first.computed), default=0)
    units = {_unit(scores) for scores in board.values()}
    if not depth or len(units) != 1 or any(scores.aligned.arrays.lengths is None for scores in board.values()):
        return None
    seen = {name: _length_and_slots(scores, depth) for name, scores in board.items()}
    means = {name: length / max(slots, 1) for name, (length, slots) in seen.items()}
    budget = ceil(min(length for length, _ in seen.values()) / max(first.queries, 1))
    if max(means.values()) <= NEARLY * min(means.values()) or not budget:
        return None
    budgets = (budget, 2 * budget)
    asked = _with_cutoff(first.measures)
    measures = tuple(dict.fromkeys(_within(measure, some) for measure in asked for some in budgets))
    if not measures:
        return None
    cut = Leaderboard(runs={name: remeasured(scores, measures) for name, scores in board.items()})
    found = differences(cut, pairs, choices)
    return EqualBudgets(depth=depth, unit=units.pop(), lengths=means, budgets=budgets, differences=found)


def budget_note(found: EqualBudgets | None) -> Iterator[Finding]:
    """Yield what is to be said of runs whose chunks differ in length."""
    if found is None:
        return
    (short, least), *_, (long, most) = sorted(found.lengths.items(), key=lambda run: run[1])
    message = f"equal k is not equal context: among the first {found.depth:,} slots, one of {visible(long)}"
    message = f"{message} holds {most:,.1f} {found.unit} on average, one of {visible(short)} {least:,.1f}"
    yield Finding(code="N319", message=message, fix="look at the differences at equal budgets, too")


def _length_and_slots(scores: Scores, depth: int) -> tuple[int, int]:
    """Return how long all first slots are together, and how many there are."""
    arrays = scores.aligned.arrays.first_slots(depth)
    length = 0 if arrays.lengths is None else int(arrays.lengths.length.sum())
    return length, int(arrays.returned.sum())


def _unit(scores: Scores) -> str:
    policies = scores.provenance["policies"]
    length = str(policies.get("length", "words")) if isinstance(policies, Mapping) else "words"
    return UNITS.get(length, "tokens")


def _with_cutoff(measures: Sequence[Measure]) -> Iterator[Measure]:
    """Yield the measures that stop at some k, and do without it."""
    for measure in measures:
        parameter = measure.row.parameter("k")
        optional = parameter is not None and not parameter.required
        if optional and depth_of(measure) is not None and measure.budget is None:
            yield measure


def _within(measure: Measure, budget: int) -> Measure:
    """Return a measure that stops at a budget in place of its k."""
    parameters = {name: value for name, value in measure.parameters if name != "k"}
    return choose(measure.row, parameters, judged_only=measure.judged_only, budget=budget)

"""What is tried: every definition at every cut-off under other policies, those first that change least."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Literal

from catchrate.alignment import Policy
from catchrate.evaluation.elsewhere import DEFINITIONS, OWN, TOOLS, Definition
from catchrate.measures import Measure

CUTOFFS = (1, 2, 3, 5, 10, 15, 20, 25, 30, 50, 100, 200, 500, 1000)
"""Cut-offs that people use; those beside the one that was asked for are tried, too."""
FAR = 2
"""Steps to a measure that is known by another name."""
MOST_STEPS = 3
"""So many things may differ at once: with more, nearly any number is some combination."""
Join = Literal["", "trec_eval-9", "collapse"]
"""How the run was joined: as usual, with scores as 32-bit floats, or with repeats dropped."""


@dataclass(frozen=True, slots=True)
class Setting:
    """One way to compute a number, before it is said which queries count."""

    definition: Definition
    k: int | None
    rel: float
    judged_only: bool
    join: Join
    steps: int
    changes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Choice:
    """One value of one thing that may differ, how many steps away it is, and what it is called."""

    value: object
    steps: int = 0
    words: str = ""


def settings(
    asked: Measure, policy: Policy, *, depth: int, levels: Sequence[float], joins: Sequence[Join], tools: Iterable[str]
) -> list[Setting]:
    """Return everything to try, the fewest steps first; of equally many in the order of the table."""
    wanted = {OWN, *tools} if tools else set(TOOLS)
    own = Definition.of(asked)
    known = [own, *(one for one in DEFINITIONS if one.tool in wanted)]
    found: list[Setting] = []
    for one in known:
        first = 0 if one is own else 1 if asked.name in one.like else FAR
        found += _of(one, first, asked, policy, depth, levels, joins)
    return sorted(found, key=lambda one: one.steps)


def _of(
    definition: Definition,
    first: int,
    asked: Measure,
    policy: Policy,
    depth: int,
    levels: Sequence[float],
    joins: Sequence[Join],
) -> Iterator[Setting]:
    judged = [_Choice(policy.judged_only)]
    if not policy.judged_only:
        judged.append(_Choice(True, 1, "over judged documents only"))
    kinds = (_cutoffs(definition, asked, depth), _levels(definition, policy, levels), judged, _joins(definition, joins))
    for choices in product(*kinds):
        steps = first + sum(choice.steps for choice in choices)
        if steps <= MOST_STEPS:
            words = tuple(choice.words for choice in choices if choice.words)
            yield Setting(definition, *(choice.value for choice in choices), steps, words)  # type: ignore[arg-type]


def _cutoffs(definition: Definition, asked: Measure, depth: int) -> list[_Choice]:
    k = asked.get("k")
    usual = k if isinstance(k, int) else None
    if definition.whole_only:
        return [_Choice(None)]
    near = {usual - 1, usual + 1} if usual else set[int]()
    others = [number for number in sorted({*CUTOFFS, *near}) if 0 < number < depth and number != usual]
    found = [_Choice(usual), *(_Choice(number, 1, _cut_words(definition, number, usual)) for number in others)]
    return found if usual is None else [*found, _Choice(None, 1, "over the whole list")]


def _cut_words(definition: Definition, k: int, usual: int | None) -> str:
    if definition.cuts:
        return "with a cut-off" if usual is None else f"instead of @{usual}"
    return f"on the first {k}" + ("" if usual is None else f" instead of {usual}")


def _levels(definition: Definition, policy: Policy, levels: Sequence[float]) -> list[_Choice]:
    usual = [_Choice(policy.rel)]
    if not definition.has_level:
        return usual
    return usual + [_Choice(rel, 1, f"with grades from {rel:g} as relevant") for rel in levels if rel != policy.rel]


JOIN_WORDS: dict[Join, str] = {
    "": "with scores compared as 64-bit floats",
    "trec_eval-9": "with scores compared as 32-bit floats",
    "collapse": "with repeated documents dropped",
}


def _joins(definition: Definition, joins: Sequence[Join]) -> list[_Choice]:
    dialect = TOOLS[definition.tool].dialect
    usual: Join = "trec_eval-9" if dialect == "trec_eval-9" and "trec_eval-9" in joins else ""
    return [_Choice(join, int(join != usual), "" if join == usual else JOIN_WORDS[join]) for join in joins]

"""The stages of one pipeline: what each of them loses, and what it gains."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from itertools import pairwise

import numpy as np

from catchrate.errors import Finding, UsageError, shown, visible
from catchrate.evaluation.comparison import Choices, Difference
from catchrate.evaluation.comparison.cells import differences
from catchrate.evaluation.comparison.compare import evaluated
from catchrate.evaluation.comparison.result import level_of
from catchrate.evaluation.comparison.sides import comparable
from catchrate.evaluation.evaluate import DEFAULT_MEASURES
from catchrate.evaluation.moved import depth_of
from catchrate.evaluation.provenance import Provenance
from catchrate.evaluation.scores import Leaderboard, Scores
from catchrate.formats import ReadOptions
from catchrate.measures import Measure
from catchrate.measures.arrays import Mask
from catchrate.showing import Result
from catchrate.statistics import LEVEL

SHOWN = 5
"""How many lost documents are named."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lost:
    """A relevant document that a stage had and handed on to nobody."""

    query: str
    """Its query."""
    doc: str
    """Its id."""
    grade: float
    """How relevant it is."""
    slot: int
    """Where it stood before."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """One stage, beside the one before it."""

    name: str
    """What it is called."""
    returned: float
    """How many documents it returns for a query, in the mean."""
    held: int
    """Relevant documents of all queries anywhere in its lists."""
    recall: float
    """Mean recall of its whole lists: what no later stage can exceed."""
    lost: int
    """Relevant documents that the stage before had and this one has not; 0 for the first."""
    gained: int
    """Relevant documents that this one has and the stage before had not; for the first, all that it holds."""
    examples: tuple[Lost, ...] = ()
    """Some of what was lost: the best grades first, then what stood highest."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True, repr=False)
class Stages(Result):
    """A pipeline, stage by stage. `stages["rerank"]` is one of them."""

    stages: tuple[Stage, ...]
    """From the first to the last."""
    scores: Leaderboard
    """The measures of each."""
    differences: tuple[Difference, ...]
    """Each stage against the one before, at each measure."""
    relevant: int
    """How many relevant documents there are."""
    depth: int | None
    """How many slots of the last stage are looked at; None for all."""
    account: tuple[tuple[str, int], ...]
    """Where the relevant documents ended: each is counted once, at the last stage that had it."""
    choices: Choices
    """How differences were judged."""
    notes: tuple[Finding, ...]
    """What was noticed."""

    @property
    def provenance(self) -> Provenance:
        """What the numbers depend on."""
        runs = {name: scores.provenance for name, scores in self.scores.items()}
        return {"comparison": asdict(self.choices), "stages": runs}

    def __getitem__(self, name: str) -> Stage:
        """Return a stage by its name.

        Raises UsageError when there is none.
        """
        found = next((stage for stage in self.stages if stage.name == name), None)
        if found is None:
            known = ", ".join(stage.name for stage in self.stages)
            raise UsageError.of("E260", f"no stage is called {shown(name)}", fix=f"use one of {known}")
        return found

    def __repr__(self) -> str:
        lines = [f"Stages over {next(iter(self.scores.values())).queries:,} queries"]
        for stage in self.stages:
            moved = f", lost {stage.lost:,}, gained {stage.gained:,}" if stage is not self.stages[0] else ""
            lines.append(f"  {visible(stage.name)}: recall {stage.recall:.4f}, holds {stage.held:,}{moved}")
        return "\n".join(lines)


def stages(
    judgments: object,
    measures: str | Measure | Iterable[str | Measure] | None = None,
    *,
    rel: float = 1,
    level: float = LEVEL,
    seed: int = 0,
    options: ReadOptions | None = None,
    **runs: object,
) -> Stages:
    """Say what each stage of a pipeline loses and gains: retrieve, filter, rerank, under any names, in their order.

    Each stage is what that stage returned, as `evaluate` takes it. A query that a stage does not have counts as an
    empty list there. Differences at each measure are those of each stage against the one before.

    Raises UsageError when there are fewer than two stages, and what `evaluate` raises.

    >>> import catchrate
    >>> judged = {f"q{i}": {"a": 1, "b": 1} for i in range(20)}
    >>> retrieve = {q: ["x", "a", "b"] for q in judged}
    >>> rerank = {q: ["a", "x"] for q in judged}
    >>> found = catchrate.stages(judged, "rr", retrieve=retrieve, rerank=rerank)
    >>> found
    Stages over 20 queries
      retrieve: recall 1.0000, holds 40
      rerank: recall 0.5000, holds 20, lost 20, gained 0
    >>> found.differences[0].verdict, found["rerank"].examples[0].doc
    ('better', 'b')
    """
    asked = {"rel": rel, "queries": "judged", "options": options}
    board = evaluated(judgments, runs, DEFAULT_MEASURES if measures is None else measures, asked)
    return stages_of(board, Choices(level=level, seed=seed))


def stages_of(board: Mapping[str, Scores], choices: Choices) -> Stages:
    """Say what each stage loses and gains, from scores in the order of the stages."""
    alike, notes = comparable(board, "judged")
    names, runs = list(alike), list(alike.values())
    items = runs[0].aligned.arrays.items
    rel = level_of(runs[0].computed[0])
    relevant = items.grade >= rel
    held = [relevant & scores.aligned.arrays.items.found_within(None) for scores in runs]
    nothing = np.zeros_like(relevant)
    found = (
        _stage(name, scores, before, now)
        for name, scores, before, now in zip(names, runs, [nothing, *held], held, strict=False)
    )
    depths = [depth for measure in runs[0].computed if (depth := depth_of(measure)) is not None]
    depth = max(depths, default=None)
    shared = dict.fromkeys(note for scores in runs for note in scores.notes)
    return Stages(
        stages=_with_examples(tuple(found), runs, held),
        scores=alike,
        differences=differences(alike, list(pairwise(range(len(runs)))), choices),
        relevant=int(relevant.sum()),
        depth=depth,
        account=_account(names, runs[-1], held, relevant, depth),
        choices=choices,
        notes=(*shared, *notes),
    )


def _stage(name: str, scores: Scores, before: Mask, now: Mask) -> Stage:
    arrays = scores.aligned.arrays
    wanted = np.maximum(arrays.relevant(level_of(scores.computed[0])), 1)
    return Stage(
        name=name,
        returned=float(arrays.returned.mean()) if arrays.queries else 0.0,
        held=int(now.sum()),
        recall=float((arrays.count(now) / wanted).mean()) if arrays.queries else 0.0,
        lost=int((before & ~now).sum()),
        gained=int((now & ~before).sum()),
    )


def _with_examples(found: tuple[Stage, ...], runs: list[Scores], held: list[Mask]) -> tuple[Stage, ...]:
    more = (
        replace(stage, examples=_lost(scores, before & ~now))
        for stage, scores, (before, now) in zip(found[1:], runs, pairwise(held), strict=False)
    )
    return (found[0], *more)


def _lost(before: Scores, lost: Mask) -> tuple[Lost, ...]:
    """Return some of what was lost, as it stood in the stage before."""
    items, names = before.aligned.arrays.items, before.aligned.items
    places = np.flatnonzero(lost)
    order = places[np.lexsort((items.slot[places], -items.grade[places]))][:SHOWN]
    return tuple(
        Lost(query=names["query"][i], doc=names["doc"][i], grade=float(items.grade[i]), slot=int(items.slot[i]))
        for i in order.tolist()
    )


def _account(
    names: list[str], last: Scores, held: list[Mask], relevant: Mask, depth: int | None
) -> tuple[tuple[str, int], ...]:
    """Count each relevant document once: where it ended, or by which stage it was dropped for good."""
    top = relevant & last.aligned.arrays.items.found_within(depth)
    rows = [("found" if depth is None else f"in the first {depth:,}", int(top.sum()))]
    if depth is not None:
        rows.append((f"below the first {depth:,}", int((held[-1] & ~top).sum())))
    gone, later = [], held[-1]
    for number in range(len(names) - 2, -1, -1):
        gone.append((f"lost by {names[number + 1]}", int((held[number] & ~later).sum())))
        later = later | held[number]
    return (*rows, *reversed(gone), ("never returned", int((relevant & ~later).sum())))

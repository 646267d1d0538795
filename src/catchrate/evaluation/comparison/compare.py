"""Compare runs: which is better, by how much, and how sure that is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import combinations
from typing import Any

from catchrate.alignment.policy import QueryPolicy
from catchrate.errors import UsageError, shown
from catchrate.evaluation.comparison.budgets import budget_note, equal_budgets
from catchrate.evaluation.comparison.cells import Pair, differences
from catchrate.evaluation.comparison.choices import Choices, Correction, Family, Test
from catchrate.evaluation.comparison.result import Comparison
from catchrate.evaluation.comparison.sides import comparable
from catchrate.evaluation.comparison.then_and_now import ready_scores
from catchrate.evaluation.evaluate import evaluate
from catchrate.evaluation.matches import matching_options
from catchrate.evaluation.scores import Leaderboard, Scores
from catchrate.formats import holds_both
from catchrate.limits import MAX_DIFFERENCES
from catchrate.measures import Measure, parse_all
from catchrate.statistics import LEVEL


def compare(
    judgments: object = None,
    runs: Mapping[str, object] | None = None,
    measures: str | Measure | Iterable[str | Measure] | None = None,
    *,
    baseline: str | None = None,
    care: float | None = None,
    test: Test = "flips",
    correction: Correction = "holm",
    family: Family = "measure",
    level: float = LEVEL,
    cluster: str | None = None,
    samples: int | None = None,
    flips: int | None = None,
    seed: int = 0,
    queries: QueryPolicy | None = None,
    **policies: Any,
) -> Comparison:
    """Say which run is better at each measure, by how much, and how sure that is.

    `judgments` and `runs` are what `evaluate` takes; runs may also be `Scores`, and then no judgments are needed, or
    files that `Scores.save` wrote: beside these, only the queries that are judged as they were then are compared.
    Every other run is compared with the `baseline`, or each with each. `care` is the smallest difference that matters;
    with it, a comparison can also say that there is none.

    Each difference has a paired bootstrap interval and a p from swapping the two runs at random queries (`test`: or
    `t`, `wilcoxon`, `sign`), corrected for the runs that are compared within a measure (`correction`: `holm`, `bh`,
    `max-t`, `none`), with `family="all"` for all measures, too. The verdict follows from these two.

    Runs that answer different queries are refused unless `queries` says what that means: `judged` counts a missing
    query as an empty ranking, `both` leaves out what some run does not have. Everything else is passed to `evaluate`.

    Where runs carry their texts and the chunks of one are longer by more than a tenth, equal k is not equal context: a
    note says so, and `at_equal_budgets` compares them where all have room for as many words, or what `length` counts.

    Raises UsageError when runs cannot be compared, and what `evaluate` raises.

    >>> import catchrate
    >>> judged = {f"q{i}": {"a": 1} for i in range(30)}
    >>> old, new = {q: ["b", "a"] for q in judged}, {q: ["a", "b"] if q[-1] != "7" else ["b"] for q in judged}
    >>> comparison = catchrate.compare(judged, {"old": old, "new": new}, "rr", baseline="old")
    >>> found = comparison["rr"]
    >>> found.verdict, round(found.difference, 3), (found.wins, found.losses)
    ('better', 0.4, (27, 3))
    """
    choices = Choices(
        care=care,
        test=test,
        correction=correction,
        family=family,
        level=level,
        cluster=cluster,
        samples=samples,
        flips=flips,
        seed=seed,
    )
    length = policies.pop("length", None) or "words"
    board = evaluated(judgments, runs, measures, {**policies, "length": length, "queries": queries or "judged"})
    return compare_scores(board, baseline=baseline, choices=choices, queries=queries)


def compare_scores(
    board: Mapping[str, Scores], *, baseline: str | None, choices: Choices, queries: QueryPolicy | None = None
) -> Comparison:
    """Compare runs that are evaluated."""
    alike, notes = comparable(board, queries)
    pairs = _pairs(list(board), baseline)
    if len(pairs) * len(next(iter(alike.values()))) > MAX_DIFFERENCES:
        message = f"{len(pairs):,} pairs of runs are more than anyone reads"
        raise UsageError.of("E315", message, fix="name a baseline, or fewer runs or measures")
    found = differences(alike, pairs, choices)
    shared = dict.fromkeys(note for scores in alike.values() for note in scores.notes)
    budgets = equal_budgets(alike, pairs, choices)
    return Comparison(
        scores=alike,
        baseline=baseline,
        differences=found,
        choices=choices,
        notes=(*shared, *notes, *budget_note(budgets)),
        at_equal_budgets=budgets,
    )


def _pairs(names: list[str], baseline: str | None) -> list[Pair]:
    if baseline is None:
        return list(combinations(range(len(names)), 2))
    if baseline not in names:
        known = ", ".join(shown(name, 30) for name in names)
        raise UsageError.of("E260", f"no run is called {shown(baseline)}", fix=f"the baseline is one of {known}")
    first = names.index(baseline)
    return [(first, other) for other in range(len(names)) if other != first]


def evaluated(
    judgments: object,
    runs: Mapping[str, object] | None,
    measures: str | Measure | Iterable[str | Measure] | None,
    policies: Mapping[str, Any],
) -> dict[str, Scores]:
    """Return the runs as scores: those that are scores already, and the others evaluated under the policies."""
    if runs is None and isinstance(judgments, Leaderboard):
        judgments, runs = None, judgments
    if not isinstance(runs, Mapping) or not runs:
        raise UsageError.of("E260", f"runs is {shown(runs)}", fix='give a mapping of names, such as {"new": ranking}')
    wanted = None if measures is None else parse_all(measures)
    ready = {name: ready_scores(run, wanted) for name, run in runs.items()}
    known = {name: scores for name, scores in ready.items() if scores is not None}
    wanted = wanted or next((scores.measures for scores in known.values()), None)
    raw = {name: run for name, run in runs.items() if name not in known}
    if raw and judgments is not None:
        known |= evaluate(judgments, measures=wanted, runs=raw, **policies).runs
    elif raw:
        known |= {name: _by_its_own(name, run, wanted, policies) for name, run in raw.items()}
    return {name: known[name] for name in runs}


def _by_its_own(
    name: str, records: object, measures: tuple[Measure, ...] | None, policies: Mapping[str, Any]
) -> Scores:
    """Evaluate records, which hold both sides."""
    if not holds_both(records, matching_options(policies.get("options"), policies.get("match"))):
        fix = "give the judgments, or compare the rankings alone with catchrate.compare_rankings"
        raise UsageError.of("E260", f"there are no judgments for {shown(name)}", fix=fix)
    return evaluate(records, measures=measures, **policies)

"""Say whether a run may pass: what it has to reach, and how much worse than a baseline it may be."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal, cast

from catchrate.alignment.policy import QueryPolicy
from catchrate.errors import UsageError
from catchrate.evaluation.comparison.sides import comparable
from catchrate.evaluation.comparison.then_and_now import ready_scores
from catchrate.evaluation.evaluate import evaluate, remeasured
from catchrate.evaluation.gate.checks import floor_check, lost_check, margin_check, parts_of
from catchrate.evaluation.gate.requirements import Floor, Margin, floor_of, margin_of, several
from catchrate.evaluation.gate.result import Check, Gate, MaxLost, Rules
from catchrate.evaluation.intervals import Resampling
from catchrate.evaluation.scores import Scores
from catchrate.measures import Measure
from catchrate.statistics import LEVEL

RUN, BASELINE = "run", "baseline"


def gate(
    judgments: object = None,
    run: object = None,
    *,
    baseline: object = None,
    require: str | Floor | Iterable[str | Floor] = (),
    no_worse: str | Margin | Iterable[str | Margin] = (),
    max_lost: int | None = None,
    lost_at: int | None = None,
    by: str | Iterable[str] = (),
    cannot_tell: Literal["fail", "pass"] = "fail",
    level: float = LEVEL,
    cluster: str | None = None,
    samples: int | None = None,
    seed: int = 0,
    queries: QueryPolicy = "judged",
    **policies: Any,
) -> Gate:
    """Say whether a run may pass. The result is true when it may.

    `judgments`, `run` and `baseline` are what `evaluate` takes; both runs may also be `Scores`, or files that
    `Scores.save` wrote. Of the baseline, only the queries that are judged as they were are compared.

    - `require`: `"recall@10 >= 0.8"` asks for the mean, `"lower(recall@10) >= 0.8"` for its interval's lower end.
    - `no_worse`: `"ndcg@10 by 0.01"` fails only when the loss is beyond the margin with the confidence of `level`.
      Where the queries are too few for that, the outcome is `cannot tell`, with the smallest margin that they could
      hold.
    - `max_lost`: how many queries may lose a relevant document that the baseline had in its first `lost_at` slots.

    With `by`, such as `"kind"`, floors and margins have to hold in every slice. All else is passed to `evaluate`.

    Raises UsageError for a rule that cannot be read, and whatever `evaluate` and `compare` raise.

    >>> import catchrate
    >>> judged = {f"q{i}": {"a": 1} for i in range(30)}
    >>> found = catchrate.gate(judged, {q: ["b", "a"] for q in judged}, require=["hit@2 >= 0.9", "rr >= 0.6"])
    >>> found
    Gate failed: 2 checks
      passed: hit@2 >= 0.9: 1
      failed: rr >= 0.6: 0.5
    >>> bool(found), found.exit_code
    (False, 3)
    """
    rules = Rules(
        floors=tuple(map(floor_of, several(require))),
        margins=tuple(map(margin_of, several(no_worse))),
        max_lost=max_lost,
        lost_at=lost_at,
        by=cast("tuple[str, ...]", several(by)),
        cannot_tell=cannot_tell,
        resampling=Resampling(level=level, cluster=cluster, samples=samples, seed=seed),
    )
    refuse_baseline_or_its_absence(rules, given=baseline is not None)
    policies = {**policies, "queries": queries}
    scores = _measured(judgments, run, rules.measures, policies)
    held_against = None if baseline is None else _measured(judgments, baseline, rules.measures, policies)
    return gate_scores(scores, held_against, rules, queries=queries)


def gate_scores(scores: Scores, baseline: Scores | None, rules: Rules, *, queries: QueryPolicy | None = None) -> Gate:
    """Hold what is measured already against the rules."""
    refuse_baseline_or_its_absence(rules, given=baseline is not None)
    notes, checks = scores.notes, list[Check]()
    if rules.floors:
        parts = parts_of(scores, None, rules)
        checks += [floor_check(floor, parts) for floor in rules.floors]
    if baseline is not None:
        sides, more = comparable({BASELINE: baseline, RUN: scores}, queries or "judged")
        baseline, now = sides[BASELINE], sides[RUN]
        notes = tuple(dict.fromkeys((*scores.notes, *baseline.notes, *more)))
        checks += _against(now, baseline, rules)
    return Gate(scores=scores, baseline=baseline, rules=rules, checks=tuple(checks), notes=notes)


def refuse_baseline_or_its_absence(rules: Rules, *, given: bool) -> None:
    """Refuse rules that need a baseline where there is none, and a baseline that no rule looks at."""
    if rules.compares and not given:
        raise UsageError.of("E321", "there is no baseline to compare with", fix="name a run, or scores that were saved")
    if given and not rules.compares:
        fix = "say what may not become worse with no_worse='ndcg@10 by 0.01', or max_lost=0"
        raise UsageError.of("E321", "no rule looks at the baseline", fix=fix)


def _against(scores: Scores, baseline: Scores, rules: Rules) -> list[Check]:
    checks: list[Check] = []
    if rules.margins:
        parts = parts_of(scores, baseline, rules)
        checks += [margin_check(margin, parts) for margin in rules.margins]
    if rules.max_lost is not None:
        checks.append(lost_check(MaxLost(most=rules.max_lost, at=rules.depth), scores, baseline))
    return checks


def _measured(judgments: object, run: object, measures: tuple[Measure, ...], policies: dict[str, Any]) -> Scores:
    """Return a run as scores: measured now, or measured before."""
    if run is None and isinstance(judgments, Scores):
        judgments, run = None, judgments
    if isinstance(run, Scores):
        return remeasured(run, measures)
    ready = ready_scores(run, measures)
    return ready or evaluate(judgments, run, measures, **policies)

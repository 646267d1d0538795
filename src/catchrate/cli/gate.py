"""catchrate gate: whether a build may pass."""

from __future__ import annotations

from typing import Annotated, Literal

from cyclopts import Group, Parameter

from catchrate.cli.ci import Machines, tell_machines
from catchrate.cli.inputs import named
from catchrate.cli.options import MANY, Intervals, Load, Output, Policies, Reading
from catchrate.cli.scoring import JUDGMENTS, RUN_OR_SAVED, chosen_measures, scored_or_saved
from catchrate.cli.show import show
from catchrate.errors import UsageError
from catchrate.evaluation.gate import Rules, floor_of, gate_scores, margin_of
from catchrate.evaluation.gate.gate import BASELINE, RUN, refuse_baseline_or_its_absence
from catchrate.reports.views.gate import gate_content, gate_table, gate_view

RULES = Group("What is required", sort_key=2)
AGAINST = "What the run is compared with: a run, or scores that `catchrate evaluate --save` wrote."
REQUIRE = 'Such as "recall@10 >= 0.8", or "lower(recall@10) >= 0.8" for the lower end of its interval. Repeatable.'
NO_WORSE = 'Such as "ndcg@10 by 0.01": fails when it is worse than the baseline by more, for sure. Repeatable.'
MAX_LOST = "How many queries may lose a relevant document that the baseline has."
LOST_AT = "Slots that are looked at for these; the deepest cut-off that is named, or 10, when left out."
BY = "Requirements hold in every slice, by a column of the queries, `relevant` or `length`. Repeatable."
CANNOT_TELL = "What becomes of a gate whose queries are too few to tell."


def gate(
    judgments: Annotated[str, Parameter(help=JUDGMENTS)],
    run: Annotated[str | None, Parameter(help=RUN_OR_SAVED)] = None,
    /,
    *,
    require: Annotated[tuple[str, ...], MANY, Parameter(group=RULES, metavar="RULE", help=REQUIRE)] = (),
    no_worse: Annotated[tuple[str, ...], MANY, Parameter(group=RULES, metavar="RULE", help=NO_WORSE)] = (),
    max_lost: Annotated[int | None, Parameter(group=RULES, metavar="N", help=MAX_LOST)] = None,
    lost_at: Annotated[int | None, Parameter(group=RULES, metavar="K", help=LOST_AT)] = None,
    baseline: Annotated[str | None, Parameter(group=RULES, metavar="RUN", help=AGAINST)] = None,
    by: Annotated[tuple[str, ...], MANY, Parameter(group=RULES, metavar="SLICE", help=BY)] = (),
    cannot_tell: Annotated[Literal["fail", "pass"], Parameter(group=RULES, help=CANNOT_TELL)] = "fail",
    load: Load = (),
    machines: Machines | None = None,
    resampling: Intervals | None = None,
    output: Output | None = None,
    policies: Policies | None = None,
    reading: Reading | None = None,
) -> int:
    """Say whether a build may pass: 0 when it may, 3 when it may not, 6 when the queries are too few to tell."""
    chosen_measures((), load)
    output, machines = output or Output(), machines or Machines()
    machines.refuse_mixed_output(output)
    rules = Rules(
        floors=tuple(map(floor_of, require)),
        margins=tuple(map(margin_of, no_worse)),
        max_lost=max_lost,
        lost_at=lost_at,
        by=by,
        cannot_tell=cannot_tell,
        resampling=(resampling or Intervals()).resampling(),
    )
    refuse_baseline_or_its_absence(rules, given=baseline is not None)
    board, inputs = scored_or_saved(_paths(judgments, run, baseline), rules.measures, policies, reading)
    if RUN not in board:
        raise UsageError.of("E260", "there are judgments but no run", fix="name a run behind the judgments")
    scores, held_against = board[RUN], board.get(BASELINE)
    found = gate_scores(scores, held_against, rules, queries=policies.queries if policies else None)
    form = output.form()
    view = gate_table(found) if form in ("csv", "tsv") else gate_view(found)
    with tell_machines(found, machines, inputs):
        show(view, output, inputs, content=gate_content(found))
    return found.exit_code


def _paths(judgments: str, run: str | None, baseline: str | None) -> list[str]:
    """Return the inputs, each run under the name of its part; records alone are the run."""
    sides = [f"{RUN}={judgments}"] if run is None else [judgments, f"{RUN}={named(run)[1]}"]
    return sides if baseline is None else [*sides, f"{BASELINE}={named(baseline)[1]}"]

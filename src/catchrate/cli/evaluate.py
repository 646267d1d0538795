"""catchrate evaluate: measure runs."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from catchrate.cli.messages import say
from catchrate.cli.options import FLAG, INTERVALS, MANY, Intervals, Load, Output, Policies, Reading
from catchrate.cli.scoring import JUDGMENTS, MEASURES, RUNS, chosen_measures, scored
from catchrate.cli.show import show
from catchrate.evaluation import Leaderboard
from catchrate.reports import Form
from catchrate.reports.views.scores import leaderboard_view, scores_content

MANY_RUNS = 12
"""A table of more runs is read for their order, a line each; intervals would make several tables of it."""
SHOWN = Parameter(
    group=INTERVALS,
    negative="--no-intervals",
    show_default=False,
    help="Show the interval of each mean; --no-intervals leaves them out, as text does beside many runs.",
)


def evaluate(
    judgments: Annotated[str, Parameter(help=JUDGMENTS)],
    /,
    *runs: Annotated[str, Parameter(help=RUNS)],
    measures: Annotated[tuple[str, ...], MANY, Parameter(alias="-m", metavar="NAMES", help=MEASURES)] = (),
    per_query: Annotated[bool, FLAG, Parameter(help="Show every query, too.")] = False,
    load: Load = (),
    intervals: Annotated[bool | None, SHOWN] = None,
    resampling: Intervals | None = None,
    output: Output | None = None,
    policies: Policies | None = None,
    reading: Reading | None = None,
) -> None:
    """Measure what retrievers find: one row a run, best first."""
    how, output = (resampling or Intervals()).resampling(), output or Output()
    board, inputs = scored((judgments, *runs), chosen_measures(measures, load), policies, reading)
    if intervals is False or (intervals is None and _are_too_many(board, output.form())):
        how = None
    view = leaderboard_view(board, per_query=per_query, how=how)
    show(view, output, inputs, content=scores_content(board, per_query=per_query, how=how))
    if how is None and intervals is None:
        say(f"intervals of more than {MANY_RUNS} runs are shown with --intervals, and are part of --json")


def _are_too_many(board: Leaderboard, form: Form) -> bool:
    return len(board) > MANY_RUNS and form in ("text", "md")

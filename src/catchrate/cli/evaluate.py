"""catchrate evaluate: measure runs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from cyclopts import Parameter

from catchrate.cli.inputs import Input
from catchrate.cli.messages import say
from catchrate.cli.options import FLAG, INTERVALS, MANY, Intervals, Load, Output, Policies, Reading
from catchrate.cli.scoring import JUDGMENTS, MEASURES, RUNS, chosen_measures, scored
from catchrate.cli.show import show
from catchrate.errors import UsageError
from catchrate.evaluation.scores import Leaderboard
from catchrate.reports.render import Form
from catchrate.reports.views.scores import leaderboard_view, scores_content

MANY_RUNS = 12
"""A table of more runs is read for their order, a line each; intervals would make several tables of it."""
SAVE = "Save the scores of one run, for `catchrate compare` and `catchrate gate` to come back to."
IF_RELEVANT = "Show every mean as if all unjudged documents that it looks at had this grade."
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
    save: Annotated[str | None, Parameter(metavar="FILE.parquet", help=SAVE)] = None,
    load: Load = (),
    intervals: Annotated[bool | None, SHOWN] = None,
    resampling: Intervals | None = None,
    if_relevant: Annotated[float | None, Parameter(metavar="GRADE", help=IF_RELEVANT)] = None,
    output: Output | None = None,
    policies: Policies | None = None,
    reading: Reading | None = None,
) -> None:
    """Measure what retrievers find: one row a run, best first."""
    how, output = (resampling or Intervals()).resampling(), output or Output()
    board, inputs = scored((judgments, *runs), chosen_measures(measures, load), policies, reading)
    if save is not None:
        _save(board, save, inputs)
    if intervals is False or (intervals is None and _are_too_many(board, output.form())):
        how = None
    view = leaderboard_view(board, per_query=per_query, how=how, if_relevant=if_relevant)
    content = scores_content(board, per_query=per_query, how=how, if_relevant=if_relevant)
    show(view, output, inputs, content=content)
    if how is None and intervals is None:
        say(f"intervals of more than {MANY_RUNS} runs are shown with --intervals, and are part of --json")


def _save(board: Leaderboard, where: str, inputs: Sequence[Input]) -> None:
    if len(board) > 1:
        raise UsageError.of("E280", f"--save is given with {len(board)} runs", fix="save one run at a time")
    (scores,) = board.values()
    from catchrate.evaluation.saved import save_scores  # what reads them again: few save

    save_scores(scores, where, inputs=[one.path for one in inputs])


def _are_too_many(board: Leaderboard, form: Form) -> bool:
    return len(board) > MANY_RUNS and form in ("text", "md")

"""catchrate evaluate: measure runs."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from catchrate.cli.options import FLAG, MANY, Load, Output, Policies, Reading
from catchrate.cli.scoring import JUDGMENTS, MEASURES, RUNS, chosen_measures, scored
from catchrate.cli.show import show
from catchrate.reports.views.scores import leaderboard_view, scores_content


def evaluate(
    judgments: Annotated[str, Parameter(help=JUDGMENTS)],
    /,
    *runs: Annotated[str, Parameter(help=RUNS)],
    measures: Annotated[tuple[str, ...], MANY, Parameter(alias="-m", metavar="NAMES", help=MEASURES)] = (),
    per_query: Annotated[bool, FLAG, Parameter(help="Show every query, too.")] = False,
    load: Load = (),
    output: Output | None = None,
    policies: Policies | None = None,
    reading: Reading | None = None,
) -> None:
    """Measure what retrievers find: one row a run, best first."""
    board, inputs = scored((judgments, *runs), chosen_measures(measures, load), policies, reading)
    view = leaderboard_view(board, per_query=per_query)
    show(view, output or Output(), inputs, content=scores_content(board, per_query=per_query))

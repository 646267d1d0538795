"""catchrate stages: what each stage of a pipeline loses and gains."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from catchrate.cli.options import MANY, Load, Output, Policies, Reading
from catchrate.cli.scoring import JUDGMENTS, MEASURES, chosen_measures, scored
from catchrate.cli.show import show
from catchrate.evaluation.comparison import Choices
from catchrate.evaluation.stages import stages_of
from catchrate.reports.views.stages import stages_content, stages_view
from catchrate.statistics import LEVEL

STAGES = "What each stage returned, from the first to the last: NAME=PATH, such as retrieve=all.trec."


def stages(
    judgments: Annotated[str, Parameter(help=JUDGMENTS)],
    /,
    *runs: Annotated[str, Parameter(help=STAGES)],
    measures: Annotated[tuple[str, ...], MANY, Parameter(alias="-m", metavar="NAMES", help=MEASURES)] = (),
    level: Annotated[float, Parameter(metavar="X", help="Confidence of intervals and verdicts.")] = LEVEL,
    seed: Annotated[int, Parameter(metavar="N", help="Where random numbers start.")] = 0,
    load: Load = (),
    output: Output | None = None,
    policies: Policies | None = None,
    reading: Reading | None = None,
) -> None:
    """Say what each stage of a pipeline loses, and what it gains."""
    board, inputs = scored((judgments, *runs), chosen_measures(measures, load), policies, reading)
    found = stages_of(board, Choices(level=level, seed=seed))
    show(stages_view(found), output or Output(), inputs, content=stages_content(found))

"""catchrate power: which difference a set of queries can show."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Group, Parameter

from catchrate.cli.inputs import Input
from catchrate.cli.options import MANY, Load, Output, Policies, Reading
from catchrate.cli.scoring import MEASURES, chosen_measures, scored
from catchrate.cli.show import show
from catchrate.errors import UsageError
from catchrate.evaluation.power import (
    CORRELATION,
    DIFFERENCES,
    SIZES,
    Power,
    PowerChoices,
    guessed_power,
    power_of_scores,
)
from catchrate.reports.views.power import power_content, power_view
from catchrate.statistics import LEVEL, POWER

ASKED = Group("What is asked", sort_key=7)
GUESSES = Group("Guesses", sort_key=8)
INPUTS = "Judgments, then one run or two, or records; none at all for a guess."
CLUSTER = "Queries that belong together."
SPREAD = "Standard deviation of the differences of queries, before any data."
MEAN = "Mean of a measure from 0 to 1, before any data; measures of 0 and 1 spread most."
TOGETHER = "How the values of a second run go with those of the first, where only one is known."


def power(
    *inputs: Annotated[str, Parameter(help=INPUTS)],
    measures: Annotated[tuple[str, ...], MANY, Parameter(alias="-m", metavar="NAMES", help=MEASURES)] = (),
    difference: Annotated[
        tuple[float, ...], MANY, Parameter(group=ASKED, metavar="X", help="A difference to show. Repeatable.")
    ] = (),
    size: Annotated[
        tuple[int, ...], MANY, Parameter(group=ASKED, metavar="N", help="A number of queries. Repeatable.")
    ] = (),
    level: Annotated[float, Parameter(group=ASKED, metavar="X", help="Confidence of the verdict.")] = LEVEL,
    power: Annotated[float, Parameter(group=ASKED, metavar="X", help="How often it should be shown.")] = POWER,
    cluster: Annotated[str | None, Parameter(group=ASKED, metavar="COLUMN", help=CLUSTER)] = None,
    spread: Annotated[float | None, Parameter(group=GUESSES, metavar="X", help=SPREAD)] = None,
    mean: Annotated[float | None, Parameter(group=GUESSES, metavar="X", help=MEAN)] = None,
    correlation: Annotated[float, Parameter(group=GUESSES, metavar="X", help=TOGETHER)] = CORRELATION,
    load: Load = (),
    output: Output | None = None,
    policies: Policies | None = None,
    reading: Reading | None = None,
) -> None:
    """Say which difference a set of queries can show, and how many queries another one needs."""
    choices = PowerChoices(
        differences=difference or DIFFERENCES, sizes=size or SIZES, level=level, power=power, correlation=correlation
    )
    if inputs and (spread is not None or mean is not None):
        raise UsageError.of("E317", "a guess stands beside runs", fix="leave out the runs, or the guess")
    read: list[Input] = []
    found: Power
    if inputs:
        board, read = scored(inputs, chosen_measures(measures, load), policies, reading)
        queries = policies.queries if policies else None
        found = power_of_scores(board, choices, cluster=cluster, queries=queries)
    else:
        found = guessed_power(choices, spread=spread, mean=mean)
    show(power_view(found), output or Output(), read, content=power_content(found))

"""catchrate reconcile: what a number is that another tool printed."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from catchrate.cli.inputs import both_sides, open_input
from catchrate.cli.options import MANY, Load, Output, Policies, Reading
from catchrate.cli.progress import progress
from catchrate.cli.scoring import JUDGMENTS, RUN, chosen_measure
from catchrate.cli.show import show
from catchrate.evaluation.elsewhere import chosen_tools
from catchrate.evaluation.reconciling import reconciled
from catchrate.evaluation.reconciling.number import printed
from catchrate.reports.views.reconciliation import reconciliation_view

GOT = "The number as it was printed, such as 0.731 or 73.1%."
MEASURE = "What it should have been, such as recall@10."
TOOLS = "The tool that it comes from, such as haystack. Repeatable; any tool when left out."


def reconcile(
    judgments: Annotated[str, Parameter(help=JUDGMENTS)],
    run: Annotated[str | None, Parameter(help=RUN)] = None,
    /,
    *,
    got: Annotated[str, Parameter(metavar="NUMBER", help=GOT)],
    measure: Annotated[str, Parameter(alias="-m", metavar="NAME", help=MEASURE)] = "recall@10",
    as_: Annotated[tuple[str, ...], MANY, Parameter(name="--as", metavar="TOOLS", help=TOOLS)] = (),
    load: Load = (),
    output: Output | None = None,
    policies: Policies | None = None,
    reading: Reading | None = None,
) -> None:
    """Find out what a number is that another tool printed for the same lists."""
    policies, reading, output = policies or Policies(), reading or Reading(), output or Output()
    chosen, tools = chosen_measure(measure, load), chosen_tools(as_)
    printed(got, most=chosen.row.range[1])  # a slip is told before anything is read
    inputs = [open_input(text) for text in (judgments, run) if text is not None]
    _, judged, ranking = next(both_sides(inputs, reading.read_options(), policies.match))
    with progress(inputs[1:]) as each_block:
        found = reconciled(judged, ranking, got, chosen, policies.policy(reading), tools, each_block=each_block)
    show(reconciliation_view(found), output, inputs)

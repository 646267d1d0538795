"""catchrate explain: take one number apart."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from catchrate.cli.inputs import both_sides, open_input
from catchrate.cli.options import MANY, Load, Output, Policies, Reading
from catchrate.cli.progress import progress
from catchrate.cli.scoring import JUDGMENTS, RUN, chosen_measure
from catchrate.cli.show import show
from catchrate.evaluation.elsewhere import chosen_tools
from catchrate.evaluation.explain import explained
from catchrate.reports.views.explanation import explanation_view

MEASURE = "The measure, such as recall@10."
TOOLS = "Show what other tools would print, such as haystack,trec_eval-9,ranx. Repeatable."
QUERY = "The id of the query; the worst one when left out."


def explain(
    judgments: Annotated[str, Parameter(help=JUDGMENTS)],
    run: Annotated[str | None, Parameter(help=RUN)] = None,
    /,
    *,
    measure: Annotated[str, Parameter(alias="-m", metavar="NAME", help=MEASURE)] = "recall@10",
    query: Annotated[str | None, Parameter(alias="-q", metavar="ID", help=QUERY)] = None,
    as_: Annotated[tuple[str, ...], MANY, Parameter(name="--as", metavar="TOOLS", help=TOOLS)] = (),
    load: Load = (),
    output: Output | None = None,
    policies: Policies | None = None,
    reading: Reading | None = None,
) -> None:
    """Take the value of one query apart: what was divided by what, and what every document added."""
    policies, reading, output = policies or Policies(), reading or Reading(), output or Output()
    chosen, tools = chosen_measure(measure, load), chosen_tools(as_)
    inputs = [open_input(text) for text in (judgments, run) if text is not None]
    _, judged, ranking = next(both_sides(inputs, reading.read_options(), policies.match))
    with progress(inputs[1:]) as each_block:
        found = explained(judged, ranking, chosen, query, policies.policy(reading), tools, each_block=each_block)
    view = explanation_view(found, full=output.form() != "text")
    show(view, output, inputs, table="documents")

"""catchrate match: which chunk holds which gold text."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from catchrate.cli.inputs import both_sides, open_input
from catchrate.cli.options import Output, Policies, Reading
from catchrate.cli.scoring import chosen_measures
from catchrate.cli.show import show
from catchrate.errors import UsageError
from catchrate.evaluation.match import USUAL, matches_of, sensitivity
from catchrate.reports.views.matches import matches_view, query_view

JUDGMENTS = "Gold texts: records, which may hold both sides, a table with a column text, or a BEIR folder."
RUN = "What was retrieved, with its texts; left out where the records hold both sides."
EXPLAIN = "Show every chunk of one query with what it holds."
MEASURE = "The measure that is shown at other thresholds of the rule."


def match(
    judgments: Annotated[str, Parameter(help=JUDGMENTS)],
    run: Annotated[str | None, Parameter(help=RUN)] = None,
    /,
    *,
    explain: Annotated[str | None, Parameter(alias="-q", metavar="QUERY", help=EXPLAIN)] = None,
    measure: Annotated[str, Parameter(alias="-m", metavar="NAME", help=MEASURE)] = "recall@10",
    output: Output | None = None,
    policies: Policies | None = None,
    reading: Reading | None = None,
) -> None:
    """Say which chunk holds which gold text, what was nearly found, and how much depends on the threshold.

    The rule is --match, covered(0.5) when left out. --csv prints every near miss, --json every match, too.
    """
    policies, reading, output = policies or Policies(), reading or Reading(), output or Output()
    rule, (chosen, *others) = policies.match or USUAL, chosen_measures([measure])
    if others:
        raise UsageError.of("E280", f"{1 + len(others)} measures are named", fix="name the one to show")
    inputs = [open_input(text) for text in (judgments, run) if text is not None]
    policy = policies.policy(reading)
    _, judged, ranking = next(both_sides(inputs, reading.read_options(), rule))
    found = matches_of(judged, ranking, rule, policy)
    if explain is not None:
        view = query_view(found, explain)
    else:
        view = matches_view(found, sensitivity(found, chosen, policy=policy) if found.ranking.rule.graded else None)
    show(view, output, inputs)

"""catchrate compare: which run is better, by how much, and how sure that is."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

from cyclopts import Group, Parameter

from catchrate.cli.options import FLAG, MANY, Load, Output, Policies, Reading
from catchrate.cli.scoring import JUDGMENTS, MEASURES, RUNS_OR_SAVED, chosen_measures, scored_or_saved
from catchrate.cli.show import show
from catchrate.cli.unjudged import compare_unjudged
from catchrate.errors import UsageError
from catchrate.evaluation.comparison import Choices, compare_scores, flips
from catchrate.evaluation.comparison.choices import Correction, Family, Test
from catchrate.reports.views.comparison import comparison_content, comparison_view, differences_view
from catchrate.statistics import LEVEL

JUDGING = Group("How differences are judged", sort_key=8)
UNJUDGED = Group("Without judgments", sort_key=9)
NOTHING_JUDGED = "Only two runs are given: say how alike they are, and what to judge first."
CUTOFF = "How many documents of each query are compared; 10 when left out."
LABEL = "Write the documents in which the queries that changed most differ, to be judged by hand."
CARE = "The smallest difference that matters; smaller ones are then told from what cannot be told."


def compare(
    judgments: Annotated[str, Parameter(help=JUDGMENTS)],
    /,
    *runs: Annotated[str, Parameter(help=RUNS_OR_SAVED)],
    measures: Annotated[tuple[str, ...], MANY, Parameter(alias="-m", metavar="NAMES", help=MEASURES)] = (),
    baseline: Annotated[str | None, Parameter(metavar="RUN", help="The run that all others are compared with.")] = None,
    care: Annotated[float | None, Parameter(group=JUDGING, metavar="X", help=CARE)] = None,
    test: Annotated[
        Test, Parameter(group=JUDGING, help="Where p comes from: swapped runs, or a test by name.")
    ] = "flips",
    correction: Annotated[Correction, Parameter(group=JUDGING, help="How p is corrected for several runs.")] = "holm",
    family: Annotated[Family, Parameter(group=JUDGING, help="Correct within each measure, or over all.")] = "measure",
    level: Annotated[
        float, Parameter(group=JUDGING, metavar="X", help="Confidence of intervals and verdicts.")
    ] = LEVEL,
    cluster: Annotated[
        str | None, Parameter(group=JUDGING, metavar="COLUMN", help="Queries that belong together.")
    ] = None,
    seed: Annotated[int, Parameter(group=JUDGING, metavar="N", help="Where random numbers start.")] = 0,
    no_judgments: Annotated[bool, FLAG, Parameter(group=UNJUDGED, help=NOTHING_JUDGED)] = False,
    cutoff: Annotated[int | None, Parameter(group=UNJUDGED, alias="-k", metavar="K", help=CUTOFF)] = None,
    label: Annotated[str | None, Parameter(group=UNJUDGED, metavar="FILE.csv", help=LABEL)] = None,
    load: Load = (),
    output: Output | None = None,
    policies: Policies | None = None,
    reading: Reading | None = None,
) -> None:
    """Say which run is better at each measure, by how much, and how sure that is."""
    output = output or Output()
    if no_judgments:
        compare_unjudged((judgments, *runs), cutoff, label, output, reading or Reading())
        return
    if label is not None or cutoff is not None:
        raise UsageError.of("E280", "-k and --label go with --no-judgments", fix="leave them out, or the judgments")
    choices = Choices(
        care=care, test=test, correction=correction, family=family, level=level, cluster=cluster, seed=seed
    )
    policies = policies or Policies()
    policies = replace(policies, length=policies.length or "words")
    board, inputs = scored_or_saved((judgments, *runs), chosen_measures(measures, load), policies, reading)
    comparison = compare_scores(board, baseline=baseline, choices=choices, queries=policies.queries)
    one_table = output.form() in ("csv", "tsv")
    could_flip = flips(comparison)
    view = differences_view(comparison) if one_table else comparison_view(comparison, could_flip)
    show(view, output, inputs, content=comparison_content(comparison, could_flip))

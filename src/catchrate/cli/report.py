"""catchrate report: everything there is to say of runs, as one file that people pass on."""

from __future__ import annotations

import sys
from typing import Annotated

from cyclopts import Parameter

from catchrate.cli.messages import leave_a_line, print_findings, say
from catchrate.cli.options import FLAG, MANY, Load, Policies, Reading
from catchrate.cli.scoring import JUDGMENTS, MEASURES, RUNS, chosen_measures, scored_or_saved
from catchrate.errors import visible
from catchrate.evaluation.comparison import compare_scores
from catchrate.reports.report import DataForm, report_form, report_view, write_report
from catchrate.reports.terminal import columns_of, view_lines, write_lines
from catchrate.reports.views.runs import Runs, choices_for, essence_view
from catchrate.reports.views.significance import Marks

OUTPUT = "The file to write; .html, .pdf, .md, .txt, .json, .tex, .csv, .tsv, .parquet, .svg or .png says the form."
MARKED = "Mark significant differences in the leaderboard: letters of the runs beaten, or stars against the baseline."
ONE_PAGE = "Keep to one page: the verdict, the numbers, two charts."
BY = "What parts the queries into slices: a column of their metadata, `relevant` or `length`. Repeatable."
TABLE = "The table that a .tex, .csv, .tsv or .parquet holds."
CHART = "The chart that an .svg or .png holds, such as recall_curve."
DATA = "Write every table in full beside the report, as CSV or Parquet."


def report(
    judgments: Annotated[str, Parameter(help=JUDGMENTS)],
    /,
    *runs: Annotated[str, Parameter(help=RUNS)],
    output: Annotated[str, Parameter(alias="-o", metavar="FILE", help=OUTPUT)],
    measures: Annotated[tuple[str, ...], MANY, Parameter(alias="-m", metavar="NAMES", help=MEASURES)] = (),
    baseline: Annotated[str | None, Parameter(metavar="RUN", help="The run that all others are compared with.")] = None,
    marks: Annotated[Marks | None, Parameter(help=MARKED)] = None,
    by: Annotated[tuple[str, ...], MANY, Parameter(metavar="SLICE", help=BY)] = (),
    title: Annotated[str, Parameter(metavar="TEXT", help="The title.", show_default=False)] = "",
    one_page: Annotated[bool, FLAG, Parameter(help=ONE_PAGE)] = False,
    table: Annotated[str | None, Parameter(metavar="NAME", help=TABLE)] = None,
    chart: Annotated[str | None, Parameter(metavar="NAME", help=CHART)] = None,
    data: Annotated[DataForm | None, Parameter(help=DATA)] = None,
    load: Load = (),
    policies: Policies | None = None,
    reading: Reading | None = None,
) -> None:
    """Write a report on one run or several, and print its essence: the verdict, the means, where documents are lost."""
    form = report_form(output)
    board, inputs = scored_or_saved((judgments, *runs), chosen_measures(measures, load), policies, reading)
    queries = policies.queries if policies else None
    if len(board) > 1 or baseline is not None:
        result = compare_scores(board, baseline=baseline, choices=choices_for(board, baseline), queries=queries)
        marks = marks or ("letters" if form == "tex" else None)
    else:
        result = board
    found = Runs.of(result, by=by)
    view = report_view(found, title=title, marks=marks, one_page=one_page)
    files = write_report(view, output, inputs=[one.path for one in inputs], table=table, chart=chart, data=data)
    write_lines(view_lines(essence_view(found), columns_of(sys.stdout)), sys.stdout)
    leave_a_line()
    print_findings(view.notes)
    say(f"wrote {visible(files[0])}" + (f" and {len(files) - 1} tables beside it" if files[1:] else ""))

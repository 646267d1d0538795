"""catchrate evaluate: measure runs."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from catchrate.cli.inputs import Input, both_sides, open_input
from catchrate.cli.messages import leave_a_line, print_findings
from catchrate.cli.options import FLAG, MANY, Load, Output, Policies, Reading
from catchrate.evaluation import DEFAULT_MEASURES, Leaderboard
from catchrate.evaluation.evaluate import score
from catchrate.evaluation.plugins import load_entry_points, load_measures
from catchrate.measures import Measure, parse_all
from catchrate.reports import deliver, leaderboard_table, per_query_table, scores_csv, scores_json
from catchrate.reports.json_report import notes_of
from catchrate.reports.layout import Line
from catchrate.reports.terminal import as_text, columns_of, write_lines

JUDGMENTS = "What is relevant: TREC, CSV, TSV, JSONL, JSON, Parquet or a BEIR folder; or records that hold both sides."
RUNS = "What was returned: PATH or NAME=PATH. - is standard input."
MEASURES = 'Such as "recall@10 ndcg@10 ap". Repeatable; `catchrate measures` lists all.'


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
    output, policies, reading = output or Output(), policies or Policies(), reading or Reading()
    chosen = _measures(measures, load)
    inputs = [open_input(text) for text in (judgments, *runs)]
    sides = both_sides(inputs, reading.read_options())
    policy = policies.policy(reading)
    board = Leaderboard(runs={name: score(judged, ranking, chosen, policy) for name, judged, ranking in sides})
    _print(board, output, inputs, per_query=per_query)
    notes = notes_of(board)
    if notes:
        leave_a_line()
    print_findings(notes)


def _measures(names: tuple[str, ...], files: tuple[Path, ...]) -> tuple[Measure, ...]:
    load_entry_points()
    for file in files:
        load_measures(file)
    return parse_all(" ".join(names) if names else DEFAULT_MEASURES)


def _print(board: Leaderboard, output: Output, inputs: list[Input], *, per_query: bool) -> None:
    form = output.form()
    if form == "text" and output.output is None:
        write_lines(_lines(board, columns_of(sys.stdout), per_query=per_query), sys.stdout)
        return
    if form == "text":
        report = as_text(_lines(board, None, per_query=per_query))
    else:
        report = (scores_json if form == "json" else scores_csv)(board, per_query=per_query)
    deliver(report, output.output, inputs=[one.path for one in inputs])


def _lines(board: Leaderboard, columns: int | None, *, per_query: bool) -> list[Line]:
    """Return the leaderboard last, where a terminal ends up."""
    summary = leaderboard_table(board, columns)
    return [*per_query_table(board, columns), [], *summary] if per_query else summary

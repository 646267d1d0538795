"""catchrate evaluate: measure runs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from catchrate.cli.inputs import both_sides, open_input
from catchrate.cli.options import FLAG, MANY, Load, Output, Policies, Reading
from catchrate.cli.progress import progress
from catchrate.cli.show import show
from catchrate.evaluation import DEFAULT_MEASURES
from catchrate.evaluation.evaluate import score_all
from catchrate.evaluation.plugins import load_entry_points, load_measures
from catchrate.measures import Measure, parse_all
from catchrate.reports.views.scores import leaderboard_view, scores_content

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
    with progress(inputs[1:]) as each_block:
        board = score_all(sides, chosen, policy, each_block=each_block)
    view = leaderboard_view(board, per_query=per_query)
    show(view, output, inputs, content=scores_content(board, per_query=per_query))


def _measures(names: tuple[str, ...], files: tuple[Path, ...]) -> tuple[Measure, ...]:
    load_entry_points()
    for file in files:
        load_measures(file)
    return parse_all(" ".join(names) if names else DEFAULT_MEASURES)

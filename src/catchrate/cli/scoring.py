"""From what a command line names to scores: every command that takes JUDGMENTS RUN... begins here."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from catchrate.cli.inputs import Input, both_sides, open_input
from catchrate.cli.options import Policies, Reading
from catchrate.cli.progress import progress
from catchrate.evaluation import DEFAULT_MEASURES, Leaderboard
from catchrate.evaluation.evaluate import score_all
from catchrate.evaluation.plugins import load_entry_points, load_measures
from catchrate.measures import Measure, parse_all

JUDGMENTS = "What is relevant: TREC, CSV, TSV, JSONL, JSON, Parquet or a BEIR folder; or records that hold both sides."
RUNS = "What was returned: PATH or NAME=PATH. - is standard input."
MEASURES = 'Such as "recall@10 ndcg@10 ap". Repeatable; `catchrate measures` lists all.'


class Scored(NamedTuple):
    """The runs of a command line, measured."""

    board: Leaderboard
    inputs: list[Input]
    """Everything that was read, so that no output is written over it."""


def scored(
    paths: Sequence[str], measures: tuple[Measure, ...], policies: Policies | None, reading: Reading | None
) -> Scored:
    """Read judgments and runs, the judgments first, and measure every run."""
    policies, reading = policies or Policies(), reading or Reading()
    inputs = [open_input(text) for text in paths]
    sides = both_sides(inputs, reading.read_options())
    with progress(inputs[1:]) as each_block:
        return Scored(score_all(sides, measures, policies.policy(reading), each_block=each_block), inputs)


def chosen_measures(
    names: Sequence[str], files: Sequence[Path] = (), *, default: Sequence[str] = DEFAULT_MEASURES
) -> tuple[Measure, ...]:
    """Return the measures that are named, or the usual ones; `files` declare measures of the user's own."""
    load_entry_points()
    for file in files:
        load_measures(file)
    return parse_all(" ".join(names) if names else default)

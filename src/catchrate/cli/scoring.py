"""From what a command line names to scores: every command that takes JUDGMENTS RUN... begins here."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from catchrate.cli.inputs import Input, both_sides, open_input, refuse_same_names
from catchrate.cli.options import Policies, Reading
from catchrate.cli.progress import progress
from catchrate.errors import UsageError
from catchrate.evaluation.evaluate import DEFAULT_MEASURES, score_all
from catchrate.evaluation.plugins import load_entry_points, load_measures
from catchrate.evaluation.scores import Leaderboard
from catchrate.formats import holds_both
from catchrate.measures import Measure, parse_all

JUDGMENTS = "What is relevant: TREC, CSV, TSV, JSONL, JSON, Parquet or a BEIR folder; or records that hold both sides."
RUNS = "What was returned: PATH or NAME=PATH. - is standard input."
RUN_OR_SAVED = "What was returned: a path, or saved scores; left out where the judgments are records that hold both."
RUNS_OR_SAVED = f"{RUNS} Or scores that `catchrate evaluate --save` wrote."
RUN = "What was returned: PATH or NAME=PATH; left out where the judgments are records that hold both."
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
    return Scored(_scored(inputs, measures, policies, reading), inputs)


def scored_or_saved(
    paths: Sequence[str], measures: tuple[Measure, ...], policies: Policies | None, reading: Reading | None
) -> Scored:
    """Read judgments and runs and measure every run, but for files of saved scores, which are measured already."""
    from catchrate.evaluation.comparison.then_and_now import ready_scores  # comparisons: not every command compares

    policies, reading = policies or Policies(), reading or Reading()
    inputs = [open_input(text) for text in paths]
    ready = {one.name: ready_scores(one.where, measures) for one in inputs[1:]}
    saved = {name: scores for name, scores in ready.items() if scores is not None}
    if not saved:
        return Scored(_scored(inputs, measures, policies, reading), inputs)
    refuse_same_names(inputs[1:])
    others = [inputs[0], *(one for one in inputs[1:] if one.name not in saved)]
    new = dict(_scored(others, measures, policies, reading)) if len(others) > 1 or _is_run(inputs[0], reading) else {}
    places = {one.name: place for place, one in enumerate(inputs)}
    return Scored(Leaderboard(runs=dict(sorted((new | saved).items(), key=lambda run: places[run[0]]))), inputs)


def _is_run(one: Input, reading: Reading) -> bool:
    return holds_both(one.where, reading.read_options())


def _scored(
    inputs: Sequence[Input], measures: tuple[Measure, ...], policies: Policies, reading: Reading
) -> Leaderboard:
    sides = both_sides(inputs, reading.read_options(), policies.match)
    with progress(inputs[1:]) as each_block:
        return score_all(sides, measures, policies.policy(reading), each_block=each_block)


def chosen_measure(name: str, files: Sequence[Path] = ()) -> Measure:
    """Return the one measure that is named.

    Raises UsageError where there are several.
    """
    first, *others = chosen_measures([name], files)
    if others:
        raise UsageError.of("E280", f"{1 + len(others)} measures are named", fix="name the one to explain")
    return first


def chosen_measures(
    names: Sequence[str], files: Sequence[Path] = (), *, default: Sequence[str] = DEFAULT_MEASURES
) -> tuple[Measure, ...]:
    """Return the measures that are named, or the usual ones; `files` declare measures of the user's own."""
    load_entry_points()
    for file in files:
        load_measures(file)
    return parse_all(" ".join(names) if names else default)

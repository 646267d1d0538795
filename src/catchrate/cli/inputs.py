"""Files of the command line: each is opened once, so that pipes work, and each run has a name."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from catchrate.cli.app import DASH
from catchrate.errors import UsageError, shown
from catchrate.evaluation.matches import matched_sides, matching_options
from catchrate.formats import ReadOptions, Source, holds_both, open_ranking, open_source, read_judgments, read_records
from catchrate.formats.folder import parquet_files
from catchrate.tables import Judgments, RankingSource

PACKED = frozenset((".gz", ".zst"))
STDIN = "stdin"


@dataclass(frozen=True, slots=True)
class Input:
    """One input as it was named."""

    name: str
    """The name of the run: what stands before `=`, or the stem of the path."""
    path: str
    where: Source | str
    """The opened input; the path of a folder, which only judgments are read from."""


def open_input(text: str) -> Input:
    """Open `PATH`, `NAME=PATH` or `-`, standard input.

    What stands before `=` is a name unless it holds a slash, or the whole is a file.
    """
    name, path = named(text)
    where = path if Path(path).is_dir() and not parquet_files(path) else open_source("-" if path == DASH else path)
    return Input(name or _stem(path), path, where)


def named(text: str) -> tuple[str, str]:
    """Return the name before `=`, which may be empty, and the path."""
    name, equals, path = text.partition("=")
    if not equals or "/" in name or os.sep in name or Path(text).exists():
        return "", text
    return name, path


def _stem(path: str) -> str:
    if path == DASH:
        return STDIN
    plain = Path(path)
    return (plain.with_suffix("") if plain.suffix in PACKED else plain).stem or path


def both_sides(
    inputs: Sequence[Input], options: ReadOptions, match: str | None = None
) -> Iterator[tuple[str, Judgments, RankingSource]]:
    """Yield name, judgments and ranking of each run; `match` is the rule by which texts are matched, if they are.

    The first input holds the judgments. When it holds records, it is a run too; and when all inputs hold records, each
    is judged by its own. Raises UsageError when there is no run, or when two have the same name.
    """
    options = matching_options(options, match)
    records = [holds_both(one.where, options) for one in inputs]
    refuse_same_names(inputs if records[0] else inputs[1:])
    if all(records):
        for one in inputs:
            yield one.name, *matched_sides(*read_records(one.where, options), match)
        return
    if len(inputs) == 1:
        fix = "name a run behind the judgments, or records with `retrieved` and `ground_truth`"
        raise UsageError.of("E260", "there are judgments but no run", fix=fix, file=inputs[0].path)
    judgments = read_judgments(inputs[0].where, options)
    for one in inputs if records[0] else inputs[1:]:
        yield one.name, *matched_sides(judgments, open_ranking(one.where, options), match)


def refuse_same_names(runs: Sequence[Input]) -> None:
    """Refuse two runs of one name."""
    seen: dict[str, str] = {}
    for run in runs:
        if run.name in seen:
            message = f"two runs are called {shown(run.name)}"
            fix = f"give one a name of its own: NAME={run.path}"
            raise UsageError.of("E262", message, fix=fix, sample=(seen[run.name], run.path))
        seen[run.name] = run.path

"""Results for people: aligned text, with colour only on a terminal that wants it."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Iterator, Sequence
from typing import TextIO

from catchrate.errors import visible
from catchrate.evaluation import Leaderboard, Scores
from catchrate.evaluation.coverage import unjudged_share
from catchrate.measures import Measure
from catchrate.reports.layout import Cell, Line, Table

COUNTS = ("queries", "missing", "unjudged")
"""Columns of a leaderboard beside the measures."""


def columns_of(stream: TextIO) -> int | None:
    """Return how wide a terminal is, or None for a file or a pipe."""
    return shutil.get_terminal_size().columns if stream.isatty() else None


def wants_colour(stream: TextIO) -> bool:
    """Tell whether a stream is a terminal whose user has not asked for plain text."""
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def as_text(lines: Iterable[Line]) -> str:
    """Return lines without their styles."""
    return "".join("".join(text for text, _ in line) + "\n" for line in lines)


def write_lines(lines: Iterable[Line], stream: TextIO) -> None:
    """Write lines with their styles, or plain where colour is not wanted."""
    if not wants_colour(stream):
        stream.write(as_text(lines))
        return
    from rich.console import Console
    from rich.text import Text

    console = Console(file=stream, force_terminal=True, highlight=False, markup=False, emoji=False)
    for line in lines:
        console.print(Text.assemble(*line), soft_wrap=True)


def leaderboard_table(board: Leaderboard, columns: int | None = None) -> list[Line]:
    """Return the runs, best first, with the best value of each measure marked.

    Runs are rows. Where that is too wide they become columns; where that is too wide as well, the measures are shared
    out to several tables.
    """
    table = _leaderboard(board)
    if columns is None:
        return list(table.lines())
    table = table.with_short_labels()
    turn = not table.fits(columns) and table.turned().fits(columns)
    return _stacked((table.turned() if turn else table).parts(columns))


def per_query_table(board: Leaderboard, columns: int | None = None) -> list[Line]:
    """Return a row for each query, or for each query and run where there are several."""
    table = _per_query(board)
    if columns is None:
        return list(table.lines())
    return _stacked(table.with_short_labels().parts(columns))


def _stacked(tables: Iterator[Table]) -> list[Line]:
    lines: list[Line] = []
    for table in tables:
        lines += [[], *table.lines()] if lines else table.lines()
    return lines


def _leaderboard(board: Leaderboard) -> Table:
    runs = board.best_first()
    measures = runs[0][1].measures
    best = [_best(measure, [scores.means[i] for _, scores in runs]) for i, measure in enumerate(measures)]
    rows = tuple(
        (
            Cell(visible(name)),
            *(Cell(mean_text(m, x), x == best[i]) for i, (m, x) in enumerate(zip(measures, scores.means, strict=True))),
            *(Cell(text) for text in _counts(scores)),
        )
        for name, scores in runs
    )
    return Table(headers=("run", *(str(measure) for measure in measures), *COUNTS), rows=rows)


def _best(measure: Measure, means: Sequence[float]) -> float | None:
    """Return the value to mark; nothing where the runs do not differ or no direction is better."""
    if measure.row.higher_is_better is None or len(set(means)) < 2:
        return None
    return max(means) if measure.row.higher_is_better else min(means)


def _counts(scores: Scores) -> tuple[str, str, str]:
    return f"{scores.queries:,}", f"{scores.aligned.missing:,}", f"{unjudged_share(scores):.1%}"


def _per_query(board: Leaderboard) -> Table:
    several = len(board) > 1
    measures = next(iter(board.values())).measures
    labels = ("query", "run") if several else ("query",)
    rows = sorted(_query_rows(board), key=lambda row: row[0])
    body = tuple(row[1] if several else (row[1][0], *row[1][2:]) for row in rows)
    return Table(headers=(*labels, *(str(measure) for measure in measures)), rows=body, labels=len(labels))


def _query_rows(board: Leaderboard) -> Iterator[tuple[bytes, tuple[Cell, ...]]]:
    for name, scores in board.items():
        for query, values in zip(scores.aligned.queries["query"].to_list(), scores.values.tolist(), strict=True):
            numbers = (value_text(measure, value) for measure, value in zip(scores.measures, values, strict=True))
            cells = (Cell(visible(query)), Cell(visible(name)), *(Cell(number) for number in numbers))
            yield query.encode(), cells


def mean_text(measure: Measure, value: float) -> str:
    """Return a value over all queries: counts whole, everything else with four decimals."""
    return f"{value:,.0f}" if measure.row.aggregate == "sum" and value.is_integer() else f"{value:.4f}"


def value_text(measure: Measure, value: float) -> str:
    """Return a query's value: 0 or 1 and counts whole, everything else with four decimals."""
    return f"{value:.0f}" if measure.row.binary else mean_text(measure, value)

"""Marks of significance in a leaderboard: letters of the runs that a run beats, or stars against a baseline."""

from __future__ import annotations

from dataclasses import replace
from string import ascii_lowercase
from typing import Literal

from catchrate.errors import UsageError
from catchrate.evaluation.comparison import Comparison, Difference
from catchrate.reports.view import Grid
from catchrate.reports.views.comparison import CORRECTED

Marks = Literal["letters", "stars"]
STARS = ((0.001, "***"), (0.01, "**"), (0.05, "*"))


def with_marks(board: Grid, comparison: Comparison, marks: Marks) -> Grid:
    """Return a leaderboard with a mark behind each value that differs significantly, and with what the marks mean.

    Raises UsageError for stars without a baseline.
    """
    names = {run: ascii_lowercase[i] if i < len(ascii_lowercase) else str(i) for i, run in enumerate(comparison.scores)}
    if marks == "letters":
        raised = _letters(comparison, names)
        said = f"A raised letter: better than that run, p {CORRECTED[comparison.choices.correction]}."
    else:
        baseline = _baseline(comparison)
        raised = {(one.b, str(one.measure)): _stars(one) for one in comparison if one.a == baseline}
        said = f"* p < 0.05, ** p < 0.01, *** p < 0.001 against {baseline}, {CORRECTED[comparison.choices.correction]}."
    own = names if marks == "letters" else {}
    rows = tuple(
        (
            row[0]._replace(raised=own.get(str(row[0].value), "")),
            *(
                cell._replace(raised=raised.get((str(row[0].value), column.name), ""))
                for cell, column in zip(row[1:], board.columns[1:], strict=True)
            ),
        )
        for row in board.rows
    )
    return replace(board, rows=rows, caption=said)


def _letters(comparison: Comparison, names: dict[str, str]) -> dict[tuple[str, str], str]:
    """Return for each run and measure the letters of the runs that it beats."""
    beaten: dict[tuple[str, str], list[str]] = {}
    for one in comparison:
        if one.verdict in ("better", "worse"):
            winner, loser = (one.b, one.a) if one.verdict == "better" else (one.a, one.b)
            beaten.setdefault((winner, str(one.measure)), []).append(names[loser])
    return {place: "".join(sorted(letters)) for place, letters in beaten.items()}


def _baseline(comparison: Comparison) -> str:
    if comparison.baseline is not None:
        return comparison.baseline
    if len(comparison.scores) > 2:
        raise UsageError.of("E343", "there is no baseline for the stars", fix="name one, or use letters")
    return next(iter(comparison.scores))


def _stars(one: Difference) -> str:
    if one.verdict not in ("better", "worse") or one.corrected is None:
        return ""
    return next((stars for most, stars in STARS if one.corrected < most), "")

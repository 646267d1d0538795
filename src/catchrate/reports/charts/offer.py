"""Charts for people who want to change them."""

from __future__ import annotations

from typing import Any

from catchrate.errors import MissingExtra, UsageError, shown
from catchrate.evaluation.comparison import Comparison
from catchrate.evaluation.scores import Leaderboard, Scores
from catchrate.reports.charts.draw import can_be_drawn, specification
from catchrate.reports.view import Figure, View
from catchrate.reports.views import view_of
from catchrate.reports.views.runs import FIGURES, Runs, runs_figure


def chart(result: object, name: str | None = None) -> Any:
    """Return a chart of a result as an Altair object, to change, to show or to save.

    `name` is that of the chart; the first when left out. Runs have "recall_curve", "precision_recall", "loss_account",
    "rank_positions", "distribution" and "slices", several also "difference_band" and "differences".

    Raises UsageError when the result has no such chart and MissingExtra when Altair is not installed.
    """
    if isinstance(result, Scores | Leaderboard | Comparison):
        figure = _figure_of_runs(Runs.of(result), name)
    else:
        figure = figure_of(view_of(result), name)
    try:
        import altair
    except ImportError as error:
        raise MissingExtra.named("altair", "report") from error
    return altair.Chart.from_dict(specification(figure))


def _figure_of_runs(runs: Runs, name: str | None) -> Figure:
    """Return one figure of runs, without those that nobody asked for."""
    figure = runs_figure(runs, name or next(iter(FIGURES)))
    if figure is None or not can_be_drawn(figure):
        found = "this result has no chart" + (f" {shown(name)}" if name else "")
        raise UsageError.of("E341", found, fix=f"choose one of {', '.join(FIGURES)}; some need two runs")
    return figure


def figure_of(view: View, name: str | None = None) -> Figure:
    """Return a chart of a view by its name, or the first.

    Raises UsageError when there is no such chart.
    """
    figures: dict[str, Figure] = {}
    for block in view.blocks:
        if isinstance(block, Figure) and can_be_drawn(block):
            figures.setdefault(block.chart, block)
    wanted = next(iter(figures), None) if name is None else name
    if wanted not in figures:
        found = "this result has no chart" + (f" {shown(name)}" if name else "")
        fix = f"choose one of {', '.join(figures)}" if figures else "`catchrate report` draws the charts of runs"
        raise UsageError.of("E341", found, fix=fix)
    return figures[wanted]

"""What can be drawn of runs: how values spread over queries, what recall costs, where two runs differ."""

from __future__ import annotations

from collections.abc import Mapping

from catchrate.evaluation.comparison import Comparison, Difference
from catchrate.evaluation.curve import Curve
from catchrate.evaluation.scores import Scores
from catchrate.evaluation.spread import spread_of
from catchrate.measures import Measure
from catchrate.reports.view import Cell, Column, Figure, Grid
from catchrate.reports.views.comparison import side
from catchrate.reports.views.curves import CUTOFF

SHOWN = 20
"""Queries that a table of all of them shows at once."""
RUN = Column(name="run", kind="id")


def precision_recall_figure(recall: Mapping[str, Curve], precision: Mapping[str, Curve]) -> Figure:
    """Return precision against recall: a point a cut-off."""
    rows = tuple(
        (Cell(name), Cell(k), Cell(curve[k]), Cell(precision[name][k])) for name, curve in recall.items() for k in curve
    )
    columns = (RUN, CUTOFF, Column(name="recall", kind="score"), Column(name="precision", kind="score"))
    first, last = next(iter(recall.values())).ks[0], next(iter(recall.values())).ks[-1]
    ends = (
        f"{name}: precision {precision[name][first]:.4f} at recall {curve[first]:.4f}, the first slot alone, and"
        f" {precision[name][last]:.4f} at {curve[last]:.4f}, {last:,} slots."
        for name, curve in recall.items()
    )
    return Figure(
        chart="precision_recall",
        title="What more recall costs in precision",
        summary=" ".join(ends),
        data=Grid(name="precision-recall", columns=columns, rows=rows, labels=2, shown=SHOWN),
    )


def distribution_figure(board: Mapping[str, Scores], measure: Measure) -> Figure:
    """Return how many queries have which value."""
    spreads = {name: spread_of(scores, measure) for name, scores in board.items()}
    rows = ((Cell(name), *map(Cell, one)) for name, bins in spreads.items() for one in bins)
    columns = (
        RUN,
        Column(name="from", kind="score"),
        Column(name="to", kind="score"),
        Column(name="queries", kind="count"),
    )
    said = (
        f"{name}: {bins[0].queries:,} below {bins[0].high:.2g}, {bins[-1].queries:,} at {bins[-1].low:.2g} or more."
        for name, bins in spreads.items()
    )
    return Figure(
        chart="distribution",
        title=f"How many queries have which {measure}",
        summary=" ".join(said),
        data=Grid(name="distribution", columns=columns, rows=tuple(rows)),
        options={"measure": str(measure)},
    )


def differences_figure(comparison: Comparison, of: Difference) -> Figure:
    """Return the difference of two runs at each query, the largest gain first."""
    frame = comparison.by_query(of).reverse()
    rows = tuple(
        (Cell(query), Cell(a), Cell(b), Cell(difference, mark=side(of.measure, difference)))
        for query, a, b, difference in frame.iter_rows()
    )
    columns = (
        Column(name="query", kind="id"),
        Column(name=of.a, kind="score"),
        Column(name=of.b, kind="score"),
        Column(name="difference", kind="difference"),
    )
    return Figure(
        chart="differences",
        title=f"{of.measure} of each query: {of.b} less {of.a}",
        summary=f"{of.b} is better at {of.wins:,} queries, {of.a} at {of.losses:,}, and {of.ties:,} are equal.",
        data=Grid(name="differences", columns=columns, rows=rows, shown=SHOWN),
    )

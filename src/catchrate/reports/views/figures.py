"""What can be drawn of runs: how values spread over queries, slices and ranks, and where two runs differ."""

from __future__ import annotations

from collections.abc import Mapping

from catchrate.evaluation import Curve
from catchrate.evaluation.comparison import Comparison, Difference
from catchrate.evaluation.intervals import USUAL, Resampling
from catchrate.evaluation.scores import Scores
from catchrate.evaluation.spread import rank_positions, slice_means, spread_of
from catchrate.measures import Measure
from catchrate.reports.values import value_text
from catchrate.reports.view import Cell, Column, Figure, Grid
from catchrate.reports.views.comparison import side
from catchrate.reports.views.curves import CUTOFF, interval_cell

SHOWN = 20
"""Queries that a table of all of them shows at once."""
RUN = Column(name="run", kind="id")
BY_NUMBER = {"relevant": "how many relevant documents a query has", "length": "how many words a query has"}
"""What slices that follow from the queries themselves are called."""


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


def positions_figure(board: Mapping[str, Scores]) -> Figure:
    """Return at which ranks the relevant documents stand."""
    places = {name: rank_positions(scores) for name, scores in board.items()}
    columns = (RUN, Column(name="ranks"), Column(name="documents", kind="count"))
    rows = tuple((Cell(name), Cell(one.ranks), Cell(one.documents)) for name, found in places.items() for one in found)
    said = (
        f"{name}: {found[0].documents:,} relevant documents at rank 1, {found[-1].documents:,} not returned."
        for name, found in places.items()
    )
    return Figure(
        chart="rank_positions",
        title="At which ranks the relevant documents stand",
        summary=" ".join(said),
        data=Grid(name="rank-positions", columns=columns, rows=rows, labels=2),
    )


def slices_figure(name: str, scores: Scores, measure: Measure, by: str, how: Resampling = USUAL) -> Figure:
    """Return a measure for each slice of the queries, with its interval."""
    found = slice_means(scores, measure, by, how)
    columns = (
        Column(name="slice", kind="id"),
        Column(name="queries", kind="count"),
        Column(name=str(measure), kind="score", help="with its interval"),
    )
    low, high = min(found, key=lambda one: one.mean), max(found, key=lambda one: one.mean)
    summary = f"All {found[0].queries:,} queries are in one slice, {found[0].name}."
    if len(found) > 1:
        ends = (f"{value_text(one.mean, 'score')} ({one.name}, {one.queries:,} queries)" for one in (low, high))
        summary = f"From {' to '.join(ends)}."
    return Figure(
        chart="slices",
        title=f"{measure} of {name} by {BY_NUMBER.get(by, by)}",
        summary=summary,
        data=Grid(
            name="slices",
            columns=columns,
            rows=tuple((Cell(s.name), Cell(s.queries), interval_cell(s.mean, s.interval)) for s in found),
        ),
        options={"measure": str(measure), "overall": scores[measure]},
    )

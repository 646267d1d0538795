"""What a measure says at every cut-off."""

from __future__ import annotations

from collections.abc import Mapping

from catchrate.evaluation.curve import Curve, DifferenceCurve
from catchrate.evaluation.intervals import USUAL, Resampling
from catchrate.evaluation.scores import Leaderboard
from catchrate.measures import Measure
from catchrate.reports.view import Cell, Column, Figure, Grid, View
from catchrate.statistics import Interval

CUTOFF = Column(name="cut-off", kind="rank", help="how many of the first slots count")


def curve_view(curve: Curve) -> View:
    """Return a measure at every cut-off."""
    return View(
        title=f"{curve.measure} by cut-off",
        blocks=(curve_figure({"run": curve}),),
        notes=curve.scores.notes,
        provenance=curve.scores.provenance,
    )


def difference_curve_view(difference: DifferenceCurve) -> View:
    """Return by how much one run is above another at every cut-off."""
    return View(title=f"Difference in {difference.measure} by cut-off", blocks=(difference_figure(difference),))


def curve_figure(
    curves: Mapping[str, Curve], *, k: int | None = None, target: float | None = None, how: Resampling = USUAL
) -> Figure:
    """Return the curves of one run or several with their bands; `k` and `target` are marked."""
    measure = next(iter(curves.values())).measure
    return Figure(
        chart="recall_curve",
        title=f"{measure} by cut-off",
        summary=" ".join(_summary(name if len(curves) > 1 else "", curve) for name, curve in curves.items()),
        data=curve_grid(curves, how),
        options={"measure": str(measure), "k": k, "target": target},
    )


def curve_grid(curves: Mapping[str, Curve], how: Resampling = USUAL) -> Grid:
    """Return one row a cut-off; with several runs one row a run and cut-off."""
    measure = next(iter(curves.values())).measure
    bands = Leaderboard(runs={name: curve.scores for name, curve in curves.items()}).intervals(how)
    labels = (Column(name="run", kind="id"),) if len(curves) > 1 else ()
    rows = (
        (*(Cell(name) for _ in labels), Cell(k), interval_cell(mean, band))
        for name, curve in curves.items()
        for k, mean, band in zip(curve.ks, curve.means, bands[name], strict=True)
    )
    return Grid(
        name=f"{measure.name}-curve".replace("_", "-"),
        columns=(*labels, CUTOFF, Column(name=str(measure), kind="score", help=_help(measure))),
        rows=tuple(rows),
        labels=len(labels) + 1,
    )


def difference_figure(difference: DifferenceCurve, how: Resampling = USUAL) -> Figure:
    """Return the difference of two runs with its band."""
    cells = zip(difference.ks, difference.means, difference.intervals(how), strict=True)
    grid = Grid(
        name="difference-curve",
        columns=(CUTOFF, Column(name="difference", kind="difference", help=f"of {difference.measure}, with interval")),
        rows=tuple((Cell(k), interval_cell(mean, band)) for k, mean, band in cells),
    )
    return Figure(
        chart="difference_band",
        title=f"Difference in {difference.measure} by cut-off",
        summary=_extremes(difference),
        data=grid,
    )


def interval_cell(value: float, interval: Interval) -> Cell:
    """Return a value with its interval, or with the reason why it has none."""
    return Cell(value, interval.low, interval.high, reason="" if interval.ends else f"No interval: {interval.reason}.")


def _summary(name: str, curve: Curve) -> str:
    first, last = (f"{curve[k]:.4f} at {k:,}" for k in (curve.ks[0], curve.ks[-1]))
    who = f"{curve.measure} of {name}" if name else str(curve.measure)
    return f"{who[:1].upper()}{who[1:]} goes from {first} to {last}."


def _extremes(difference: DifferenceCurve) -> str:
    pairs = list(zip(difference.means, difference.ks, strict=True))
    (low, low_k), (high, high_k) = min(pairs), max(pairs)
    return f"The difference lies between {low:+.4f} at {low_k:,} and {high:+.4f} at {high_k:,}."


def _help(measure: Measure) -> str:
    return f"{measure.row.meaning} With its 95% interval."

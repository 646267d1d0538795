"""How the runs do: leaderboard, curve, and what was noticed."""

from __future__ import annotations

from collections.abc import Iterator

from catchrate.evaluation.curve import Curve
from catchrate.evaluation.diagnosis import loss_account
from catchrate.evaluation.moved import depth_of
from catchrate.measures import Measure, parse
from catchrate.reports.charts.data import MAX_RUNS
from catchrate.reports.view import Block, View
from catchrate.reports.views.curves import curve_figure
from catchrate.reports.views.loss import advice, loss_figure
from catchrate.reports.views.scores import leaderboard_view
from catchrate.web.worker.pages.shown import Asked, Shown
from catchrate.web.worker.study import Study, cutoff_of


def overview(study: Study, asked: Asked) -> Shown:
    """Return the runs, best first by the measure that is asked for."""
    measure = study.measure(asked.chosen("measure"))
    view = overview_view(study, measure)
    return Shown(
        title="Overview",
        view=lambda: view,
        template="explorer/overview.html",
        values={"measure": measure, "view": view, "worst": asked.to("queries", measure=measure, run=study.runs[0])},
    )


def overview_view(study: Study, measure: Measure) -> View:
    """Return leaderboard and curve, with all notes."""
    board = leaderboard_view(study.board)
    blocks = (*board.blocks, *_curve(study, measure), *_losses(study, measure))
    return View(title=study.order.title, blocks=blocks, notes=board.notes, provenance=board.provenance)


def _curve(study: Study, measure: Measure) -> Iterator[Block]:
    """Yield the curve of the measure, or of recall where it has no cut-off."""
    drawn = measure if measure.row.at == "k" and depth_of(measure) else parse("recall")
    curves: dict[str, Curve] = {run: study.curve(run, drawn) for run in study.runs[:MAX_RUNS]}
    yield curve_figure(curves, k=depth_of(measure), how=study.bands)


def _losses(study: Study, measure: Measure) -> Iterator[Block]:
    """Yield where the relevant documents are, found or lost, at the cut-off of the measure."""
    k = cutoff_of(study, measure)
    runs = study.runs[:MAX_RUNS]
    accounts = {run: loss_account(study.board[run], k) for run in runs}
    yield loss_figure(accounts)
    yield from advice(accounts[runs[0]])

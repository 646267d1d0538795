"""Kinds of queries: which are really worse than the rest, and what they lose."""

from __future__ import annotations

from collections.abc import Sequence

from catchrate.evaluation.diagnosis import Slice, slice_kinds
from catchrate.measures import parse
from catchrate.reports.view import View
from catchrate.reports.views.queries import slice_blocks, slices_figure, worse_texts
from catchrate.web.worker.pages.query_list import BETWEEN
from catchrate.web.worker.pages.shown import Asked, Shown
from catchrate.web.worker.study import Study, cutoff_of


def slices(study: Study, asked: Asked) -> Shown:
    """Return recall of each kind of query, and where its documents are."""
    run, measure = study.run(asked.chosen("run")), study.measure(asked.chosen("measure"))
    k = cutoff_of(study, measure)
    kinds: Sequence[Slice] = study.once(("kinds", run, k), lambda: slice_kinds(study.board[run], None, k))
    overall = study.scores(run, parse(f"recall@{k}")).means[0]
    blocks = (*worse_texts(kinds), *slice_blocks(kinds, k, overall, full=True))
    return Shown(
        title="Slices",
        view=lambda: View(title=f"Slices of {run} at {k}", blocks=blocks, notes=study.board[run].notes),
        template="explorer/slices.html",
        values={
            "run": run,
            "measure": measure,
            "k": k,
            "blocks": blocks,
            "grid": slices_figure(kinds, k, overall).data if kinds else None,
            "addresses": [
                asked.to("queries", run=run, measure=measure, slice=f"{one.by}{BETWEEN}{one.name}") for one in kinds
            ],
        },
        table="slices",
    )

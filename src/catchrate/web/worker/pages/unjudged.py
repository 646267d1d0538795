"""What nobody judged among the first slots, what matters most first: a list to work through, and a sheet to fill in."""

from __future__ import annotations

from catchrate.evaluation.coverage import unjudged_slots
from catchrate.formats.labels import label_sheet
from catchrate.measures import parse
from catchrate.reports.view import View
from catchrate.reports.views.missed import worklist_grid
from catchrate.reports.views.unjudged import unjudged_grid
from catchrate.web.worker.pages.shown import Asked, Shown
from catchrate.web.worker.study import Study, cutoff_of


def unjudged(study: Study, asked: Asked) -> Shown:
    """Return the unjudged documents of all runs, and what they could do to the means."""
    measure = study.measure(asked.chosen("measure"))
    k = cutoff_of(study, measure)
    every = study.worklist(k)
    part = asked.part(every.height)
    some = every[part.rows]
    grade = max(study.rel, 1)
    could = study.once(("scenarios", grade), lambda: tuple(unjudged_grid(study.board, grade)))
    return Shown(
        title="Unjudged",
        view=lambda: View(title=f"To judge, at {k}", blocks=(worklist_grid(every), *could)),
        template="explorer/unjudged.html",
        values={
            "measure": measure,
            "k": k,
            "found": every.height,
            "part": part,
            "grid": worklist_grid(some) if some.height else None,
            "addresses": [asked.to("query", query=query, measure=measure) for query in some["query"]],
            "could": could,
            "shares": [(run, _share(study, run, k)) for run in study.runs],
        },
        sheet=lambda: label_sheet(every),
    )


def _share(study: Study, run: str, k: int) -> float:
    """Return how much of the first slots of a run nobody judged."""
    seen = unjudged_slots(study.board[run].aligned.arrays, (parse(f"recall@{k}"),))
    return seen.unjudged / seen.looked_at if seen.looked_at else 0.0

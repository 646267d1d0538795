"""What was missed: every relevant document below the cut-off or never returned, and what stands in its place."""

from __future__ import annotations

from collections.abc import Iterator

from catchrate.errors import UsageError, shown
from catchrate.evaluation.diagnosis import crowd, missed_often, nothing_found
from catchrate.evaluation.diagnosis.loss import FATES
from catchrate.reports.view import Block, View
from catchrate.reports.views.missed import crowd_blocks, missed_blocks, misses_grid
from catchrate.web.worker.pages.shown import Asked, Shown
from catchrate.web.worker.study import Study, cutoff_of

LOST = FATES[1:4]
"""What became of documents that were missed."""


def misses(study: Study, asked: Asked) -> Shown:
    """Return the misses of a run, a page of them at a time."""
    run, measure, fate = study.run(asked.chosen("run")), study.measure(asked.chosen("measure")), asked.text("fate")
    if fate and fate not in LOST:
        raise UsageError.of("E272", f"fate is {shown(fate)}", fix=f"it is one of {', '.join(LOST)}")
    k = cutoff_of(study, measure)
    every = study.misses(run, k)
    found = [one for one in every if fate in ("", one.fate)]
    part = asked.part(len(found))
    some = found[part.rows]
    return Shown(
        title="Misses",
        view=lambda: View(title=f"Misses of {run} at {k}", blocks=(misses_grid(found), *_more(study, run, k))),
        template="explorer/misses.html",
        values={
            "run": run,
            "measure": measure,
            "k": k,
            "fate": fate,
            "fates": LOST,
            "found": len(found),
            "all": len(every),
            "part": part,
            "grid": misses_grid(some, full=False) if some else None,
            "addresses": [asked.to("query", query=one.query, run=run, measure=measure) for one in some],
            "more": tuple(_more(study, run, k)),
        },
        table="misses",
    )


def _more(study: Study, run: str, k: int) -> Iterator[Block]:
    """Yield the queries without anything found, the documents missed often, and what crowds the first slots."""
    scores = study.board[run]
    empty = study.once(("nothing", run, k), lambda: nothing_found(scores, k))
    often = study.once(("often", run, k), lambda: missed_often(scores, k))
    yield from missed_blocks((), empty, often, full=True)
    yield from crowd_blocks(study.once(("crowd", run, k), lambda: crowd(scores, study.first(run, k), k)))

"""One number taken apart."""

from __future__ import annotations

from catchrate.reports.views.explanation import explanation_view
from catchrate.web.worker.pages.shown import Asked, Shown
from catchrate.web.worker.study import Study


def explain(study: Study, asked: Asked) -> Shown:
    """Return how the value of a query, or of the worst one, came about."""
    run, measure = study.run(asked.chosen("run")), study.measure(asked.chosen("measure"))
    found = study.explanation(run, measure, asked.chosen("query"))
    view = explanation_view(found, full=bool(asked.form))
    here = asked.to("query", query=found.query, run=run, measure=measure)
    values = {"found": found, "run": run, "measure": measure, "view": view, "query_page": here}
    return Shown(
        title=f"{found.measure} of {found.query}",
        view=lambda: view,
        template="explorer/explain.html",
        values=values,
        table="documents",
    )

"""Everything there is to say of the runs, as one file that people pass on."""

from __future__ import annotations

from catchrate.reports.report import report_view
from catchrate.reports.view import View
from catchrate.web.worker.pages.shown import Asked, Shown
from catchrate.web.worker.study import Study

FILES = {
    "html": ("HTML", "one file that needs nothing else: charts, tables that unfold, light and dark"),
    "pdf": ("PDF", "with page numbers and charts, for mail and print"),
    "tex": ("LaTeX", "the results as a table for a paper, with letters for significant differences"),
    "csv": ("CSV", "the results as a table, at full precision"),
    "json": ("JSON", "all tables at full precision, with notes and provenance"),
    "md": ("Markdown", "for a wiki or a pull request"),
}


def report(study: Study, asked: Asked) -> Shown:
    """Return the files that a report can be, and what it begins with."""
    marks = "letters" if asked.form == "tex" and len(study.board) > 1 else None

    def view() -> View:
        return study.once(("report", marks), lambda: report_view(study.board, title=study.order.title, marks=marks))

    return Shown(title="Report", view=view, template="explorer/report.html", values={"files": FILES}, table=None)

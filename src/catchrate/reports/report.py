"""Any result as a report: one view of all there is to say, in the form that a file's name asks for."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Literal, cast

from catchrate.errors import UsageError, shown
from catchrate.evaluation.comparison import Comparison
from catchrate.evaluation.scores import Leaderboard, Scores
from catchrate.reports.output import deliver
from catchrate.reports.records import tables_of
from catchrate.reports.render import SUFFIXES, Form, form_of, render
from catchrate.reports.view import View
from catchrate.reports.views import view_of
from catchrate.reports.views.runs import Runs, runs_view
from catchrate.reports.views.significance import Marks

DataForm = Literal["csv", "parquet"]


def report(
    result: object,
    path: str | os.PathLike[str],
    *,
    title: str = "",
    marks: Marks | None = None,
    one_page: bool = False,
    by: Iterable[str] = (),
    table: str | None = None,
    chart: str | None = None,
    data: DataForm | None = None,
) -> None:
    """Write a result as a file that others read: `.html`, `.pdf`, `.md`, `.txt`, `.json`, or a part of it.

    A report on runs (`Scores`, `Leaderboard`, `Comparison`) holds the verdict in words, means with intervals, curves,
    where relevant documents are lost, single queries and slices (`by`); other results are written as they show
    themselves. `marks` puts letters or stars of significance behind the means, and `one_page` keeps to the essence.

    `.tex`, `.csv`, `.tsv` and `.parquet` hold one table, the first or the `table` named; `.svg` and `.png` one `chart`.
    `data` writes all tables in full beside the report. The same result gives the same bytes, and no input is written
    over.

    Raises UsageError for a suffix, a part or marks that there are not, OutputError when a file cannot be written and
    MissingExtra when a library is not installed.

    >>> import catchrate, tempfile, pathlib
    >>> scores = catchrate.evaluate({"q1": {"a": 1, "b": 1}}, {"q1": ["a", "c", "b"]}, "recall@2")
    >>> file = pathlib.Path(tempfile.mkdtemp()) / "report.md"
    >>> catchrate.report(scores, file)
    >>> print(file.read_text().splitlines()[0])
    # What run finds
    """
    where = os.fspath(path)
    form = report_form(where)
    wanted = marks or ("letters" if form == "tex" and _can_be_marked(result) else None)
    view = report_view(result, title=title, marks=wanted, one_page=one_page, by=by)
    write_report(view, where, inputs=inputs_of(view.provenance), table=table, chart=chart, data=data)


def report_view(
    result: object, *, title: str = "", marks: Marks | None = None, one_page: bool = False, by: Iterable[str] = ()
) -> View:
    """Return all that a report says of a result."""
    if isinstance(result, Runs | Scores | Leaderboard | Comparison):
        runs = result if isinstance(result, Runs) else Runs.of(result, by=tuple(by))
        return runs_view(runs, title=title, marks=marks, brief=one_page)
    view = view_of(result)
    return replace(view, title=title or view.title, brief=one_page)


def write_report(
    view: View,
    path: str,
    *,
    inputs: Iterable[str] = (),
    table: str | None = None,
    chart: str | None = None,
    data: DataForm | None = None,
) -> list[str]:
    """Write a report, and its tables beside it where they are wanted; return the names of the files."""
    files: dict[str, str | bytes] = {path: render(view, report_form(path), table=table, chart=chart)}
    if data is not None:
        stem = Path(path).with_suffix("")
        names = tables_of(view)
        files |= {f"{stem}-{name}.{data}": render(view, data, table=name) for name in names}
    kept = list(inputs)
    for name, content in files.items():
        deliver(content, name, inputs=kept)
    return list(files)


def report_form(path: str) -> Form:
    """Return the form that the name of a file asks for. Raises UsageError where it asks for none."""
    form = form_of(path)
    if form is None:
        known = ", ".join(sorted(SUFFIXES))
        raise UsageError.of("E342", f"the name {shown(path)} says no form", fix=f"end it with one of {known}")
    return form


def inputs_of(provenance: Mapping[str, object]) -> Iterator[str]:
    """Yield the names of all inputs that a result came from: wherever a name stands beside a digest."""
    if "digest" in provenance and "name" in provenance:
        yield str(provenance["name"])
    for value in provenance.values():
        if isinstance(value, Mapping):
            yield from inputs_of(cast("Mapping[str, object]", value))


def _can_be_marked(result: object) -> bool:
    """Tell whether letters need no further choice."""
    return isinstance(result, Comparison) or (isinstance(result, Leaderboard) and len(result) > 1)

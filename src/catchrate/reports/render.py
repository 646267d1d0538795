"""Every form that a view can take, and which suffix of a file asks for it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import PurePath
from typing import Literal, get_args, overload

from catchrate.reports.view import View

TextForm = Literal["text", "json", "csv", "tsv", "md", "html", "tex", "svg"]
BinaryForm = Literal["pdf", "parquet", "png"]
Form = Literal[TextForm, BinaryForm]
SUFFIXES: dict[str, Form] = {
    ".txt": "text",
    ".markdown": "md",
    ".htm": "html",
    **{f".{form}": form for form in get_args(Form)},
}


def form_of(path: str) -> Form | None:
    """Return the form that the suffix of a file asks for, if it does; `.gz` and `.zst` behind it pack the file."""
    plain = PurePath(path)
    return SUFFIXES.get((plain.with_suffix("") if plain.suffix in (".gz", ".zst") else plain).suffix.lower())


@overload
def render(view: View, form: TextForm, *, table: str | None = None, chart: str | None = None) -> str: ...
@overload
def render(view: View, form: BinaryForm, *, table: str | None = None, chart: str | None = None) -> bytes: ...
@overload
def render(view: View, form: Form, *, table: str | None = None, chart: str | None = None) -> str | bytes: ...
def render(view: View, form: Form, *, table: str | None = None, chart: str | None = None) -> str | bytes:
    """Return a view in some form: text, or bytes where the form is no text.

    Some forms hold only a part of a view, the first unless another is named: CSV, TSV, Parquet and LaTeX a `table`, SVG
    and PNG a `chart`. Raises UsageError for a part that the view does not have, and MissingExtra where a library is not
    installed.
    """
    return _RENDERERS[form](view, chart if form in ("svg", "png") else table)


def _text(view: View, _part: str | None) -> str:
    from catchrate.reports.terminal import as_text, view_lines

    return as_text(view_lines(view))


def _json(view: View, _part: str | None) -> str:
    from catchrate.reports.json_report import view_json

    return view_json(view)


def _csv(view: View, part: str | None) -> str:
    from catchrate.reports.csv_report import grid_csv
    from catchrate.reports.records import table_of

    return grid_csv(table_of(view, part))


def _tsv(view: View, part: str | None) -> str:
    from catchrate.reports.csv_report import grid_csv
    from catchrate.reports.records import table_of

    return grid_csv(table_of(view, part), separator="\t")


def _markdown(view: View, _part: str | None) -> str:
    from catchrate.reports.markdown import view_markdown

    return view_markdown(view)


def _html(view: View, _part: str | None) -> str:
    from catchrate.reports.html import page_html

    return page_html(view)


def _latex(view: View, part: str | None) -> str:
    from catchrate.reports.latex import grid_latex
    from catchrate.reports.records import table_of

    return grid_latex(table_of(view, part))


def _svg(view: View, part: str | None) -> str:
    from catchrate.reports.charts import figure_of, svg_of

    return svg_of(figure_of(view, part))


def _png(view: View, part: str | None) -> bytes:
    from catchrate.reports.charts import figure_of, png_of

    return png_of(figure_of(view, part))


def _pdf(view: View, _part: str | None) -> bytes:
    from catchrate.reports.pdf import view_pdf

    return view_pdf(view)


def _parquet(view: View, part: str | None) -> bytes:
    from catchrate.reports.records import grid_parquet, table_of

    return grid_parquet(table_of(view, part))


_RENDERERS: dict[Form, Callable[[View, str | None], str | bytes]] = {
    "text": _text,
    "json": _json,
    "csv": _csv,
    "tsv": _tsv,
    "md": _markdown,
    "html": _html,
    "tex": _latex,
    "svg": _svg,
    "png": _png,
    "pdf": _pdf,
    "parquet": _parquet,
}

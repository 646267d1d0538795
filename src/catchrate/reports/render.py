"""Every form that a view can take, and which suffix of a file asks for it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import PurePath
from typing import Literal, get_args

from catchrate.reports.view import View

Form = Literal["text", "json", "csv", "tsv", "md", "html"]
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


def render(view: View, form: Form, *, table: str | None = None) -> str:
    """Return a view in some form. `table` chooses the table where the form holds only one: CSV and TSV.

    Raises UsageError for a table that the view does not have.
    """
    return _RENDERERS[form](view, table)


def _text(view: View, _table: str | None) -> str:
    from catchrate.reports.terminal import as_text, view_lines

    return as_text(view_lines(view))


def _json(view: View, _table: str | None) -> str:
    from catchrate.reports.json_report import view_json

    return view_json(view)


def _csv(view: View, table: str | None) -> str:
    from catchrate.reports.csv_report import grid_csv
    from catchrate.reports.records import table_of

    return grid_csv(table_of(view, table))


def _tsv(view: View, table: str | None) -> str:
    from catchrate.reports.csv_report import grid_csv
    from catchrate.reports.records import table_of

    return grid_csv(table_of(view, table), separator="\t")


def _markdown(view: View, _table: str | None) -> str:
    from catchrate.reports.markdown import view_markdown

    return view_markdown(view)


def _html(view: View, _table: str | None) -> str:
    from catchrate.reports.html import page_html

    return page_html(view)


_RENDERERS: dict[Form, Callable[[View, str | None], str]] = {
    "text": _text,
    "json": _json,
    "csv": _csv,
    "tsv": _tsv,
    "md": _markdown,
    "html": _html,
}

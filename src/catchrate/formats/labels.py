"""Label sheets: CSV that a person fills in, and that becomes judgments.

Every sheet begins with `query,doc,grade`, the grade empty; more columns help the person and are not read back. Rows
whose grade is still empty are left out when a sheet is read.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import replace

import polars as pl

from catchrate.errors import InputError
from catchrate.formats.cells import guarded
from catchrate.formats.delimited import read_delimited_labels
from catchrate.formats.names import DOC, GRADE, QUERY
from catchrate.formats.options import ReadOptions
from catchrate.formats.source import Source, open_source
from catchrate.formats.write import PathLike, store
from catchrate.tables import Judgments


def label_sheet(rows: pl.DataFrame) -> str:
    """Return a label sheet: `query` and `doc`, an empty `grade`, then whatever else the rows hold to help.

    No cell is one that a spreadsheet would run.
    """
    rest = [name for name in rows.columns if name not in (QUERY, DOC, GRADE)]
    sheet = rows.select(QUERY, DOC, pl.lit(None, pl.String).alias(GRADE), *rest)
    return sheet.with_columns(guarded(pl.col(pl.String))).write_csv(quote_style="necessary", null_value="")


def write_labels(rows: pl.DataFrame, where: PathLike, *, inputs: Iterable[str] = ()) -> None:
    """Write a label sheet to a file, whole or not at all. Raises OutputError where that cannot be done."""
    store(where, label_sheet(rows).encode("utf-8", "backslashreplace"), inputs=inputs)


def read_labels(where: PathLike | bytes | Source, options: ReadOptions | None = None) -> Judgments:
    """Return the judgments of a label sheet: its rows with a grade, whatever other columns it has.

    Raises InputError for what is no such sheet, and for one in which no grade is filled in.
    """
    source = where if isinstance(where, Source) else open_source(where)
    return replace(read_delimited_labels(source, options or ReadOptions()), content=source.digest())


def with_labels(judgments: Judgments, *sheets: Judgments, options: ReadOptions | None = None) -> Judgments:
    """Return judgments with the rows of label sheets added.

    Raises InputError for a document that was judged otherwise before, unless `options.duplicates` says which grade
    counts: `max` the higher one, `first` the one that was there.
    """
    options = options or ReadOptions()
    items = pl.concat([judgments.items, *(sheet.items for sheet in sheets)], how="diagonal")
    notes = tuple(note for table in (judgments, *sheets) for note in table.notes)
    try:
        merged = Judgments.of(items, judgments.queries, duplicates=options.duplicates, notes=notes)
    except InputError as error:
        if error.code != "E206":
            raise
        fix = "correct one of the two, or choose duplicates='first' (the old one stays) or 'max'"
        findings = [replace(one, fix=fix, file=os.fspath(sheets[-1].name)) for one in error.findings]
        raise InputError(findings, total=error.total) from error
    return replace(merged, name=judgments.name)

"""CSV and TSV with a header line.

A file without quotes goes through polars, which only detects; on any doubt, and for files with quotes, Python's csv
module reads the same text, accepts or explains, and knows the lines.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from io import StringIO
from typing import TypeVar

import polars as pl

from catchrate.errors import Finding, InputError, shown
from catchrate.formats.cells import guard_notes, numbers_from_text, unguarded
from catchrate.formats.long_table import (
    Columns,
    judgment_columns,
    judgments_from_long,
    ranking_columns,
    ranking_from_long,
)
from catchrate.formats.names import DOC, GRADE, QUERY, TEXT, find_column
from catchrate.formats.options import Format, ReadOptions
from catchrate.formats.source import Source
from catchrate.formats.text import line_at, text_of
from catchrate.limits import MAX_COLUMNS
from catchrate.tables import Judgments, Ranking
from catchrate.tables.checks import first_repeated

Table = TypeVar("Table", Judgments, Ranking)

MAX_CELL_CHARS = 131_072
"""Longest cell: what Python's csv module reads without being told otherwise. A longer one means an open quote."""
_QUOTED = re.compile(r'"[^"]*"')
_SEPARATOR_LINE = re.compile(r"sep=(.)\r?\n", re.IGNORECASE)
_SEPARATORS: dict[Format | None, str] = {"csv": ",;", "tsv": "\t", None: "\t,;"}


@dataclass(frozen=True, slots=True)
class Layout:
    """How a table is written: its separator and its header, and where header and rows begin."""

    separator: str
    header: list[str]
    header_at: int
    rows_at: int
    first_line: int
    """The line of the first row."""


def read_delimited_judgments(source: Source, options: ReadOptions) -> Judgments:
    """Return the judgments of a CSV or TSV file.

    Raises InputError for a missing header or column, ragged rows, open quotes, and cells that are no number.
    """
    return _read(source, options, judgment_columns, judgments_from_long)


def read_delimited_labels(source: Source, options: ReadOptions) -> Judgments:
    """Return the judgments of a sheet that people fill in: rows whose grade is still empty are left out, and counted.

    Raises InputError as for judgments, and when no grade is filled in.
    """
    return _read(source, options, judgment_columns, judgments_from_long, unfinished=True)


def read_delimited_ranking(source: Source, options: ReadOptions) -> Ranking:
    """Return the ranking of a CSV or TSV file; raises InputError as for judgments."""
    return _read(source, options, ranking_columns, ranking_from_long)


def _read(
    source: Source,
    options: ReadOptions,
    choose: Callable[[Sequence[str], ReadOptions, str], Columns],
    build: Callable[[pl.DataFrame, ReadOptions, str, tuple[Finding, ...]], Table],
    *,
    unfinished: bool = False,
) -> Table:
    text, notes = text_of(source, options.encoding)
    notes = (*notes, *_open_end(text, source.name))
    text = text.rstrip("\r\n") + "\n"
    _refuse_lone_returns(text, source.name)
    layout = layout_of(text, options, source.name)
    columns = choose(layout.header, options, source.name)
    frame = fast_rows(text, layout) if not unfinished else None
    if frame is not None:
        try:
            return build(
                _cells(frame, columns, source.name),
                options,
                source.name,
                (*notes, *_guards(frame, columns, source.name)),
            )
        except InputError:
            pass  # the careful reader finds the same, and the line it stands on
    frame, lines = careful_rows(text, layout, source.name)
    if unfinished:
        frame, lines, more = _finished(frame, lines, columns, source.name)
        notes = (*notes, *more)
    with _located(frame, lines, columns):
        return build(
            _cells(frame, columns, source.name), options, source.name, (*notes, *_guards(frame, columns, source.name))
        )


def _finished(
    frame: pl.DataFrame, lines: list[int], columns: Columns, name: str
) -> tuple[pl.DataFrame, list[int], tuple[Finding, ...]]:
    """Return the rows with a grade, their lines, and how many have none yet."""
    done = frame[columns[GRADE]].str.strip_chars() != ""
    if not done.any():
        fix = "write a grade into each row that was looked at, such as 1 for relevant and 0 for not"
        raise InputError.of("E101", "no grade is filled in", fix=fix, file=name)
    empty = frame.height - int(done.sum())
    message = f"{empty:,} of {frame.height:,} rows have no grade yet and were left out"
    notes = (Finding(code="N259", message=message, file=name, count=empty),) if empty else ()
    cells = frame.filter(done).with_columns(pl.col(columns[GRADE]).str.strip_chars())
    return cells, [line for line, kept in zip(lines, done, strict=True) if kept], notes


def _open_end(text: str, name: str) -> tuple[Finding, ...]:
    if text.endswith("\n"):
        return ()
    message = "the last line has no line end"
    fix = "check that the file is whole: a number that was cut cannot be told"
    return (Finding(code="W109", message=message, fix=fix, file=name, line=text.count("\n") + 1),)


def _cells(frame: pl.DataFrame, columns: Columns, name: str) -> pl.DataFrame:
    """Return the columns that matter under their own names: ids without guards, numbers parsed."""
    return pl.DataFrame(
        [
            unguarded(frame[column]) if role in (QUERY, DOC, TEXT) else numbers_from_text(frame[column], role, name)
            for role, column in columns.items()
        ]
    )


def _guards(frame: pl.DataFrame, columns: Columns, name: str) -> tuple[Finding, ...]:
    return guard_notes([frame[columns[QUERY]], frame[columns[DOC]]], name)


def separator_of(line: str, options: ReadOptions) -> str | None:
    """Return the separator with which a first line is a header that names the query and the document."""
    for separator in _SEPARATORS.get(options.format, "\t,;"):
        names = _fields(line, separator)
        chosen = {role: name for role, name in options.columns.items() if name in names}
        try:
            if all(find_column(names, role, chosen) is not None for role in (QUERY, DOC)):
                return separator
        except InputError:
            return separator
    return None


def _fields(line: str, separator: str) -> list[str]:
    try:
        return next(csv.reader([line], delimiter=separator, strict=True), [])
    except csv.Error:
        return []


def layout_of(text: str, options: ReadOptions, name: str) -> Layout:
    """Return how a table is written; refuse one without a header, or with one name twice."""
    declared = _SEPARATOR_LINE.match(text)
    start = declared.end() if declared else 0
    end = text.find("\n", start) + 1 or len(text)
    line = text[start:end].rstrip("\r\n")
    if declared and not _can_separate(declared[1]):
        message = f"the separator is {shown(declared[1])}"
        fix = "part the columns by one plain ASCII character, such as a comma or a tab"
        raise InputError.of("E117", message, fix=fix, file=name, line=1)
    separator = declared[1] if declared else separator_of(line, options)
    header = _fields(line, separator or max(_SEPARATORS.get(options.format, "\t,;"), key=line.count))
    first = 2 if declared else 1
    if separator is None and any(_is_number(cell) for cell in header):
        fix = "write a header as the first line, such as query,doc,grade or query,doc,score"
        message = f"the first line is data, not a header: {shown(line)}"
        raise InputError.of("E250", message, fix=fix, file=name, line=first)
    _refuse_odd_header(header, line, name, first)
    return Layout(
        separator or max(_SEPARATORS.get(options.format, "\t,;"), key=line.count), header, start, end, first + 1
    )


def _can_separate(separator: str) -> bool:
    return separator == "\t" or (separator.isascii() and separator.isprintable() and separator != '"')


def _is_number(cell: str) -> bool:
    try:
        return bool(float(cell) + 1)
    except ValueError:
        return False


def _refuse_odd_header(header: list[str], line: str, name: str, number: int) -> None:
    if not header:
        message = f"the header cannot be read: {shown(line)}"
        raise InputError.of("E253", message, fix="close its quotes", file=name, line=number)
    if len(header) > MAX_COLUMNS:
        fix = f"a table has at most {MAX_COLUMNS:,}"
        raise InputError.of("E257", f"{len(header):,} columns", fix=fix, file=name, line=number)
    twice = first_repeated(header)
    if twice is not None:
        message = f"two columns are called {shown(twice)}"
        raise InputError.of("E251", message, fix="rename or remove one", file=name, line=number)


def fast_rows(text: str, layout: Layout) -> pl.DataFrame | None:
    """Return all cells as text, or None on any doubt: quotes, ragged or blank rows, huge cells."""
    if '"' in text:
        return None
    body = text[layout.rows_at :]
    schema = dict.fromkeys(layout.header, pl.String)
    try:
        frame = pl.read_csv(
            text[layout.header_at :].encode(),  # from its header, since polars drops a byte order mark at the start
            separator=layout.separator,
            has_header=True,
            schema=schema,
            quote_char=None,
            empty_string_is_null=False,
        )
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException):
        return None
    whole = body.count(layout.separator) == frame.height * (len(schema) - 1) and body.count("\n") == frame.height
    longest = frame.select(pl.all().str.len_bytes().max().fill_null(0)).row(0)
    return frame if whole and max(longest) <= MAX_CELL_CHARS else None


def careful_rows(text: str, layout: Layout, name: str) -> tuple[pl.DataFrame, list[int]]:
    """Return all cells as text, and the line on which each row begins; refuse what no two readers agree on."""
    rows: list[list[str]] = []
    lines: list[int] = []
    for line, row in _numbered(text, layout, name):
        if len(row) != len(layout.header):
            message = f"{len(row)} columns, and the header has {len(layout.header)}"
            fix = "quote cells that hold the separator" if row else "remove the blank line"
            raise InputError.of("E252", message, fix=fix, file=name, line=line)
        rows.append(row)
        lines.append(line)
    columns = zip(*rows, strict=True) if rows else [()] * len(layout.header)
    cells = zip(layout.header, columns, strict=True)
    return pl.DataFrame([pl.Series(column, values, dtype=pl.String) for column, values in cells]), lines


def _numbered(text: str, layout: Layout, name: str) -> Iterator[tuple[int, list[str]]]:
    reader = csv.reader(StringIO(text[layout.rows_at :], newline=""), delimiter=layout.separator, strict=True)
    line = layout.first_line
    while True:
        try:
            row = next(reader, None)
        except csv.Error as error:
            raise _quoting_error(error, name, line) from error
        if row is None:
            return
        if max(map(len, row), default=0) > MAX_CELL_CHARS:
            raise _quoting_error(csv.Error("field larger than field limit"), name, line)
        yield line, row
        line = layout.first_line + reader.line_num


def _quoting_error(error: csv.Error, name: str, line: int) -> InputError:
    if "field limit" in str(error):
        message, fix = f"a cell of more than {MAX_CELL_CHARS:,} characters", "close its quote, or leave the column out"
        return InputError.of("E108", message, fix=fix, file=name, line=line)
    message = "a quote opens in this row and is not closed, or is closed within a cell"
    return InputError.of("E253", message, fix='double each quote within a quoted cell: ""', file=name, line=line)


def _refuse_lone_returns(text: str, name: str) -> None:
    if text.count("\r") == text.count("\r\n"):
        return
    bare = _QUOTED.sub("", text)
    if bare.count("\r") != bare.count("\r\n"):
        position = re.search(r"\r(?!\n)", text)
        line = line_at(text, position.start()) if position else None
        message = "a line ends with a lone CR"
        raise InputError.of("E103", message, fix="save the file with LF or CRLF line ends", file=name, line=line)


@contextmanager
def _located(frame: pl.DataFrame, lines: Sequence[int], columns: Columns) -> Iterator[None]:
    """Turn the rows in findings into lines."""
    try:
        yield
    except InputError as error:
        found = [replace(each, line=lines[each.line - 1]) if each.line else each for each in error.findings]
        if error.code == "E206":
            found[0] = _clash(found[0], frame.select(columns[role] for role in (QUERY, DOC, GRADE)), lines)
        raise InputError(found, total=error.total) from error


def _clash(finding: Finding, rows: pl.DataFrame, lines: Sequence[int]) -> Finding:
    """Name the lines of the first pair that was judged twice with different grades."""
    query, doc, grade = rows.columns
    first: dict[tuple[str, str], tuple[str, int]] = {}
    for row, (pair, value) in enumerate(zip(rows.select(query, doc).iter_rows(), rows[grade], strict=True)):
        earlier, line = first.setdefault(pair, (value, lines[row]))
        if earlier != value:
            return replace(finding, line=lines[row], message=f"{finding.message} (line {line} and here)")
    return finding

"""Long tables, one row a judgment or a returned document: what CSV, TSV, Parquet and data frames share."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from catchrate.errors import Finding, InputError, shown
from catchrate.formats.names import (
    DISTANCE,
    DOC,
    GRADE,
    NAMES,
    QUERY,
    RANK,
    SCORE,
    TEXT,
    Role,
    find_column,
    missing_column,
    plain,
    refuse_unknown_roles,
)
from catchrate.formats.options import ReadOptions
from catchrate.formats.score_notes import score_notes
from catchrate.limits import MAX_COLUMNS
from catchrate.tables import Judgments, Ranking
from catchrate.tables.checks import first_true

Columns = dict[Role, str]
"""The column of each role that a table plays."""


def judgment_columns(columns: Sequence[str], options: ReadOptions, file: str) -> Columns:
    """Return the columns of the query, the document and the grade; `score` is a grade in BEIR files."""
    found = _keys(columns, options, file)
    grade = find_column(columns, GRADE, options.columns, file=file)
    if grade is None and (options.columns.get(RANK) in columns or find_column(columns, RANK, file=file)):
        fix = "pass the judgments here, and the ranking where a ranking is asked for"
        raise missing_column("this looks like a ranking: a rank and no grade", columns, file, fix=fix)
    grade = grade or find_column(columns, SCORE, options.columns, file=file)
    if grade is None:
        raise missing_column("no column for the grade", columns, file, near=NAMES[GRADE])
    return {**found, GRADE: grade}


def ranking_columns(columns: Sequence[str], options: ReadOptions, file: str) -> Columns:
    """Return the columns of the query, the document and the score, or the rank when there is no score."""
    found = _keys(columns, options, file)
    for role in (SCORE, RANK):
        column = find_column(columns, role, options.columns, file=file)
        if column is not None:
            return {**found, role: column}
    distance = find_column(columns, DISTANCE, file=file)
    if distance is not None:
        fix = f"if smaller is better, read it with columns={{'score': {distance!r}}} and ascending=True"
        raise missing_column("a distance and no score", columns, file, fix=fix)
    raise missing_column("no column for the score or the rank", columns, file, near=NAMES[SCORE])


def _keys(columns: Sequence[str], options: ReadOptions, file: str) -> Columns:
    refuse_unknown_roles(options.columns)
    if len(columns) > MAX_COLUMNS:
        fix = f"a table has at most {MAX_COLUMNS:,}"
        raise InputError.of("E257", f"{len(columns):,} columns", fix=fix, file=file)
    found: Columns = {}
    keys: tuple[tuple[Role, str], ...] = ((QUERY, "query"), (DOC, "document"))
    for role, what in keys:
        column = find_column(columns, role, options.columns, file=file)
        if column is None:
            raise missing_column(f"no column for the {what}", columns, file, near=NAMES[role])
        found[role] = column
    text = find_column(columns, TEXT, options.columns, file=file) if options.texts else None
    return {**found, TEXT: text} if text else found


def judgments_from_long(
    frame: pl.DataFrame, options: ReadOptions, name: str = "", notes: tuple[Finding, ...] = ()
) -> Judgments:
    """Return the judgments of a table with one row each."""
    columns = judgment_columns(frame.columns, options, name)
    rows = typed(frame, columns, name)
    if plain(columns[GRADE]) == SCORE and columns[GRADE] != options.columns.get(GRADE):
        _refuse_fractions(rows[GRADE], name)
    return Judgments.of(rows, duplicates=options.duplicates, notes=notes, name=name)


def _refuse_fractions(grades: pl.Series, name: str) -> None:
    row = first_true(grades != grades.round(0))
    if row is not None:
        message = f"the score {grades[row]!r} stands where a grade is expected: this may be a ranking"
        fix = "pass the judgments here, or accept it with columns={'grade': 'score'}"
        raise InputError.of("E250", message, fix=fix, file=name, line=row + 1)


def ranking_from_long(
    frame: pl.DataFrame, options: ReadOptions, name: str = "", notes: tuple[Finding, ...] = ()
) -> Ranking:
    """Return the ranking of a table with one row a document; a rank orders the rows when there is no score."""
    columns = ranking_columns(frame.columns, options, name)
    rows = typed(frame, columns, name)
    if RANK in columns:
        rows = _by_rank(rows, name)
    elif options.ascending:
        rows = rows.with_columns(-pl.col(SCORE))
    return Ranking.of(rows, notes=(*notes, *score_notes(rows, name, ordered=RANK in columns)), name=name)


def _by_rank(rows: pl.DataFrame, name: str) -> pl.DataFrame:
    refuse_odd_ranks(rows[RANK], name)
    refuse_repeated_ranks(rows, name)
    return rows.sort(RANK, maintain_order=True).drop(RANK)


def refuse_odd_ranks(ranks: pl.Series, name: str) -> None:
    """Refuse ranks that are no whole numbers from 1 upwards."""
    wrong = (ranks != ranks.round(0)) | (ranks < 1) | ranks.is_null() | ranks.is_nan() | ranks.is_infinite()
    row = first_true(wrong.fill_null(True))
    if row is not None:
        message = f"a rank is {ranks[row]!r}"
        raise InputError.of("E224", message, fix="ranks are 1, 2, 3, ...", file=name, line=row + 1)


def refuse_repeated_ranks(rows: pl.DataFrame, name: str) -> None:
    """Refuse two documents of a query on one rank."""
    row = first_true(rows.select(~pl.struct(QUERY, RANK).is_first_distinct()).to_series())
    if row is not None:
        message = f"query {shown(rows[QUERY][row])} has the rank {rows[RANK][row]:g} twice"
        raise InputError.of("E224", message, fix="number the rows of a query 1, 2, 3, ...", file=name, line=row + 1)


def typed(frame: pl.DataFrame, columns: Columns, name: str) -> pl.DataFrame:
    """Return the columns by role, ids as text and numbers as floats."""
    return pl.DataFrame([_column(frame[column], role, name) for role, column in columns.items()])


def _column(series: pl.Series, role: Role, name: str) -> pl.Series:
    kind, is_id = series.dtype, role in (QUERY, DOC, TEXT)
    if not (_holds_ids(kind) if is_id else _holds_numbers(kind, role)):
        allowed = "text or a whole number" if is_id else "a number"
        fix = f"cast it to {'text' if is_id else 'numbers'}"
        message = f"the column {shown(series.name)} of the {role} is {kind}, not {allowed}"
        raise InputError.of("E254", message, fix=fix, file=name)
    return series.cast(pl.String if is_id else pl.Float64).alias(role)


def _holds_ids(kind: pl.DataType) -> bool:
    return kind.is_integer() or kind in (pl.String, pl.Categorical, pl.Enum, pl.Null)


def _holds_numbers(kind: pl.DataType, role: Role) -> bool:
    return kind.is_numeric() or kind == pl.Null or (kind == pl.Boolean and role == GRADE)

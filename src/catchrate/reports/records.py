"""The tables of a view as plain columns at full precision: what CSV, Parquet and JSON hold."""

from __future__ import annotations

import io
from collections.abc import Iterable

import polars as pl

from catchrate.errors import UsageError, shown
from catchrate.reports.values import LEFT
from catchrate.reports.view import Cell, Column, Figure, Grid, View


def tables_of(view: View) -> dict[str, Grid]:
    """Return the tables of a view by name, those behind its charts too; the first is the main one."""
    grids = [block.data if isinstance(block, Figure) else block for block in view.blocks]
    return {grid.name: grid for grid in grids if isinstance(grid, Grid)}


def table_of(view: View, name: str | None = None) -> Grid:
    """Return a table of a view by its name, or the main one.

    Raises UsageError when there is no such table.
    """
    tables = tables_of(view)
    if name is None and tables:
        return next(iter(tables.values()))
    if name not in tables:
        found = f"the report has no table {shown(name)}" if name else "the report has no table"
        fix = f"choose one of {', '.join(tables)}" if tables else "choose another form"
        raise UsageError.of("E340", found, fix=fix)
    return tables[name]


def columns_of(grid: Grid) -> dict[str, list[str | float | None]]:
    """Return the values of each column; what else its cells hold follows in columns of their own."""
    columns: dict[str, list[str | float | None]] = {}
    for i, column in enumerate(grid.columns):
        cells = [row[i] for row in grid.rows]
        name = _unused(column.name, columns)
        columns[name] = _values(column, cells)
        if any(cell.low is not None for cell in cells):
            columns[_unused(f"{name}_low", columns)] = [cell.low for cell in cells]
            columns[_unused(f"{name}_high", columns)] = [cell.high for cell in cells]
        if any(cell.raised for cell in cells):
            columns[_unused(f"{name}_marks", columns)] = [cell.raised or None for cell in cells]
        if any(cell.reason for cell in cells):
            columns[_unused(f"{name}_reason", columns)] = [cell.reason or None for cell in cells]
    return columns


def frame_of(grid: Grid) -> pl.DataFrame:
    """Return a table as a data frame."""
    return pl.DataFrame([_series(name, values) for name, values in columns_of(grid).items()])


def grid_parquet(grid: Grid) -> bytes:
    """Return a table as a Parquet file."""
    file = io.BytesIO()
    frame_of(grid).write_parquet(file)
    return file.getvalue()


def _values(column: Column, cells: list[Cell]) -> list[str | float | None]:
    values = [cell.value for cell in cells]
    if column.kind in LEFT or any(isinstance(value, str) for value in values):
        return [None if value is None else str(value) for value in values]
    return list(values)


def _series(name: str, values: list[str | float | None]) -> pl.Series:
    if any(isinstance(value, str) for value in values):
        return pl.Series(_storable(name), [None if value is None else _storable(str(value)) for value in values])
    whole = all(isinstance(value, int) for value in values if value is not None)
    return pl.Series(_storable(name), values, dtype=pl.Int64 if whole else pl.Float64)


def _storable(text: str) -> str:
    """Return text without the lone surrogates that no file may hold."""
    return text.encode("utf-8", "backslashreplace").decode()


def _unused(name: str, taken: Iterable[str]) -> str:
    """Return a name that no other column has."""
    taken, place, wanted = set(taken), 1, name
    while name in taken:
        place += 1
        name = f"{wanted}_{place}"
    return name

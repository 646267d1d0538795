"""A table as CSV or TSV at full precision, with no text that a spreadsheet would run."""

from __future__ import annotations

import polars as pl

from catchrate.formats.cells import guarded
from catchrate.reports.records import frame_of
from catchrate.reports.view import Grid


def grid_csv(grid: Grid, *, separator: str = ",") -> str:
    """Return a header and a line for each row."""
    frame = frame_of(grid)
    frame.columns = pl.DataFrame({"name": frame.columns}).select(guarded(pl.col("name"))).to_series().to_list()
    return frame.with_columns(guarded(pl.col(pl.String))).write_csv(separator=separator)

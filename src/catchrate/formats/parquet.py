"""Parquet files, long or with list columns."""

from __future__ import annotations

from io import BytesIO

import polars as pl

from catchrate.errors import InputError, shown
from catchrate.formats.source import Source
from catchrate.limits import MAX_COLUMNS

MAGIC = b"PAR1"


def read_parquet(source: Source) -> pl.DataFrame:
    """Return the table of a Parquet file.

    Raises InputError for a file that is cut, corrupt, or has an absurd number of columns.
    """
    data = source.read()
    if not (data.startswith(MAGIC) and data.endswith(MAGIC) and len(data) >= 12):
        message = "the file does not begin and end as Parquet does"
        raise InputError.of("E256", message, fix="copy or write it again", file=source.name)
    try:
        _refuse_wide(data, source.name)
        return pl.read_parquet(BytesIO(data))
    except InputError:
        raise
    except (Exception, pl.exceptions.PanicException) as error:
        message = f"the file is cut or corrupt: {shown(error)}"
        raise InputError.of("E256", message, fix="copy or write it again", file=source.name) from error


def _refuse_wide(data: bytes, name: str) -> None:
    width = len(pl.read_parquet_schema(BytesIO(data)))
    if width > MAX_COLUMNS:
        fix = f"a table has at most {MAX_COLUMNS:,}"
        raise InputError.of("E257", f"{width:,} columns", fix=fix, file=name)

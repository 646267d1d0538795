"""Parquet files and folders of them, long or with list columns; only what is asked for is read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cached_property
from io import BytesIO

import polars as pl

from catchrate.errors import InputError, shown
from catchrate.formats.folder import ParquetFolder, partition_keys
from catchrate.formats.source import Source
from catchrate.limits import BLOCK_ROWS, MAX_COLUMNS

MAGIC = b"PAR1"
SAVED_SCORES = "catchrate_scores"
"""The entry of the metadata of saved scores that holds everything which is no row."""


class ParquetTable:
    """The table in one Parquet file, or in all files of a folder."""

    def __init__(self, source: Source) -> None:
        self.name = source.name
        self._source = source

    @cached_property
    def schema(self) -> pl.Schema:
        """Each column with its type.

        Raises InputError for a file that is cut or corrupt, and for an absurd number of columns.
        """
        with self._explained():
            schema = self._rows.collect_schema()
        if len(schema) > MAX_COLUMNS:
            fix = f"a table has at most {MAX_COLUMNS:,}"
            raise InputError.of("E257", f"{len(schema):,} columns", fix=fix, file=self.name)
        return schema

    @cached_property
    def metadata(self) -> dict[str, str]:
        """What the file says beside its rows; nothing for a folder."""
        if isinstance(self._source, ParquetFolder):
            return {}
        with self._explained():
            return pl.read_parquet_metadata(self._source.path or BytesIO(self._source.read()))

    def frame(self, columns: Iterable[str] | None = None) -> pl.DataFrame:
        """Return the table, or some columns of it."""
        with self._explained():
            frame = self._rows.select(list(columns or self.schema)).collect()
        self._source.refuse_changed()
        return frame

    def batches(self, columns: Iterable[str]) -> Iterator[pl.DataFrame]:
        """Yield the rows of some columns, row group after row group."""
        batches = self._rows.select(list(columns)).collect_batches(chunk_size=BLOCK_ROWS, maintain_order=True)
        while True:
            with self._explained():
                batch = next(batches, None)
            if batch is None:
                break
            yield batch
        self._source.refuse_changed()

    @cached_property
    def _rows(self) -> pl.LazyFrame:
        if isinstance(self._source, ParquetFolder):
            keys = dict.fromkeys(partition_keys(self._source.files), pl.String)
            return pl.scan_parquet(
                list(self._source.files),
                glob=False,
                hive_partitioning=bool(keys),
                hive_schema=keys or None,
                extra_columns="ignore",
            )
        where = self._source.path or BytesIO(self._source.read())
        return pl.scan_parquet(where, glob=False, hive_partitioning=False)

    @contextmanager
    def _explained(self) -> Iterator[None]:
        """Turn what polars says into our errors."""
        try:
            yield
        except InputError:
            raise
        except pl.exceptions.SchemaError as error:
            message = f"the files of the folder have different columns: {shown(error)}"
            raise InputError.of("E254", message, fix="write them with the same schema", file=self.name) from error
        except (Exception, pl.exceptions.PanicException) as error:
            message = f"the file is cut or corrupt: {shown(error)}"
            raise InputError.of("E256", message, fix="copy or write it again", file=self.name) from error

"""A long Parquet table as a run, read batch by batch."""

from __future__ import annotations

from catchrate.errors import Finding
from catchrate.formats.long_run import LongRun
from catchrate.formats.long_table import ranking_columns
from catchrate.formats.options import ReadOptions
from catchrate.formats.parquet import ParquetTable
from catchrate.formats.source import Source


class ParquetRun(LongRun):
    """The rows of a Parquet file, or of a folder of them."""

    def __init__(self, source: Source, table: ParquetTable, options: ReadOptions) -> None:
        columns = ranking_columns(list(table.schema), options, table.name)
        super().__init__(lambda: table.batches(columns.values()), columns, name=table.name, ascending=options.ascending)
        self._source = source

    def notes(self) -> tuple[Finding, ...]:
        """Return what was noticed while reading; known once the blocks are read."""
        return (*self._source.notes(), *super().notes())

    def digest(self) -> str:
        """Return the digest of the unpacked bytes."""
        return self._source.digest()

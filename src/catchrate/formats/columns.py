"""What the columns or fields of an input are called, without reading the rest of it."""

from __future__ import annotations

from catchrate.errors import CatchrateError
from catchrate.formats.delimited import layout_of
from catchrate.formats.options import ReadOptions
from catchrate.formats.parquet import ParquetTable
from catchrate.formats.records import parse_records
from catchrate.formats.sniff import format_of
from catchrate.formats.source import Source


def column_names(source: Source, options: ReadOptions) -> tuple[str, ...]:
    """Return the names of the columns of a table, or of the fields of the first record; none for other inputs."""
    kind = format_of(source, options)
    if kind == "parquet":
        return tuple(ParquetTable(source).schema)
    if kind not in ("csv", "tsv", "json", "jsonl"):
        return ()
    head = source.head().decode(options.encoding, "replace").removeprefix("\ufeff")
    try:
        if kind in ("csv", "tsv"):
            return tuple(layout_of(head, options, source.name).header)
        return tuple(next(parse_records(head, source.name), (0, {}))[1])
    except CatchrateError:  # reading says what is wrong, and where
        return ()

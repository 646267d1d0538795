"""TREC lines as the text that they hold, with their numbers: what a second look needs and reading throws away."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import polars as pl

from catchrate.formats import ReadOptions, Source
from catchrate.formats.lines import line_blocks
from catchrate.tables.rows import query_starts

RUN = ("query", "iteration", "doc", "rank", "score", "tag")
JUDGMENTS = ("query", "iteration", "doc", "grade")
_COLUMN = r"[ \t]*([^ \t\r]+)"


def trec_rows(source: Source, options: ReadOptions, columns: tuple[str, ...]) -> Iterator[pl.DataFrame]:
    """Yield `line` and the columns as text; lines with too few columns are left out."""
    pattern = "^" + r"[ \t]".join(_COLUMN for _ in columns)
    above = 0
    for block in line_blocks(source, options.encoding):
        texts = block.decode("utf-8", "replace").removesuffix("\n").split("\n")
        rows = pl.DataFrame({"text": texts}).with_row_index("line", above + 1)
        above += len(texts)
        groups = pl.col("text").str.extract_groups(pattern).struct.rename_fields(list(columns)).alias("row")
        rows = rows.select("line", groups).unnest("row").drop_nulls()
        yield rows.filter(~pl.col("query").str.starts_with("#")) if options.comments else rows


def whole_queries(blocks: Iterable[pl.DataFrame]) -> Iterator[pl.DataFrame]:
    """Yield the rows so that no query is split between two blocks."""
    held: pl.DataFrame | None = None
    for block in blocks:
        block = block if held is None else pl.concat([held, block])
        if block.is_empty():
            continue
        last = int(query_starts(block["query"])[-1])
        held = block[last:]
        if last:
            yield block[:last]
    if held is not None:
        yield held

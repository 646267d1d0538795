"""The first documents of every query of a ranking, whatever it is read from; only these are kept."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from catchrate.tables import InterleavedError, RankingSource

_NUMBER = "number"


def top_documents(source: RankingSource, depth: int) -> pl.DataFrame:
    """Return the first documents of each query: `query, doc, slot` and perhaps `text`, best first.

    The order is that of every evaluation: scores falling, equal ones by document id falling; lists as they are. A
    document that comes back is left out where it comes back.
    """
    try:
        parts = list(_parts(source, depth, gather=False))
    except InterleavedError:
        parts = list(_parts(source, depth, gather=True))
    kinds = {"query": pl.String, "doc": pl.String, "slot": pl.Int64}
    return pl.concat([pl.DataFrame(schema=kinds), *parts], how="diagonal")


def _parts(source: RankingSource, depth: int, *, gather: bool) -> Iterator[pl.DataFrame]:
    for block in source.blocks(gather=gather):
        rows = block if source.ordered else _by_score(block, depth)
        slots = rows.with_columns((pl.int_range(pl.len(), dtype=pl.Int64).over("query") + 1).alias("slot"))
        kept = slots.filter(pl.col("slot") <= depth).unique(["query", "doc"], keep="first", maintain_order=True)
        yield kept.select("query", "doc", "slot", *(["text"] if "text" in kept.columns else []))


def _by_score(block: pl.DataFrame, depth: int) -> pl.DataFrame:
    """Return the rows that may be among the first, in order; only these few are sorted."""
    number = (pl.col("query") != pl.col("query").shift()).fill_null(True).cum_sum().alias(_NUMBER)
    rows = block.with_columns(number)
    best = pl.col("score").rank("min", descending=True).over(_NUMBER) <= depth
    return rows.filter(best).sort(_NUMBER, "score", "doc", descending=[False, True, True]).drop(_NUMBER)

"""The documents of one query as they were ranked: a second look at a run, which the join does not keep."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from catchrate.alignment import Policy
from catchrate.alignment.duplicates import without_repeats
from catchrate.evaluation.kept import KeptRanking
from catchrate.tables import InterleavedError, RankingSource
from catchrate.tables.mapped import MappedRanking


def documents_of(source: RankingSource, query: str, policy: Policy) -> list[str]:
    """Return what a run returned for a query, best first, under the tie rule and the duplicate rule of a policy.

    The run is read once more, block by block. What `max_rank` and `judged_only` leave out is still there.
    """
    return ranked_rows(source, query, policy)["doc"].to_list()


def ranked_rows(source: RankingSource, query: str, policy: Policy) -> pl.DataFrame:
    """Return what `documents_of` returns as rows: `doc`, and `score` and `text` where they are known."""
    rows = _rows_of(source, query)
    if rows.is_empty():
        return pl.DataFrame({"doc": pl.Series([], dtype=pl.String)})
    if not source.ordered:
        score = pl.col("score").cast(pl.Float32 if policy.dialect == "trec_eval-9" else pl.Float64)
        rows = rows.with_columns(score).sort("score", "doc", descending=True)
    if policy.duplicates == "collapse":
        rows = without_repeats(rows, by_score=False)
    return rows


def _rows_of(source: RankingSource, query: str) -> pl.DataFrame:
    if isinstance(source, MappedRanking):
        scores = source.queries.get(query, {})
        docs, values = list(scores), [float(score) for score in scores.values()]
        return pl.DataFrame({"query": [query] * len(docs), "doc": docs, "score": values})
    if isinstance(source, KeptRanking):
        return source.rows_of(query).with_columns(query=pl.lit(query))
    try:
        return _kept(source.blocks(), query)
    except InterleavedError:
        return _kept(source.blocks(gather=True), query)


def _kept(blocks: Iterator[pl.DataFrame], query: str) -> pl.DataFrame:
    """Return the rows of a query; only the last block says that no query comes back."""
    rows = [block.filter(pl.col("query") == query) for block in blocks]
    return pl.concat(rows) if rows else pl.DataFrame()

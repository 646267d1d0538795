"""The first k documents of every query that counts, with their grades: a second look at a run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

import numpy as np
import polars as pl

from catchrate.evaluation.scores import Scores
from catchrate.evaluation.top import top_documents
from catchrate.tables import RankingSource

NUMBER = "number"
"""The place of a query among those that count."""
WHOLE = 1_000_000_000
"""More slots than any list has."""


def first_documents(scores: Scores, ranking: RankingSource, k: int) -> pl.DataFrame:
    """Return what the first k slots of every query hold: `number, query, doc, slot, grade` and perhaps `text`.

    `grade` is null where nobody judged a document; of several texts in one slot it is the best. Slots are those that
    the scores saw: what their policy leaves out is left out here.
    """
    policies = cast("Mapping[str, object]", scores.provenance["policies"])
    most = cast("int", policies.get("max_rank") or WHOLE)
    collapses, judged_only = policies.get("duplicates") == "collapse", bool(policies.get("judged_only"))
    depth = WHOLE if collapses or judged_only else min(k, most)
    numbers = scores.aligned.queries.select("query").with_row_index(NUMBER).with_columns(pl.col(NUMBER).cast(pl.Int64))
    rows = top_documents(ranking, depth).join(numbers, on="query", how="inner", maintain_order="left")
    rows = _numbered(rows) if collapses else rows
    rows = _graded(rows.filter(pl.col("slot") <= most), scores)
    if judged_only:
        rows = _numbered(rows.filter(pl.col("grade").is_not_null()))
    return rows.filter(pl.col("slot") <= k)


def _numbered(rows: pl.DataFrame) -> pl.DataFrame:
    """Close the gaps between the slots of each query."""
    return rows.with_columns((pl.int_range(pl.len(), dtype=pl.Int64).over(NUMBER) + 1).alias("slot"))


def _graded(rows: pl.DataFrame, scores: Scores) -> pl.DataFrame:
    """Add the grade of each document: by its id, or by its slot where texts were matched."""
    arrays, keys = scores.aligned.arrays, [NUMBER, "doc"]
    if scores.aligned.match is None:
        known = scores.aligned.items.select(pl.Series(NUMBER, arrays.items.query), "doc", "grade")
    else:
        keys = [NUMBER, "slot"]
        hits = arrays.hits
        known = pl.DataFrame({NUMBER: hits.query, "slot": hits.slot, "grade": hits.grade})
        known = known.group_by(keys).agg(pl.col("grade").max())
    known = known.filter(pl.col("grade") >= 0)
    return rows.join(known, on=keys, how="left", maintain_order="left")


def returned_within(scores: Scores, k: int) -> int:
    """Count the slots of all queries among their first k."""
    return int(np.minimum(scores.aligned.arrays.returned, k).sum())

"""What to judge next: the unjudged documents whose judgment would narrow recall most, pooled over runs."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl

from catchrate.errors import UsageError
from catchrate.evaluation.diagnosis.first import NUMBER
from catchrate.evaluation.scores import Scores

BANDS = (1, 2, 3, 5, 10, 20, 50, 100, 1_000_000_000)
"""Ranks up to here are alike: how often a judged document there is relevant says what an unjudged one may be."""
COLUMNS = ("query", "doc", "grade", "query_text", "text", "runs", "best_rank", "chance", "moves")


def worklist(runs: Sequence[tuple[Scores, pl.DataFrame]], k: int = 10, most: int | None = None) -> pl.DataFrame:
    """Return the unjudged documents among the first k of any run, the one that would narrow recall most first.

    Each run comes with what its first k slots hold, from `first_documents`; all are over the same judgments. `moves` is
    how far a judgment is expected to move the recall of the query: were the document relevant, a run that returned it
    gains, and one that did not loses; this is summed over the runs. `chance` is how often judged documents at such
    ranks are relevant. A sure answer moves nothing, so that moves are weighed with sqrt(chance x (1 - chance)).

    Raises UsageError for runs over different queries.
    """
    names = runs[0][0].aligned.queries["query"]
    if not all(scores.aligned.queries["query"].equals(names) for scores, _ in runs):
        fix = "use queries='judged', so that each judged query counts in all"
        raise UsageError.of("E331", "the runs are over different queries", fix=fix)
    rows = pl.concat([_of_run(scores, first, k) for scores, first in runs])
    pooled = rows.group_by(NUMBER, "query", "doc", maintain_order=True).agg(
        pl.col("text").drop_nulls().first(),
        runs=pl.len(),
        best_rank=pl.col("slot").min(),
        chance=pl.col("chance").max(),
        gains=pl.col("gain").sum(),
        losses=pl.col("loss").sum(),
    )
    scores = runs[0][0]
    all_losses = sum(_loss(one, k)[pooled[NUMBER].to_numpy()] for one, _ in runs)
    spread = (pl.col("chance") * (1 - pl.col("chance"))).sqrt()
    pooled = pooled.with_columns(pl.Series("all_losses", np.asarray(all_losses, np.float64)))
    moves = spread * (pl.col("gains") + pl.col("all_losses") - pl.col("losses"))
    pooled = pooled.with_columns(moves=moves, grade=pl.lit(None, pl.Float64), query_text=_asked(scores, pooled))
    ordered = pooled.sort("moves", "runs", "best_rank", NUMBER, "doc", descending=[True, True, False, False, False])
    return ordered.select(COLUMNS).head(ordered.height if most is None else most)


def _of_run(scores: Scores, first: pl.DataFrame, k: int) -> pl.DataFrame:
    """Return the unjudged documents of a run, with what recall would gain were they relevant."""
    text = pl.col("text") if "text" in first.columns else pl.lit(None, pl.String).alias("text")
    rows = first.filter(pl.col("grade").is_null()).select(NUMBER, "query", "doc", "slot", text)
    number = rows[NUMBER].to_numpy()
    relevant = scores.aligned.arrays.relevant(scores.rel)
    found = _found(scores, k)
    now = found / np.maximum(relevant, 1)
    gain = (found + 1) / (relevant + 1) - now
    return rows.with_columns(
        pl.Series("gain", gain[number]),
        pl.Series("loss", _loss(scores, k)[number]),
        pl.Series("chance", _chance(scores, first)[_band(rows["slot"].to_numpy())]),
    )


def _found(scores: Scores, k: int) -> np.ndarray:
    items = scores.aligned.arrays.items
    return scores.aligned.arrays.count((items.grade >= scores.rel) & items.found_within(k))


def _loss(scores: Scores, k: int) -> np.ndarray:
    """Return what the recall of each query loses when one more relevant document turns up that the run missed."""
    relevant, found = scores.aligned.arrays.relevant(scores.rel), _found(scores, k)
    return found / np.maximum(relevant, 1) - found / (relevant + 1)


def _chance(scores: Scores, first: pl.DataFrame) -> np.ndarray:
    """Return how often a judged document of each band of ranks is relevant; one of each is added, against extremes."""
    judged = first.filter(pl.col("grade").is_not_null())
    band = _band(judged["slot"].to_numpy())
    relevant = (judged["grade"] >= scores.rel).to_numpy()
    yes = np.bincount(band, weights=relevant, minlength=len(BANDS))
    return (yes + 1) / (np.bincount(band, minlength=len(BANDS)) + 2)


def _band(slot: np.ndarray) -> np.ndarray:
    return np.searchsorted(BANDS, slot)


def _asked(scores: Scores, rows: pl.DataFrame) -> pl.Series:
    queries = scores.aligned.queries
    if "text" not in queries.columns:
        return pl.Series([None] * rows.height, dtype=pl.String)
    return queries["text"].gather(rows[NUMBER])

"""How long each slot is, where a ranking carries its texts."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl

from catchrate.evaluation.diagnosis.first import NUMBER, WHOLE
from catchrate.evaluation.scores import Scores
from catchrate.evaluation.top import top_documents
from catchrate.matching.ranking import MatchedRanking
from catchrate.measures import Lengths
from catchrate.tables import Ranking, RankingSource

WORD = r"\S+"


def with_words(scores: Scores, ranking: RankingSource) -> Scores:
    """Return the scores with the words of each slot as its length, where every slot has a text and counts as it is."""
    source = ranking.ranking if isinstance(ranking, MatchedRanking) else ranking
    if not isinstance(source, Ranking) or "text" not in source.frame.columns:
        return scores
    arrays = scores.aligned.arrays
    numbers = scores.aligned.queries.select("query").with_row_index(NUMBER).with_columns(pl.col(NUMBER).cast(pl.Int64))
    rows = top_documents(source, WHOLE).join(numbers, on="query", how="inner").sort(NUMBER, "slot")
    query = rows[NUMBER].to_numpy()
    as_returned = np.array_equal(np.bincount(query, minlength=arrays.queries), arrays.returned)
    if rows["text"].null_count() or not as_returned:
        return scores
    words = rows["text"].str.count_matches(WORD).cast(pl.Int64).to_numpy()
    known = replace(arrays, lengths=Lengths(query, words))
    return replace(scores, aligned=replace(scores.aligned, arrays=known))

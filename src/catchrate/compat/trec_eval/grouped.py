"""Measures of grouped judgments (`-R qrels_jg`): the plain measure for each group, averaged over a topic's groups."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import polars as pl

from catchrate.compat.trec_eval.columns import Column
from catchrate.compat.trec_eval.grouped_files import Grouped
from catchrate.measures import Alignment, Hits, Measure
from catchrate.measures.arrays import Floats, Ints


class GroupMeans:
    """Each group of each topic as a query of its own, and the way back to topics."""

    def __init__(self, grouped: Grouped, *, judged_only: bool) -> None:
        self._topics = grouped.aligned.arrays.queries
        rows = grouped.rows.sort("topic", "group", "level", descending=[False, False, True], maintain_order=True)
        starts = rows.select((pl.struct("topic", "group") != pl.struct("topic", "group").shift()).fill_null(True))
        self._topic_of: Ints = rows["topic"].filter(starts.to_series()).to_numpy().astype(np.int64)
        arrays = _arrays(rows, starts.to_series().to_numpy(), grouped.aligned.arrays.returned[self._topic_of])
        self._arrays = arrays.only_judged() if judged_only else arrays
        self._groups = np.bincount(self._topic_of, minlength=self._topics)

    def columns(self, measures: Iterable[tuple[str, Measure]]) -> list[Column]:
        """Return the columns of some measures under their printed names."""
        return [Column(name=name, values=self._mean(measure)) for name, measure in measures]

    def _mean(self, measure: Measure) -> Floats:
        per_group = measure.per_query(self._arrays)
        return np.bincount(self._topic_of, per_group, self._topics) / self._groups


def _arrays(rows: pl.DataFrame, starts: np.ndarray, returned: Ints) -> Alignment:
    query = np.cumsum(starts) - 1
    grade, slot = rows["level"].to_numpy(), rows["slot"].to_numpy()
    item = np.flatnonzero(slot > 0)
    item = item[np.lexsort((slot[item], query[item]))]
    hits = Hits(query[item], slot[item], item, grade[item], np.zeros(item.size, bool))
    return Alignment.of(hits=hits, item_query=query, item_grade=grade, returned=returned)

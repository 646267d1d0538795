"""Where gold spans and returned spans stand, collected query by query while spans are matched."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from catchrate.alignment.index import JudgmentIndex
from catchrate.measures.spans import Places, SpanTable
from catchrate.tables.spans import LARGEST_END, parse_span

Row = tuple[int, int, int]
"""Query, start and end."""


class SpanPlaces:
    """Gives each document of each query a stretch of one line."""

    def __init__(self) -> None:
        self._stretch: dict[tuple[int, str], int] = {}
        self._rows: list[Row] = []
        self._slots: list[int] = []

    def add(self, query: int, spans: Sequence[str]) -> None:
        """Add what was returned for a query, in the order of the list."""
        self._rows += self._placed((query, span) for span in spans)
        self._slots += range(1, len(spans) + 1)

    def _placed(self, spans: Iterable[tuple[int, str]]) -> Iterable[Row]:
        for query, text in spans:
            doc, start, end = parse_span(text)
            begin = self._stretch.setdefault((query, doc), len(self._stretch)) * (LARGEST_END + 1)
            yield query, begin + start, begin + end

    def table(self, index: JudgmentIndex, gold: Sequence[str]) -> SpanTable:
        """Return what was added beside all gold spans."""
        wanted = _places(self._placed(zip(index.item_query.tolist(), gold, strict=True)))
        return SpanTable(wanted, index.item_grade, _places(self._rows), np.array(self._slots, np.int64))


def _places(rows: Iterable[Row]) -> Places:
    return Places(*np.array(list(rows), np.int64).reshape(-1, 3).T)

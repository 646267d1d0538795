"""Judgments stand in one canonical order, whatever order they came in."""

from __future__ import annotations

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from catchrate.tables import Judgments

SCALES = {"usual": [-1, 0, 1, 2, 3], "fractions": [0.25, 0.5, 1], "huge": [0, 7, 500_000_000], "long": range(900)}


@pytest.mark.parametrize("scale", SCALES.values(), ids=SCALES)
@settings(max_examples=30, deadline=None)
@given(data=st.data())
def test_items_come_by_query_then_grade_from_the_best_then_as_they_came(scale: list[float], data: st.DataObject):
    pairs = st.tuples(st.sampled_from(["b", "a", "\u00e9", "q10", "q9"]), st.sampled_from(range(40)))
    rows = [
        (query, f"d{doc}", float(data.draw(st.sampled_from(scale))))
        for query, doc in data.draw(st.lists(pairs, min_size=1, max_size=60, unique=True))
    ]
    frame = pl.DataFrame(rows, {"query": pl.String, "doc": pl.String, "grade": pl.Float64}, orient="row")
    in_order = sorted(rows, key=lambda row: (row[0].encode(), -row[2]))
    assert Judgments.of(frame).items.rows() == in_order

"""Every measure equals its slow twin, stays in its range."""

from __future__ import annotations

import random

import hypothesis.strategies as st
import pytest
from hypothesis import given, settings

from catchrate.measures import TABLE, Measure
from strategies import arrays_of, chosen, queries
from twins import TWINS, Query

OURS = sorted(name for name, row in TABLE.items() if row.function.__module__.startswith("catchrate.measures."))


def by_twin(measure: Measure, query: Query) -> float:
    twin, query = TWINS[measure.name], query.within_budget(measure.budget)
    return twin(query.only_judged() if measure.judged_only else query, **dict(measure.parameters))


def test_every_row_of_the_table_has_a_twin_and_every_twin_a_row():
    assert sorted(TWINS) == OURS


@settings(max_examples=120, deadline=None)
@given(
    st.lists(queries(1), min_size=1, max_size=4) | st.lists(queries(), min_size=1, max_size=4), st.integers(0, 2**32)
)
def test_every_measure_equals_its_twin_and_stays_in_its_range(asked: list[Query], seed: int):
    arrays, choice = arrays_of(asked), random.Random(seed)
    for name in OURS:
        measure = chosen(name, choice)
        values = measure.per_query(arrays)
        expected = [by_twin(measure, query) for query in asked]
        assert values.tolist() == pytest.approx(expected, abs=1e-12, rel=0), str(measure)
        low, high = measure.row.range
        assert low - 1e-12 <= values.min() <= values.max() <= high + 1e-12, str(measure)

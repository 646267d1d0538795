"""Budgets: measures down to the slot at which the context becomes too long."""

from __future__ import annotations

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given

from catchrate.errors import InputError, UsageError
from catchrate.measures import parse
from strategies import arrays_of, queries
from twins import Query

TWO = Query((frozenset("a"), frozenset(), frozenset("b")), {"a": 1.0, "b": 1.0, "c": 1.0}, (10, 5, 10))


@pytest.mark.parametrize(
    ("budget", "slots"), [(1, 0), (9, 0), (10, 1), (14, 1), (15, 2), (24, 2), (25, 3), (1_000_000, 3)]
)
def test_a_slot_counts_when_the_context_down_to_its_end_stays_within_the_budget(budget: int, slots: int):
    arrays = arrays_of([TWO])
    assert arrays.slots_within_budget(budget).tolist() == [slots]
    assert arrays.within_budget(budget).returned.tolist() == [slots]


@pytest.mark.parametrize(
    ("spelling", "value"),
    [
        ("recall(budget=10)", 1 / 3),
        ("recall(budget=24)", 1 / 3),
        ("recall(budget=25)", 2 / 3),
        ("recall(budget=25)@2", 1 / 3),
        ("precision(budget=15)", 1 / 2),
        ("precision(budget=15,judged_only=true)", 1.0),
        ("num_ret(budget=24)", 2),
        ("recall(budget=9)", 0),
        ("precision(budget=9)", 0),
    ],
)
def test_any_measure_can_be_asked_within_a_budget(spelling: str, value: float):
    assert parse(spelling).per_query(arrays_of([TWO])).tolist() == pytest.approx([value])


def test_the_spelling_of_a_budget_is_read_and_printed():
    assert str(parse("R(budget=2000, rel=2)@5")) == "recall(rel=2,budget=2000)@5"
    assert parse("recall(budget@2000)") == parse("recall(budget=2000)") != parse("recall")
    assert str(parse("recall(budget=50)").at_level(2)) == "recall(rel=2,budget=50)"
    with pytest.raises(UsageError, match=r"E272 parameter budget is .1\.5."):
        parse("recall(budget=1.5)")


def test_a_budget_without_lengths_is_refused():
    arrays = arrays_of([TWO]).__class__
    bare = arrays.of(
        hits=arrays_of([TWO]).hits,
        item_query=np.zeros(3, np.int64),
        item_grade=np.ones(3),
        returned=np.array([3]),
    )
    with pytest.raises(InputError, match="E292"):
        parse("recall(budget=10)").per_query(bare)


@given(st.lists(queries(), min_size=1, max_size=4), st.integers(1, 400))
def test_lengths_survive_cutting_filtering_and_closing_gaps(asked: list[Query], budget: int):
    arrays = arrays_of(asked)
    expected = [sum(query.lengths[: len(query.slots)]) for query in asked]
    assert np.bincount(arrays.lengths.query, arrays.lengths.length, len(asked)).tolist() == expected
    for other in (arrays.first_slots(3), arrays.only_judged(), arrays.within_budget(budget)):
        assert np.bincount(other.lengths.query, minlength=len(asked)).tolist() == other.returned.tolist()
    assert (arrays.within_budget(budget).lengths.cumulative <= budget).all()
    kept = np.arange(len(asked)) % 2 == 0
    assert arrays.some_queries(kept).lengths.length.tolist() == [n for query in asked[::2] for n in query.lengths]

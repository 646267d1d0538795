from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

import catchrate
from catchrate.evaluation.spread import rank_positions, slice_means, spread_of

JUDGED = {"q1": {"a": 1, "b": 1, "z": 1}, "q2": {"c": 2}, "q3": {"d": 1}, "q4": {"e": 1, "f": 0}}
RUN = {"q1": ["a", "x", "b"], "q2": [*"uvwxyc"], "q3": ["x"], "q4": ["e", "f"]}


def test_every_query_is_in_one_bin_and_a_value_on_an_edge_in_the_upper_one():
    scores = catchrate.evaluate(JUDGED, RUN, "rr recall@2")
    bins = spread_of(scores, scores.measures[0])
    assert [one.queries for one in bins] == [1, 1, 0, 0, 0, 0, 0, 0, 0, 2]
    assert (bins[0].low, bins[-1].high) == (0.0, 1.0)


def test_a_measure_without_bounds_is_binned_over_what_was_seen():
    scores = catchrate.evaluate(JUDGED, RUN, "num_rel_ret")
    bins = spread_of(scores, scores.measures[0])
    assert (bins[0].low, bins[-1].high) == (0.0, 2.0)
    assert sum(one.queries for one in bins) == 4


def test_positions_count_every_relevant_document_once():
    places = rank_positions(catchrate.evaluate(JUDGED, RUN, "rr"))
    assert places == (("1", 2), ("2", 0), ("3", 1), ("4 to 5", 0), ("6", 1), ("not returned", 2))


@settings(max_examples=30)
@given(st.lists(st.integers(0, 2000), min_size=1, max_size=20))
def test_positions_hold_for_any_depth(slots):
    judged = {f"q{i}": {"a": 1} for i in range(len(slots))}
    runs = {f"q{i}": [*(f"x{j}" for j in range(slot - 1)), *(["a"] if slot else ["b"])] for i, slot in enumerate(slots)}
    places = rank_positions(catchrate.evaluate(judged, runs, "rr"))
    assert sum(one.documents for one in places) == len(slots)
    assert places[-1].documents == sum(slot == 0 for slot in slots)


def test_slices_weigh_up_to_the_mean_of_all():
    scores = catchrate.evaluate(JUDGED, RUN, "rr recall@2")
    found = slice_means(scores, scores.measures[1], "relevant")
    assert [(one.name, one.queries) for one in found] == [("1", 3), ("2 to 3", 1)]
    assert np.isclose(sum(one.mean * one.queries for one in found) / 4, scores["recall@2"])
    assert found[1].interval.reason

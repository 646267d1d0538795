from __future__ import annotations

import catchrate
from catchrate.evaluation.spread import spread_of

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

"""Runs are compared over the same queries, judgments and policies, or not at all."""

from __future__ import annotations

import pytest

import catchrate
from catchrate import UsageError

JUDGED = {"q1": {"a": 1}, "q2": {"a": 1}, "q3": {"a": 1}, "q4": {"a": 1}}
WHOLE = {"q1": ["a"], "q2": ["x", "a"], "q3": ["a"], "q4": ["x"]}
PART = {"q1": ["x", "a"], "q2": ["a"], "q3": ["a"]}


def test_runs_with_different_queries_are_refused_unless_a_policy_says_what_that_means():
    runs = {"whole": WHOLE, "part": PART}
    with pytest.raises(UsageError, match=r"E312 .*: 1 are only in 'whole', 0 only in 'part', such as 'q4'"):
        catchrate.compare(JUDGED, runs, "rr")
    assert catchrate.compare(JUDGED, runs, "rr", queries="judged")["rr"].queries == 4
    both = catchrate.compare(JUDGED, runs, "rr recall@2", queries="both")
    assert (both.queries, both["rr"].mean_a, both["rr"].mean_b) == (3, pytest.approx(2.5 / 3), pytest.approx(2.5 / 3))
    with pytest.raises(catchrate.InputError, match="E227"):
        catchrate.compare(JUDGED, runs, "rr", queries="strict")


def test_a_query_that_every_run_lacks_is_no_difference():
    assert catchrate.compare(JUDGED, {"a": PART, "b": dict(PART)}, "rr")["rr"].queries == 4


def test_a_query_that_was_asked_and_found_nothing_is_there():
    assert catchrate.compare(JUDGED, {"a": WHOLE, "b": {**PART, "q4": []}}, "rr")["rr"].queries == 4


def test_both_leaves_out_what_any_run_lacks_and_says_so():
    runs = {"a": WHOLE, "b": PART, "c": {q: WHOLE[q] for q in ("q2", "q3", "q4")}}
    comparison = catchrate.compare(JUDGED, runs, "rr hit@1", queries="both")
    (note,) = (note for note in comparison.notes if note.code == "N316")
    assert (comparison.queries, note.count, note.sample) == (2, 2, ("q1", "q4"))
    direct = catchrate.compare({q: JUDGED[q] for q in ("q2", "q3")}, runs, "rr hit@1", queries="judged")
    assert comparison.differences == direct.differences
    with pytest.raises(UsageError, match="E312 no query is in all runs"):
        catchrate.compare(JUDGED, {"a": {"q1": ["a"]}, "b": {"q2": ["a"]}}, "rr", queries="both")


def test_scores_over_different_queries_are_refused_or_cut_to_the_common_ones():
    one = catchrate.evaluate(JUDGED, WHOLE, "rr")
    other = catchrate.evaluate({q: JUDGED[q] for q in ("q1", "q2", "q3")}, PART, "rr")
    for queries in (None, "judged"):
        with pytest.raises(UsageError, match="E312"):
            catchrate.compare(None, {"one": one, "other": other}, queries=queries)
    assert catchrate.compare(None, {"one": one, "other": other}, queries="both").queries == 3


def test_what_was_measured_or_judged_otherwise_is_refused():
    one = catchrate.evaluate(JUDGED, WHOLE, "rr")
    cases = {
        "no measure": catchrate.evaluate(JUDGED, WHOLE, "ap"),
        "other policies": catchrate.evaluate(JUDGED, WHOLE, "rr", max_rank=1),
        "judged otherwise": catchrate.evaluate({**JUDGED, "q1": {"x": 1}}, WHOLE, "rr"),
    }
    for message, other in cases.items():
        with pytest.raises(UsageError, match=f"E313 .*{message}"):
            catchrate.compare(None, {"one": one, "other": other})


def test_the_policies_that_differ_are_named():
    one = catchrate.evaluate(JUDGED, WHOLE, "rr")
    other = catchrate.evaluate(JUDGED, WHOLE, "rr", max_rank=1, rel=2, dialect="trec_eval-9")
    with pytest.raises(
        UsageError, match="than 'one': dialect trec_eval-9 against catchrate, max_rank 1 against none, rel"
    ):
        catchrate.compare(None, {"one": one, "other": other})


def test_records_that_list_the_same_gold_in_another_order_are_judged_alike():
    def records(gold: list[str], found: list[str]) -> list[dict]:
        return [{"id": f"q{i}", "query": "?", "retrieved": found, "ground_truth": gold} for i in range(4)]

    runs = {"old": records(["a", "b"], ["a"]), "new": records(["b", "a"], ["x", "b"])}
    comparison = catchrate.compare(None, runs, "recall@2")
    found = comparison.finds("old", "new")
    assert (found.both, found.only_a, found.only_b) == (0, 4, 4)
    assert comparison["recall@2"].verdict == "the same"
    weighted = [{**record, "weight": 2} for record in runs["new"]]
    with pytest.raises(UsageError, match="E313"):
        catchrate.compare(None, {**runs, "new": weighted}, "recall@2")

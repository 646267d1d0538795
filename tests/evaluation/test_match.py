"""The table of matches, near misses, and how much depends on the threshold."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import catchrate
from catchrate.errors import UsageError
from catchrate.reports.views import view_of

TEXT = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
RECORDS = [
    {"query": "q1", "retrieved": [" ".join(TEXT[:4]), " ".join(TEXT[4:8])], "ground_truth": [" ".join(TEXT)]},
    {"query": "q2", "retrieved": ["tea or coffee"], "ground_truth": {"tea": 2, "water and juice": 1}},
]


def test_the_table_holds_every_match_and_the_near_misses_the_rest():
    matches = catchrate.match(RECORDS, matcher="covered(0.8)")
    assert matches.table.select("query", "slot", "strength", "together").rows() == [
        ("q1", 2, 0.4, 0.8),
        ("q2", 1, 1, 1),
    ]
    assert matches.near_misses.select("query", "gold", "chunk", "slot", "strength").rows() == [
        ("q2", "water and juice", None, None, None)
    ]
    assert repr(matches) == "Matches by covered(0.8): 2 of 3 gold texts found"


@pytest.mark.parametrize("rule", ["contained", "exact", "normalised"])
def test_a_rule_without_degrees_has_near_misses_by_shared_words(rule: str):
    matches = catchrate.match([["x", "coffee and tea", "a tea"]], [["tea and cake", "tea and jam or coffee"]], rule)
    assert matches.table.is_empty()
    assert matches.near_misses.select("slot", "strength").rows() == [(2, 2 / 3), (2, 3 / 5)]


def test_one_list_of_texts_is_one_query():
    assert catchrate.match(["a tea"], ["tea", "milk"], "contained").table["gold"].to_list() == ["tea"]


def test_what_was_matched_goes_wherever_both_sides_go():
    matches = catchrate.match(RECORDS, matcher="covered(0.8)")
    assert catchrate.evaluate(matches, "recall@1 recall@2").as_dict() == {"recall@1": 0.25, "recall@2": 0.75}
    assert catchrate.explain(matches, measure="recall@2", query="q1").value == 1.0
    assert catchrate.diagnose(matches, k=2).loss.queries == 2


@settings(max_examples=25, deadline=None)
@given(st.lists(st.lists(st.sampled_from(TEXT), min_size=1, max_size=6).map(" ".join), min_size=1, max_size=6))
@pytest.mark.parametrize("rule", ["covered(0.5, run=2)", "containment", "overlap", "fuzzy(70)"])
def test_the_sensitivity_is_what_evaluating_again_says(rule: str, chunks: list[str]):
    gold = [" ".join(TEXT[:5]), " ".join(TEXT[3:9]), "ten"]
    matches = catchrate.match([chunks], [gold], rule)
    found = catchrate.sensitivity(matches, "recall@3", [0.25, 0.5, 0.75, 1.0])
    name = rule.partition("(")[0]
    spelled = [f"{name}({100 * t if name == 'fuzzy' else t}{', run=2' * ('run' in rule)})" for t in found.thresholds]
    again = [catchrate.evaluate([gold], [chunks], "recall@3", match=other)["recall@3"] for other in spelled]
    assert list(found.means) == again
    assert list(found.means) == sorted(found.means, reverse=True)


def test_thresholds_that_are_none_are_refused():
    matches = catchrate.match(RECORDS)
    for wrong in ([], [0], [1.5], ["x"], 3):
        with pytest.raises(UsageError, match="E290 thresholds"):
            catchrate.sensitivity(matches, "recall", wrong)
    with pytest.raises(UsageError, match="E290 contained has no threshold"):
        catchrate.sensitivity(catchrate.match(RECORDS, matcher="contained"))


def test_the_views_show_what_was_found_and_missed():
    matches = catchrate.match(RECORDS, matcher="covered(0.8)")
    heading, remark, near, held = view_of(matches).blocks
    assert heading.text == "2 of 3 gold texts of 2 queries found by covered(0.8)"
    assert remark.text == "No chunk has anything of 1 of the 1 that were missed."
    assert (near.name, held.name, len(held.rows)) == ("near-misses", "matches", 2)
    grid, said = view_of(catchrate.sensitivity(matches, "recall@2", [0.4, 0.8])).blocks
    assert [cell.mark for cell, _ in grid.rows] == [None, "chosen"]
    assert said.text.endswith("between 0.4 and 0.8 the value moves from 0.7500 to 0.7500.") or "nothing" in said.text

"""The way back from a printed number to what it is."""

from __future__ import annotations

import json
import random
from pathlib import Path

import numpy as np
import pytest

import catchrate
from catchrate import UsageError
from catchrate.alignment import Policy
from catchrate.evaluation.elsewhere import DEFINITIONS, OWN, TOOLS
from catchrate.evaluation.reconciling.number import printed
from catchrate.evaluation.reconciling.settings import settings
from catchrate.limits import MAX_SETTINGS
from catchrate.measures import TABLE, choose, parse
from strategies import chosen, long_collection

RECORDED = json.loads((Path(__file__).parents[1] / "elsewhere" / "recorded.json").read_text())
JUDGED = {name: one["grades"] for name, one in RECORDED["questions"].items()} | {"missing": {"a": 1, "b": 1}}
RETURNED = {name: one["retrieved"] for name, one in RECORDED["questions"].items()}


def usual_value(definition, measure):
    """Return what a tool prints for all questions."""
    scores = catchrate.evaluate(JUDGED, RETURNED, measure)
    tool, k = TOOLS[definition.tool], parse(measure).get("k")
    counted = definition.counted(scores.aligned, k, 1, only_in_run=tool.only_in_run)
    return float(np.mean(definition.per_query(scores.aligned.arrays, k, 1)[counted]))


@pytest.mark.parametrize("tool", [name for name in TOOLS if name != OWN])
def test_what_a_tool_prints_is_found_to_be_its_own(tool):
    for definition in (one for one in DEFINITIONS if one.tool == tool and not one.whole_only):
        measure = f"{definition.like[0]}@5"
        value = usual_value(definition, measure)
        found = catchrate.reconcile(JUDGED, RETURNED, repr(value), measure, tools=tool).found
        assert found[0].steps <= 1
        name = f"{TOOLS[tool].title}'s {definition.name_at(5)}"
        assert name in {one for candidate in found for one in (candidate.name, *candidate.also)} or found[0].steps == 0
        assert found[0].value == pytest.approx(value, abs=1e-12)


JUDGMENTS = {"q1": {"a": 1, "b": 1}, "q2": {"c": 2, "d": 1}, "q3": {"e": 1}, "q4": {"x": 0}}
RUN = {"q1": ["a", "x"], "q2": ["c", "y", "d"], "q4": ["z"]}


def best(got, measure, judged=JUDGMENTS, run=RUN, **more):
    return catchrate.reconcile(judged, run, got, measure, **more).found[0]


def test_the_words_name_the_tool_what_was_done_and_the_queries_that_make_the_difference():
    found = catchrate.reconcile(JUDGMENTS, RUN, "0.667", "recall@2", tools="haystack")
    one = found.found[0]
    assert one.name == "Haystack's DocumentRecallEvaluator(mode='single_hit') with the 1 missing query dropped"
    assert (found.value, found.queries, one.queries, one.steps) == (0.25, 4, 3, 2)
    assert {change.query: (change.ours, change.theirs) for change in one.made_by} == {
        "q1": (0.5, 1.0),
        "q2": (0.5, 1.0),
        "q3": (0.0, None),
    }


@pytest.mark.parametrize(
    ("got", "measure", "name"),
    [
        ("0.25", "recall@2", "recall@2"),
        ("25%", "recall@2", "recall@2"),
        (25.0, "recall@2", "recall@2"),
        ("0.4", "recall@2", "recall@2 pooled over all documents"),
        ("0.3333", "recall@2", "recall@2 without the 1 query that has nothing relevant"),
        ("0.375", "recall@2", "recall@2 over judged documents only"),
    ],
)
def test_cut_offs_levels_queries_and_pooling_are_looked_at(got, measure, name):
    found = catchrate.reconcile(JUDGMENTS, RUN, got, measure)
    assert name in {one for candidate in found.found for one in (candidate.name, *candidate.also)}


def test_scores_as_32_bit_floats_are_looked_at_where_they_change_the_order():
    run = {"q1": {"a": 1.00000001, "b": 1.0, "c": 0.5}}
    assert best("0.5", "rr", {"q1": {"a": 1}}, run, tools="haystack").name == "rr with scores compared as 32-bit floats"
    assert best("0.5", "rr", {"q1": {"a": 1}}, run, tools="trec_eval-9").name in {
        "trec_eval 9's recip_rank",
        "rr with scores compared as 32-bit floats",
    }


def test_repeats_that_were_dropped_are_looked_at():
    found = catchrate.reconcile({"q1": {"a": 1}}, {"q1": ["x", "x", "x", "a"]}, "0.5", "rr", tools="haystack")
    assert found.found[0].name == "rr with repeated documents dropped"
    assert repr(found).startswith("0.5: rr is 0.2500 over 1 query\n")


def test_weights_that_were_left_out_are_looked_at():
    records = [
        {"query": "q1", "retrieved": ["a"], "ground_truth": ["a"], "weight": 3},
        {"query": "q2", "retrieved": ["x"], "ground_truth": ["a"]},
    ]
    assert catchrate.reconcile(records, got="0.75", measure="rr").agrees
    assert best("0.5", "rr", records, None).name == "rr with every query counting the same"


def test_a_number_that_nothing_gives_is_told_with_what_is_near():
    found = catchrate.reconcile(JUDGMENTS, RUN, "0.987654", "recall@2")
    assert found.found == ()
    assert len(found.nearest) == 5
    assert [abs(one.value - 0.987654) for one in found.nearest] == sorted(
        abs(one.value - 0.987654) for one in found.nearest
    )
    assert "near: " in repr(found)


def test_few_digits_are_told_to_say_little():
    wide, narrow = (catchrate.reconcile(JUDGED, RETURNED, got, "recall@5") for got in ("0.5", "0.50000"))
    assert wide.by_chance > narrow.by_chance


def test_a_policy_is_where_the_search_begins():
    both = catchrate.reconcile(JUDGMENTS, RUN, "0.3333", "recall@2", queries="both")
    assert (both.agrees, both.queries) == (True, 3)
    assert best("0.25", "recall@2", queries="both").name == "recall@2 with the 1 missing query counted"
    assert catchrate.reconcile(JUDGMENTS, RUN, "0.25", "recall@2", rel=2).agrees
    pooled = catchrate.reconcile(JUDGMENTS, RUN, "0.4", "pooled_recall@2")
    assert pooled.agrees


def test_the_search_is_bounded():
    tried = settings(parse("recall@10"), Policy(), depth=1000, levels=[1, 2, 3, 4], joins=["", "collapse"], tools=())
    assert len(tried) <= MAX_SETTINGS * 2
    assert [one.steps for one in tried] == sorted(one.steps for one in tried)


@pytest.mark.parametrize(
    ("got", "value", "half"),
    [
        ("0.731", 0.731, 0.0005),
        ("73.1%", 0.731, 0.0005),
        ("70 %", 0.7, 0.005),
        (1, 1, 0),
        ("1", 1, 0),
        ("0.7310", 0.731, 5e-5),
    ],
)
def test_a_number_stands_for_all_that_are_rounded_to_it(got, value, half):
    number = printed(got, most=1)
    assert (number.value, number.half) == pytest.approx((value, half))
    assert number.holds(value + half)
    assert not number.holds(value + half + 1e-6)


def test_large_numbers_are_percent_only_where_the_measure_has_a_largest_value():
    assert printed("12.5", most=float("inf")).value == 12.5
    assert printed("12.5", most=1).value == 0.125


@pytest.mark.parametrize("got", ["", "73,1", "nan", "inf", "1e400", "0x1", "1_0", "٣", "9" * 50, None])
def test_what_is_no_number_is_refused(got):
    with pytest.raises(UsageError, match="E361"):
        catchrate.reconcile(JUDGMENTS, RUN, got, "recall@2")


@pytest.mark.parametrize("name", [name for name in TABLE if not name.startswith("char_")])
def test_what_we_print_ourselves_is_found_to_be_the_measure_itself(name):
    both = long_collection(queries=6, docs=20, seed=1, highest=4)
    measure = chosen(name, random.Random(1))
    measure = choose(measure.row, dict(measure.parameters), judged_only=measure.judged_only)
    assert catchrate.reconcile(*both, repr(catchrate.evaluate(*both, measure)[measure]), measure).agrees

"""The stages of one pipeline."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import catchrate
from catchrate import UsageError
from catchrate.reports.render import render
from catchrate.reports.views import view_of
from catchrate.reports.views.stages import stages_content

JUDGED = {"q1": {"a": 2, "b": 1, "z": 1}, "q2": {"c": 1}}
RETRIEVE = {"q1": ["x", "a", "b"], "q2": ["y", "c"]}
FILTER = {"q1": ["b", "a"], "q2": ["y"]}
RERANK = {"q1": ["a", "b"], "q2": ["c", "y"]}


def piped(**options: object) -> catchrate.Stages:
    return catchrate.stages(JUDGED, "recall@1 rr", retrieve=RETRIEVE, filter=FILTER, rerank=RERANK, **options)


def test_each_stage_says_what_it_lost_and_gained():
    found = piped()
    assert [(s.name, s.held, s.lost, s.gained) for s in found.stages] == [
        ("retrieve", 3, 0, 3),
        ("filter", 2, 1, 0),
        ("rerank", 3, 0, 1),
    ]
    assert found["filter"].recall == pytest.approx((2 / 3 + 0) / 2)
    (lost,) = found["filter"].examples
    assert (lost.query, lost.doc, lost.slot) == ("q2", "c", 2)


def test_stages_are_compared_with_the_one_before():
    found = piped()
    assert [(d.a, d.b, str(d.measure)) for d in found.differences] == [
        ("retrieve", "filter", "recall@1"),
        ("retrieve", "filter", "rr"),
        ("filter", "rerank", "recall@1"),
        ("filter", "rerank", "rr"),
    ]
    assert found.differences[1].difference == pytest.approx((1 + 0) / 2 - (1 / 2 + 1 / 2) / 2)


def test_the_account_says_where_every_relevant_document_ended():
    assert piped().account == (
        ("in the first 1", 2),
        ("below the first 1", 1),
        ("lost by filter", 0),
        ("lost by rerank", 0),
        ("never returned", 1),
    )
    whole = catchrate.stages(JUDGED, "rr", retrieve=RETRIEVE, filter=FILTER)
    assert whole.account == (("found", 2), ("lost by filter", 1), ("never returned", 1))


docs = st.lists(st.sampled_from("abcdef"), unique=True, max_size=5)
runs = st.fixed_dictionaries({"q1": docs, "q2": docs})


@settings(max_examples=40)
@given(runs, runs, runs)
def test_every_relevant_document_is_counted_once_and_the_sums_agree(one, two, three):
    judged = {"q1": {"a": 1, "b": 2, "f": 1}, "q2": {"c": 1, "d": 0}}
    found = catchrate.stages(judged, "recall@2", one=one, two=two, three=three)
    assert sum(count for _, count in found.account) == found.relevant == 4
    for before, now in zip(found.stages, found.stages[1:], strict=False):
        assert now.held == before.held - now.lost + now.gained
        assert len(now.examples) == min(now.lost, 5)


@pytest.mark.parametrize("form", ["text", "json", "csv", "md", "html"])
def test_every_form_takes_it(form):
    assert "rerank" in render(view_of(piped()), form)


def test_the_answer_names_the_stage_that_loses_most():
    text = render(view_of(piped()), "text")
    assert text.startswith("retrieve misses 1 of 4 relevant documents; of the later stages filter loses most: 1.\n")
    same = catchrate.stages(JUDGED, "rr", retrieve=RETRIEVE, rerank=RETRIEVE)
    assert "no later stage loses any." in render(view_of(same), "text")


def test_the_content_is_strict_json():
    content = json.loads(json.dumps(stages_content(piped()), allow_nan=False))
    assert content["stages"][1]["examples"][0]["doc"] == "c"
    assert content["account"][0] == {"where": "in the first 1", "count": 2}


def test_one_stage_is_no_pipeline_and_other_names_are_refused():
    with pytest.raises(UsageError, match="E315"):
        catchrate.stages(JUDGED, "rr", retrieve=RETRIEVE)
    with pytest.raises(UsageError, match="E260"):
        catchrate.stages(JUDGED, "rr")
    with pytest.raises(UsageError, match="E260 no stage is called"):
        _ = piped()["reader"]

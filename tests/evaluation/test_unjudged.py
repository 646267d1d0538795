"""What means would be if the unjudged documents were judged."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import catchrate
from catchrate import UsageError
from catchrate.evaluation.unjudged import shown_scenarios
from catchrate.limits import SCENARIO_SLOTS

JUDGED = {"q1": {"a": 2, "b": 1, "n": -1}, "q2": {"c": 1}, "q3": {"d": 0, "e": 1}}
RUN = {"q1": ["x", "a", "n", "y", "b"], "q2": ["z", "w", "v"], "q3": ["e", "d"]}
MEASURES = "precision@3 recall@3 ndcg@3 dcg@2 rr ap hit@1 pooled_precision@3 recall(rel=2)@3"


def by_hand(grade: float, depth: int | None) -> dict[str, dict[str, float]]:
    """Return judgments in which all that stands in the first slots has a grade."""
    full = {query: dict(grades) for query, grades in JUDGED.items()}
    for query, docs in RUN.items():
        for doc in docs[:depth]:
            if full[query].get(doc, -1) < 0:
                full[query][doc] = grade
    return full


@pytest.mark.parametrize("name", MEASURES.split())
@pytest.mark.parametrize("grade", [1, 2])
def test_a_scenario_is_what_evaluating_such_judgments_gives(name: str, grade: int):
    found = catchrate.scenarios(catchrate.evaluate(JUDGED, RUN, MEASURES), grade)[name]
    depth = catchrate.parse(name).get("k")
    for value, given_grade in ((found.irrelevant, 0), (found.relevant, grade)):
        assert value == pytest.approx(catchrate.evaluate(by_hand(given_grade, depth), RUN, name)[name])
    assert found.value == catchrate.evaluate(JUDGED, RUN, name)[name]


def test_what_is_relevant_has_the_lowest_grade_that_counts_unless_it_is_said():
    found = catchrate.scenarios(catchrate.evaluate(JUDGED, RUN, "recall(rel=2)@3 recall@3", rel=1))
    assert [one.grade for one in found.values()] == [2, 1]
    raised = catchrate.scenarios(catchrate.evaluate(JUDGED, RUN, "precision@3", rel=2))["precision@3"]
    assert (raised.grade, raised.relevant) == (2, pytest.approx((3 + 3 + 0) / 9))


def test_pooled_but_unjudged_documents_count_as_unjudged():
    scores = catchrate.evaluate(JUDGED, RUN, "precision@3")
    assert catchrate.scenarios(scores)["precision@3"].slots == 2 + 3


def test_only_measures_that_say_so_have_bounds():
    names = "precision@3 precision(judged_only=true)@3 dcg(gains=1:3)@3 recall@3"
    found = catchrate.scenarios(catchrate.evaluate(JUDGED, RUN, names))
    assert [one.bounds for one in found.values()] == [True, False, False, False]


docs = st.lists(st.sampled_from("abcdefg"), unique=True, max_size=5)


@settings(max_examples=50)
@given(st.lists(st.tuples(docs, st.dictionaries(st.sampled_from("abcdefg"), st.integers(-1, 2), min_size=1)),
                min_size=1, max_size=4), st.integers(1, 4))  # fmt: skip
def test_judging_what_nobody_judged_in_any_way_stays_within_bounds(rows, k):
    judged = {str(i): grades for i, (_, grades) in enumerate(rows)}
    run = {str(i): returned for i, (returned, _) in enumerate(rows)}
    name = f"precision@{k}"
    found = catchrate.scenarios(catchrate.evaluate(judged, run, name))[name]
    some = {q: {**dict.fromkeys(run[q][::2], 1), **{d: g for d, g in judged[q].items() if g >= 0}} for q in judged}
    value = catchrate.evaluate(some, run, name)[name]
    assert found.irrelevant - 1e-9 <= value <= found.relevant + 1e-9


def test_only_what_differs_is_shown_and_nothing_of_very_large_runs():
    scores = catchrate.evaluate(JUDGED, RUN, "precision@3 rr hit@1")
    assert list(shown_scenarios(scores)) == ["precision@3", "hit@1"]
    everything = {q: dict.fromkeys(RUN[q], 1) for q in RUN}
    assert shown_scenarios(catchrate.evaluate(everything, RUN, "precision@3")) == {}
    many = {f"q{i}": {"a": 1} for i in range(SCENARIO_SLOTS // 50 + 1)}
    large = catchrate.evaluate(many, {q: [f"d{i}" for i in range(50)] for q in many}, "precision@50")
    assert shown_scenarios(large) == {}


@pytest.mark.parametrize("grade", [-1, float("nan"), "two"])
def test_a_grade_that_is_none_is_refused(grade):
    with pytest.raises(UsageError, match="E310 grade is"):
        catchrate.scenarios(catchrate.evaluate(JUDGED, RUN, "precision@3"), grade)

"""Choosing k agrees with evaluating at every k, one by one."""

from __future__ import annotations

import hypothesis.strategies as st
import pytest
from hypothesis import given, settings

import catchrate
from catchrate import UsageError
from catchrate.evaluation.diagnosis import choose_k, target_of
from catchrate.evaluation.diagnosis.choosing import mean_length
from catchrate.evaluation.evaluate import remeasured
from catchrate.measures import parse_all
from strategies import queries, scores_of

ASKED = st.lists(queries(), min_size=1, max_size=6)


def at(scores: catchrate.Scores, name: str) -> catchrate.Scores:
    return remeasured(scores, parse_all(name))


@settings(max_examples=40, deadline=None)
@given(ASKED)
def test_every_step_is_what_evaluate_says_there(asked):
    scores = scores_of(asked)
    choice = choose_k(scores, price=2)
    for step in choice.steps:
        said = at(scores, f"recall@{step.k} precision@{step.k} hit@{step.k}").means
        assert (step.recall, step.precision, step.hit) == said
        lengths = [sum(query.lengths[: step.k]) for query in asked]
        assert step.tokens == pytest.approx(sum(lengths) / len(asked))
        assert step.cost == pytest.approx(step.tokens * 1_000 * 2 / 1_000_000)
    assert sum(step.gain for step in choice.steps) == pytest.approx(choice.steps[-1].recall)
    assert choice.steps[-1].recall + choice.never == pytest.approx(1)


@settings(max_examples=40, deadline=None)
@given(ASKED, st.sampled_from(("recall", "hit", "recall(rel=2)")), st.sampled_from((0.2, 0.5, 0.75, 1)))
def test_the_smallest_place_reaches_the_target_and_the_one_before_does_not(asked, name, value):
    scores = scores_of(asked)
    choice = choose_k(scores, f"{name}@k >= {value}")
    longest = max(choice.steps[-1].k, 1)
    slow = [k for k in range(1, longest + 1) if at(scores, f"{name}@{k}").means[0] >= value]
    by_k, *by_tokens = choice.reached
    assert by_k.point == (slow[0] if slow else None)
    for reached, spelled in ((by_k, "{}@{}"), *((one, "{0}(budget={1})") for one in by_tokens)):
        spell = spelled.format if "(rel" not in name else lambda n, p, s=spelled: _with_level(s, p)
        for place, enough in ((reached.point, _mean), (reached.sure, _low)):
            if place is not None:
                assert enough(at(scores, spell(name, place))) >= value
                assert place == 1 or enough(at(scores, spell(name, place - 1))) < value
        assert (reached.point is None) == (reached.most < value)
        assert reached.sure is None or reached.sure >= reached.point


def _with_level(spelled: str, place: int) -> str:
    return f"recall(rel=2)@{place}" if "@" in spelled else f"recall(rel=2,budget={place})"


def _mean(scores: catchrate.Scores) -> float:
    return scores.means[0]


def _low(scores: catchrate.Scores) -> float:
    (interval,) = scores.intervals()
    if interval.low is not None:
        return interval.low
    return scores.means[0] if interval.n >= 3 else -1.0


def test_a_length_that_is_given_stands_for_lengths_that_are_not_known():
    scores = catchrate.evaluate({"q1": {"a": 1}, "q2": {"b": 1}}, {"q1": list("xyza"), "q2": ["b"]})
    assert mean_length(scores, 3) is None
    assert mean_length(scores, 3, 100) == 200
    choice = choose_k(scores, tokens=100, price=5)
    assert [(step.k, step.cost) for step in choice.steps] == [(1, 0.5), (2, 0.75), (3, 1.0), (4, 1.25)]


@pytest.mark.parametrize("text", ["recall@k >= 0.9", "recall>=90%", " recall@10 ≥ .9 ", "R @k >= 0.90"])
def test_a_target_is_read_as_people_write_it(text):
    if text.startswith("R "):
        text = text.replace("R ", "R")
    assert str(target_of(text)) == "recall@k >= 0.9"
    assert target_of(target_of(text)) == target_of(text)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("recall", "the target is 'recall'"),
        ("recall@k >= 1.5", "the target is 1.5"),
        ("precision@k >= 0.5", "precision does not grow with k"),
        ("ndcg >= 0.5", "ndcg does not grow with k"),
        (0.9, "the target is '0.9'"),
    ],
)
def test_what_is_no_target_is_refused(text, said):
    with pytest.raises(UsageError, match=f"E333 {said}"):
        target_of(text)

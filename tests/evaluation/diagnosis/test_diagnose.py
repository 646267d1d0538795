"""A diagnosis is the sum of its parts, from files as from scores that are held already."""

from __future__ import annotations

import hypothesis.strategies as st
import pytest
from hypothesis import given, settings

import catchrate
from catchrate import UsageError
from catchrate.evaluation.diagnosis.modes import NAMES, mode_of
from strategies import queries, scores_of
from twins import Query

JUDGED = {"q1": {"a": 1, "b": 1}, "q2": {"c": 1}}
RUN = {"q1": ["a", "x", "b"], "q2": ["y", "c"]}


@settings(max_examples=40, deadline=None)
@given(st.lists(queries(), min_size=1, max_size=5), st.integers(1, 8), st.sampled_from((0.3, 0.5, 0.9)))
def test_every_query_with_something_to_find_has_one_kind_of_mistake(asked: list[Query], k: int, finds: float):
    scores = scores_of(asked, f"recall@{k} precision@{k}")
    mode = mode_of(scores, k, finds=finds, precise=0.4)
    expected = dict.fromkeys(NAMES, 0)
    kinds = {(True, True): "sound", (False, True): "selective", (True, False): "wide net", (False, False): "weak"}
    for query, (recall, precision) in zip(asked, scores.values.tolist(), strict=True):
        if any(grade >= 1 for grade in query.grades.values()):
            expected[kinds[recall >= finds, precision >= 0.4]] += 1
    assert mode.queries == expected
    assert mode.name == kinds[scores.means[0] >= finds, scores.means[1] >= 0.4]
    assert (mode.recall, mode.precision) == scores.means
    assert 0 <= mode.unjudged <= 1 - mode.precision + 1e-12


@pytest.mark.parametrize(
    ("ranking", "name"),
    [
        ({"q1": ["a", "b"], "q2": ["c", "y"]}, "sound"),
        ({"q1": ["a", "x"], "q2": ["y", "c"]}, "sound"),
        ({"q1": ["x", "a"], "q2": ["x", "y"]}, "weak"),
    ],
)
def test_kinds_of_mistakes_have_names(ranking, name):
    assert mode_of(catchrate.evaluate(JUDGED, ranking), 2).name == name


def test_scores_that_are_held_give_the_same_as_files():
    once = catchrate.diagnose(JUDGED, RUN, 2, by="relevant")
    again = catchrate.diagnose_scores(catchrate.evaluate(JUDGED, RUN, "rr"), 2, by=["relevant"])
    assert repr(once) == repr(again)
    assert repr(once.slices) == repr(again.slices)
    assert [one.name for one in once.slices] == ["1", "2 to 3"]
    assert once.loss.recall == once.scores["recall@2"] == 0.75


def test_what_cannot_be_diagnosed_is_said():
    with pytest.raises(UsageError, match="E272"):
        catchrate.diagnose(JUDGED, RUN, k=0)
    with pytest.raises(UsageError, match="E260 several runs are given"):
        catchrate.diagnose(JUDGED, runs={"a": RUN})
    with pytest.raises(UsageError, match="E323"):
        catchrate.diagnose(JUDGED, RUN, by="kind")

"""The two functions of "Information Retrieval Metrics 101", on its data and against its definition."""

from __future__ import annotations

import hypothesis.strategies as st
import pytest
from hypothesis import given

import catchrate
from catchrate import CatchrateError
from catchrate.compat.metrics101 import precision_at_k, recall_at_k

EVALS = [
    {
        "query": "What is the GIL?",
        "retrieved": ["chunk_01", "chunk_04", "chunk_03", "chunk_02", "chunk_12"],
        "ground_truth": {"chunk_12": 3},
    },
    {
        "query": "What is a decorator?",
        "retrieved": ["chunk_07", "chunk_05", "chunk_11", "chunk_02", "chunk_08"],
        "ground_truth": {"chunk_11": 3},
    },
    {
        "query": "How do I sort an object by the value?",
        "retrieved": ["chunk_10", "chunk_07", "chunk_04", "chunk_01", "chunk_05"],
        "ground_truth": {"chunk_10": 3, "chunk_04": 2},
    },
]


@pytest.mark.parametrize(
    ("k", "precisions", "recalls"),
    [(1, [0, 0, 1], [0, 0, 0.5]), (3, [0, 1 / 3, 2 / 3], [0, 1, 1]), (5, [0.2, 0.2, 0.4], [1, 1, 1])],
)
def test_the_published_data_give_the_numbers_of_the_definitions(k: int, precisions, recalls):
    assert [precision_at_k(e["retrieved"], e["ground_truth"], k) for e in EVALS] == precisions
    assert [recall_at_k(e["retrieved"], e["ground_truth"], k) for e in EVALS] == recalls


def test_the_published_records_are_evaluated_as_they_are():
    scores = catchrate.evaluate(EVALS, "precision@3 recall@3")
    for name, function in (("precision@3", precision_at_k), ("recall@3", recall_at_k)):
        by_hand = [function(e["retrieved"], e["ground_truth"], 3) for e in EVALS]
        assert sorted(scores.per_query[name].to_list()) == pytest.approx(sorted(by_hand))


ids = st.sampled_from("abcde")


@given(st.lists(ids, max_size=6), st.dictionaries(ids, st.integers(-1, 3)), st.integers(1, 8))
def test_the_functions_are_what_is_published(retrieved, ground_truth, k: int):
    relevant = len([document for document in retrieved[:k] if ground_truth.get(document, 0) > 0])
    assert precision_at_k(retrieved, ground_truth, k) == (relevant / k if ground_truth else 0)
    assert recall_at_k(retrieved, ground_truth, k) == (round(relevant / len(ground_truth), 3) if ground_truth else 0)


@given(st.lists(ids, max_size=6, unique=True), st.dictionaries(ids, st.integers(1, 3)), st.integers(1, 8))
def test_without_repeats_and_grades_of_0_ours_are_the_same_but_for_rounding(retrieved, ground_truth, k: int):
    assert precision_at_k(retrieved, ground_truth, k) == catchrate.precision_at_k(retrieved, ground_truth, k)
    assert recall_at_k(retrieved, ground_truth, k) == round(catchrate.recall_at_k(retrieved, ground_truth, k), 3)


def test_a_repeated_document_counts_again_as_published():
    assert recall_at_k(["a", "a"], {"a": 1}, 2) == 2.0
    assert catchrate.recall_at_k(["a", "a"], {"a": 1}, 2) == 1.0


@pytest.mark.parametrize("function", [precision_at_k, recall_at_k])
@pytest.mark.parametrize(
    ("retrieved", "ground_truth", "k", "code"),
    [
        ("ab", {"a": 1}, 1, "E260"),
        (None, {"a": 1}, 1, "E260"),
        (["a"], ["a"], 1, "E260"),
        (["a"], {"a": 1}, 0, "E272"),
        (["a"], {"a": 1}, -1, "E272"),
        (["a"], {"a": 1}, True, "E272"),
        (["a"], {"a": 1}, "1", "E272"),
        ([["a"]], {"a": 1}, 1, "E202"),
        (["a"], {"a": "high"}, 1, "E202"),
    ],
)
def test_bad_input_is_a_value_error_of_ours(function, retrieved, ground_truth, k, code: str):
    with pytest.raises(ValueError, match=code) as caught:
        function(retrieved, ground_truth, k)
    assert isinstance(caught.value, CatchrateError)

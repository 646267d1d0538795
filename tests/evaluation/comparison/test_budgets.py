"""Runs whose chunks differ in length are compared at equal budgets, too."""

from __future__ import annotations

from typing import Any

import pytest

import catchrate
from catchrate.reports.views.comparison import comparison_content, comparison_view

QUERIES = 24
SENTENCES = ["the tea is green", "it grows on hills", "rain falls in june", "the roof is red", "a bell rings twice"]


def gold() -> dict[str, list[str]]:
    """Return the sentence that answers each question."""
    return {f"q{i}": [SENTENCES[i % 5]] for i in range(QUERIES)}


def chunked(size: int) -> dict[str, list[str]]:
    """Return the same text for every question, cut into chunks of so many sentences of four words."""
    chunks = [" ".join(SENTENCES[start : start + size]) for start in range(0, 5, size)]
    return {f"q{i}": chunks for i in range(QUERIES)}


def compared(*sizes: int, measures: str = "recall@1 recall@2 rr", **options: Any) -> catchrate.Comparison:
    runs = {f"by{size}": chunked(size) for size in sizes}
    return catchrate.compare(gold(), runs, measures, match="contained", **options)


def test_longer_chunks_win_at_equal_k_and_not_at_equal_budgets():
    comparison = compared(1, 2)
    assert comparison["recall@2"].verdict == "better"
    found = comparison.at_equal_budgets
    assert found is not None
    assert (found.depth, found.unit, found.budgets) == (2, "words", (8, 16))
    assert found.lengths == {"by1": 4.0, "by2": 8.0}
    assert {str(one.measure): (one.mean_a, one.mean_b, one.verdict) for one in found.differences} == {
        "recall(budget=8)": (10 / 24, 10 / 24, "the same"),
        "recall(budget=16)": (20 / 24, 20 / 24, "the same"),
    }


def test_the_means_at_a_budget_are_those_of_evaluate():
    found = compared(1, 3, length="chars").at_equal_budgets
    assert found is not None
    assert found.unit == "characters"
    for one in found.differences:
        for size, mean in ((1, one.mean_a), (3, one.mean_b)):
            scores = catchrate.evaluate(gold(), chunked(size), str(one.measure), match="contained", length="chars")
            assert scores[str(one.measure)] == mean


def test_a_note_says_that_equal_k_is_not_equal_context():
    (note,) = (note for note in compared(1, 2).notes if note.code == "N319")
    assert note.message == (
        "equal k is not equal context: among the first 2 slots, one of by2 holds 8.0 words on average, one of by1 4.0"
    )


def test_tokens_are_what_a_function_counts():
    found = compared(1, 2, length=lambda text: 3 * len(text.split())).at_equal_budgets
    assert found is not None
    assert (found.unit, found.budgets) == ("tokens", (24, 48))


def test_several_runs_share_the_budgets_of_the_shortest():
    comparison = compared(2, 1, 3, baseline="by1")
    found = comparison.at_equal_budgets
    assert found is not None
    assert found.budgets == (8, 16)
    assert [(one.a, one.b) for one in found.differences] == [("by1", "by2")] * 2 + [("by1", "by3")] * 2


@pytest.mark.parametrize("measures", ["rr ap", "recall(budget=8)"])
def test_without_a_cutoff_nothing_is_compared_at_equal_k(measures):
    comparison = compared(1, 2, measures=measures)
    assert comparison.at_equal_budgets is None
    assert "N319" not in {note.code for note in comparison.notes}


def test_chunks_of_about_one_length_and_runs_without_texts_have_no_budgets():
    nearly = {query: [f"{chunk} x" if place == 0 else chunk for place, chunk in enumerate(chunks)]
              for query, chunks in chunked(2).items()}  # fmt: skip
    same = catchrate.compare(gold(), {"a": chunked(2), "b": nearly}, "recall@2", match="contained")
    ids = catchrate.compare({"q": ["a"]}, {"a": {"q": ["a"]}, "b": {"q": ["longer"]}}, "recall@2")
    assert (same.at_equal_budgets, ids.at_equal_budgets) == (None, None)


def test_scores_whose_lengths_nobody_knows_are_compared_at_equal_k_alone(tmp_path):
    catchrate.evaluate(gold(), chunked(1), "recall@2", match="contained").save(tmp_path / "then.parquet")
    runs = {"then": tmp_path / "then.parquet", "now": chunked(2)}
    comparison = catchrate.compare(gold(), runs, "recall@2", match="contained")
    assert comparison["recall@2"].verdict == "better"
    assert comparison.at_equal_budgets is None


def test_the_view_shows_budgets_beside_equal_k_and_json_holds_them():
    comparison = compared(1, 2)
    grid = next(block for block in comparison_view(comparison).blocks if getattr(block, "name", "") == "budgets")
    assert [row[0].value for row in grid.rows] == ["recall@1", "recall@2", "recall(budget=8)", "recall(budget=16)"]
    content = comparison_content(comparison)["equal_budgets"]
    assert (content["budgets"], content["lengths"]) == ([8, 16], {"by1": 4.0, "by2": 8.0})
    assert [one["verdict"] for one in content["differences"]] == ["the same", "the same"]

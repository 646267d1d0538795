"""What a set of queries can show."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

import catchrate
from catchrate import UsageError
from catchrate.reports.render import render
from catchrate.reports.views import view_of
from catchrate.reports.views.power import power_content

from .comparison.samples import judged, pair

RUNS = pair(60, 1, 0.1)


def powered(measures: str = "recall@4 ndcg@5", runs: tuple[str, ...] = ("old", "new"), **options) -> catchrate.Power:
    return catchrate.power(judged(60), {name: RUNS[name] for name in runs}, measures, **options)


def test_two_runs_show_what_their_comparison_says():
    comparison = catchrate.compare(judged(60), RUNS, "recall@4 pooled_recall@4")
    found = powered("recall@4 pooled_recall@4")
    for one in comparison:
        assert found[one.measure].detectable == pytest.approx(one.detectable)
        assert found[one.measure].queries == 60


def test_the_spread_of_two_runs_is_that_of_their_differences():
    scores = [catchrate.evaluate(judged(60), RUNS[name], "ndcg@5") for name in ("old", "new")]
    differences = scores[1].values[:, 0] - scores[0].values[:, 0]
    assert powered()["ndcg@5"].spread == pytest.approx(differences.std(ddof=1))


def test_the_spread_of_one_run_is_guessed_from_its_values_and_a_correlation():
    values = catchrate.evaluate(judged(60), RUNS["old"], "ndcg@5").values[:, 0]
    for correlation in (0.5, 0.0, 0.9):
        found = powered(runs=("old",), correlation=correlation)
        assert found["ndcg@5"].spread == pytest.approx(values.std(ddof=1) * np.sqrt(2 * (1 - correlation)))
        assert found.runs == ("old",)


def test_a_guessed_mean_is_enough_for_any_measure_from_0_to_1():
    """Draw runs of zeros and ones, 0.4 and 0.6 with a correlation of 0.5: how often does a t test see the gain?"""
    found = catchrate.power(mean=0.5, differences=0.2, correlation=0.5)
    ((difference, n),) = found.rows[0].needed
    random = np.random.default_rng(5)
    old = random.random((4_000, n)) < 0.4
    new = random.random((4_000, n)) < np.where(old, 0.9, 0.4)
    seen = (stats.ttest_rel(new.astype(float), old.astype(float), axis=1).pvalue <= 0.05).mean()
    assert difference == 0.2
    assert seen >= 0.8 - 3 * np.sqrt(0.16 / 4_000)


def test_more_is_needed_for_less_and_a_needed_number_is_enough():
    found = catchrate.power(spread=0.3, differences=[0.1, 0.05, 0.02], sizes=[50, 100])
    (row,) = found.rows
    counts = [n for _, n in row.needed]
    assert counts == sorted(counts)
    back = catchrate.power(spread=0.3, sizes=counts)
    assert all(shows <= d for (d, _), (_, shows) in zip(row.needed, back.rows[0].by_size, strict=True))


def test_what_cannot_be_said_has_a_reason():
    same = catchrate.power(judged(9), {"old": RUNS["old"], "new": RUNS["old"]}, "rr", queries="both")
    assert (same["rr"].detectable, same["rr"].spread, same["rr"].reason) == (None, None, "no query differs")
    few = catchrate.power(judged(2), {"old": RUNS["old"]}, "rr")
    assert few["rr"].reason == "there are only two queries"
    flat = catchrate.power(judged(9), {"old": {q: ["a"] for q in judged(9)}}, "rr")
    assert flat["rr"].reason == "every query has the same value"
    for one in (same, few, flat):
        assert one["rr"].reason in repr(one)
        assert one["rr"].reason in render(view_of(one), "text")


def test_a_set_too_small_for_any_difference_says_so():
    (row,) = catchrate.power(mean=0.5, sizes=[3, 100]).rows
    assert row.by_size[0] == (3, None)
    assert row.by_size[1][1] < 1
    assert "so few queries show no difference at all" in render(view_of(catchrate.power(mean=0.5, sizes=3)), "text")


def test_clusters_count_as_one():
    topics = {f"q{i:04}": f"t{i // 4}" for i in range(60)}
    records = [
        {"query": q, "retrieved": RUNS["old"][q], "ground_truth": judged(60)[q], "topic": topics[q]} for q in topics
    ]
    found = catchrate.power(runs={"old": records}, measures="recall@4", cluster="topic")
    assert found["recall@4"].queries == 15
    assert "15 clusters of queries show" in render(view_of(found), "text")


@pytest.mark.parametrize("form", ["text", "json", "csv", "tsv", "md", "html"])
def test_every_form_takes_it(form):
    assert "recall@4" in render(view_of(powered()), form)


def test_the_content_has_every_number():
    content = power_content(powered("rr", differences=[0.1], sizes=[50], level=0.9))
    (row,) = content["measures"]
    assert row["measure"] == "rr"
    assert row["needed"][0]["difference"] == 0.1
    assert row["by_size"][0]["queries"] == 50
    assert content["provenance"]["power"]["level"] == 0.9


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ({}, "E317"),
        ({"spread": 0.3, "mean": 0.5}, "E317"),
        ({"judgments": judged(9), "runs": RUNS, "mean": 0.5}, "E317"),
        ({"judgments": judged(60), "runs": {**RUNS, "third": RUNS["old"]}}, "E317"),
        ({"judgments": judged(60), "runs": RUNS, "measures": "num_rel_ret"}, "E317"),
        ({"mean": 1.0}, "E310"),
        ({"spread": 0}, "E310"),
        ({"spread": 0.3, "differences": [0.1, -0.1]}, "E310"),
        ({"spread": 0.3, "sizes": 1}, "E310"),
        ({"spread": 0.3, "sizes": "ten"}, "E310"),
        ({"spread": 0.3, "power": 1.0}, "E310"),
        ({"spread": 0.3, "level": float("nan")}, "E310"),
        ({"spread": 0.3, "correlation": 1}, "E310"),
    ],
    ids=str,
)
def test_what_cannot_be_asked_is_refused(options, code):
    with pytest.raises(UsageError) as refused:
        catchrate.power(**options)
    assert refused.value.code == code


def test_a_measure_that_was_not_asked_for_is_named():
    with pytest.raises(UsageError, match="E271 rr was not evaluated"):
        powered()["rr"]

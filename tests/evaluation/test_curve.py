"""A measure at every cut-off."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings

import catchrate
from catchrate import UsageError
from catchrate.evaluation.curve import usual_cutoffs
from catchrate.evaluation.intervals import Resampling
from catchrate.measures import TABLE, choose, example
from catchrate.reports.records import columns_of
from catchrate.reports.view import Figure
from catchrate.reports.views import view_of
from catchrate.reports.views.curves import curve_figure
from catchrate.statistics import bca
from strategies import collections

WITH_CUTOFF = [row for row in TABLE.values() if row.at == "k" and not row.name.startswith("char_")]


def random_board(queries: int = 40, seed: int = 0) -> catchrate.Leaderboard:
    """Return two runs of which the second is better."""
    random = np.random.default_rng(seed)
    judged = {f"q{i:03}": {"a": 1, "b": 2, "c": 1} for i in range(queries)}
    luck = random.random(queries)

    def run(skill: float) -> dict[str, list[str]]:
        return {
            q: [d if random.random() < min(luck[i] + skill, 0.95) else f"{d}-not" for d in "aubvcwxyz"]
            for i, q in enumerate(judged)
        }

    board = catchrate.evaluate(judged, runs={"old": run(0.0), "new": run(0.3)})
    assert isinstance(board, catchrate.Leaderboard)
    return board


@pytest.mark.parametrize("row", WITH_CUTOFF, ids=lambda row: row.name)
@settings(deadline=None, max_examples=10)
@given(sides=collections())
def test_each_point_is_what_evaluate_says_at_that_cutoff(row, sides):
    ks = [1, 2, 3, 7]
    judged, run = sides
    scores = catchrate.evaluate(judged, run, "rr", rel=2)
    found = catchrate.curve(scores, example(row), ks)
    asked = [choose(row, {"k": k}) for k in ks]
    expected = catchrate.evaluate(judged, run, asked, rel=2)
    assert found.means == expected.means
    assert found.values.tolist() == expected.values.tolist()
    assert found.scores.measures == expected.measures
    assert found.scores.provenance == expected.provenance


def test_the_intervals_are_those_of_the_measures_at_each_cutoff():
    board = random_board()
    found = catchrate.curve(board["old"], "recall", [1, 3, 9])
    judged = {q: {"a": 1, "b": 2, "c": 1} for q in board["old"].aligned.queries["query"]}
    assert set(judged) == set(board["old"].per_query["query"])
    assert found.interval(3).method == "bca"
    assert found.interval(3) == found.intervals()[1]
    assert found.interval(3).low < found[3] < found.interval(3).high
    assert found.interval(3, Resampling(level=0.8)).low > found.interval(3).low
    hits = catchrate.curve(board["old"], "hit", [1, 3])
    assert [interval.method for interval in hits.intervals()] == ["wilson", "wilson"]


def test_a_curve_keeps_the_parameters_of_its_measure():
    scores = random_board()["old"]
    found = catchrate.curve(scores, "recall(rel=2)@5", [1, 5])
    assert (str(found.measure), [str(m) for m in found.scores]) == (
        "recall(rel=2)",
        ["recall(rel=2)@1", "recall(rel=2)@5"],
    )
    assert found[5] == catchrate.curve(scores, "recall(rel=2)")[5]
    assert str(catchrate.curve(scores, "ndcg(judged_only=true)", [2]).scores.measures[0]) == "ndcg(judged_only=true)@2"


@pytest.mark.parametrize(
    ("depth", "last"),
    [(1, (1,)), (3, (1, 2, 3)), (20, (18, 19, 20)), (22, (19, 20, 22)), (30, (20, 25, 30)), (1000, (800, 900, 1000))],
)
def test_without_cutoffs_the_curve_goes_to_the_longest_list(depth, last):
    ranking = {"q": [f"d{i}" for i in range(depth)], "r": ["a"]}
    ks = usual_cutoffs(catchrate.evaluate({"q": {"a": 1}, "r": {"a": 1}}, ranking, "rr"))
    assert ks[-3:] == last
    assert list(ks) == sorted(set(ks))
    assert len(ks) < 50


def test_a_run_that_returned_nothing_has_one_point():
    scores = catchrate.evaluate({"q": {"a": 1}}, {"q": []}, "rr")
    assert catchrate.curve(scores)[1] == 0.0


@pytest.mark.parametrize(
    ("measure", "ks", "code"),
    [
        ("r_precision", None, "E330"),
        ("recall", [], "E330"),
        ("recall", "10", "E330"),
        ("recall", 10, "E330"),
        ("recall", [0], "E272"),
        ("recall", ["x"], "E272"),
        ("recal", None, "E271"),
    ],
)
def test_what_has_no_curve_is_refused(measure, ks, code):
    with pytest.raises(UsageError) as caught:
        catchrate.curve(random_board()["old"], measure, ks)
    assert caught.value.code == code


def test_a_cutoff_that_is_not_on_the_curve_is_refused():
    with pytest.raises(UsageError, match=r"E330 '4' is no cut-off of this curve - .*1, 3"):
        catchrate.curve(random_board()["old"], "recall", [3, 1, 3])[4]


def test_a_difference_is_that_of_the_means_with_the_interval_of_paired_queries():
    board = random_board()
    found = catchrate.difference_curve(board["old"], board["new"], "recall", [1, 5])
    expected = board["new"].aligned.arrays
    assert found.means[1] == catchrate.curve(board["new"])[5] - catchrate.curve(board["old"])[5]
    assert found.values.shape == (expected.queries, 2)
    paired = bca(found.values[:, 1:], lambda sums: sums / 40)
    assert found.intervals()[1].ends == pytest.approx(paired[0].ends, abs=1e-9)
    assert found.intervals()[1].low > 0


def test_shares_of_queries_have_a_difference_with_an_interval_too():
    board = random_board()
    found = catchrate.difference_curve(board["old"], board["new"], "hit", [1])
    assert found.intervals()[0].method == "bca"


def test_a_difference_has_the_cutoffs_of_both_runs():
    judged = {"q": {"a": 1}}
    short, long = (catchrate.evaluate(judged, {"q": [f"d{i}" for i in range(n)]}, "rr") for n in (21, 24))
    assert catchrate.difference_curve(short, long).ks[-3:] == (20, 21, 24)


def test_runs_over_other_queries_have_no_difference():
    one, two = (catchrate.evaluate({q: {"a": 1}}, {q: ["a"]}, "rr") for q in ("q1", "q2"))
    with pytest.raises(UsageError, match="E331"):
        catchrate.difference_curve(one, two)


def test_a_view_has_the_columns_that_the_chart_draws():
    board = random_board()
    curves = {name: catchrate.curve(scores, "recall", [1, 5]) for name, scores in board.items()}
    one, both = view_of(curves["old"]).blocks[0], curve_figure(curves, k=5, target=0.9)
    assert isinstance(one, Figure)
    assert (one.chart, list(columns_of(one.data))) == (
        "recall_curve",
        ["cut-off", "recall", "recall_low", "recall_high"],
    )
    assert columns_of(both.data)["run"] == ["old", "old", "new", "new"]
    assert both.options == {"measure": "recall", "k": 5, "target": 0.9}
    difference = view_of(catchrate.difference_curve(board["old"], board["new"], "recall", [1, 5])).blocks[0]
    assert isinstance(difference, Figure)
    assert difference.chart == "difference_band"
    assert list(columns_of(difference.data)) == ["cut-off", "difference", "difference_low", "difference_high"]


def test_one_query_has_a_curve_without_bands_and_a_reason():
    figure = view_of(catchrate.curve(catchrate.evaluate({"q": {"a": 1}}, {"q": ["x", "a"]}, "rr"))).blocks[0]
    assert isinstance(figure, Figure)
    assert {row[1].reason for row in figure.data.rows} == {"No interval: there is only one query."}

"""How sure the means of an evaluation are."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pytest
from scipy import stats

import catchrate
from catchrate import UsageError
from catchrate.evaluation.intervals import Resampling, intervals_of
from catchrate.evaluation.totals import beside, totals
from catchrate.measures import TABLE, example, parse
from catchrate.measures.samples import random_alignment

ALL = [parse(example(row)) for row in TABLE.values()]


def random_sides(queries: int, seed: int = 0, group: int = 1) -> list[dict[str, object]]:
    """Return records whose groups of queries do equally well."""
    random = np.random.default_rng(seed)
    luck = np.repeat(random.random(-(-queries // group)), group)
    return [
        {
            "id": f"q{i:04}",
            "query": f"question {i}",
            "topic": f"topic {i // group}",
            "ground_truth": ["a", "b", "c"],
            "retrieved": [doc for doc in "axbyc" if random.random() < luck[i]],
        }
        for i in range(queries)
    ]


@pytest.mark.parametrize("measure", ALL, ids=str)
@pytest.mark.parametrize("weighted", [False, True], ids=["plain", "weighted"])
def test_the_sums_behind_a_measure_give_its_mean_with_and_without_any_query(measure, weighted):
    random = np.random.default_rng(len(str(measure)))
    for _ in range(10):
        arrays = random_alignment(random)
        n = arrays.queries
        weights = random.integers(1, 5, n).astype(float) if weighted else None
        values = measure.per_query(arrays)
        table = totals([measure, measure], np.column_stack([values, values]), arrays, weights)
        whole = table.columns.sum(axis=0)
        assert table.finish(whole).tolist() == pytest.approx([measure.mean(arrays, values, weights)] * 2)
        for query in range(n if n > 1 else 0):
            kept = np.arange(n) != query
            fewer = arrays.some_queries(kept)
            expected = measure.mean(fewer, values[kept], None if weights is None else weights[kept])
            assert table.finish(whole - table.columns[query])[0] == pytest.approx(expected, abs=1e-9)


def test_tables_side_by_side_give_what_each_gives_alone():
    random = np.random.default_rng(0)
    arrays = random_alignment(random)
    tables = [totals([m], m.per_query(arrays)[:, None], arrays, None) for m in map(parse, ("ap", "pooled_f1@2", "rr"))]
    both = beside(tables)
    sums = both.columns.sum(axis=0)
    assert both.finish(sums).tolist() == [float(t.finish(t.columns.sum(axis=0))[0]) for t in tables]


def test_a_mean_has_the_bootstrap_interval_of_scipy():
    scores = catchrate.evaluate(random_sides(80), measures="recall@5 ndcg@5")
    for name in ("recall@5", "ndcg@5"):
        theirs = stats.bootstrap((scores.per_query[name].to_numpy(),), np.mean, n_resamples=9_999, rng=1)
        low, high = theirs.confidence_interval
        ours = scores.interval(name)
        assert (ours.method, ours.n, ours.level) == ("bca", 80, 0.95)
        assert ours.ends == pytest.approx((low, high), abs=0.08 * (high - low))


def test_a_share_of_queries_has_wilsons_interval():
    scores = catchrate.evaluate(random_sides(40), measures="hit@3")
    expected = stats.binomtest(int(scores.values.sum()), 40).proportion_ci(0.9, method="wilson")
    found = scores.interval("success_3", level=0.9)
    assert found.method == "wilson"
    assert found.ends == pytest.approx((expected.low, expected.high))


def test_queries_of_one_cluster_are_drawn_together():
    scores = catchrate.evaluate(random_sides(100, group=5), measures="recall@5 hit@1")
    for measure in scores:
        alone, together = scores.interval(measure), scores.interval(measure, cluster="topic")
        assert (alone.n, together.n, together.method) == (100, 20, "bca")
        assert together.high - together.low > 1.3 * (alone.high - alone.low)


def test_a_query_without_a_cluster_is_one_of_its_own():
    records = [{**record, "topic": None if i < 10 else "t"} for i, record in enumerate(random_sides(15))]
    assert catchrate.evaluate(records, measures="rr").interval("rr", cluster="topic").n == 11


def test_a_column_that_is_not_there_is_refused_with_those_that_are():
    scores = catchrate.evaluate(random_sides(5), measures="rr")
    with pytest.raises(UsageError, match=r"E311 .*'conversation'.* use one of topic"):
        scores.interval("rr", cluster="conversation")
    plain = catchrate.evaluate({"q": {"a": 1}}, {"q": ["a"]}, "rr")
    with pytest.raises(UsageError, match="E311"):
        plain.interval("rr", cluster="query")


@pytest.mark.parametrize(
    "wrong",
    [{"level": 95}, {"level": 0.2}, {"level": "high"}, {"samples": 5}, {"samples": 1e3}, {"seed": -1}, {"seed": True}],
    ids=str,
)
def test_numbers_out_of_range_are_refused(wrong):
    with pytest.raises(UsageError, match="E310"):
        catchrate.evaluate(random_sides(5), measures="rr").interval("rr", **wrong)


@pytest.mark.parametrize("measure", ["rr", "hit@1", "pooled_recall", "num_rel", "gm_ap"])
@pytest.mark.parametrize(("queries", "reason"), [(1, "there is only one query"), (2, "there are only two queries")])
def test_one_or_two_queries_have_no_interval_and_say_why(measure, queries, reason):
    interval = catchrate.evaluate(random_sides(queries), measures=measure).interval(measure)
    assert (interval.ends, interval.reason) == (None, reason)


def test_constant_scores_have_no_interval_but_a_constant_share_has_wilsons():
    records = [{**record, "retrieved": ["a", "b", "c"]} for record in random_sides(12)]
    scores = catchrate.evaluate(records, measures="ndcg@5 hit@1 num_q")
    assert scores.interval("ndcg@5").reason == scores.interval("num_q").reason == "every query has the same value"
    assert scores.interval("hit@1").ends == pytest.approx((0.7575, 1.0), abs=1e-4)


def test_weights_count_as_in_the_mean():
    records = random_sides(60)
    heavy = [{**record, "weight": 50 if i % 2 else 1} for i, record in enumerate(records)]
    halved = catchrate.evaluate([r for r in heavy if r["weight"] == 50], measures="recall@5")
    whole = catchrate.evaluate(heavy, measures="recall@5 hit@1")
    assert whole.interval("hit@1").method == "bca"
    mine, like = whole.interval("recall@5"), halved.interval("recall@5")
    assert whole["recall@5"] in mine
    assert mine.high - mine.low == pytest.approx(like.high - like.low, rel=0.15)


def test_an_interval_is_computed_once_and_does_not_depend_on_what_stands_beside_it():
    records = random_sides(50)
    many = catchrate.evaluate(records, measures="recall@5 hit@2 ap pooled_f1@3")
    alone = catchrate.evaluate(records, measures="ap")
    assert many.interval("ap") == alone.interval("ap")
    assert many.interval("ap") is many.interval("map")
    how = Resampling(level=0.8)
    assert intervals_of([many, alone], how)[1] == alone.intervals(how)


def test_runs_over_other_queries_keep_their_own_intervals():
    board = _board()
    found = board.intervals()
    assert [interval.n for interval in found["all"]] == [9, 9]
    assert [interval.n for interval in found["some"]] == [4, 4]
    assert found == {name: scores.intervals() for name, scores in board.items()}


def _board() -> catchrate.Leaderboard:
    judged = {f"q{i}": {"a": 1} for i in range(9)}
    runs = {
        "all": {q: ["x"] * (i % 3) + ["a"] for i, q in enumerate(judged)},
        "some": {f"q{i}": ["x"] * (i % 2) + ["a"] for i in range(4)},
    }
    board = catchrate.evaluate(judged, measures="rr hit@2", runs=runs, queries="both", duplicates="keep")
    assert isinstance(board, catchrate.Leaderboard)
    return board


def test_the_same_inputs_give_the_same_digits_on_any_number_of_threads():
    code = (
        "import catchrate; judged = {f'q{i:04}': {'a': 1, 'b': 1} for i in range(900)};"
        "run = {q: ['x'] * (i % 7) + ['a', 'b'][: i % 3] for i, q in enumerate(judged)};"
        "scores = catchrate.evaluate(judged, run, 'ap ndcg@5 pooled_f1@3 gm_ap', duplicates='keep');"
        "print([repr(interval.ends) for interval in scores.intervals()])"
    )
    found = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "OPENBLAS_NUM_THREADS": n, "OMP_NUM_THREADS": n, "PYTHONHASHSEED": n},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for n in ("1", "2")
    }
    assert len(found) == 1

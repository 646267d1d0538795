"""The numbers of a comparison, held to scipy; its verdicts are held by test_verdicts."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import polars as pl
import pytest
from scipy import stats

import catchrate
from catchrate import UsageError
from catchrate.evaluation.comparison.cells import SAME_STEP

from .samples import judged, pair, run

MEASURES = "recall@4 ndcg@5 rr"


def compared(queries: int = 60, seed: int = 0, gain: float = 0.0, **options: object) -> catchrate.Comparison:
    return catchrate.compare(judged(queries), pair(queries, seed, gain), options.pop("measures", MEASURES), **options)


def values(comparison: catchrate.Comparison, measure: str) -> tuple[np.ndarray, np.ndarray]:
    old, new = (comparison.scores[name].per_query[measure].to_numpy() for name in ("old", "new"))
    return old, new


@pytest.mark.parametrize("seed", range(3))
def test_a_difference_has_the_paired_interval_of_scipy(seed):
    comparison = compared(80, seed, 0.1)
    for one in comparison:
        old, new = values(comparison, str(one.measure))
        theirs = stats.bootstrap((new - old,), np.mean, n_resamples=9_999, rng=1).confidence_interval
        assert one.difference == pytest.approx(new.mean() - old.mean())
        assert one.interval.ends == pytest.approx(tuple(theirs), abs=0.08 * (theirs.high - theirs.low))


def test_p_by_flips_is_that_of_scipys_permutation_test():
    comparison = compared(12, 5)
    for one in comparison:
        old, new = values(comparison, str(one.measure))
        theirs = stats.permutation_test((new - old,), np.mean, permutation_type="samples", n_resamples=np.inf)
        assert one.p.exact
        assert one.p.value == pytest.approx(theirs.pvalue)


def test_the_other_tests_are_scipys():
    for test in ("t", "wilcoxon", "sign"):
        comparison = compared(50, 3, 0.1, test=test)
        for one in comparison:
            old, new = values(comparison, str(one.measure))
            moved = (new - old)[np.abs(new - old) > 1e-9]
            theirs = {
                "t": lambda old=old, new=new: stats.ttest_rel(new, old).pvalue,
                "wilcoxon": lambda moved=moved: stats.wilcoxon(moved.round(9)).pvalue,
                "sign": lambda moved=moved: stats.binomtest(int((moved > 0).sum()), moved.size).pvalue,
            }[test]()
            assert one.p.value == pytest.approx(theirs), test


def test_wins_effect_and_relative_change_follow_from_the_queries():
    comparison = compared(40, 1, 0.2)
    one = comparison["recall@4"]
    old, new = values(comparison, "recall@4")
    assert (one.wins, one.ties, one.losses) == ((new > old).sum(), (new == old).sum(), (new < old).sum())
    assert one.queries == comparison.queries == 40
    assert one.effect == pytest.approx((new - old).mean() / (new - old).std(ddof=1))
    assert one.relative == pytest.approx((new.mean() - old.mean()) / old.mean())


def test_where_less_is_better_a_win_is_a_fall():
    comparison = catchrate.compare(
        {"q": {"a": 1}, "r": {"a": 1}, "s": {"a": 1}},
        {
            "old": {"q": ["x"], "r": ["a"], "s": ["x"]},
            "new": {"q": ["a"], "r": ["a"], "s": ["a"]},
        },
        "miss@1 hit@1",
    )
    assert [(one.wins, one.losses) for one in comparison] == [(2, 0), (2, 0)]
    assert comparison["miss@1"].difference == pytest.approx(-comparison["hit@1"].difference)


def test_the_detectable_difference_is_found_in_four_of_five_such_sets():
    comparison = compared(60, 2, measures="recall@4")
    one = comparison["recall@4"]
    old, new = values(comparison, "recall@4")
    noise = (new - old) - (new - old).mean()
    random = np.random.default_rng(0)
    drawn = random.choice(noise, (2_000, 60)) + one.detectable
    found = (stats.ttest_1samp(drawn, 0, axis=1).pvalue <= 0.05).mean()
    assert abs(found - 0.8) <= 3 * np.sqrt(0.16 / 2_000) + 0.01


@pytest.mark.parametrize("test", ["flips", "t", "wilcoxon", "sign"])
def test_swapping_the_runs_turns_every_difference_and_changes_no_p(test):
    runs = pair(50, 4, 0.1)
    there = catchrate.compare(judged(50), runs, MEASURES, test=test)
    back = catchrate.compare(judged(50), dict(reversed(runs.items())), MEASURES, test=test)
    turned = {"better": "worse", "worse": "better"}
    for one, other in zip(there, back, strict=True):
        assert (one.a, one.b) == (other.b, other.a)
        assert one.difference == -other.difference
        assert one.interval.ends == pytest.approx([-end for end in reversed(other.interval.ends)], abs=1e-9)
        assert one.p.value == pytest.approx(other.p.value)
        assert (one.wins, one.ties, one.losses) == (other.losses, other.ties, other.wins)
        assert turned.get(one.verdict, one.verdict) == other.verdict


def test_holm_corrects_over_the_runs_within_a_measure_and_over_all_when_asked():
    runs = {name: run(60, seed, 0.5 + seed / 40) for seed, name in enumerate("abc")}
    within = catchrate.compare(judged(60), runs, "recall@4 rr", baseline="a")
    over_all = catchrate.compare(judged(60), runs, "recall@4 rr", baseline="a", family="all")
    assert [(d.a, d.b) for d in within] == [("a", "b"), ("a", "b"), ("a", "c"), ("a", "c")]
    for measure in ("recall@4", "rr"):
        one, other = sorted((within["b", measure], within["c", measure]), key=lambda d: d.p.value)
        assert (one.corrected, other.corrected) == (
            min(1.0, 2 * one.p.value),
            min(1.0, max(2 * one.p.value, other.p.value)),
        )
    smallest = min(over_all, key=lambda d: d.p.value)
    assert smallest.corrected == pytest.approx(min(1.0, 4 * smallest.p.value))
    assert over_all["b", "rr"].detectable > within["b", "rr"].detectable > _alone(runs)


def _alone(runs: dict) -> float:
    return catchrate.compare(judged(60), {name: runs[name] for name in "ab"}, "rr")["rr"].detectable


def test_the_other_corrections_are_there():
    runs = {name: run(60, seed) for seed, name in enumerate("abcd")}
    by = {c: catchrate.compare(judged(60), runs, "rr", correction=c, seed=1) for c in ("none", "bh", "max-t", "holm")}
    raw = [d.p.value for d in by["none"]]
    assert [d.corrected for d in by["none"]] == raw
    assert [d.corrected for d in by["bh"]] == pytest.approx(stats.false_discovery_control(raw).tolist())
    assert all(p <= d.corrected + 0.02 for p, d in zip(raw, by["max-t"], strict=True))
    assert len(by["holm"]) == 6


def test_every_pair_gets_what_it_gets_alone():
    runs = {name: run(12, seed) for seed, name in enumerate("abc")}
    together = catchrate.compare(judged(12), runs, MEASURES, correction="none")
    for a, b in together.pairs:
        alone = catchrate.compare(judged(12), {a: runs[a], b: runs[b]}, MEASURES, correction="none")
        for one, other in zip(together.pairs[a, b], alone, strict=True):
            assert one == other


def test_pairs_tested_in_parts_get_what_they_get_together(monkeypatch):
    runs = {name: run(70, seed) for seed, name in enumerate("abcd")}
    together = catchrate.compare(judged(70), runs, "rr", flips=1_000)
    monkeypatch.setattr("catchrate.evaluation.comparison.cells._MOST_VALUES", 1)
    assert catchrate.compare(judged(70), runs, "rr", flips=1_000).differences == together.differences


def test_a_pooled_measure_is_compared_and_only_flips_can_test_it():
    one = compared(40, 0, 0.3, measures="pooled_recall@4")["pooled_recall@4"]
    assert one.verdict == "better"
    assert one.difference in one.interval
    by_t = compared(40, 0, 0.3, measures="pooled_recall@4", test="t")["pooled_recall@4"]
    assert (by_t.verdict, by_t.p.value, by_t.corrected) == ("not computable", None, None)
    assert "no plain mean" in by_t.reason


def test_queries_of_one_cluster_are_swapped_together():
    def records(seed: int, luck: float) -> list[dict]:
        return [
            {"id": query, "query": query, "topic": f"t{i // 10}", "ground_truth": ["a", "b", "c"], "retrieved": docs}
            for i, (query, docs) in enumerate(run(60, seed, luck).items())
        ]

    runs = {"old": records(1, 0.4), "new": records(2, 0.6)}
    alone = catchrate.compare(None, runs, "recall@4")["recall@4"]
    together = catchrate.compare(None, runs, "recall@4", cluster="topic")["recall@4"]
    assert (alone.interval.n, together.interval.n) == (60, 6)
    assert together.p.exact
    assert together.p.value >= 2 / 2**6
    assert "clusters" in catchrate.compare(None, runs, "recall@4", cluster="topic", test="t")["recall@4"].reason


@pytest.mark.parametrize(("queries", "reason"), [(1, "there is only one query"), (2, "there are only two queries")])
def test_one_or_two_queries_give_no_verdict_and_say_why(queries, reason):
    one = catchrate.compare(
        judged(queries),
        {name: dict.fromkeys(judged(queries), docs) for name, docs in (("old", ["x"]), ("new", ["a"]))},
        "recall@4",
    )
    (found,) = one
    assert (found.verdict, found.reason, found.interval.reason) == ("not computable", reason, reason)


def test_equal_runs_are_the_same_and_nothing_is_made_up():
    same = run(30, 0)
    (one,) = catchrate.compare(judged(30), {"a": same, "b": same}, "rr", care=0.01)
    assert (one.verdict, one.reason) == ("the same", "no query differs")
    assert (one.interval.ends, one.p.value, one.corrected, one.effect, one.detectable) == (None,) * 5
    assert (one.interval.reason, one.ties) == ("no query differs", 30)


def test_a_step_that_every_query_takes_is_told_by_p_alone():
    misses, finds = ({q: [doc] for q in judged(16)} for doc in "xa")
    (one,) = catchrate.compare(judged(16), {"old": misses, "new": finds}, "hit@1")
    assert (one.verdict, one.p.value, one.interval.reason) == ("better", 2 / 2**16, SAME_STEP)
    assert one.relative is None


def test_scores_are_compared_as_they_are_and_beside_rankings():
    runs = pair(30)
    board = catchrate.evaluate(judged(30), measures="ap rr recall@4", runs=runs)
    raw = catchrate.compare(judged(30), runs, "rr ap")
    assert catchrate.compare(board, measures="rr ap").differences == raw.differences
    assert catchrate.compare(None, {"old": board["old"], "new": board["new"]}, "rr ap").differences == raw.differences
    mixed = catchrate.compare(judged(30), {"old": board["old"], "new": runs["new"]}, "rr ap")
    assert mixed.differences == raw.differences
    assert [str(m) for m in catchrate.compare(board).measures] == ["ap", "rr", "recall@4"]


def test_the_table_of_differences_goes_to_any_library():
    comparison = compared(30)
    frame = pl.DataFrame(comparison)
    assert frame.equals(comparison.frame)
    assert frame["verdict"].to_list() == [one.verdict for one in comparison]
    assert frame["low"].to_list() == [one.interval.low for one in comparison]
    assert "new against old  rr" in repr(comparison)


def test_a_difference_is_found_by_its_names_and_only_when_they_are_clear():
    comparison = catchrate.compare(judged(9), {n: run(9, s) for s, n in enumerate("abc")}, "rr hit@1")
    assert comparison["a", "c", "RR"] is comparison.differences[2]
    with pytest.raises(UsageError, match="E271 3 differences are called 'rr'"):
        comparison["rr"]
    with pytest.raises(UsageError, match="E271 no difference is called 'c, a, rr'"):
        comparison["c", "a", "rr"]


def test_queries_that_moved_and_documents_that_one_run_finds_come_with_it():
    runs = {"old": {"q1": ["a", "x"], "q2": ["y"], "q3": ["a"]}, "new": {"q1": ["x", "b"], "q2": ["a"], "q3": ["a"]}}
    judgments = {"q1": {"a": 2, "b": 1}, "q2": {"a": 1}, "q3": {"a": 1}}
    comparison = catchrate.compare(judgments, runs, "rr@2 recall@2")
    first, second = comparison.moved(comparison["rr@2"])
    assert (first.query, first.difference, [str(c) for c in first.changes]) == ("q2", 1.0, ["found a (at 1)"])
    assert (second.query, [c.what for c in second.changes]) == ("q1", ["lost", "found"])
    found = comparison.finds("old", "new")
    assert (found.depth, found.both, found.only_a, found.only_b, found.neither) == (2, 1, 1, 2, 0)
    assert (found.recall_a, found.recall_b, found.recall_union) == pytest.approx((0.5, 5 / 6, 1.0))
    assert found.overlap == 0.25
    assert comparison.by_query(comparison["rr@2"])["query"].to_list() == ["q1", "q3", "q2"]


WRONG = [
    ({"test": "z"}, "E314 test is 'z'"),
    ({"correction": "bonferroni"}, "E314 correction"),
    ({"family": "none"}, "E314 family"),
    ({"correction": "max-t", "test": "t"}, "E314 max-t"),
    ({"care": -1}, "E310 care"),
    ({"level": 95}, "E310 level"),
    ({"flips": 3}, "E310 flips"),
    ({"baseline": "older"}, "E260 no run is called 'older'"),
]


@pytest.mark.parametrize(("options", "message"), WRONG, ids=[message for _, message in WRONG])
def test_a_comparison_that_cannot_be_made_is_refused(options, message):
    with pytest.raises(UsageError, match=message):
        compared(9, **options)


def test_one_run_too_many_runs_and_no_judgments_are_refused():
    with pytest.raises(UsageError, match="E315 there is nothing to compare with"):
        catchrate.compare(judged(9), {"a": run(9, 0)})
    with pytest.raises(UsageError, match=r"E315 .* name a baseline"):
        catchrate.compare(judged(3), {f"r{i}": run(3, i) for i in range(70)}, "rr")
    with pytest.raises(UsageError, match="E260 there are no judgments for 'a'"):
        catchrate.compare(None, {"a": run(3, 0), "b": run(3, 1)})
    with pytest.raises(UsageError, match="E260 runs is"):
        catchrate.compare(judged(3), [run(3, 0), run(3, 1)])


def test_the_same_inputs_give_the_same_digits_on_any_number_of_threads():
    code = (
        "import catchrate; judged = {f'q{i:04}': {'a': 1, 'b': 1} for i in range(900)};"
        "runs = {n: {q: ['x'] * (i * n % 7) + ['a', 'b'][: i % 3] for i, q in enumerate(judged)} for n in (1, 2, 3)};"
        "runs = {str(n): run for n, run in runs.items()};"
        "found = catchrate.compare(judged, runs, 'ap pooled_f1@3', duplicates='keep', flips=2000, samples=2000);"
        "print([(repr(d.interval.ends), repr(d.p.value), repr(d.detectable)) for d in found])"
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

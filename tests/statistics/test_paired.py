from __future__ import annotations

import itertools

import numpy as np
import pytest
from scipy import stats

from catchrate.statistics import (
    PValue,
    effect_size,
    max_t_test,
    sign_flip_test,
    sign_test,
    t_test,
    wilcoxon_test,
    wins_ties_losses,
)


def two(old: np.ndarray, new: np.ndarray) -> np.ndarray:
    """Return the columns of two runs: their values and the number of queries."""
    return np.stack([np.column_stack([run, np.ones(run.size)]) for run in (old, new)])


def mean_of(sums: np.ndarray) -> np.ndarray:
    return sums[..., :1] / sums[..., 1:]


def p_of(old: np.ndarray, new: np.ndarray, **options: int) -> PValue:
    return sign_flip_test(two(np.asarray(old, float), np.asarray(new, float)), mean_of, **options)[0][0]


def scores(seed: int, n: int) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(seed)
    old = random.beta(1, 2, n).round(2)
    return old, np.clip(old + random.normal(0.03, 0.2, n), 0, 1).round(2)


@pytest.mark.parametrize("seed", range(5))
def test_the_exact_sign_flip_test_agrees_with_scipy(seed):
    old, new = scores(seed, 8 + seed)
    theirs = stats.permutation_test((new - old,), np.mean, permutation_type="samples", n_resamples=np.inf)
    ours = p_of(old, new)
    assert ours.exact
    assert ours.value == pytest.approx(theirs.pvalue)


@pytest.mark.parametrize("seed", range(3))
def test_random_sign_flips_agree_with_scipy_as_far_as_chance_allows(seed):
    old, new = scores(seed, 60)
    theirs = stats.permutation_test((new - old,), np.mean, permutation_type="samples", n_resamples=20_000, rng=seed)
    ours = p_of(old, new, flips=20_000)
    assert not ours.exact
    assert ours.value == pytest.approx(theirs.pvalue, abs=6 * np.sqrt(theirs.pvalue / 20_000) + 1e-4)


def test_p_is_never_zero():
    old = np.zeros(200)
    assert p_of(old, old + np.linspace(0.5, 1, 200), flips=999).value == 1 / 1000


def test_queries_that_do_not_differ_change_no_exact_p():
    old, new = scores(1, 10)
    same = np.full(500, 0.5)
    padded = p_of(np.append(old, same), np.append(new, same))
    assert padded.exact
    assert padded.value == pytest.approx(p_of(old, new).value)


def test_a_ratio_of_sums_is_tested_by_swapping_both_sides():
    random = np.random.default_rng(2)
    columns = random.integers(1, 9, (2, 9, 2)).astype(float)
    columns[..., 1] += columns[..., 0]
    (((ours,),)) = sign_flip_test(columns, mean_of)
    real = _ratio(columns[1]) - _ratio(columns[0])
    swaps = [np.array(swap) for swap in itertools.product((0, 1), repeat=9)]
    rows = np.arange(9)
    outcomes = [_ratio(columns[1 - swap, rows]) - _ratio(columns[swap, rows]) for swap in swaps]
    assert ours.value == sum(abs(o) >= abs(real) - 1e-12 for o in outcomes) / len(swaps)


def _ratio(rows: np.ndarray) -> float:
    return rows[:, 0].sum() / rows[:, 1].sum()


def test_swapping_the_runs_changes_no_p():
    old, new = scores(4, 40)
    assert p_of(old, new, seed=3) == p_of(new, old, seed=3)
    assert t_test(new - old).value == pytest.approx(t_test(old - new).value)
    assert wilcoxon_test(new - old).value == pytest.approx(wilcoxon_test(old - new).value)
    assert sign_test(new - old) == sign_test(old - new)


def test_the_seed_decides_the_flips():
    old, new = scores(4, 40)
    assert p_of(old, new, seed=1) == p_of(old, new, seed=1)
    assert p_of(old, new, seed=1) != p_of(old, new, seed=2)


def test_many_pairs_in_one_pass_get_what_each_pair_gets_alone():
    random = np.random.default_rng(6)
    runs = np.stack([np.column_stack([random.random(50), np.ones(50)]) for _ in range(3)])
    pairs = [(0, 1), (0, 2), (1, 2)]
    together = sign_flip_test(runs, mean_of, pairs, flips=5_000, seed=9)
    alone = [sign_flip_test(runs[[a, b]], mean_of, flips=5_000, seed=9)[0] for a, b in pairs]
    assert together == alone


def test_the_false_alarms_of_a_five_percent_test_are_at_most_six_percent():
    random = np.random.default_rng(17)
    rejected = 0
    for trial in range(600):
        base = random.beta(0.8, 2, 40)
        old, new = (np.clip(base + random.normal(0, 0.15, 40), 0, 1) for _ in range(2))
        rejected += p_of(old, new, flips=499, seed=trial).value <= 0.05
    assert rejected / 600 <= 0.06 + 3 * np.sqrt(0.05 * 0.95 / 600)


@pytest.mark.parametrize("seed", range(4))
def test_t_wilcoxon_and_sign_test_agree_with_scipy(seed):
    old, new = scores(seed, 30)
    moved = (new - old)[np.abs(new - old) > 1e-9]
    assert t_test(new - old).value == pytest.approx(stats.ttest_rel(new, old).pvalue)
    assert wilcoxon_test(new - old).value == pytest.approx(stats.wilcoxon(moved.round(9)).pvalue)
    assert sign_test(new - old).value == stats.binomtest(int((moved > 0).sum()), moved.size).pvalue


def test_the_sign_test_of_zeros_and_ones_is_mcnemars_exact_test():
    old, new = np.array([1] * 3 + [0] * 12 + [1] * 20), np.array([0] * 3 + [1] * 12 + [1] * 20)
    assert sign_test((new - old).astype(float)).value == pytest.approx(stats.binomtest(3, 15).pvalue)


TESTS = {"t": t_test, "wilcoxon": wilcoxon_test, "sign": sign_test}


@pytest.mark.parametrize("test", TESTS.values(), ids=TESTS)
@pytest.mark.parametrize(
    ("differences", "reason"),
    [([], "there is no query"), ([0.1], "there is only one query"), ([0.0, 0.0, 0.0], "no query differs")],
    ids=["none", "one", "zeros"],
)
def test_what_cannot_be_tested_says_why(test, differences, reason):
    assert test(np.array(differences)) == PValue(reason=reason)


def test_equal_runs_and_equal_differences_say_why():
    same = np.array([0.2, 0.4, 0.1 + 0.2])
    assert p_of(same, np.array([0.2, 0.4, 0.3])) == PValue(exact=False, reason="no query differs")
    assert t_test(np.full(9, 0.25)).reason == "every query differs by the same amount"
    assert p_of(np.zeros(9), np.full(9, 0.25)).value == 2 / 2**9


def test_wins_ties_losses_and_the_effect_size_of_differences():
    differences = np.array([0.5, 0.1 + 0.2 - 0.3, -0.25, 0.0, 1.0])
    assert wins_ties_losses(differences) == (2, 2, 1)
    assert effect_size(differences) == pytest.approx(differences.mean() / differences.std(ddof=1))
    assert effect_size(np.array([0.5])) is effect_size(np.full(4, 0.5)) is None


def three_runs(shift: float, n: int = 60, seed: int = 0) -> np.ndarray:
    random = np.random.default_rng(seed)
    base = random.beta(1, 2, n)
    runs = [base + random.normal(0, 0.1, n), base + random.normal(0, 0.1, n), base + random.normal(shift, 0.1, n)]
    return np.stack([np.column_stack([run, np.ones(n)]) for run in runs])


def test_max_t_of_two_runs_is_the_sign_flip_test():
    old, new = scores(3, 50)
    ((single,),) = max_t_test(two(old, new), mean_of, [(0, 1)], permutations=20_000)
    assert single.value == pytest.approx(p_of(old, new, flips=20_000).value, abs=0.02)


def test_max_t_finds_the_run_that_is_better_and_no_other():
    pairs = [(0, 1), (0, 2), (1, 2)]
    (same,), (one,), (other,) = max_t_test(three_runs(0.1), mean_of, pairs, permutations=2_000)
    assert same.value > 0.1
    assert max(one.value, other.value) < 0.01


def test_max_t_is_at_least_the_p_of_the_pair_alone():
    runs, pairs = three_runs(0.03, seed=5), [(0, 1), (0, 2), (1, 2)]
    corrected = max_t_test(runs, mean_of, pairs, permutations=5_000)
    alone = sign_flip_test(runs, mean_of, pairs, flips=5_000)
    assert all(c[0].value >= a[0].value - 0.02 for c, a in zip(corrected, alone, strict=True))


def test_max_t_keeps_false_alarms_of_the_whole_family_rare():
    pairs = [(0, 1), (0, 2), (1, 2)]
    alarms = sum(
        min(p.value for (p,) in max_t_test(three_runs(0.0, 25, s), mean_of, pairs, permutations=199, seed=s)) <= 0.05
        for s in range(400)
    )
    assert alarms / 400 <= 0.06 + 3 * np.sqrt(0.05 * 0.95 / 400)


def test_max_t_over_statistics_weighs_measures_of_any_scale_alike():
    runs = three_runs(0.1)
    scaled = np.concatenate([runs[..., :1], 1000 * runs[..., :1], runs[..., 1:]], axis=2)
    found = max_t_test(scaled, lambda s: s[..., :2] / s[..., 2:], [(0, 2)], over_statistics=True, permutations=999)
    assert found[0][0] == found[0][1]


def test_max_t_of_equal_runs_says_why():
    same = np.stack([three_runs(0.1)[0]] * 3)
    assert max_t_test(same, mean_of, [(0, 1)], permutations=99)[0][0].reason == "no query differs"

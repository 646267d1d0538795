from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from catchrate.statistics import bca, by_cluster, standard_errors, wilson


def mean_of(sums: np.ndarray) -> np.ndarray:
    return sums[..., :1] / sums[..., 1:]


def with_ones(values: np.ndarray) -> np.ndarray:
    return np.column_stack([values, np.ones(values.size)])


def skewed(random: np.random.Generator, n: int) -> np.ndarray:
    """Return what retrieval scores look like: many zeros and ones, and a skewed rest."""
    return np.where(random.random(n) < 0.3, 0.0, random.beta(0.8, 2.0, n))


@pytest.mark.parametrize("seed", range(6))
def test_bca_agrees_with_scipy(seed):
    values = skewed(np.random.default_rng(seed), 40 + 30 * seed)
    ours = bca(with_ones(values), mean_of, samples=20_000)[0]
    theirs = stats.bootstrap((values,), np.mean, n_resamples=20_000, rng=seed).confidence_interval
    assert ours.ends == pytest.approx((theirs.low, theirs.high), abs=0.08 * (theirs.high - theirs.low))
    assert ours.method == "bca"


def test_bca_of_a_ratio_agrees_with_scipy():
    random = np.random.default_rng(11)
    lower = random.integers(1, 9, 80).astype(float)
    upper = np.floor(lower * random.beta(2, 1, 80))
    ours = bca(np.column_stack([upper, lower]), mean_of, samples=20_000)[0]
    theirs = stats.bootstrap(
        (upper, lower), lambda u, w, axis: u.sum(axis) / w.sum(axis), paired=True, n_resamples=20_000, rng=1
    ).confidence_interval
    assert ours.ends == pytest.approx((theirs.low, theirs.high), abs=0.08 * (theirs.high - theirs.low))


@pytest.mark.parametrize("level", [0.8, 0.95, 0.99])
@pytest.mark.parametrize(("ones", "n"), [(0, 5), (3, 10), (45, 50), (50, 50), (1, 3000)])
def test_wilson_agrees_with_scipy(ones, n, level):
    theirs = stats.binomtest(ones, n).proportion_ci(level, method="wilson")
    assert wilson(ones, n, level).ends == pytest.approx((theirs.low, theirs.high), abs=1e-12)


def test_a_standard_error_of_a_mean_is_the_textbook_one():
    values = skewed(np.random.default_rng(3), 50)
    assert standard_errors(with_ones(values), mean_of) == pytest.approx([stats.sem(values)])


def test_a_standard_error_respects_clusters():
    random = np.random.default_rng(0)
    effect = random.normal(0, 1, 40)
    cluster = np.repeat(np.arange(40), 10)
    values = effect[cluster] + random.normal(0, 0.1, 400)
    alone, together = (standard_errors(by_cluster(with_ones(values), c), mean_of)[0] for c in (None, cluster))
    assert together == pytest.approx(stats.sem(effect), rel=0.1)
    assert together > 2.5 * alone


def test_an_interval_of_clusters_is_wider_and_counts_them():
    cluster = np.repeat(np.arange(20), 5)
    values = np.random.default_rng(2).random(20)[cluster]
    narrow, wide = (bca(by_cluster(with_ones(values), c), mean_of)[0] for c in (None, cluster))
    assert (narrow.n, wide.n) == (100, 20)
    assert wide.high - wide.low > 1.8 * (narrow.high - narrow.low)


def test_a_higher_level_is_wider_and_the_estimate_lies_inside():
    values = skewed(np.random.default_rng(5), 60)
    intervals = [bca(with_ones(values), mean_of, level=level)[0] for level in (0.5, 0.9, 0.95, 0.99)]
    widths = [i.high - i.low for i in intervals]
    assert widths == sorted(widths)
    assert all(values.mean() in i for i in intervals)


def test_the_same_seed_gives_the_same_interval_and_another_one_does_not():
    values = with_ones(skewed(np.random.default_rng(5), 60))
    assert bca(values, mean_of, seed=4) == bca(values, mean_of, seed=4)
    assert bca(values, mean_of, seed=4) != bca(values, mean_of, seed=5)


def test_turning_the_values_around_turns_the_interval_around():
    values = skewed(np.random.default_rng(8), 70)
    up, down = (bca(with_ones(sign * values), mean_of)[0] for sign in (1, -1))
    assert (down.low, down.high) == pytest.approx((-up.high, -up.low), abs=1e-12)


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ([], "there is no query"),
        ([0.4], "there is only one query"),
        ([0.4, 0.6], "there are only two queries"),
        ([0.3] * 12, "every query has the same value"),
        ([1 / 3] * 3000, "every query has the same value"),
    ],
)
def test_what_cannot_be_computed_says_why(values, reason):
    columns = with_ones(np.array(values))
    interval = bca(columns, lambda sums: mean_of(np.where(sums == 0, 1e-9, sums)))[0]
    assert (interval.low, interval.high, interval.ends, interval.reason) == (None, None, None, reason)
    assert str(interval) == f"no interval: {reason}"
    assert 0.4 not in interval


def test_a_single_odd_query_among_equal_ones_still_has_an_interval():
    interval = bca(with_ones(np.array([1.0] * 30 + [0.0])), mean_of)[0]
    assert 0.7 < interval.low < 30 / 31 < interval.high <= 1


def test_intervals_cover_the_truth_as_often_as_they_say():
    """Allow for the 93 to 97 % that are promised and four standard deviations of the simulation."""
    random = np.random.default_rng(123)
    truth = 0.7 * 0.8 / 2.8
    held = sum(
        truth in bca(with_ones(skewed(random, 100)), mean_of, samples=1_000, seed=trial)[0] for trial in range(400)
    )
    assert 0.93 - 4 * 0.0128 <= held / 400 <= 0.97 + 4 * 0.0085

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from catchrate.statistics import detectable, power_of, queries_needed


@pytest.mark.parametrize(("difference", "n"), [(0.05, 60), (0.1, 20), (0.0, 30), (-0.05, 60)])
def test_power_is_how_often_the_t_test_finds_the_difference(difference, n):
    random = np.random.default_rng(n)
    samples = random.normal(difference, 0.2, (20_000, n))
    found = np.mean(stats.ttest_1samp(samples, 0, axis=1).pvalue <= 0.05)
    assert power_of(difference, 0.2, n) == pytest.approx(found, abs=0.015)


@pytest.mark.parametrize("n", [2, 3, 10, 50, 7_000, 10**6])
@pytest.mark.parametrize("level", [0.9, 0.95, 0.999])
def test_the_detectable_difference_has_the_power_that_was_asked_for(n, level):
    found = detectable(n, 0.3, level=level, power=0.9)
    assert power_of(found, 0.3, n, level=level) == pytest.approx(0.9, abs=1e-6)


@pytest.mark.parametrize("difference", [0.5, 0.05, 0.003])
def test_the_queries_needed_are_the_fewest(difference):
    n = queries_needed(difference, 0.25)
    assert power_of(difference, 0.25, n) >= 0.8 > power_of(difference, 0.25, n - 1)


def test_more_queries_show_smaller_differences():
    found = [detectable(n, 0.2) for n in (5, 10, 20, 100, 1000)]
    assert found == sorted(found, reverse=True)


def test_what_has_no_answer_has_none():
    assert detectable(1, 0.2) is None
    assert queries_needed(0.0, 0.2) is None
    assert queries_needed(1e-9, 0.2) is None
    assert power_of(0.1, 0.2, 1) == 0


def test_without_any_spread_every_difference_shows():
    assert (detectable(10, 0.0), power_of(0.1, 0.0, 10), power_of(0.0, 0.0, 10)) == (0.0, 1.0, 0.0)
    assert queries_needed(0.1, 0.0) == 2

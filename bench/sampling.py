"""Tests and intervals by random samples: two runs of 6,980 queries and five measures, values as retrieval has them.

A tool that would take too long is asked for fewer samples, and its time is that of as many as the first one draws.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np

from bench.generate import SEED

MEASURES = 5
Floats = np.ndarray[Any, np.dtype[np.float64]]
Found = dict[str, float]


def two_runs(queries: int) -> Floats:
    """Return the values of two runs with the axes run, query, measure: many zeros and ones, and a skewed rest."""
    random = np.random.default_rng(SEED)
    easy = random.beta(0.5, 0.9, (queries, 1))
    values = np.clip(easy + random.normal([[[0.0]], [[0.002]]], 0.25, (2, queries, MEASURES)), 0, 1)
    return np.where(random.random((2, queries, MEASURES)) < 0.2, np.round(values), values)


def flips(tool: str, queries: int, flips: int) -> Callable[[], Found]:
    """Return the work of testing the difference of every measure by so many sign flips."""
    values = two_runs(queries)
    return _OF_FLIPS[tool](values, flips)


def samples(tool: str, queries: int, samples: int) -> Callable[[], Found]:
    """Return the work of a BCa interval of every mean of the second run, by so many samples."""
    return _OF_SAMPLES[tool](two_runs(queries)[1], samples)


def _means(sums: Floats) -> Floats:
    return sums[..., :MEASURES] / sums[..., MEASURES:]


def _with_ones(values: Floats) -> Floats:
    return np.concatenate([values, np.ones((*values.shape[:-1], 1))], axis=-1)


def _our_flips(values: Floats, flips: int) -> Callable[[], Found]:
    test: Callable[..., Any] = import_module("catchrate.statistics").sign_flip_test
    columns = _with_ones(values)
    test(columns[:, :50], _means, flips=100)
    return lambda: {f"p{i}": p.value for i, p in enumerate(test(columns, _means, flips=flips)[0])}


def _their_flips(values: Floats, flips: int) -> Callable[[], Found]:
    test: Callable[..., Any] = import_module("ranx.statistical_tests").fisher_randomization_test
    columns = [[np.ascontiguousarray(run[:, i]) for run in values] for i in range(MEASURES)]
    test(*columns[0], n_permutations=10)  # compiles
    return lambda: {f"p{i}": test(*pair, n_permutations=flips)[0] for i, pair in enumerate(columns)}


def _our_samples(values: Floats, samples: int) -> Callable[[], Found]:
    bca: Callable[..., Any] = import_module("catchrate.statistics").bca
    columns = _with_ones(values)
    bca(columns[:50], _means, samples=100)
    return lambda: {f"low{i}": one.low for i, one in enumerate(bca(columns, _means, samples=samples))}


def _their_samples(values: Floats, samples: int) -> Callable[[], Found]:
    bootstrap: Callable[..., Any] = import_module("scipy.stats").bootstrap
    return lambda: {
        f"low{i}": bootstrap((values[:, i],), np.mean, n_resamples=samples, batch=100, rng=1).confidence_interval.low
        for i in range(MEASURES)
    }


_OF_FLIPS = {"catchrate": _our_flips, "ranx": _their_flips}
_OF_SAMPLES = {"catchrate": _our_samples, "scipy": _their_samples}

"""How often intervals hold the truth and tests raise a false alarm, by simulation: writes a table of docs/verdict.md.

`python scripts/simulate.py` takes some minutes. The values are such as retrieval has: many zeros and ones, and a
skewed rest.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np

from catchrate.statistics import bca, sign_flip_test, wilson

PAGE = Path(__file__).resolve().parents[1] / "docs" / "verdict.md"
BEGIN, END = "<!-- simulated: begin -->", "<!-- simulated: end -->"
SIZES = (5, 10, 20, 30, 50, 100, 200, 500)
TRIALS = 4_000
SAMPLES, FLIPS = 1_000, 499
Floats = np.ndarray[tuple[int], np.dtype[np.float64]]
Draw = Callable[[np.random.Generator, int], Floats]


def graded(random: np.random.Generator, n: int) -> Floats:
    """Return skewed values from 0 to 1, three of ten 0, with a mean of 0.2."""
    return np.where(random.random(n) < 0.3, 0.0, random.beta(0.8, 2.0, n))


def high(random: np.random.Generator, n: int) -> Floats:
    """Return values from 0 to 1 that are mostly 1, with a mean of 0.85."""
    return np.where(random.random(n) < 0.7, 1.0, random.beta(1.0, 1.0, n))


GRADED_MEAN, HIGH_MEAN, SHARE = 0.7 * 0.8 / 2.8, 0.85, 0.8


def coverage(draw: Draw, truth: float, n: int, trials: int = TRIALS, seed: int = 0) -> float:
    """Return how often a 95 % bootstrap interval of a mean holds the truth; one without ends does not."""
    random = np.random.default_rng([seed, n])
    return sum(_held(draw(random, n), truth, trial) for trial in range(trials)) / trials


def _held(values: Floats, truth: float, seed: int) -> bool:
    columns = np.column_stack([values, np.ones(values.size)])
    return truth in bca(columns, _mean, samples=SAMPLES, seed=seed)[0]


def share_coverage(n: int, trials: int = TRIALS, seed: int = 0) -> float:
    """Return how often Wilson's 95 % interval of a share of 0.8 holds it."""
    successes = np.random.default_rng([seed, n]).binomial(n, SHARE, trials)
    return sum(SHARE in wilson(int(found), n) for found in successes) / trials


def false_alarms(n: int, trials: int = TRIALS, seed: int = 0) -> float:
    """Return how often a 5 % test of two equally good runs finds a difference."""
    random = np.random.default_rng([seed, n])
    return sum(_alarm(random, n, trial) for trial in range(trials)) / trials


def _alarm(random: np.random.Generator, n: int, seed: int) -> bool:
    base = graded(random, n)
    runs = [np.clip(base + random.normal(0, 0.15, n), 0, 1) for _ in range(2)]
    columns = np.stack([np.column_stack([run, np.ones(n)]) for run in runs])
    p = sign_flip_test(columns, _mean, flips=FLIPS, seed=seed)[0][0].value
    return p is not None and p <= 0.05


def _mean(sums: np.ndarray) -> np.ndarray:
    return sums[..., :1] / sums[..., 1:]


def table(trials: int = TRIALS) -> str:
    """Return one row for each number of queries."""
    head = "queries | skewed, mean 0.2 | mostly 1, mean 0.85 | 0 and 1, mean 0.8 | false alarms"
    lines = [f"| {head} |", "| --- | --- | --- | --- | --- |"]
    for n in SIZES:
        held = coverage(graded, GRADED_MEAN, n, trials), coverage(high, HIGH_MEAN, n, trials), share_coverage(n, trials)
        cells = " | ".join(f"{share:.1%}" for share in (*held, false_alarms(n, trials)))
        lines.append(f"| {n} | {cells} |")
        print(lines[-1], file=sys.stderr, flush=True)
    return "\n".join(lines)


if __name__ == "__main__":
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    after = rest.partition(END)[2]
    PAGE.write_text(f"{before}{BEGIN}\n{table()}\n{END}{after}", encoding="utf-8")

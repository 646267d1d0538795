"""Intervals: how far from the truth a number over so many queries may be."""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist
from typing import Literal

import numpy as np

from catchrate.statistics.sums import Floats, Statistic, on_grid, resampled

SAMPLES = 10_000
FEWEST_SAMPLES = 1_000
MOST_DRAWS = 100_000_000
LEVEL = 0.95
FEWEST = 3
"""With one or two queries there is nothing to tell how much queries differ."""
_NORMAL = NormalDist()

Method = Literal["bca", "wilson", "none"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """The range in which the true value lies with the chosen confidence, or the reason why there is none."""

    low: float | None = None
    """The lower end; None where it cannot be computed."""
    high: float | None = None
    """The upper end; None where it cannot be computed."""
    level: float = LEVEL
    """How often such intervals hold the true value."""
    method: Method = "none"
    """`bca`: bootstrap, corrected for bias and skew; `wilson`: closed form for values of 0 and 1."""
    n: int = 0
    """How many queries, or clusters of queries, it rests on."""
    reason: str = ""
    """Why there is no interval."""

    @property
    def ends(self) -> tuple[float, float] | None:
        """Both ends, or None."""
        return None if self.low is None or self.high is None else (self.low, self.high)

    def __contains__(self, value: float) -> bool:
        return self.low is not None and self.high is not None and self.low <= value <= self.high

    def __str__(self) -> str:
        if self.low is None or self.high is None:
            return f"no interval: {self.reason}"
        return f"[{self.low:.4f}, {self.high:.4f}]"


def samples_for(n: int) -> int:
    """Return how many samples to draw where nobody says: fewer when there are very many queries, each then steadier."""
    return min(SAMPLES, max(FEWEST_SAMPLES, MOST_DRAWS // max(n, 1)))


def too_few(n: int, level: float, unit: str) -> Interval | None:
    """Return the missing interval of a set that is too small, and None for others."""
    if n >= FEWEST:
        return None
    found = {0: f"no {unit}", 1: f"only one {unit}"}.get(n, f"only two {_many(unit)}")
    return Interval(level=level, n=n, reason=f"there is {found}" if n < 2 else f"there are {found}")


def _many(unit: str) -> str:
    return f"{unit[:-1]}ies" if unit.endswith("y") else f"{unit}s"


def wilson(successes: float, n: int, level: float = LEVEL) -> Interval:
    """Return the interval of a share, from how many of n values are 1.

    >>> from catchrate.statistics import wilson
    >>> print(wilson(45, 50))
    [0.7864, 0.9565]
    """
    z = _NORMAL.inv_cdf(0.5 + level / 2)
    share = successes / n
    centre = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    low, high = (0.0 if successes == 0 else centre - half), (1.0 if successes == n else centre + half)
    return Interval(low=low, high=high, level=level, method="wilson", n=n)


def bca(
    columns: Floats,
    statistic: Statistic,
    *,
    level: float = LEVEL,
    samples: int = SAMPLES,
    seed: int = 0,
    unit: str = "query",
) -> tuple[Interval, ...]:
    """Return the BCa bootstrap interval of each statistic of column sums.

    >>> import numpy as np
    >>> from catchrate.statistics import bca
    >>> values = np.array([0.2, 0.5, 0.5, 0.8, 1.0, 0.1, 0.4])
    >>> print(bca(values[:, None], lambda sums: sums / 7)[0])
    [0.3000, 0.7286]
    """
    n = len(columns)
    columns = on_grid(columns)
    total = columns.sum(axis=0)
    estimates = statistic(total)
    if missing := too_few(n, level, unit):
        return (missing,) * estimates.size
    left_out = statistic(total - columns)
    values = np.concatenate([statistic(sums) for sums in resampled(columns, samples, seed)])
    return tuple(
        _bca_of_one(values[:, i], float(estimates[i]), left_out[:, i], level, unit) for i in range(estimates.size)
    )


def standard_errors(columns: Floats, statistic: Statistic) -> Floats:
    """Return the standard error of each statistic of column sums, by leaving each row out once."""
    n = len(columns)
    left_out = statistic(columns.sum(axis=0) - columns)
    return np.sqrt((n - 1) / n * ((left_out - left_out.mean(axis=0)) ** 2).sum(axis=0))


_SAME = 1e-9
"""Values closer than that differ by rounding alone."""


def _bca_of_one(values: Floats, estimate: float, left_out: Floats, level: float, unit: str) -> Interval:
    n = left_out.size
    pulls = left_out.mean() - left_out
    if np.abs(pulls).max() <= _SAME * max(abs(estimate), 1.0) / n:
        return Interval(level=level, n=n, reason=f"every {unit} has the same value")
    slack = _SAME * max(abs(estimate), 1.0)
    below, at_most = np.count_nonzero(values < estimate - slack), np.count_nonzero(values <= estimate + slack)
    share = min(max((below + at_most) / 2 / values.size, 0.5 / values.size), 1 - 0.5 / values.size)
    bias, pull = _NORMAL.inv_cdf(share), float((pulls**3).sum() / (6 * (pulls**2).sum() ** 1.5))
    ends = [_adjusted(_NORMAL.inv_cdf(tail), bias, pull) for tail in ((1 - level) / 2, (1 + level) / 2)]
    low, high = np.quantile(values, ends).tolist()
    return Interval(low=low, high=high, level=level, method="bca", n=n)


def _adjusted(z: float, bias: float, pull: float) -> float:
    return _NORMAL.cdf(bias + (bias + z) / (1 - pull * (bias + z)))

"""What a set of queries can show: by the t test of paired differences, which the other tests follow closely."""

from __future__ import annotations

from math import isnan, sqrt

POWER = 0.8
MOST_QUERIES = 10**8
"""More queries than anyone judges: a difference that needs them counts as out of reach."""


def power_of(difference: float, spread: float, n: int, *, level: float = 0.95) -> float:
    """Return how often n queries show a difference, when their own differences have so much spread.

    >>> round(power_of(0.05, 0.2, 128), 3)
    0.802
    """
    from scipy import special

    if n < 2:
        return 0.0
    if spread <= 0:
        return 1.0 if difference else 0.0
    away = abs(difference) / spread * sqrt(n)
    bound = float(special.stdtrit(n - 1, 0.5 + level / 2))
    wrong_side = float(1 - special.nctdtr(n - 1, -away, bound))
    # scipy says NaN where the share on the wrong side is too small to tell
    return 1 - float(special.nctdtr(n - 1, away, bound)) + (0.0 if isnan(wrong_side) else wrong_side)


def detectable(n: int, spread: float, *, level: float = 0.95, power: float = POWER) -> float | None:
    """Return the smallest difference that n queries show with the given power; None with fewer than two.

    >>> round(detectable(100, 0.2), 4)
    0.0566
    """
    from scipy import optimize

    if n < 2:
        return None
    if spread <= 0:
        return 0.0
    step = spread / sqrt(n)
    upper = step
    while power_of(upper, spread, n, level=level) < power:
        upper *= 2
    found = optimize.brentq(lambda d: power_of(d, spread, n, level=level) - power, 0.0, upper, xtol=1e-12 * spread)
    return float(found)  # type: ignore[arg-type]


def queries_needed(difference: float, spread: float, *, level: float = 0.95, power: float = POWER) -> int | None:
    """Return how many queries show a difference with the given power; None when no set that could be judged would.

    >>> queries_needed(0.05, 0.2)
    128
    """
    low, high = 1, 2
    while power_of(difference, spread, high, level=level) < power:
        low, high = high, high * 2
        if high > MOST_QUERIES:
            return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if power_of(difference, spread, middle, level=level) >= power else (middle, high)
    return high


def largest_spread(mean: float) -> float:
    """Return the standard deviation of values of 0 and 1 with some mean; no values from 0 to 1 with it have more.

    >>> largest_spread(0.5)
    0.5
    """
    return sqrt(mean * (1 - mean))


def spread_of_differences(spread: float, correlation: float) -> float:
    """Return the standard deviation of differences from that of the values of either side, and how they go together.

    >>> round(spread_of_differences(0.4, 0.5), 3), round(spread_of_differences(0.4, 0.0), 3)
    (0.4, 0.566)
    """
    return spread * sqrt(2 * (1 - correlation))

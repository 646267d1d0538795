"""Corrections for looking at many differences at once. What has no p is no member of the family."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np


def holm(p_values: Sequence[float | None]) -> list[float | None]:
    """Correct p values so that any false alarm among them is as rare as one alone (Holm's step-down).

    scipy has no such function.

    >>> holm([0.01, None, 0.04, 0.03])
    [0.03, None, 0.06, 0.06]
    """
    known = sorted((p, place) for place, p in enumerate(p_values) if p is not None)
    corrected: list[float | None] = [None] * len(p_values)
    largest = 0.0
    for done, (p, place) in enumerate(known):
        largest = max(largest, min(1.0, p * (len(known) - done)))
        corrected[place] = largest
    return corrected


def benjamini_hochberg(p_values: Sequence[float | None]) -> list[float | None]:
    """Correct p values so that of the differences that are called real, few are false alarms.

    >>> benjamini_hochberg([0.01, None, 0.04, 0.03])
    [0.03, None, 0.04, 0.04]
    """
    from scipy import stats

    places = [place for place, p in enumerate(p_values) if p is not None]
    corrected: list[float | None] = [None] * len(p_values)
    if places:
        known = np.array([p_values[place] for place in places], float)
        for place, p in zip(places, stats.false_discovery_control(known, method="bh").tolist(), strict=True):
            corrected[place] = p
    return corrected


CORRECTIONS = {"holm": holm, "bh": benjamini_hochberg, "none": list[float | None]}
"""Each correction of single p values by its name. `max-t` has to see the data: see `max_t_test`."""

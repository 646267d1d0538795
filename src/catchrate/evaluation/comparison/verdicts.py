"""What a difference says, from the one interval and the one p that are printed."""

from __future__ import annotations

from typing import Literal

from catchrate.evaluation.comparison.choices import Choices
from catchrate.statistics import Interval, PValue
from catchrate.statistics.paired import NO_DIFFERENCE

Verdict = Literal[
    "better",
    "worse",
    "higher",
    "lower",
    "no difference that matters",
    "cannot tell",
    "no evidence of a difference",
    "the same",
    "not computable",
]
"""`higher` and `lower` are said of measures without a better side; `the same` of runs that no query tells apart."""


SIDES: tuple[Verdict, ...] = ("better", "worse", "higher", "lower")
"""The verdicts that take a difference for real."""
_FEWEST = 3


def verdict_of(
    difference: float,
    interval: Interval,
    p: PValue,
    corrected: float | None,
    choices: Choices,
    *,
    higher_is_better: bool | None,
) -> tuple[Verdict, str]:
    """Return what a difference says, and the reason where it says nothing.

    A difference is real when both agree: the corrected p is small enough, and the interval leaves 0 out. With a
    smallest difference that matters, an interval that stays below it comes first, and what is left is unknown.
    """
    if p.reason == NO_DIFFERENCE:
        return "the same", p.reason
    if corrected is None or interval.n < _FEWEST:
        return "not computable", p.reason or interval.reason
    if choices.care is not None and _inside(interval, choices.care):
        return "no difference that matters", ""
    if corrected > 1 - choices.level or 0 in interval or not difference:
        return ("no evidence of a difference" if choices.care is None else "cannot tell"), ""
    if higher_is_better is None:
        return ("higher" if difference > 0 else "lower"), ""
    return ("better" if (difference > 0) is higher_is_better else "worse"), ""


def _inside(interval: Interval, care: float) -> bool:
    return interval.ends is not None and -care < interval.ends[0] and interval.ends[1] < care

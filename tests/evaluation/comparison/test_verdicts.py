"""What interval and p say together."""

from __future__ import annotations

import pytest

from catchrate.evaluation.comparison import Choices
from catchrate.evaluation.comparison.verdicts import verdict_of
from catchrate.statistics import Interval, PValue

CASES = {
    "both agree": ((0.01, 0.05), 0.01, None, True, "better"),
    "both agree downwards": ((-0.05, -0.01), 0.01, None, True, "worse"),
    "less is better": ((-0.05, -0.01), 0.01, None, False, "better"),
    "no better side": ((0.01, 0.05), 0.01, None, None, "higher"),
    "no better side, downwards": ((-0.05, -0.01), 0.01, None, None, "lower"),
    "at the level": ((0.01, 0.05), 0.05, None, True, "better"),
    "p is too large": ((0.01, 0.05), 0.06, None, True, "no evidence of a difference"),
    "the interval holds 0": ((-0.01, 0.05), 0.01, None, True, "no evidence of a difference"),
    "small for sure": ((-0.002, 0.009), 0.4, 0.01, True, "no difference that matters"),
    "real and small for sure": ((0.002, 0.009), 0.001, 0.01, True, "no difference that matters"),
    "real and perhaps large": ((0.002, 0.03), 0.001, 0.01, True, "better"),
    "neither": ((-0.02, 0.03), 0.5, 0.01, True, "cannot tell"),
    "care is the border": ((-0.01, 0.005), 0.5, 0.01, True, "cannot tell"),
}


@pytest.mark.parametrize(("ends", "p", "care", "up", "verdict"), CASES.values(), ids=CASES)
def test_the_verdict_follows_from_the_interval_and_the_p_that_are_printed(ends, p, care, up, verdict):
    interval = Interval(low=ends[0], high=ends[1], method="bca", n=40)
    middle = sum(ends) / 2
    found = verdict_of(middle, interval, PValue(value=p), p, Choices(care=care), higher_is_better=up)
    assert found == (verdict, "")


def test_another_level_moves_the_border():
    interval = Interval(low=0.01, high=0.05, method="bca", n=40)
    p = PValue(value=0.08)
    assert verdict_of(0.03, interval, p, 0.08, Choices(level=0.9), higher_is_better=True)[0] == "better"


def test_what_has_no_p_or_too_few_queries_has_no_verdict():
    interval = Interval(low=0.01, high=0.05, method="bca", n=40)
    none = PValue(reason="use the test by flips")
    assert verdict_of(0.03, interval, none, None, Choices(), higher_is_better=True) == ("not computable", none.reason)
    two = Interval(n=2, reason="there are only two queries")
    said = verdict_of(0.03, two, PValue(value=0.5), 0.5, Choices(), higher_is_better=True)
    assert said == ("not computable", "there are only two queries")

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catchrate.statistics.overlap import overlap, rank_biased_overlap

LISTS = st.lists(st.sampled_from("abcdefghij"), unique=True, max_size=7)


def slow_rbo(a: list[str], b: list[str], p: float) -> float:
    """Add the agreement at every depth down to one where the rest weighs nothing, going on as the definition says."""
    short, long = sorted((a, b), key=len)
    s, end = len(short), len(long)

    def common(d: int) -> int:
        return len(set(short[:d]) & set(long[:d]))

    def agreement(d: int) -> float:
        if d <= s:
            return common(d) / d
        seen = common(min(d, end)) if d <= end else common(end)
        if d <= end:
            return (seen + common(s) * (d - s) / s) / d
        return agreement(end)

    return (1 - p) * sum(p ** (d - 1) * agreement(d) for d in range(1, 3_000))


@given(LISTS.filter(bool), LISTS.filter(bool), st.sampled_from([0.5, 0.9, 0.98]))
def test_rank_biased_overlap_is_the_sum_over_all_depths(a, b, p):
    assert rank_biased_overlap(a, b, p) == pytest.approx(slow_rbo(a, b, p), abs=1e-9)


@given(LISTS, LISTS)
def test_both_are_symmetric_and_between_0_and_1(a, b):
    for value, back in [(overlap(a, b, 3), overlap(b, a, 3)), (rank_biased_overlap(a, b), rank_biased_overlap(b, a))]:
        assert value == pytest.approx(back) if value is not None else back is None
        assert value is None or -1e-12 <= value <= 1 + 1e-12


@given(LISTS.filter(bool))
def test_equal_lists_are_alike_and_strangers_are_not(a):
    assert (overlap(a, a, 5), rank_biased_overlap(a, a)) == (1, 1)
    strangers = [doc.upper() for doc in a]
    assert (overlap(a, strangers, 5), rank_biased_overlap(a, strangers)) == (0, 0)


def test_early_ranks_weigh_more():
    base = list("abcdef")
    swapped = [[*base[:i], base[i + 1], base[i], *base[i + 2 :]] for i in range(5)]
    values = [rank_biased_overlap(base, other) for other in swapped]
    assert all(early < late for early, late in itertools.pairwise(values))


def test_empty_lists():
    assert (overlap([], [], 3), rank_biased_overlap([], [])) == (None, None)
    assert (overlap(["a"], [], 3), rank_biased_overlap(["a"], [])) == (0, 0)

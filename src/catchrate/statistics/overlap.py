"""How alike two lists are, whatever is relevant."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

PERSISTENCE = 0.9
"""How likely a reader goes on to the next rank: at 0.9, the first ten ranks carry 86 % of the weight."""


def overlap(a: Sequence[Hashable], b: Sequence[Hashable], k: int) -> float | None:
    """Return the share of the first k items that both lists hold, of the longer one where both are shorter than k.

    None when both are empty.

    >>> overlap(["a", "b", "c"], ["b", "d", "a"], 2)
    0.5
    """
    first, second = a[:k], b[:k]
    longer = max(len(first), len(second))
    return len(set(first) & set(second)) / longer if longer else None


def rank_biased_overlap(a: Sequence[Hashable], b: Sequence[Hashable], p: float = PERSISTENCE) -> float | None:
    """Return how alike two rankings are, early ranks counting more: 1 for equal ones, 0 for those that share nothing.

    It is the extrapolated form for lists of any length (Webber, Moffat and Zobel 2010, equation 32): beyond the ends,
    the lists are taken to agree as much as before. None when both are empty.

    >>> round(rank_biased_overlap(["a", "b", "c"], ["b", "a", "c"]), 4)
    0.9
    """
    short, long = sorted((list(a), list(b)), key=len)
    if not long:
        return None
    if not short or short == long:
        return float(short == long)
    s, end = len(short), len(long)
    seen_short: set[Hashable] = set()
    seen_long: set[Hashable] = set()
    common, common_at_s, total = 0, 0, 0.0
    for d, item in enumerate(long, start=1):
        seen_long.add(item)
        common += item in seen_short
        if d <= s:
            seen_short.add(short[d - 1])
            common += short[d - 1] in seen_long
            common_at_s = common
        total += common / d * p**d
        if d > s:
            total += common_at_s * (d - s) / (s * d) * p**d
    return (1 - p) / p * total + ((common - common_at_s) / end + common_at_s / s) * p**end

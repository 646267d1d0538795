from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from catchrate.statistics import CORRECTIONS, benjamini_hochberg, holm

FAMILIES = st.lists(st.none() | st.floats(0, 1), max_size=12)


@given(FAMILIES)
def test_benjamini_hochberg_is_scipys_on_what_has_a_p(family):
    known = [p for p in family if p is not None]
    expected = stats.false_discovery_control(known).tolist() if known else []
    assert [p for p in benjamini_hochberg(family) if p is not None] == pytest.approx(expected)


@given(FAMILIES)
def test_holm_rejects_what_the_step_down_procedure_rejects(family):
    known = sorted(p for p in family if p is not None)
    for level in (0.01, 0.05, 0.3):
        rejected = 0
        while rejected < len(known) and known[rejected] * (len(known) - rejected) <= level:
            rejected += 1
        assert sum(p is not None and p <= level for p in holm(family)) == rejected


@pytest.mark.parametrize("correct", CORRECTIONS.values(), ids=CORRECTIONS)
@given(family=FAMILIES)
def test_a_correction_raises_p_up_to_one_and_keeps_order_and_gaps(correct, family):
    corrected = correct(family)
    assert [p is None for p in corrected] == [p is None for p in family]
    pairs = sorted((p, c) for p, c in zip(family, corrected, strict=True) if p is not None)
    assert all(p <= c + 1e-12 and c <= 1 for p, c in pairs)
    assert np.all(np.diff([c for _, c in pairs]) >= -1e-12)

"""Judging what nobody has judged."""

from __future__ import annotations

import numpy as np
import pytest

from catchrate.measures import TABLE, parse
from catchrate.measures.judging import all_judged, judged_as
from catchrate.measures.samples import random_alignment

BOUNDED = sorted(name for name, row in TABLE.items() if row.bounded_by_unjudged and row.parameter("k"))


def test_the_usual_measures_declare_whether_they_have_bounds():
    assert {"precision", "hit", "miss", "rr", "dcg", "err", "rbp"} <= set(BOUNDED)
    assert not {"recall", "ndcg", "ap", "f1", "r_precision"} & set(BOUNDED)


@pytest.mark.parametrize("name", BOUNDED)
def test_any_judging_of_the_first_slots_lies_between_the_bounds(name: str):
    random = np.random.default_rng(len(name))
    measure = parse(f"{name}@3")
    for _ in range(60):
        arrays = random_alignment(random)
        first = np.minimum(arrays.returned, 3)
        ends = [measure.per_query(all_judged(arrays, grade, first)) for grade in (0.0, 2.0)]
        known = judged_as(arrays, lambda n: random.choice([np.nan, 0.0, 1.0, 2.0], n), first)
        value = measure.per_query(known)
        assert (value >= np.minimum(*ends) - 1e-9).all()
        assert (value <= np.maximum(*ends) + 1e-9).all()


def test_every_slot_that_is_asked_for_is_judged_and_no_other():
    random = np.random.default_rng(4)
    for _ in range(60):
        arrays = random_alignment(random, one_to_one=False)
        most = random.integers(0, 8, arrays.queries)
        judged = all_judged(arrays, 1.0, most)
        looked_at = np.minimum(arrays.returned, most)
        query, slot = judged.judged_slots(None)
        inside = np.bincount(query[slot <= most[query]], minlength=arrays.queries)
        assert (inside == looked_at).all()
        before_query, before_slot = arrays.judged_slots(None)
        below = np.bincount(before_query[before_slot > most[before_query]], minlength=arrays.queries)
        assert (np.bincount(query[slot > most[query]], minlength=arrays.queries) >= below).all()
        assert (judged.relevant(1) >= arrays.relevant(1)).all()

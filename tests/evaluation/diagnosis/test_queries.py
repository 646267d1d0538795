"""Positions, slices and what is known beside recall, against slow twins and plain counting."""

from __future__ import annotations

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given, settings

import catchrate
from catchrate.evaluation.diagnosis import beside, positions, really_worse, slice_kinds
from catchrate.evaluation.slices import slices_by
from catchrate.statistics import group_test, holm
from strategies import queries, scores_of

ASKED = st.lists(queries(), min_size=1, max_size=6)


@settings(max_examples=50, deadline=None)
@given(ASKED, st.integers(1, 12))
def test_positions_count_every_relevant_slot_in_one_third(asked, k):
    found = positions(scores_of(asked), k)
    relevant, room, ranks = [0, 0, 0], [0, 0, 0], []
    for query in asked:
        seen: set[str] = set()
        context = min(len(query.slots), k)
        for slot, held in enumerate(query.slots, 1):
            new = {item for item in held - seen if query.grades[item] >= 1}
            seen |= held
            ranks += [slot] * len(new)
            if slot <= k:
                third = 0 if context == 1 else int(3 * (slot - 0.5) / context)
                room[third] += 1
                relevant[third] += bool(new)
    assert [third.relevant for third in found.thirds] == relevant
    assert [third.slots for third in found.thirds] == room
    assert sum(third.share or 0 for third in found.thirds) == pytest.approx(1 if any(relevant) else 0)
    counted = [sum(one.first <= rank <= one.last for rank in ranks) for one in found.ranks]
    assert [one.documents for one in found.ranks] == counted
    assert sum(one.documents for one in found.ranks) == len(ranks)


def test_short_lists_have_a_first_third_only():
    thirds = positions(catchrate.evaluate({"q": {"a": 1}}, {"q": ["a"]}), 9).thirds
    assert [(one.name, one.relevant) for one in thirds] == [("first", 1), ("middle", 0), ("last", 0)]


def test_the_test_of_groups_agrees_with_every_shuffle():
    from itertools import combinations

    values, group = np.array([0.1, 0.9, 0.4, 1.0, 0.7, 0.0, 0.6]), np.array([0, 0, 0, 1, 1, 2, 2])
    for place, p in enumerate(group_test(values, [group], shuffles=20_000)[0]):
        mine = np.flatnonzero(group == place)
        gaps = [abs(values[list(c)].mean() - np.delete(values, c).mean()) for c in combinations(range(7), mine.size)]
        real = abs(values[mine].mean() - np.delete(values, mine).mean())
        exact = np.mean([gap >= real - 1e-9 for gap in gaps])
        assert p.value == pytest.approx(exact, abs=0.015)


def test_groups_without_a_difference_have_a_reason():
    same = group_test(np.ones(6), [np.array([0, 0, 0, 1, 1, 1]), np.zeros(6, int)])
    assert [p.reason for p in same[0]] == ["every query has the same value"] * 2
    assert [p.reason for p in same[1]] == ["there is no other slice"]
    weighted = group_test(np.arange(6.0), [np.array([0, 0, 0, 1, 1, 1])], weights=np.array([1.0, 2, 1, 1, 1, 1]))
    assert weighted[0][0].value == weighted[0][1].value


@settings(max_examples=25, deadline=None)
@given(ASKED, st.integers(1, 8), st.data())
def test_each_slice_is_what_evaluating_it_alone_says(asked, k, data):
    count = len(asked)
    kinds = data.draw(st.lists(st.sampled_from("abc"), min_size=count, max_size=count))
    weights = data.draw(st.lists(st.sampled_from((1.0, 2.0, 0.5)), min_size=count, max_size=count))
    scores = scores_of(asked, f"recall@{k}", kind=kinds, weight=weights)
    found = slice_kinds(scores, "kind", k)
    assert [one.name for one in found] == sorted(set(kinds))

    def mean(keep: list[bool]) -> float:
        some = np.array(keep)
        return float(np.average(scores.values[some, 0], weights=np.array(weights)[some]))

    for one in found:
        inside = [kind == one.name for kind in kinds]
        assert one.queries == sum(inside)
        assert one.recall == pytest.approx(mean(inside)) == one.loss.recall
        if all(inside):
            assert (one.difference, one.corrected, one.verdict) == (None, None, None)
        else:
            assert one.difference == pytest.approx(mean(inside) - mean([not x for x in inside]))
    if len(found) > 2:
        assert [one.corrected for one in found] == holm([one.p.value for one in found])


def planted(kinds: dict[str, float], each: int = 40) -> catchrate.Scores:
    names = {f"{kind}{i:03}": share for kind, share in kinds.items() for i in range(each)}
    records = [
        {"query": q, "ground_truth": ["a"], "retrieved": ["a" if i % 20 < 20 * share else "x"], "kind": q[0], "ms": i}
        for i, (q, share) in enumerate(names.items())
    ]
    return catchrate.evaluate(records, "rr")


def test_a_slice_that_is_worse_is_found_and_equal_ones_are_not():
    worse = really_worse(slice_kinds(planted({"a": 0.9, "b": 0.9, "c": 0.4}), "kind", k=5))
    assert [one.name for one in worse] == ["c"]
    assert worse[0].corrected < 0.01
    assert really_worse(slice_kinds(planted({"a": 0.9, "b": 0.85, "c": 0.9}), "kind", k=5)) == ()
    two = slice_kinds(planted({"a": 0.9, "b": 0.3}), "kind", k=5)
    assert [one.verdict for one in two] == ["better", "worse"]
    assert two[0].corrected == two[1].corrected == two[0].p.value


def test_without_a_name_everything_that_makes_a_few_slices_is_looked_at():
    scores = planted({"a": 0.9, "b": 0.9}, each=30)
    assert dict.fromkeys(one.by for one in slice_kinds(scores)) == {"kind": None, "ms": None}
    assert slice_kinds(scores, ()) == ()
    few = catchrate.evaluate(
        [{"query": q, "retrieved": ["a"], "ground_truth": ["a"], "ms": n} for n, q in enumerate("abcd")]
    )
    assert slice_kinds(few) == ()
    assert len(slice_kinds(few, "ms")) == 4
    assert len(slices_by(scores.aligned, "ms")) == 4


def test_numbers_beside_recall_are_summarised_and_correlated():
    records = [
        {
            "query": f"q{i:02}",
            "ground_truth": ["a"],
            "retrieved": ["a"] if i % 3 else ["b"],
            "ms": 10 * (i % 3) + i / 100,
        }
        | {"cost": 1.5, "ok": bool(i % 3), "note": "x", "rare": 1 if i < 2 else None}
        for i in range(30)
    ]
    ms, cost, ok = beside(catchrate.evaluate(records), 5)
    assert (ms.name, ms.known, ms.median) == ("ms", 30, pytest.approx(np.median([r["ms"] for r in records])))
    assert ms.correlation > 0.7
    assert [ms.corrected, ok.corrected] == pytest.approx(holm([ms.p.value, ok.p.value]))
    assert (cost.correlation, cost.p.reason, cost.mean) == (None, "cost is the same for every query", 1.5)
    assert (ok.correlation, ok.largest) == (pytest.approx(1), 1)
    assert beside(catchrate.evaluate({"q": {"a": 1}}, {"q": ["a"]})) == ()

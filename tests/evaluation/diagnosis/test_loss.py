"""The loss account against a slow twin: every relevant document once, and what was found is recall."""

from __future__ import annotations

import random
from collections import Counter

import hypothesis.strategies as st
import pytest
from hypothesis import given, settings

import catchrate
from catchrate import UsageError
from catchrate.evaluation.diagnosis.loss import FATES, deeper_cutoffs, loss_account, loss_by
from catchrate.evaluation.evaluate import remeasured
from catchrate.measures import parse_all
from strategies import Grades, Scored, collections, policies, queries, scores_of
from twins import Query


def slow_fates(query: Query, k: int, rel: float) -> dict[str, str]:
    """Attribute each relevant item of one query, in the order of the account."""
    relevant = {item for item, grade in query.grades.items() if grade >= rel}
    last_first = reversed(list(enumerate(query.slots, 1)))
    first = {item: slot for slot, held in last_first for item in held if item in relevant}
    fate = dict.fromkeys(relevant - first.keys(), "never returned")
    fate |= {item: "found" for item, slot in first.items() if slot <= k}
    free = k - len({slot for item, slot in first.items() if slot <= k})
    for slot in sorted({slot for slot in first.values() if slot > k}):
        here = "ranked below k" if free > 0 else "over the ceiling"
        fate |= {item: here for item, place in first.items() if place == slot}
        free -= 1
    return fate


def slow_shares(asked: list[Query], weights: list[float], k: int, rel: float) -> dict[str, float]:
    shares = dict.fromkeys(FATES, 0.0)
    for query, weight in zip(asked, weights, strict=True):
        fate = slow_fates(query, k, rel)
        for one in fate.values():
            shares[one] += weight / len(fate) / sum(weights)
        shares["nothing to find"] += 0 if fate else weight / sum(weights)
    return shares


ASKED = st.lists(queries(), min_size=1, max_size=5)


@settings(max_examples=60, deadline=None)
@given(ASKED, st.integers(1, 12), st.integers(0, 2**32))
def test_every_relevant_document_is_attributed_once_and_what_was_found_is_recall(asked, k, seed):
    weights = [random.Random(seed + n).choice((1.0, 0.5, 3.0)) for n in range(len(asked))]
    scores = scores_of(asked, f"recall@{k} pooled_recall@{k}", weight=weights)
    account = loss_account(scores, k)
    assert account.recall == scores[f"recall@{k}"]
    assert sum(part.share for part in account.parts) == pytest.approx(1, abs=1e-12)
    assert [part.fate for part in account.parts] == list(FATES)
    expected = slow_shares(asked, weights, k, 1)
    assert [part.share for part in account.parts] == pytest.approx([expected[fate] for fate in FATES])
    counts = Counter(fate for query in asked for fate in slow_fates(query, k, 1).values())
    assert [part.documents for part in account.parts] == [counts[fate] for fate in FATES]
    assert sum(part.documents for part in account.parts) == account.relevant == counts.total()
    if len(set(weights)) == 1 and account.relevant:
        assert account.pooled_recall == pytest.approx(scores[f"pooled_recall@{k}"])


@settings(max_examples=40, deadline=None)
@given(collections(), policies(duplicates=(None,)), st.integers(1, 12), st.sampled_from((1, 2, 0.5)))
def test_the_account_holds_under_every_policy(both: tuple[Grades, Scored], policy, k, rel):
    chosen = {name: getattr(policy, name) for name in ("queries", "judged_only", "max_rank", "dialect")}
    scores = catchrate.evaluate(*both, f"recall@{k} recall_ceiling@{k}", rel=rel, **chosen)
    account = loss_account(scores, k)
    assert account.recall == scores[f"recall@{k}"]
    assert sum(part.share for part in account.parts) == pytest.approx(1, abs=1e-12)
    best_order = account.recall + account["ranked below k"].share
    assert best_order <= scores[f"recall_ceiling@{k}"] + 1e-12
    for deeper in account.deeper:
        at = remeasured(scores, parse_all(f"recall@{deeper.k}"))
        assert deeper.recall == at.means[0]
        assert deeper.gain == pytest.approx(deeper.recall - account.recall)


@settings(max_examples=40, deadline=None)
@given(ASKED, st.integers(1, 6), st.data())
def test_the_accounts_of_slices_add_up_to_that_of_all(asked, k, data):
    kinds = data.draw(st.lists(st.sampled_from("abc"), min_size=len(asked), max_size=len(asked)))
    scores = scores_of(asked, kind=kinds)
    whole, parts = loss_account(scores, k), loss_by(scores, "kind", k)
    assert set(parts) == set(kinds)
    for place, part in enumerate(whole.parts):
        assert part.documents == sum(one.parts[place].documents for one in parts.values())
        shares = sum(one.parts[place].share * one.queries for one in parts.values())
        assert shares / len(asked) == pytest.approx(part.share)
    for name, one in parts.items():
        alone = [query for query, kind in zip(asked, kinds, strict=True) if kind == name]
        assert one.recall == scores_of(alone, f"recall@{k}").means[0]
        assert one.depth == max(len(query.slots) for query in alone)


def test_a_reranker_can_do_what_the_account_says():
    judged = {"q": dict.fromkeys("abcde", 1)}
    account = loss_account(catchrate.evaluate(judged, {"q": [*"axyb", *"cd"]}), 3)
    shares = {part.fate: part.share for part in account.parts}
    assert shares == pytest.approx(
        {"found": 0.2, "ranked below k": 0.4, "over the ceiling": 0.2, "never returned": 0.2, "nothing to find": 0}
    )
    best = catchrate.evaluate(judged, {"q": [*"abc", *"dxy"]}, "recall@3")
    assert best["recall@3"] == pytest.approx(account.recall + account["ranked below k"].share)


def test_cut_offs_beyond_k_end_where_the_lists_end():
    assert deeper_cutoffs(10, 1000) == (20, 50, 100)
    assert deeper_cutoffs(10, 20) == (20,)
    assert deeper_cutoffs(10, 21) == (20, 50)
    assert deeper_cutoffs(10, 10) == ()
    assert deeper_cutoffs(100, 1000) == (200, 500, 1000)


def test_parts_are_asked_for_by_their_name():
    scores = catchrate.evaluate({"q": {"a": 1}, "empty": {"a": 0}}, {"q": ["b"]})
    account = loss_account(scores, 5)
    assert account["nothing to find"].share == 0.5
    assert account.largest_loss.fate in ("never returned", "nothing to find")
    with pytest.raises(UsageError, match="E332 a loss account has no part 'lost' - choose one of found"):
        account["lost"]
    with pytest.raises(UsageError, match="E272 parameter k is '0'"):
        loss_account(scores, 0)
    assert loss_account(catchrate.evaluate({"q": {"a": 1}}, {"q": ["a"]}), 1).largest_loss is None

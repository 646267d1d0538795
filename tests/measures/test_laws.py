"""Every row keeps the laws that it declares, and declares the laws that it keeps."""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Iterator

import numpy as np
import pytest

from catchrate.errors import UsageError
from catchrate.measures import TABLE, Alignment, Cutoff, Terms, choose, measure
from catchrate.measures.laws import check_measure
from restored import restored_table
from strategies import chosen

OURS = sorted(name for name, row in TABLE.items() if row.function.__module__.startswith("catchrate.measures."))
USUAL = {"level": 0.5}
"""Parameters that have no default."""


@pytest.fixture
def table() -> Iterator[None]:
    """Let a test declare measures of its own, and forget them afterwards."""
    with restored_table():
        yield


def usual(name: str):
    return choose(TABLE[name], {p.name: USUAL[p.name] for p in TABLE[name].parameters if p.required})


@pytest.mark.parametrize("name", OURS)
def test_a_row_keeps_the_laws_that_it_declares(name: str):
    check_measure(usual(name), trials=25)
    dice = random.Random(name)
    for seed in range(8):
        check_measure(chosen(name, dice), trials=3, seed=seed)


CLAIMS = [
    *(
        (name, {"perfect": True})
        for name in OURS
        if not TABLE[name].perfect and TABLE[name].higher_is_better is not None
    ),
    *((name, {"bounded_by_unjudged": True}) for name in OURS if not TABLE[name].bounded_by_unjudged),
    *(
        (name, {"trend": t})
        for name in OURS
        for t in ("up", "down")
        if TABLE[name].parameter("k") and TABLE[name].trend != t
    ),
    *((name, {"binary": True}) for name in OURS if not TABLE[name].binary and name != "num_q"),
]


@pytest.mark.parametrize(("name", "claim"), CLAIMS, ids=str)
def test_a_row_does_not_keep_a_law_that_it_does_not_declare(
    name: str, claim: dict[str, object], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setitem(TABLE, name, dataclasses.replace(TABLE[name], **claim))
    with pytest.raises(UsageError, match="E276"):
        _check_often(name)


def _check_often(name: str) -> None:
    dice = random.Random(0)
    for seed in range(300):
        check_measure(chosen(name, dice), trials=4, seed=seed)


@pytest.mark.parametrize("name", OURS)
def test_a_row_says_what_it_means_and_when_to_use_it(name: str):
    row = TABLE[name]
    assert row.meaning.endswith((".", ")", "MRR", "MAP"))
    assert row.advice.startswith("Use ")
    assert row.formula
    assert row.range[0] < row.range[1]
    assert row.binary is False or row.range == (0, 1)


def too_large(a: Alignment) -> Terms:
    """Return 2."""
    return a.query_terms(np.full(a.queries, 2.0))


def not_finite(a: Alignment) -> Terms:
    """Return infinity."""
    return a.query_terms(np.full(a.queries, np.inf))


def of_all_queries(a: Alignment) -> Terms:
    """Depend on the neighbours."""
    return a.query_terms(np.full(a.queries, 1 / max(1, a.queries)))


def deaf_to_k(a: Alignment, *, k: Cutoff = None) -> Terms:
    """Read all slots whatever k says."""
    return a.query_terms(a.returned > 4)


def falling(a: Alignment, *, k: Cutoff = None) -> Terms:
    """Fall as k grows."""
    return a.query_terms(1 / (1 + (k or 100)))


def junk_first(a: Alignment) -> Terms:
    """Like irrelevant slots."""
    return a.query_terms(1.0 - np.minimum(1, a.count_slots(a.slots.grade >= 1)))


def odd(a: Alignment) -> Terms:
    """Swing with the number of relevant slots."""
    return a.query_terms(a.count_slots(a.slots.grade >= 1) % 2)


def crash(a: Alignment) -> Terms:
    """Fail where a list is empty."""
    return a.query_terms([1 / int(n) for n in a.returned])


def short(a: Alignment) -> Terms:
    """Return too few values."""
    return Terms("queries", np.zeros(1, np.int64), np.zeros(a.queries + 1), np.ones(a.queries + 1))


def by_item(a: Alignment) -> Terms:
    """Depend on which of two equal items comes first."""
    return a.item_terms((a.items.place == 1) & (a.items.slot == 1))


@pytest.mark.parametrize(
    ("function", "declared", "says"),
    [
        (too_large, {}, "lie between 0 and 1"),
        (not_finite, {}, "be a finite number"),
        (of_all_queries, {}, "queries are measured at a time"),
        (deaf_to_k, {}, "read no slot below the cut-off"),
        (falling, {"trend": "up"}, "never fall as k grows"),
        (junk_first, {"perfect": True}, "be best for the ideal ranking"),
        (odd, {"bounded_by_unjudged": True}, "all unjudged slots irrelevant and all relevant"),
        (of_all_queries, {"binary": True}, "be 0 or 1"),
        (crash, {}, "ZeroDivisionError"),
        (by_item, {}, "not depend on the order of items"),
    ],
)
@pytest.mark.usefixtures("table")
def test_a_broken_law_is_named_with_an_example(function, declared: dict[str, object], says: str):
    name = f"broken_{function.__name__}"
    measure(name=name, **declared)(function)
    with pytest.raises(UsageError, match=says) as caught:
        check_measure(name, trials=200)
    assert caught.value.code == "E276"
    assert "slots with the grades" in str(caught.value)


@pytest.mark.usefixtures("table")
def test_a_measure_with_too_few_values_is_refused():
    measure(name="broken_short")(short)
    with pytest.raises(UsageError, match="E273"):
        check_measure("broken_short")


@pytest.mark.usefixtures("table")
def test_a_measure_of_one_query_at_a_time_passes():
    @measure(per_query=True, name="found_early", perfect=True)
    def found_early(slots, grades, returned, relevant):
        """Share of the relevant items in the first half of the list."""
        return ((slots <= returned / 2) & (grades >= 1)).sum() / relevant if relevant else 0.0

    check_measure("found_early")
    assert found_early.__name__ == "found_early"


def test_check_measure_gives_the_same_verdict_for_a_seed():
    @measure(per_query=True, name="now_and_then")
    def now_and_then(slots, grades, returned, relevant):
        """More than 1 for some rankings only."""
        return 2.0 if returned == 7 else 0.0

    def verdict(seed: int) -> str:
        with pytest.raises(UsageError) as caught:
            check_measure("now_and_then", trials=50, seed=seed)
        return str(caught.value)

    assert verdict(4) == verdict(4)
    assert len({verdict(seed) for seed in range(8)}) > 1

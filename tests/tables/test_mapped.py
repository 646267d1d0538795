"""Plain dicts of dicts are read as the closer look reads them, only faster."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from catchrate.alignment import JudgmentIndex, Policy, align
from catchrate.formats import ReadOptions, open_ranking, read_judgments, read_ranking
from catchrate.formats.objects import judgments_from_object
from catchrate.tables.mapped import MappedRanking, mapped_judgments
from strategies import Grades, judgments_of, long_collection

ids = st.text(st.characters(codec="utf-8"), max_size=4) | st.sampled_from(["a", "b", "q1", "a\n", "\t"])
numbers = st.integers(-2, 3) | st.sampled_from([True, 0.5, 2.0**31, 10**400, None, "1", Decimal("1.5"), float("nan")])
most = st.dictionaries(ids, st.dictionaries(ids, st.integers(-2, 3), max_size=6), max_size=4)
odd = st.dictionaries(ids | st.integers(0, 3), st.dictionaries(ids, numbers, max_size=3) | st.none(), max_size=3)


@settings(max_examples=60, deadline=None)
@given(most | odd)
def test_judgments_are_those_of_the_closer_look(value: Any):
    fast = mapped_judgments(value)
    if fast is None:
        return
    slow = judgments_from_object(value, ReadOptions())
    assert fast.items.equals(slow.items)
    assert fast.items.schema == slow.items.schema
    assert fast.queries.equals(slow.queries)
    assert fast.notes == slow.notes
    assert fast.digest() == slow.digest()


class Stubborn(float):
    """A number that says nothing of itself but its value."""

    def __float__(self) -> float:
        raise ValueError("ask somebody else")


def test_numbers_are_asked_for_their_value_once_and_in_the_order_of_the_mapping():
    judged = {"q2": {"b": Stubborn(-1), "a": 1}, "q1": {"c": -2, "d": Stubborn(2)}}
    fast, slow = read_judgments(judged), judgments_from_object(judged, ReadOptions())
    assert fast.notes == slow.notes
    assert fast.items.equals(slow.items)


def test_what_most_people_have_needs_no_closer_look():
    assert mapped_judgments({"q2": {"b": 1, "a": 2}, "q1": {}, "é": {"中": 0.5}}) is not None


@pytest.mark.parametrize(
    "value",
    [
        {},
        {"q": {}},
        {"q": ["a"]},
        {1: {"a": 1}},
        {1: {"a": 1}, "q": {"a": 1}},
        {"q": {1: 1}},
        {"": {"a": 1}},
        {"q": {"a": 1, "": 1}},
        {"q": {"\0": 1}},
        {"q": {"\ud800": 1}},
        {"q": {"a": "1"}},
        {"q": {"a": None}},
        {"q": {"a": float("inf")}},
        {"q": {"a": 2**31}},
        {"q": {"a": 10**400}},
    ],
)
def test_anything_odd_gets_the_closer_look(value: Any):
    assert mapped_judgments(value) is None


def test_a_number_that_fails_in_its_own_way_gets_the_closer_look():
    class Failing:
        def __float__(self) -> float:
            raise KeyError

    assert mapped_judgments({"q": {"a": Failing()}}) is None
    assert MappedRanking.of({"q": {"a": Failing()}}) is None


@pytest.mark.parametrize("before", [0, 1, 2_047, 2_048, 2_049, 4_095])
@pytest.mark.parametrize("char", ["x", "é"])
def test_an_id_is_as_long_as_the_limit_and_no_longer(before: int, char: str):
    """Wherever it stands among the others."""
    docs = {f"{number:0{before // 2}d}": 1.0 for number in range(2)} if before else {}
    longest = char * (4_096 // len(char.encode()))
    assert MappedRanking.of({"q": {**docs, longest: 1.0, "z": 0.5}}) is not None
    assert MappedRanking.of({"q": {**docs, longest + "x": 1.0, "z": 0.5}}) is None


def test_digests_stay_what_they_are():
    judged = read_judgments({"q2": {"b": 1, "é": 2.5}, "q1": {"c": 0, "a": 3, "d": 3}, "q3": {}})
    assert judged.digest() == "sha256:dbe8561b4d8048d7670acf0ec5a6839694c6344d6b3a4ea16672199add86744f"
    ranking = open_ranking({"q2": {"b": 1, "é": 2.5}, "q1": {}})
    assert ranking.digest() == "sha256:42f50cc86f1d1a6f4f5c6391418bea0524fd1df96c13d911cb2adf4790ea9b80"


@pytest.mark.parametrize("digits", [0, 1, 6])
def test_dicts_on_both_sides_are_joined_as_tables_are(digits: int):
    """With ties from all of a list to none, in lists that fall and in lists that do not."""
    qrels, run = long_collection(queries=40, docs=120, seed=3)
    run = {query: {doc: round(score, digits) for doc, score in docs.items()} for query, docs in run.items()}
    falling = {query: dict(sorted(docs.items(), key=lambda pair: -pair[1])) for query, docs in run.items()}
    for dialect in ("catchrate", "trec_eval-9"):
        expected = _hits(qrels, run, dialect, tables=True)
        assert len(expected) > 100
        assert _hits(qrels, run, dialect) == expected
        assert _hits(qrels, {**falling, "q1": run["q1"]}, dialect) == expected


def _hits(qrels: Grades, run: dict[str, dict[str, float]], dialect: Any, *, tables: bool = False) -> list[Any]:
    judgments, ranking = (
        (judgments_of(qrels), read_ranking(run)) if tables else (read_judgments(qrels), open_ranking(run))
    )
    assert isinstance(ranking, MappedRanking) != tables
    found = align(judgments, ranking, Policy(dialect=dialect))
    hits, docs = found.arrays.hits, found.items["doc"].to_list()
    return [*zip(hits.query.tolist(), hits.slot.tolist(), [docs[item] for item in hits.item.tolist()], strict=True)]


def test_other_items_forget_what_was_listed():
    judged = read_judgments({"q": {"a": 1, "b": 0}})
    assert judged.listed() is not None
    other = replace(judged, items=judged.items.head(1))
    assert other.listed() is None
    assert JudgmentIndex(other).listed()[0] == ["a"]

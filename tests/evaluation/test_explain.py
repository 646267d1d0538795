"""What an explanation says is what was measured: to the last bit, and document by document."""

from __future__ import annotations

import operator
import random
from functools import reduce

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given, settings

import catchrate
from catchrate import UsageError
from catchrate.alignment import Policy
from catchrate.evaluation.explain import _Look, explain
from catchrate.evaluation.explanation import Explanation, Quotient
from catchrate.evaluation.one_list import documents_of
from catchrate.measures import TABLE, Measure, choose
from strategies import (
    Grades,
    Rows,
    Scored,
    chosen,
    collections,
    lists_of,
    policies,
    queries,
    rows_and_judgments,
    rows_of,
    scores_of,
)
from twins import Query

OURS = sorted(name for name, row in TABLE.items() if row.function.__module__.startswith("catchrate.measures."))
OF_IDS = [name for name in OURS if not name.startswith("char_")]


def holds(quotient: Quotient, empty: float) -> None:
    divided = quotient.numerator / quotient.denominator if quotient.denominator else empty
    assert quotient.value == divided


def keeps_the_law_of_sums(found: Explanation) -> None:
    """Terms add up to numerators, quotients are values, and the documents hold the terms."""
    for place, part in enumerate(found.parts):
        assert reduce(operator.add, part.terms, 0.0) == part.numerator
        holds(part, found.measure.row.empty if len(found.parts) == 1 else 0.0)
        added = [entry.adds[place] for entry in found.entries]
        if part.rows == "queries":
            assert set(added) <= {None}
            assert part.terms == (part.numerator,)
        else:
            assert sorted(filter(None, added)) == sorted(filter(None, part.terms))
    if len(found.parts) == 1:
        assert found.value == found.parts[0].value
    for quotient in found.whole.parts:
        holds(quotient, 0.0)
    if found.whole.how in ("mean", "sum") or (found.whole.how == "pooled" and len(found.whole.parts) == 1):
        assert found.whole.value == found.whole.parts[0].value


def without_budget(measure: Measure) -> Measure:
    return choose(measure.row, dict(measure.parameters), judged_only=measure.judged_only)


@pytest.mark.parametrize("name", OF_IDS)
@settings(max_examples=12, deadline=None)
@given(collections(), policies(duplicates=(None,)), st.integers(0, 2**32))
def test_every_measure_is_the_sum_of_what_its_documents_add(
    name: str, both: tuple[Grades, Scored], policy: Policy, seed: int
):
    measure = without_budget(chosen(name, random.Random(seed)))
    chosen_policy = {f: getattr(policy, f) for f in ("queries", "judged_only", "max_rank", "dialect")}
    scores = catchrate.evaluate(*both, measure, **chosen_policy)
    for place, query in enumerate(scores.per_query["query"].to_list()):
        found = explain(*both, measure, query, **chosen_policy)
        assert found.value == scores.values[place, 0]
        assert found.whole.value == scores.means[0]
        keeps_the_law_of_sums(found)


@pytest.mark.parametrize("name", OURS)
@settings(max_examples=12, deadline=None)
@given(st.lists(queries(), min_size=1, max_size=3), st.integers(0, 2**32))
def test_the_law_holds_where_a_place_holds_several_texts(name: str, asked: list[Query], seed: int):
    measure = chosen(name, random.Random(seed))
    scores = scores_of(asked, measure)
    for place, query in enumerate(asked):
        docs = [f"chunk {slot}" for slot in range(1, len(query.slots) + 1)]
        found = _Look(scores, place, docs, Policy()).explanation(picked=False)
        assert found.value == scores.values[place, 0]
        keeps_the_law_of_sums(found)


def slow_order(rows: Rows, query: str, single: bool) -> list[str]:
    def key(row: tuple[str, str, float]) -> tuple[float, bytes]:
        with np.errstate(over="ignore"):
            return float(np.float32(row[2])) if single else row[2], row[1].encode()

    return [doc for _, doc, _ in sorted((row for row in rows if row[0] == query), key=key, reverse=True)]


@settings(max_examples=60, deadline=None)
@given(rows_and_judgments(repeats=False), policies(duplicates=(None,)))
def test_the_second_look_lists_a_query_in_the_order_of_the_join(both: tuple[Grades, Rows], policy: Policy):
    _, rows = both
    for query in {query for query, _, _ in rows}:
        expected = slow_order(rows, query, policy.dialect == "trec_eval-9")
        assert documents_of(rows_of(rows), query, policy) == expected
        mapped = {q: {doc: score for name, doc, score in rows if name == q} for q, _, _ in rows}
        assert documents_of(catchrate.formats.open_ranking(mapped), query, policy) == expected


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from("abcd"), min_size=1, max_size=9), st.sampled_from(("keep", "collapse")))
def test_repeats_are_marked_or_gone(returned: list[str], how: str):
    found = explain({"q": {"a": 1, "b": 0}}, {"q": returned}, "precision@20", "q", duplicates=how)
    docs = list(dict.fromkeys(returned)) if how == "collapse" else returned
    assert [entry.doc for entry in found.ranking] == docs
    assert [entry.rank for entry in found.ranking] == list(range(1, len(docs) + 1))
    for place, entry in enumerate(found.ranking):
        state = {"a": "relevant", "b": "not relevant"}.get(entry.doc, "not judged")
        assert entry.state == ("repeat" if entry.doc in docs[:place] else state)
        assert entry.adds == (1.0 if entry.state == "relevant" else 0.0,)


def test_missed_documents_say_where_they_stand():
    judged = {"q": {"a": 1, "b": 2, "c": 3, "d": 0}}
    found = explain(judged, {"q": ["x", "a", "y", "b"]}, "recall@2", "q")
    assert [(e.doc, e.rank, e.grade, e.state) for e in found.missed] == [
        ("b", 4, 2, "below the cut-off"),
        ("c", None, 3, "not returned"),
    ]
    assert (found.relevant, found.returned, found.parts[0].numerator, found.parts[0].denominator) == (3, 4, 1, 3)
    assert [e.adds for e in explain(judged, {"q": ["x", "a"]}, "coverage_gap@2", "q").missed] == [(1.0,), (1.0,)]


def test_the_level_of_a_measure_wins_over_that_of_the_policy():
    judged, run = {"q": {"a": 1, "b": 2}}, {"q": ["a", "b"]}
    assert [e.state for e in explain(judged, run, "recall", "q", rel=2).ranking] == ["not relevant", "relevant"]
    assert [e.state for e in explain(judged, run, "recall(rel=1)", "q", rel=2).ranking] == ["relevant", "relevant"]


def test_without_a_query_the_worst_one_that_has_something_to_find_is_picked():
    judged = {"q0": {"x": 0}, "q1": {"a": 1}, "q2": {"a": 1, "b": 1}, "q3": {"a": 1}}
    run = {"q0": ["x"], "q1": ["y"], "q2": ["y"], "q3": ["a"]}
    found = explain(judged, run, "recall@1")
    assert (found.query, found.picked, found.ties, found.value) == ("q2", True, 2, 0.0)
    assert [q.query for q in found.whole.worst] == ["q0", "q1", "q2", "q3"]
    assert (found.whole.as_bad, found.whole.best, found.whole.as_good) == (3, 1.0, 1)
    assert explain(judged, run, "miss@1").query == "q2"
    assert explain({"q0": {"x": 0}}, {"q0": ["x"]}, "recall@1").reason == "recall@1 has nothing to divide by"


def test_a_query_that_does_not_count_is_refused_with_the_nearest_name():
    with pytest.raises(UsageError, match=r"E360 'q11' .* - did you mean 'q1'\?"):
        explain({"q1": {"a": 1}}, {"q1": ["a"]}, "rr", "q11")
    with pytest.raises(UsageError, match="E360 'q2' is not one of the 1 queries that count"):
        explain({"q1": {"a": 1}, "q2": {"a": 1}}, {"q1": ["a"]}, "rr", "q2", queries="both")


def test_a_query_that_the_run_lacks_has_an_empty_list():
    found = explain({"q1": {"a": 1}, "q2": {"a": 1}}, {"q1": ["a"]}, "rr", "q2")
    assert (found.ranking, found.value, found.whole.missing) == ((), 0.0, 1)
    assert [e.state for e in found.missed] == ["not returned"]


def test_queries_in_pieces_and_pipes_of_records_are_listed_whole(tmp_path):
    run = tmp_path / "run.trec"
    run.write_text("q1 Q0 a 1 1 t\nq2 Q0 x 1 9 t\nq1 Q0 b 2 5 t\nq2 Q0 y 2 3 t\nq1 Q0 c 3 3 t\n")
    found = explain({"q1": {"a": 1}, "q2": {"y": 1}}, str(run), "rr", "q1")
    assert [e.doc for e in found.ranking] == ["b", "c", "a"]
    records = [{"query": "What?", "retrieved": ["x", "a"], "ground_truth": ["a"]}]
    found = explain(records, measure="rr")
    assert (found.query, found.text, found.value) == ("What?", None, 0.5)


def test_a_ranking_in_memory_is_listed_in_its_own_order():
    assert documents_of(lists_of({"q": ["b", "a", "b"], "p": ["c"]}), "q", Policy()) == ["b", "a", "b"]
    assert documents_of(lists_of({"q": []}), "q", Policy()) == []

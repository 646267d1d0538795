"""What was missed, what crowds the first slots and what to judge next, against plain counting and judging again."""

from __future__ import annotations

import math

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import catchrate
from catchrate import UsageError
from catchrate.evaluation.diagnosis import first_documents, missed_often, misses, nothing_found, worklist
from catchrate.formats import open_ranking
from strategies import Grades, Scored, collections, policies

K = st.integers(1, 6)


def ranked(run: Scored, query: str) -> list[str]:
    return sorted(run.get(query, {}), key=lambda doc: (run[query][doc], doc.encode()), reverse=True)


def looked_at(qrels: Grades, run: Scored, k: int, **policy: object) -> tuple[catchrate.Scores, pl.DataFrame]:
    scores = catchrate.evaluate(qrels, run, f"recall@{k}", **policy)
    return scores, first_documents(scores, open_ranking(run), k)


@settings(max_examples=50, deadline=None)
@given(collections(), policies(duplicates=(None,)), K)
def test_the_first_documents_are_those_that_were_measured(both: tuple[Grades, Scored], policy, k):
    qrels, run = both
    chosen = {name: getattr(policy, name) for name in ("queries", "judged_only", "max_rank")}
    scores, first = looked_at(qrels, run, k, **chosen)
    for number, query in enumerate(scores.aligned.queries["query"].to_list()):
        docs = ranked(run, query)[: policy.max_rank]
        if policy.judged_only:
            docs = [doc for doc in docs if qrels[query].get(doc, -1) >= 0]
        known = [(slot, doc, qrels[query].get(doc, -1)) for slot, doc in enumerate(docs[:k], 1)]
        mine = first.filter(pl.col("number") == number).select("slot", "doc", pl.col("grade").fill_null(-1))
        assert mine.rows() == [(slot, doc, max(grade, -1)) for slot, doc, grade in known]


@settings(max_examples=50, deadline=None)
@given(collections(), K)
def test_every_miss_is_told_with_what_stands_in_its_place(both: tuple[Grades, Scored], k):
    qrels, run = both
    scores, first = looked_at(qrels, run, k)
    found = {(one.query, one.doc): one for one in misses(scores, k, first)}
    slow = {}
    for query, judged in qrels.items():
        docs = ranked(run, query)
        for doc, grade in judged.items():
            if grade >= 1 and doc not in docs[:k]:
                junk = tuple(other for other in docs[:k] if judged.get(other, 0) < 1)
                slow[query, doc] = (docs.index(doc) + 1 if doc in docs else None, float(grade), junk)
    assert {key: (one.rank, one.grade, one.instead) for key, one in found.items()} == slow
    assert all((one.fate == "never returned") == (one.rank is None) for one in found.values())
    assert [one.grade for one in misses(scores, k)] == sorted((grade for _, grade, _ in slow.values()), reverse=True)
    wanted = {query: [doc for doc, grade in judged.items() if grade >= 1] for query, judged in qrels.items()}
    empty = {q: len(docs) for q, docs in wanted.items() if docs and not set(docs) & set(ranked(run, q)[:k])}
    assert {one.query: one.relevant for one in nothing_found(scores, k)} == empty
    for one in nothing_found(scores, k):
        assert one.best == min(slow[one.query, doc][0] or math.inf for doc in wanted[one.query]) or one.best is None
    often = {one.doc: (one.missed, one.relevant) for one in missed_often(scores, k)}
    counted = {doc: [key for key in slow if key[1] == doc] for _, doc in slow}
    relevant = [doc for docs in wanted.values() for doc in docs]
    assert often == {doc: (len(keys), relevant.count(doc)) for doc, keys in counted.items() if len(keys) > 1}


@settings(max_examples=40, deadline=None)
@given(collections(lowest=0), collections(lowest=0), K)
def test_what_a_judgment_moves_is_what_judging_it_moves(both, more, k):
    qrels, run = both
    other = more[1] | {next(iter(qrels)): {"z": 1.0}}
    runs = [looked_at(qrels, one, k) for one in (run, other)]
    rows = worklist(runs, k)
    shown = {(q, d) for one in (run, other) for q in qrels for d in ranked(one, q)[:k] if d not in qrels[q]}
    assert set(rows.select("query", "doc").rows()) == shown
    assert rows["moves"].to_list() == sorted(rows["moves"].to_list(), reverse=True)
    for row in rows.iter_rows(named=True):
        judged = {q: dict(docs) | ({row["doc"]: 1} if q == row["query"] else {}) for q, docs in qrels.items()}
        moved = 0.0
        for one in (run, other):
            before, after = (
                dict(catchrate.evaluate(j, one, f"recall@{k}").per_query.rows())[row["query"]] for j in (qrels, judged)
            )
            moved += abs(after - before)
        assert row["moves"] == pytest.approx(math.sqrt(row["chance"] * (1 - row["chance"])) * moved)


def test_runs_over_different_queries_are_not_pooled():
    judged = {"q1": {"a": 1}, "q2": {"b": 1}}
    runs = [looked_at(judged, run, 3, queries="both") for run in ({"q1": {"x": 1.0}}, {"q2": {"x": 1.0}})]
    with pytest.raises(UsageError, match="E331"):
        worklist(runs, 3)


TEXTS = ["The lamp burns at night.", "the LAMP burns, at night", "Nothing else is known of the harbour master."]


def crowded() -> list[dict[str, object]]:
    hub, plain = "all about it", ["one thing here", "some other thing"]
    return [
        {"query": f"q{i}", "ground_truth": [f"a{i}"], "retrieved": ["hub", f"a{i}", f"b{i}", "hub"]}
        | {"texts": [hub, *(TEXTS[:2] if i == 3 else plain), hub]}
        for i in range(8)
    ]


def test_hubs_repeats_and_the_same_text_are_found():
    crowd = catchrate.diagnose(crowded(), k=4).crowd
    assert [(one.doc, one.returned, one.relevant, one.judged) for one in crowd.hubs] == [("hub", 8, 0, 0)]
    assert (crowd.repeats, crowd.slots) == (8, 32)
    assert [(one.query, one.doc, one.again, one.slots, one.similarity) for one in crowd.alike] == [
        ("q3", "a3", "b3", (2, 3), 1.0)
    ]
    plain = [{key: value for key, value in record.items() if key != "texts"} for record in crowded()]
    assert catchrate.diagnose(plain, k=4).crowd.alike is None


def test_slots_are_those_after_repeats_were_dropped():
    run = {"q": ["x", "x", "x", "a", "y"]}
    for how, slots in (("collapse", [("x", 1), ("a", 2), ("y", 3)]), ("keep", [("x", 1), ("a", 4)])):
        scores = catchrate.evaluate({"q": {"a": 1}}, run, duplicates=how)
        first = first_documents(scores, open_ranking(run), 4)
        assert first.select("doc", "slot").rows() == slots
    assert catchrate.diagnose({"q": {"a": 1}}, run, k=4).crowd.repeats == 2


def test_near_misses_are_named_where_texts_are_matched():
    gold = "the harbour master keeps the keys of the old boat house by the pier"
    records = [{"query": "who?", "texts": ["the harbour master keeps a dog", "x y z"], "gold_texts": [gold]}]
    found = catchrate.diagnose(records, k=2, match="covered(threshold=0.9)")
    (miss,) = found.misses
    assert miss.fate == "never returned"
    assert miss.near is not None
    assert 0 < miss.strength < 0.9


def test_without_the_ranking_only_the_join_is_asked():
    found = catchrate.diagnose_scores(catchrate.evaluate(crowded()), 4)
    assert (found.crowd, found.worklist) == (None, None)
    assert len(found.misses) == 0


def test_words_of_texts_are_lengths_and_make_budgets():
    records = [
        {"query": f"q{i}", "ground_truth": ["a"], "retrieved": ["x", "a"], "texts": ["one two three four", "five six"]}
        for i in range(6)
    ]
    choice = catchrate.diagnose(records, target="hit@k >= 0.9", price=3).choice
    assert [(step.k, step.tokens, step.cost) for step in choice.steps] == [(1, 4, None), (2, 6, None)]
    assert [(one.unit, one.sure, one.point) for one in choice.reached][1:] == [("tokens", None, 6)]
    assert choice.counted == "words"
    told = catchrate.diagnose(records, tokens=100, price=3).choice
    assert [(step.tokens, step.cost) for step in told.steps] == [(100, 0.3), (200, 0.6)]
    some = [record | {"retrieved": ["x", "x"]} if record["query"] == "q1" else record for record in records]
    assert catchrate.diagnose(some).choice.steps[0].tokens is None

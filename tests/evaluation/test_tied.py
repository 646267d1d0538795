"""What means would be if documents with equal scores stood in another order."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import polars as pl
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tests.strategies import Grades, Scored, collections, judgments_of, lists_of, policies, scored_of

import catchrate
from catchrate.alignment import Aligned, Policy, align
from catchrate.evaluation.check import check
from catchrate.evaluation.tied import WORTH_TELLING, tie_note, tie_ranges
from catchrate.formats import ReadOptions, open_source
from catchrate.measures import parse_all
from catchrate.tables.mapped import MappedRanking

MEASURES = parse_all("recall@2 precision@3 ndcg@3 rr ap rbp judged@2 miss@2 bpref")


def in_order(qrels: Grades, run: Scored, sign: int) -> dict[str, list[str]]:
    """Return the run as lists: by score, then by grade; what nobody judged is worth less than any grade."""

    def places(query: str, docs: dict[str, float]) -> list[str]:
        grade = {doc: qrels.get(query, {}).get(doc, float("-inf")) for doc in docs}
        return sorted(docs, key=lambda doc: (-docs[doc], sign * grade[doc]))

    return {query: places(query, docs) for query, docs in run.items()}


def means(found: Aligned) -> list[float]:
    return [measure.mean(found.arrays, measure.per_query(found.arrays)) for measure in MEASURES]


@settings(max_examples=60, deadline=None)
@given(collections(known=False), policies(duplicates=(None,)), st.booleans())
def test_the_two_ends_are_what_lists_in_these_orders_get(sides: tuple[Grades, Scored], policy: Policy, mapped: bool):
    assume(policy.dialect == "catchrate")
    qrels, run = sides
    source = MappedRanking.of(run) if mapped else scored_of(run)
    assert source is not None
    found = align(judgments_of(qrels), source, policy)
    worst, best = (means(align(judgments_of(qrels), lists_of(in_order(qrels, run, s)), policy)) for s in (1, -1))
    ranges = tie_ranges(found, MEASURES)
    assert [one.worst for one in ranges] == (worst if ranges else [])
    assert [one.best for one in ranges] == (best if ranges else [])
    assert ranges or worst == best == means(found)


@settings(max_examples=40, deadline=None)
@given(collections(), st.randoms(use_true_random=False))
def test_every_order_of_ties_lies_between_the_two(sides: tuple[Grades, Scored], dice: Random):
    qrels, run = sides
    some = {query: sorted(docs, key=lambda doc: (-docs[doc], dice.random())) for query, docs in run.items()}
    between = means(align(judgments_of(qrels), lists_of(some), Policy()))
    for one, value in zip(
        tie_ranges(align(judgments_of(qrels), scored_of(run), Policy()), MEASURES), between, strict=False
    ):
        assert min(one.worst, one.best) - 1e-12 <= value <= max(one.worst, one.best) + 1e-12


def notes(scores: object) -> list[str]:
    assert isinstance(scores, catchrate.Scores)
    return [note.message for note in scores.notes if note.code == "N215"]


def test_the_mean_that_ties_leave_most_open_is_told():
    run = {"q": {"a": 1.0, "x": 1.0, "y": 1.0, "b": 0.5}}
    (told,) = notes(catchrate.evaluate({"q": {"a": 1, "b": 1}}, run, "recall@3 rr"))
    assert "rr would be 1.0000 with the relevant ones first, 0.3333 with them last" in told


@pytest.mark.parametrize("run", [{"q": {"a": 3.0, "x": 1.0, "y": 1.0}}, {"q": ["a", "x", "y"]}])
def test_ties_that_hold_nothing_judged_are_not_told(run: object):
    assert notes(catchrate.evaluate({"q": {"a": 1}}, run)) == []


@pytest.mark.parametrize(("tied", "told"), [(1, 0), (4, 1), (20, 1)])
def test_ties_in_a_few_queries_are_ordinary(tied: int, told: int):
    queries = [f"q{number}" for number in range(int(2 / WORTH_TELLING))]
    run = {query: {"a": 1.0, "b": 1.0 if place < tied else 0.0} for place, query in enumerate(queries)}
    assert len(notes(catchrate.evaluate({query: {"a": 1} for query in queries}, run, "rr"))) == told


def test_weights_make_one_query_worth_telling():
    queries = [f"q{number}" for number in range(100 + int(1 / WORTH_TELLING))]
    qrels, run = {query: {"a": 1} for query in queries}, {query: {"a": 1.0, "b": 0.0} for query in queries}
    run["q0"] = {"a": 1.0, "b": 1.0, "c": 1.0}
    qrels["q0"] = {"a": 1, "b": 1}
    judgments = judgments_of(qrels)
    weights = pl.Series("weight", [1e6 if query == "q0" else 1.0 for query in judgments.queries["query"]])
    for weighted in (judgments, replace(judgments, queries=judgments.queries.with_columns(weights))):
        found = align(weighted, scored_of(run), Policy())
        assert len(list(tie_note(found, MEASURES, ""))) == (weighted is not judgments)


def test_a_check_says_what_ties_do_to_recall():
    judged = open_source(b"q 0 a 1\nq 0 b 1\n", name="judged")
    run = open_source(b"".join(b"q Q0 %c 1 %d t\n" % (doc, doc < 110) for doc in b"abcdefghijklmnop"), name="run")
    _, looked = check([judged, run])
    told = [finding.message for finding in looked.findings if finding.code == "N215"]
    assert any("recall@10 would be 1.0000 with the relevant ones first, 0.0000 with them last" in one for one in told)


@pytest.mark.parametrize("how", [{"match": "contained"}, {"length": "words", "options": ReadOptions(texts=True)}])
def test_what_belongs_to_its_slot_is_not_put_in_another_order(how: dict[str, Any]):
    judged = pl.DataFrame({"query": ["q", "q"], "doc": ["b", "a"], "grade": [1, 1], "text": ["one two", "three"]})
    texts = ["one two and three", "four", "five"]
    run = pl.DataFrame({"query": ["q"] * 3, "doc": ["a", "c", "d"], "score": [1.0] * 3, "text": texts})
    assert notes(catchrate.evaluate(judged, run, "rr precision@1", **how)) == []
    assert len(notes(catchrate.evaluate(judged, run, "rr precision@1"))) == 1

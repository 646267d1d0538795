"""Two runs without judgments."""

from __future__ import annotations

import json

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import catchrate
from catchrate import UsageError
from catchrate.evaluation.top import top_documents
from catchrate.formats import open_ranking
from catchrate.reports.render import render
from catchrate.reports.views import view_of
from catchrate.reports.views.rankings import rankings_content

OLD = {"q1": ["a", "b", "c"], "q2": ["d", "e"], "q3": []}
NEW = {"q1": ["a", "b", "c"], "q2": ["f", "d"], "q3": [], "q9": ["z"]}

ids = st.text("ab1é", min_size=1, max_size=3)


@settings(max_examples=40)
@given(st.dictionaries(ids, st.dictionaries(ids, st.integers(0, 3), min_size=1), min_size=1), st.integers(1, 4))
def test_the_first_documents_are_those_of_every_evaluation(run, depth):
    found = top_documents(open_ranking(run), depth)
    for query, scores in run.items():
        order = sorted(scores, key=lambda doc: (scores[doc], doc.encode()), reverse=True)[:depth]
        mine = found.filter(pl.col("query") == query)
        assert (mine["doc"].to_list(), mine["slot"].to_list()) == (order, list(range(1, len(order) + 1)))


def test_a_run_whose_queries_come_in_pieces_is_the_same_run(tmp_path):
    whole = "".join(f"{q} Q0 {d} 1 {s} t\n" for q in "xy" for d, s in [("a", 3), ("b", 2), ("c", 1)])
    lines = whole.splitlines(keepends=True)
    (tmp_path / "whole.trec").write_text(whole)
    (tmp_path / "pieces.trec").write_text("".join(lines[i] for i in (0, 3, 1, 4, 2, 5)))
    found = catchrate.compare_rankings(str(tmp_path / "whole.trec"), str(tmp_path / "pieces.trec"))
    assert (found.overlap, found.rbo, found.same) == (1, 1, 2)


def test_a_repeated_document_keeps_its_slot_and_counts_once():
    found = top_documents(open_ranking({"q": ["a", "a", "b", "c"]}), 3)
    assert found.rows() == [("q", "a", 1), ("q", "b", 3)]


def test_queries_are_ordered_by_how_much_they_changed_and_others_are_counted():
    found = catchrate.compare_rankings(OLD, NEW, k=2)
    assert [one.query for one in found.changed] == ["q2", "q1", "q3"]
    assert (found.changed[0].gone, found.changed[0].new) == (("e",), ("f",))
    assert (found.overlap, found.same, found.only_a, found.only_b) == (pytest.approx(2.5 / 3), 2, 0, 1)
    assert [note.code for note in found.notes] == ["N316"]
    assert found.frame.height == 3


def test_what_to_label_hides_the_run_and_comes_back_as_judgments(tmp_path):
    found = catchrate.compare_rankings(OLD, NEW, k=2)
    sheet = tmp_path / "label.csv"
    catchrate.write_labels(found.to_label(), sheet)
    assert sheet.read_text() == "query,doc,grade\nq2,e,\nq2,f,\n"
    sheet.write_text("query,doc,grade\nq2,e,0\nq2,f,2\n")
    judged = catchrate.read_labels(sheet)
    board = catchrate.evaluate(judged, measures="rr", runs={"old": OLD, "new": NEW})
    assert (board["old"]["rr"], board["new"]["rr"]) == (0, 1)


def test_texts_of_documents_go_into_the_sheet():
    records = [
        [{"query": "q", "retrieved": docs, "texts": [doc * 3 for doc in docs], "ground_truth": ["x"]}]
        for docs in (["a", "b"], ["a", "c"])
    ]
    rankings = [catchrate.read_records(one)[1] for one in records]
    found = catchrate.compare_rankings(*rankings)
    assert found.to_label().rows() == [("q", "b", "bbb"), ("q", "c", "ccc")]


@pytest.mark.parametrize("form", ["text", "json", "csv", "md", "html"])
def test_every_form_takes_it(form):
    assert "q2" in render(view_of(catchrate.compare_rankings(OLD, NEW)), form)


def test_equal_runs_have_nothing_that_changed():
    text = render(view_of(catchrate.compare_rankings(OLD, OLD)), "text")
    assert text.startswith("a and b share 100.0% of their first 10 documents; rank-biased overlap is 1.0000. 3 of 3")
    assert "changed most" not in text


def test_the_content_is_strict_json():
    content = json.loads(json.dumps(rankings_content(catchrate.compare_rankings(OLD, NEW)), allow_nan=False))
    assert content["changed"][0]["new"] == ["f"]
    assert content["provenance"]["inputs"].keys() == {"a", "b"}


@pytest.mark.parametrize(
    ("a", "options", "code"),
    [({"other": ["a"]}, {}, "E312"), (OLD, {"k": 0}, "E310"), (OLD, {"p": 1}, "E310"), (OLD, {"k": "many"}, "E310")],
    ids=str,
)
def test_what_cannot_be_compared_is_refused(a, options, code):
    with pytest.raises(UsageError, match=code):
        catchrate.compare_rankings(a, NEW, **options)

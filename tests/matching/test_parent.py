"""Chunk ids stand for their documents."""

from __future__ import annotations

import polars as pl
import pytest

import catchrate
from catchrate.errors import InputError, UsageError
from catchrate.matching.grammar import parse_rule
from catchrate.matching.parent import Parent

JUDGED = {"q": {"d1": 1, "d2": 2, "d9": 1}}
CHUNKS = {"q": ["d1-0", "d1-1", "x-0", "d2-7", "odd"]}
PATTERN = r"parent(^(.+)-\d+$)"


def test_a_document_counts_once_at_its_first_chunk_and_later_ones_keep_their_slots():
    scores = catchrate.evaluate(JUDGED, CHUNKS, "recall@2 recall@4 precision@4 rr(rel=2)", match=PATTERN)
    assert list(scores.means) == [1 / 3, 2 / 3, 0.5, 0.25]
    assert [note.code for note in scores.notes] == ["N292", "N222", "N229"]
    assert scores.provenance["policies"]["match"] == PATTERN


@pytest.mark.parametrize(
    "by", [lambda chunk: chunk.rpartition("-")[0] or None, {"d1-0": "d1", "d1-1": "d1", "d2-7": "d2"}]
)
def test_a_function_or_a_mapping_names_the_documents(by):
    scores = catchrate.evaluate(JUDGED, CHUNKS, "rr(rel=2)", match=Parent(by=by))
    assert scores["rr(rel=2)"] == 0.25
    with pytest.raises(UsageError, match="E290 the function failed"):
        catchrate.evaluate(JUDGED, CHUNKS, match=Parent(by=lambda chunk: 1 / 0))


def test_a_column_of_the_run_names_the_documents():
    run = pl.DataFrame(
        {"query": ["q"] * 3, "chunk_id": ["a", "b", "c"], "source": ["d1", "d1", "d2"], "score": [3, 2, 1]}
    )
    assert catchrate.evaluate(JUDGED, run, "rr(rel=2)", match="parent(column=source)")["rr(rel=2)"] == 1 / 3


def test_collapsing_lists_documents_by_their_first_or_their_best_chunk():
    run = {"q": [("x-0", 0.1), ("d1-0", 0.2), ("x-1", 0.3), ("d2-0", 0.9)]}
    ranks = {how: catchrate.evaluate(JUDGED, run, ["rr", "rr(rel=2)", "num_ret"], match=how).means for how in SPELLED}
    assert ranks == dict(zip(SPELLED, [(1 / 2, 1 / 4, 4), (1 / 2, 1 / 3, 3), (1.0, 1.0, 3)], strict=True))
    with pytest.raises(InputError, match="there are no scores"):
        catchrate.evaluate(JUDGED, CHUNKS, match=SPELLED[2])


SPELLED = [PATTERN, r"parent(collapse=first, ^(.+)-\d+$)", r"parent(collapse=best, ^(.+)-\d+$)"]


@pytest.mark.parametrize("spelling", [*SPELLED, "parent(column=source)"])
def test_it_is_written_as_it_is_read(spelling: str):
    assert str(parse_rule(spelling)) == spelling


@pytest.mark.parametrize(
    "wrong", ["parent", "parent(.+)", "parent((a)", "parent((?=a)(b))", "parent(collapse=last, (a))"]
)
def test_what_names_no_document_is_refused(wrong: str):
    with pytest.raises(UsageError, match="E290"):
        parse_rule(wrong)


def test_runs_by_score_may_return_a_document_by_many_chunks():
    run = {"q": {"d1-0": 0.5, "d1-1": 0.9, "d2-0": 0.7}}
    assert catchrate.evaluate(JUDGED, run, "rr(rel=2)", match=PATTERN)["rr(rel=2)"] == 0.5
    assert catchrate.explain(JUDGED, run, "rr(rel=2)", "q", match=PATTERN).ranking[2].state == "repeat"

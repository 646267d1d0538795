"""Gold spans and retrieved spans: the rule equals its slow twin, entries are read, and odd ones are refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import catchrate
from catchrate.errors import InputError
from catchrate.matching.grammar import parse_rule

from .twins import spans

PLACES = st.tuples(st.sampled_from("ab"), st.integers(0, 30), st.integers(0, 12))
SPANS = st.lists(PLACES.map(lambda s: f"{s[0]}[{s[1]}:{s[1] + s[2]}]"), max_size=7)
RECORD = {
    "query": "q",
    "retrieved": [{"doc": "d1", "start": 0, "end": 40}, {"doc": "d1", "start": 30, "end": 60}],
    "ground_truth": [{"doc": "d1", "start": 10, "end": 90}],
}


@settings(max_examples=60, deadline=None)
@given(SPANS, SPANS)
def test_the_rule_finds_what_its_twin_finds(chunks: list[str], gold: list[str]):
    pairs = parse_rule("spans(0.4)").pairs(chunks, gold)
    columns = (pairs.slot, pairs.item, pairs.strength, pairs.together)
    rows = list(zip(*(column.tolist() for column in columns), strict=True))
    assert rows == sorted(rows)
    assert set(rows) == spans(chunks, gold)


def test_a_span_is_found_where_the_spans_so_far_cover_enough_of_it_each_character_counted_once():
    matches = catchrate.match([RECORD], matcher="spans")
    assert matches.table.select("slot", "chunk", "gold", "strength", "together").rows() == [
        (2, "d1[30:60]", "d1[10:90]", 0.375, 0.625)
    ]
    assert catchrate.evaluate([RECORD], ["recall@1", "recall@2"], match="spans(0.6)").means == (0.0, 1.0)
    assert catchrate.sensitivity(matches, "recall", [0.3, 0.7]).means == (1.0, 0.0)


@pytest.mark.parametrize(
    ("retrieved", "gold"),
    [
        ({"q": [("d1", 0, 40), ("d1", 30, 60)]}, {"q": [("d1", 10, 90)]}),
        ({"q": [["d1", 0, 40, 0.9], ["d1", 30, 60, 0.8]]}, {"q": [["d1", 10, 90, 2]]}),
        ({"q": ["d1[0:40]", "d1[30:60]"]}, {"q": {"d1[10:90]": 2}}),
        (
            {
                "q": [
                    {"id": "c1", "doc": "d1", "start": 0, "end": 40},
                    {"id": "c2", "doc": "d1", "start": 30, "end": 60},
                ]
            },
            {"q": [{"doc": "d1", "start": 10, "end": 90, "grade": 2}]},
        ),
    ],
)
def test_spans_are_tuples_lists_objects_or_written(retrieved: object, gold: object):
    assert catchrate.evaluate(gold, retrieved, ["recall@1", "recall@2"], match="spans(0.6)").means == (0.0, 1.0)


def test_spans_stand_beside_ids_and_in_files(tmp_path: Path):
    ids = {"query": "q", "retrieved": ["c1", "c2"], "ground_truth": {"p": 2}}
    row = {**ids, "texts": RECORD["retrieved"], "gold_texts": RECORD["ground_truth"]}
    path = tmp_path / "evals.jsonl"
    path.write_text(json.dumps(row) + "\n", encoding="utf-8")
    matches = catchrate.match(path, matcher="spans(0.6)")
    assert matches.table.select("slot", "chunk", "gold").rows() == [(2, "c2", "p")]


@pytest.mark.parametrize(
    ("span", "said"),
    [
        ({"doc": "d1", "start": 9, "end": 1}, "ends before it starts"),
        ({"doc": "d1", "start": -1, "end": 1}, "starts before its document"),
        ({"doc": "d1", "start": "x", "end": 1}, "is no span"),
        ({"doc": "d1", "start": 1.5, "end": 2}, "is no span"),
        ({"doc": "d1", "start": True, "end": 2}, "is no span"),
        ({"doc": "d1", "start": 1}, "is no span"),
        ({"doc": "", "start": 1, "end": 2}, "is no span"),
        ({"doc": "d1", "start": 1, "end": 10**9 + 1}, "ends behind character 1,000,000,000"),
    ],
)
def test_odd_spans_are_refused_where_they_stand(span: dict[str, object], said: str, tmp_path: Path):
    path = tmp_path / "evals.jsonl"
    rows = [RECORD, {**RECORD, "query": "r", "ground_truth": [span]}]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    with pytest.raises(InputError, match=said) as caught:
        catchrate.evaluate(path, "recall", match="spans")
    assert (caught.value.code, caught.value.findings[0].line) == ("E289", 2)


def test_texts_are_no_spans_and_an_empty_span_is_never_found():
    with pytest.raises(InputError, match=r"E289 .*query 'q': 'tea' is no span"):
        catchrate.evaluate({"q": ["d[0:1]"]}, {"q": ["tea"]}, "recall", match="spans")
    assert catchrate.evaluate({"q": ["d[3:3]"]}, {"q": ["d[0:9]"]}, "recall", match="spans")["recall"] == 0.0


def test_a_table_with_a_column_of_texts_holds_spans(tmp_path: Path):
    judged, run = tmp_path / "gold.csv", tmp_path / "run.csv"
    judged.write_text("query,doc,grade,text\nq,p,1,d1[10:90]\n", encoding="utf-8")
    run.write_text("query,doc,score,text\nq,c1,2,d1[0:40]\nq,c2,1,oops\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"E289 .*query 'q': 'oops' is no span"):
        catchrate.evaluate(judged, run, "recall", match="spans")


def test_many_overlapping_spans_take_no_quadratic_time():
    chunks = [f"d[{i}:{i + 1000}]" for i in range(20_000)]
    pairs = parse_rule("spans(1)").pairs(chunks, ["d[0:50000]"])
    assert pairs.together[-1] == 20_999 / 50_000


def test_characters_are_counted_once_however_chunks_overlap():
    gold, found = {"q": [("d1", 10, 90, 2), ("d2", 0, 20, 1)], "r": [("d1", 0, 9)]}, [("d1", 0, 40), ("d1", 30, 60)]
    names = ["char_recall@1", "char_recall", "char_recall(rel=2)", "char_precision", "char_iou", "char_recall@9"]
    scores = catchrate.evaluate(gold, {"q": found}, names, match="spans")
    rows = [("q", 0.3, 0.5, 0.625, 50 / 60, 50 / 110, 0.5), ("r", 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)]
    assert scores.per_query.rows() == [(q, *map(pytest.approx, values)) for q, *values in rows]
    both = catchrate.evaluate(gold, {"q": found}, names, match="spans", queries="both")
    assert both.per_query.height == 1
    assert both["char_iou"] == pytest.approx(50 / 110)
    cut = catchrate.evaluate(
        gold, {"q": found}, ["char_recall", "char_recall(judged_only=true)"], match="spans", max_rank=1
    )
    assert cut.per_query.rows()[0] == ("q", pytest.approx(0.3), 0.0)


def test_measures_of_characters_and_budgets_of_spans_say_what_they_need():
    with pytest.raises(InputError, match="E288"):
        catchrate.evaluate({"q": ["a"]}, {"q": ["a"]}, "char_recall@5")
    with pytest.raises(InputError, match="E292"):
        catchrate.evaluate({"q": ["d[0:1]"]}, {"q": ["d[0:1]"]}, "recall(budget=9)", match="spans")

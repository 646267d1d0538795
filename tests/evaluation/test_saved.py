"""Scores in a file: what comes back is what was saved, and nothing else passes for it."""

from __future__ import annotations

import io
import json
import random

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings

import catchrate
from catchrate import CatchrateError, InputError, UsageError
from catchrate.evaluation.saved import encoded_scores, load_scores
from catchrate.formats.parquet import SAVED_SCORES
from hostile_texts import HOSTILE
from strategies import collections, policies

MEASURES = "recall@2 ndcg@3 rr pooled_recall@2 num_rel_ret"
JUDGED = {"q1": {"a": 2, "b": 1, "c": 0}, "q2": {"a": 1}, "q3": {"d": 1}}
RUN = {"q1": ["x", "b", "a", "c"], "q2": [], "q4": ["a"]}


def scores(**options: object) -> catchrate.Scores:
    return catchrate.evaluate(JUDGED, RUN, MEASURES, **options)


def assert_same(one: catchrate.Scores, other: catchrate.Scores) -> None:
    assert one.means == other.means
    assert one.per_query.equals(other.per_query)
    assert one.measures == other.measures
    assert one.notes == other.notes
    assert one.aligned.queries.equals(other.aligned.queries)
    assert one.aligned.items.select("query", "doc", "grade").equals(other.aligned.items)
    for part in ("hits", "items", "slots"):
        mine, theirs = (getattr(s.aligned.arrays, part) for s in (one, other))
        assert all(np.array_equal(getattr(mine, f), getattr(theirs, f)) for f in type(mine).__slots__)
    assert np.array_equal(one.aligned.arrays.returned, other.aligned.arrays.returned)
    assert np.array_equal(one.aligned.in_run, other.aligned.in_run)
    assert {**one.provenance, "loaded": other.provenance["loaded"]} == other.provenance


@settings(max_examples=50, deadline=None)
@given(collections(), policies(duplicates=("keep",)))
def test_what_was_saved_comes_back(collection, policy):
    choices = {name: getattr(policy, name) for name in ("queries", "judged_only", "max_rank", "dialect", "rel")}
    found = catchrate.evaluate(*collection, MEASURES, **choices)
    assert_same(found, load_scores(encoded_scores(found)))


def test_texts_metadata_weights_and_hostile_ids_come_back():
    records = [
        {"id": text, "query": text, "retrieved": [text, "b"], "ground_truth": ["b"], "weight": 2, "kind": text}
        for text in HOSTILE
        if text.isprintable() and len(text) < 100
    ]
    found = catchrate.evaluate(records, measures="rr hit@1")
    again = load_scores(encoded_scores(found))
    assert_same(found, again)
    assert {"text", "weight", "kind"} <= set(again.aligned.queries.columns)


def test_a_saved_file_is_a_table_that_anyone_reads(tmp_path):
    scores().save(tmp_path / "s.parquet")
    table = pl.read_parquet(tmp_path / "s.parquet")
    assert table.select("query", "recall@2").rows() == [("q1", 0.5), ("q2", 0.0), ("q3", 0.0)]
    assert table["judged.docs"].to_list() == [["a", "b", "c"], ["a"], ["d"]]


def test_a_saved_file_answers_any_measure(tmp_path):
    scores().save(tmp_path / "s.parquet")
    runs = {"then": str(tmp_path / "s.parquet"), "now": RUN}
    found = catchrate.compare(JUDGED, runs, "ap ndcg@10", queries="judged")
    assert [one.verdict for one in found] == ["the same", "the same"]


def test_the_name_says_parquet(tmp_path):
    with pytest.raises(UsageError, match=r"E322 .*end the name with \.parquet"):
        scores().save(tmp_path / "s.json")


def changed(change: pl.Expr | None = None, head: object = None, drop: str = "", rows: slice | None = None) -> bytes:
    """Return a saved file after somebody worked on it."""
    data = encoded_scores(scores())
    said = json.loads(pl.read_parquet_metadata(io.BytesIO(data))[SAVED_SCORES])
    table = pl.read_parquet(io.BytesIO(data))
    table = table if change is None else table.with_columns(change)
    table = table.drop(drop) if drop else table
    table = table[rows] if rows else table
    held = io.BytesIO()
    said = head if isinstance(head, str) else json.dumps(said | (head or {}))
    table.write_parquet(held, metadata={SAVED_SCORES: said})
    return held.getvalue()


def test_the_helper_changes_nothing_by_itself():
    assert_same(scores(), load_scores(changed()))


LISTS = pl.Series([[0], [], []], dtype=pl.List(pl.Int64))
WRONG = {
    "a value": ({"change": pl.lit(1.0).alias("recall@2")}, "E322"),
    "no value": ({"change": pl.lit(None, pl.Float64).alias("rr")}, "E322"),
    "NaN": ({"change": pl.lit(float("nan")).alias("rr")}, "E322"),
    "text for a number": ({"change": pl.lit("1").alias("rr")}, "E322"),
    "another grade": ({"change": pl.col("judged.grades").list.eval(pl.element() + 1)}, "E322"),
    "grades in another order": ({"change": pl.col("judged.grades").list.reverse()}, "E322"),
    "too few grades": ({"change": pl.col("judged.grades").list.head(1)}, "E322"),
    "a document twice": ({"change": pl.col("judged.docs").list.eval(pl.element().first())}, "E322"),
    "a query twice": ({"change": pl.lit("q1").alias("query")}, "E238"),
    "a null in a list": ({"change": pl.col("judged.docs").list.eval(pl.lit(None, pl.String))}, "E322"),
    "a slot behind the last": ({"change": pl.col("found.slots") + 9}, "E322"),
    "a slot before the first": ({"change": pl.col("found.slots") - 9}, "E322"),
    "an item that is not judged": ({"change": pl.col("found.items") + 9}, "E322"),
    "an item before the first": ({"change": pl.col("found.items") - 9}, "E322"),
    "too few items": ({"change": LISTS.alias("found.items")}, "E322"),
    "fewer than no results": ({"change": -pl.col("run.returned")}, "E322"),
    "results of an unknown query": ({"change": pl.lit(value=False).alias("run.known")}, "E322"),
    "lengths of others": ({"change": LISTS.alias("run.lengths")}, "E322"),
    "rows in another order": ({"rows": slice(None, None, -1)}, "E322"),
    "a weight of nothing": ({"change": pl.lit(0.0).alias("query.weight")}, "E239"),
    "a weight of text": ({"change": pl.lit("x").alias("query.weight")}, "E322"),
    "no digest": ({"drop": "judged.digest"}, "E322"),
    "no measure": ({"drop": "ndcg@3"}, "E322"),
    "no rows": ({"rows": slice(0, 0)}, "E101"),
    "another form": ({"head": {"form": 99}}, "E322"),
    "an unknown measure": ({"head": {"measures": ["mine@3"]}}, "E322"),
    "a policy that is none": ({"head": {"provenance": {"policies": {"rel": "x"}, "dialect": "catchrate"}}}, "E322"),
    "no policies": ({"head": {"provenance": {}}}, "E322"),
    "a count that is none": ({"head": {"missing": -1}}, "E322"),
    "a note of no code": ({"head": {"notes": [{"code": "E999"}]}}, "E322"),
    "a head that is a list": ({"head": "[]"}, "E322"),
    "a head that is deep": ({"head": "[" * 100_000}, "E232"),
    "a head with NaN": ({"head": '{"form": NaN}'}, "E233"),
}


@pytest.mark.parametrize(("changes", "code"), WRONG.values(), ids=WRONG)
def test_a_file_that_somebody_changed_is_refused(changes, code):
    with pytest.raises(InputError) as caught:
        load_scores(changed(**changes))
    assert caught.value.code == code


def test_notes_of_a_foreign_file_steer_no_terminal():
    note = {"code": "N229", "message": "\x1b[2J", "fix": None, "file": "\u202e", "count": 1, "sample": ["\x07"]}
    (found,) = load_scores(changed(head={"notes": [note]})).notes
    assert (found.message, found.file, found.sample) == (r"\x1b[2J", r"\u202e", (r"\x07",))


@pytest.mark.parametrize("data", [b"", b"PAR1", b"q1 0 a 1\n", b"PAR1" + bytes(200) + b"PAR1"])
def test_another_file_is_no_saved_scores(data):
    with pytest.raises(InputError) as caught:
        load_scores(data)
    assert caught.value.code in ("E322", "E256")


def test_a_table_of_results_is_no_saved_scores(tmp_path):
    pl.DataFrame({"query": ["q1"], "doc": ["a"], "score": [1.0]}).write_parquet(tmp_path / "run.parquet")
    with pytest.raises(InputError, match=r"E322 .*holds no saved scores"):
        load_scores(tmp_path / "run.parquet")
    both = {"a": str(tmp_path / "run.parquet"), "b": str(tmp_path / "run.parquet")}
    assert catchrate.compare({"q1": {"a": 1}}, both, "rr").queries == 1


def test_saved_scores_are_no_run_to_evaluate(tmp_path):
    scores().save(tmp_path / "s.parquet")
    with pytest.raises(InputError, match=r"E322 .*these are saved scores, not a run"):
        catchrate.evaluate(JUDGED, tmp_path / "s.parquet")


def test_flipped_bytes_are_refused_or_change_nothing():
    data, dice = encoded_scores(scores()), random.Random(5)
    for _ in range(150):
        flipped = bytearray(data)
        flipped[dice.randrange(len(data))] ^= 1 << dice.randrange(8)
        try:
            found = load_scores(bytes(flipped))
        except CatchrateError:
            continue
        assert found.means == scores().means


# -- comparing with what was saved ------------------------------------------------------------------------------------

MANY = {f"q{i:02}": {"a": 1, "b": 1} for i in range(20)}
OLD = {q: ["a", "x"] for q in MANY}
NEW = {q: ["x", "a", "b"] for q in MANY}


def test_new_and_rejudged_queries_are_left_out_and_counted(tmp_path):
    catchrate.evaluate(MANY, OLD, "rr").save(tmp_path / "old.parquet")
    today = {**MANY, "q00": {"a": 1}, "q01": {"a": 2, "b": 1}, "new": {"a": 1}}
    del today["q02"]
    runs = {"old": tmp_path / "old.parquet", "new": {**NEW, "new": ["a"]}}
    found = catchrate.compare(today, runs, "rr", baseline="old")
    assert (found.queries, found["rr"].verdict) == (17, "worse")
    (note,) = (note for note in found.notes if note.code == "N325")
    assert (note.count, note.sample) == (4, ("new", "q00", "q01", "q02"))
    assert "1 new, 2 judged otherwise, 1 no longer judged; 17 are left" in note.message


def test_nothing_in_common_is_refused(tmp_path):
    catchrate.evaluate(MANY, OLD, "rr").save(tmp_path / "old.parquet")
    other = {q: {"a": 2} for q in MANY}
    with pytest.raises(UsageError, match="E312 no query is judged as it was"):
        catchrate.compare(other, {"old": tmp_path / "old.parquet", "new": NEW}, "rr")


def test_two_saved_files_need_no_judgments(tmp_path):
    for name, run in {"old": OLD, "new": NEW}.items():
        catchrate.evaluate(MANY, run, "rr ap").save(tmp_path / f"{name}.parquet")
    found = catchrate.compare(runs={name: tmp_path / f"{name}.parquet" for name in ("old", "new")})
    assert [str(one.measure) for one in found] == ["rr", "ap"]
    assert found["rr"].difference == pytest.approx(-0.5)

"""Writing tables to files."""

from __future__ import annotations

import gzip
import math
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

from catchrate.errors import OutputError, UsageError
from catchrate.formats import (
    Format,
    ReadOptions,
    read_judgments,
    read_ranking,
    read_records,
    write_judgments,
    write_ranking,
    write_records,
)
from catchrate.tables import Judgments, Ranking

FLAT: list[Format] = ["trec", "csv", "tsv", "parquet"]
NESTED: list[Format] = ["jsonl", "json"]
JUDGED = read_judgments({"q1": {"a": 1, "b": 2}, "q2": {"c": 1}})
RANKED = read_ranking({"q1": {"a": 0.1, "b": 1e-300}, "q2": {"c": 3.0}})
LISTED = read_ranking({"q1": ["b", "a"], "q2": ["c"]})

free = st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1, max_size=6)
risky = st.builds(
    str.__add__, st.sampled_from(["=", "'", "''", "+", "-", "@", "\t", "\r", "＝", '"', "﻿", "#", "{"]), free
)
ids = free | risky
words = st.text(st.characters(codec="utf-8", categories=["L", "N", "P", "S"]), min_size=1, max_size=6)
grades = st.floats(-(2**31) + 1, 2**31 - 1, allow_nan=False) | st.integers(-2, 3).map(float)
scores = st.floats(allow_nan=False, allow_infinity=False)
values = st.none() | st.text(max_size=3)


def through(
    write: Callable[..., None], read: Callable[..., Any], tables: tuple[Any, ...], kind: Format, **options: Any
) -> Any:
    """Write tables to a file and read them again."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "table"
        write(*tables, path, kind)
        return read(path, ReadOptions(format=kind, **options))


def same_judgments(found: Judgments, expected: Judgments) -> None:
    assert_frame_equal(found.items, expected.items, check_exact=True)
    assert_frame_equal(found.queries, expected.queries, check_exact=True)


def same_ranking(found: Ranking, expected: Ranking) -> None:
    by_query = [ranking.frame.sort("query", maintain_order=True) for ranking in (found, expected)]
    assert_frame_equal(*by_query, check_exact=True)
    assert found.ordered == expected.ordered


@st.composite
def judgments(draw: st.DrawFn, names: st.SearchStrategy[str], numbers: st.SearchStrategy[float]) -> Judgments:
    found = draw(
        st.dictionaries(names, st.dictionaries(names, numbers, min_size=1, max_size=4), min_size=1, max_size=4)
    )
    return read_judgments(found)


@st.composite
def full_judgments(draw: st.DrawFn) -> Judgments:
    """Draw judgments with all that a table may hold: texts, weights, metadata, queries without any item."""
    found = draw(st.dictionaries(ids, st.dictionaries(ids, grades, max_size=3), min_size=1, max_size=3))
    size = len(found)
    queries = pl.DataFrame({"query": list(found)}).with_columns(
        pl.Series("text", draw(st.lists(values, min_size=size, max_size=size)), dtype=pl.String),
        pl.Series("weight", draw(st.lists(st.floats(0.1, 9), min_size=size, max_size=size))),
        pl.Series("topic", draw(st.lists(st.text(max_size=3), min_size=size, max_size=size))),
    )
    items = [(query, doc, grade) for query, docs in found.items() for doc, grade in docs.items()]
    frame = pl.DataFrame(items, schema={"query": pl.String, "doc": pl.String, "grade": pl.Float64}, orient="row")
    texts = pl.Series("text", draw(st.lists(values, min_size=len(items), max_size=len(items))), dtype=pl.String)
    return Judgments.of(frame.with_columns(texts) if items else frame, queries)


@given(judgments(ids, grades), st.sampled_from(["csv", "tsv", "parquet", "jsonl", "json"]))
def test_judgments_are_read_as_they_were_written(judged: Judgments, kind: Format) -> None:
    same_judgments(through(write_judgments, read_judgments, (judged,), kind), judged)


@given(judgments(words, st.integers(-9, 9).map(float)))
def test_trec_judgments_are_read_as_they_were_written(judged: Judgments) -> None:
    same_judgments(through(write_judgments, read_judgments, (judged,), "trec"), judged)


@given(full_judgments(), st.sampled_from(NESTED))
def test_json_holds_all_that_judgments_hold(judged: Judgments, kind: Format) -> None:
    same_judgments(through(write_judgments, read_judgments, (judged,), kind), judged)


runs = st.dictionaries(ids, st.dictionaries(ids, scores, min_size=1, max_size=4), min_size=1, max_size=4).map(
    read_ranking
)
lists = st.dictionaries(ids, st.lists(ids, min_size=1, max_size=4), min_size=1, max_size=4).map(read_ranking)


@given(runs | lists, st.sampled_from(["csv", "tsv", "parquet", "jsonl", "json"]))
def test_rankings_are_read_as_they_were_written(ranking: Ranking, kind: Format) -> None:
    same_ranking(through(write_ranking, read_ranking, (ranking,), kind), ranking)


@given(st.dictionaries(words, st.dictionaries(words, scores, min_size=1), min_size=1, max_size=4))
def test_trec_runs_keep_every_score(run: dict[str, dict[str, float]]) -> None:
    found = through(write_ranking, read_ranking, (read_ranking(run),), "trec")
    assert {(q, d): s for q, d, s in found.frame.iter_rows()} == {(q, d): s for q in run for d, s in run[q].items()}


@given(st.dictionaries(words, st.lists(words, min_size=1, unique=True), min_size=1, max_size=4))
def test_a_list_written_as_a_trec_run_keeps_its_order(run: dict[str, list[str]]) -> None:
    found = through(write_ranking, read_ranking, (read_ranking(run),), "trec").frame
    by_score = found.sort("score", descending=True)
    assert {q: by_score.filter(query=q)["doc"].to_list() for q in run} == run
    assert by_score.select("query", "score").is_unique().all()


@pytest.mark.parametrize(("carried", "kept"), [([0.9, 0.5], True), ([0.5, 0.5], False), ([0.1, 0.5], False)])
def test_scores_that_ride_along_are_written_to_trec_when_they_rank_alike(carried: list[float], kept: bool) -> None:
    ranking = read_ranking({"q": list(zip("ba", carried, strict=True))})
    found = through(write_ranking, read_ranking, (ranking,), "trec").frame
    assert found["doc"].to_list() == ["b", "a"]
    assert found["score"].to_list() == (carried if kept else [2.0, 1.0])


@pytest.mark.parametrize("kind", NESTED)
def test_json_holds_all_that_rankings_hold(kind: Format) -> None:
    rows = [
        {"query": "q1", "retrieved": ["b", "a", "b"], "scores": [0.1, 0.5, 0.1], "texts": ["B", None, "B"]},
        {"query": "q2", "retrieved": []},
    ]
    ranking = read_ranking(rows)
    found = through(write_ranking, read_ranking, (ranking,), kind)
    same_ranking(found, ranking)
    assert found.empty == ("q2",)


@pytest.mark.parametrize("kind", NESTED)
@pytest.mark.parametrize("ranking", [RANKED, LISTED])
def test_records_are_read_as_they_were_written(kind: Format, ranking: Ranking) -> None:
    judged, found = through(write_records, read_records, (JUDGED, ranking), kind)
    same_judgments(judged, JUDGED)
    same_ranking(found, ranking)


def test_the_suffix_names_the_format_and_the_packing(tmp_path: Path) -> None:
    for name in ("a.csv", "a.tsv.gz", "a.jsonl.zst", "a.json", "a.parquet", "a.trec", "a.qrels", "a.TXT"):
        write_judgments(JUDGED, tmp_path / name)
        same_judgments(read_judgments(tmp_path / name), JUDGED)
    assert (tmp_path / "a.tsv.gz").read_bytes()[:2] == b"\x1f\x8b"
    assert (tmp_path / "a.jsonl.zst").read_bytes()[:4] == b"\x28\xb5\x2f\xfd"


@pytest.mark.parametrize("name", ["a", "a.xyz", "a.gz"])
def test_a_suffix_that_names_no_format_is_a_wrong_call(tmp_path: Path, name: str) -> None:
    with pytest.raises(UsageError, match="E117"):
        write_judgments(JUDGED, tmp_path / name)
    with pytest.raises(UsageError, match="E117"):
        write_judgments(JUDGED, tmp_path / name, "beir")


def test_the_same_table_gives_the_same_bytes(tmp_path: Path) -> None:
    for name in ("a.csv.gz", "b.csv.gz"):
        write_ranking(RANKED, tmp_path / name)
    assert (tmp_path / "a.csv.gz").read_bytes() == (tmp_path / "b.csv.gz").read_bytes()
    assert gzip.decompress((tmp_path / "a.csv.gz").read_bytes()) == b"query,doc,score\nq1,a,0.1\nq1,b,1e-300\nq2,c,3\n"


def refusal(write: Callable[..., None], *arguments: Any) -> str:
    with pytest.raises(OutputError) as caught:
        write(*arguments)
    return caught.value.code


@pytest.mark.parametrize("link", [None, os.symlink, os.link])
def test_an_input_is_never_written_over(tmp_path: Path, link: Callable[..., None] | None) -> None:
    source, target = tmp_path / "in.csv", tmp_path / "in.csv"
    write_judgments(JUDGED, source)
    if link:
        target = tmp_path / "link.csv"
        link(source, target)
    before = source.read_bytes()
    assert refusal(write_judgments, read_judgments(source), target) == "E301"
    assert source.read_bytes() == before


def test_a_failed_write_leaves_the_old_file_and_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "out.csv"
    path.write_text("old")

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", fail)
    assert refusal(write_judgments, JUDGED, path) == "E302"
    assert path.read_text() == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["out.csv"]


def test_what_is_no_regular_file_is_not_written(tmp_path: Path) -> None:
    (tmp_path / "folder.csv").mkdir()
    os.mkfifo(tmp_path / "pipe.csv")
    for name in ("folder.csv", "pipe.csv", "missing/out.csv", "folder.csv/x\0y.csv", "x" * 300 + ".csv"):
        assert refusal(write_judgments, JUDGED, tmp_path / name) == "E302"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["folder.csv", "pipe.csv"]


def test_a_link_stays_a_link_and_its_file_is_written(tmp_path: Path) -> None:
    (tmp_path / "file.csv").write_text("old")
    (tmp_path / "file.csv").chmod(0o640)
    (tmp_path / "link.csv").symlink_to(tmp_path / "file.csv")
    write_judgments(JUDGED, tmp_path / "link.csv")
    assert (tmp_path / "link.csv").is_symlink()
    assert (tmp_path / "file.csv").stat().st_mode & 0o777 == 0o640
    same_judgments(read_judgments(tmp_path / "file.csv"), JUDGED)


@pytest.mark.parametrize("odd", ["a b", "a\tb", "a\nb", "\ufeffa"])
def test_ids_with_blanks_are_not_written_as_trec(tmp_path: Path, odd: str) -> None:
    with pytest.raises(OutputError, match="holds a blank"):
        write_judgments(read_judgments({"q": [odd]}), tmp_path / "x.trec")
    assert refusal(write_ranking, read_ranking({odd: ["a"]}), tmp_path / "x.trec") == "E302"
    assert list(tmp_path.iterdir()) == []


def test_what_a_format_cannot_hold_is_refused(tmp_path: Path) -> None:
    repeated, infinite = read_ranking({"q": ["a", "a"]}), read_ranking({"q": {"a": math.inf}})
    assert refusal(write_judgments, read_judgments({"q": {"a": 0.5}}), tmp_path / "x.trec") == "E302"
    assert refusal(write_ranking, repeated, tmp_path / "x.trec") == "E302"
    assert refusal(write_ranking, infinite, tmp_path / "x.jsonl") == "E302"
    for kind in FLAT:
        assert refusal(write_judgments, read_judgments({"q": ["a"], "r": []}), tmp_path / "x", kind) == "E302"
        assert refusal(write_records, JUDGED, RANKED, tmp_path / "x", kind) == "E302"
    assert refusal(write_records, JUDGED, read_ranking({"other": ["a"]}), tmp_path / "x.jsonl") == "E302"


def test_cells_that_a_spreadsheet_would_run_are_disarmed(tmp_path: Path) -> None:
    write_ranking(read_ranking({"=q": {"-d": -1.5}}), tmp_path / "x.csv")
    assert (tmp_path / "x.csv").read_text() == "query,doc,score\n'=q,'-d,-1.5\n"

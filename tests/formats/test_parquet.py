"""Parquet files."""

from __future__ import annotations

import io
import math
import random
from contextlib import suppress
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from catchrate.errors import CatchrateError, Finding, InputError
from catchrate.formats import ReadOptions, holds_both, open_ranking, parquet, read_judgments, read_ranking, read_records

LONG = pl.DataFrame({"query": ["q1", "q1", "q2"], "doc": ["b", "a", "c"], "score": [2.0, 1.0, 3.0]})


def packed(frame: pl.DataFrame) -> bytes:
    buffer = io.BytesIO()
    frame.write_parquet(buffer)
    return buffer.getvalue()


def refusal(read: Any, data: object, **options: Any) -> Finding:
    with pytest.raises(InputError) as caught:
        read(packed(data) if isinstance(data, pl.DataFrame) else data, ReadOptions(**options))
    return caught.value.findings[0]


def test_a_long_table_is_read_from_bytes_and_from_a_path(tmp_path: Path) -> None:
    path = tmp_path / "run.parquet"
    LONG.write_parquet(path)
    assert read_ranking(packed(LONG)).frame.rows() == LONG.rows()
    assert read_ranking(path).frame.rows() == LONG.rows()
    assert read_ranking(path).name == str(path)


@pytest.mark.parametrize("kind", [pl.Categorical, pl.String])
def test_dictionary_columns_are_text(kind: Any) -> None:
    frame = LONG.with_columns(pl.col("query", "doc").cast(kind))
    assert read_ranking(packed(frame)).frame.rows() == LONG.rows()


def test_whole_numbers_are_ids_and_grades() -> None:
    frame = pl.DataFrame({"qid": [1, 1], "docid": [10, 11], "rel": pl.Series([1, 0], dtype=pl.UInt8)})
    assert read_judgments(packed(frame)).items.rows() == [("1", "10", 1.0), ("1", "11", 0.0)]


def test_list_columns_are_records() -> None:
    frame = pl.DataFrame({"query": ["q"], "retrieved": [["b", "a"]], "ground_truth": [["a"]], "topic": ["x"]})
    judged, ranking = read_records(packed(frame))
    assert judged.items.rows() == [("q", "a", 1.0)]
    assert judged.queries.rows() == [("q", "x")]
    assert ranking.frame.rows() == [("q", "b"), ("q", "a")]
    assert holds_both(packed(frame))
    assert not holds_both(packed(LONG))
    assert refusal(read_records, LONG).code == "E236"


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (LONG.drop("doc"), "E250"),
        (LONG.drop("score"), "E250"),
        (LONG.with_columns(pl.col("score").cast(pl.String)), "E254"),
        (LONG.with_columns(doc=pl.lit(1.5)), "E254"),
        (LONG.with_columns(doc=pl.lit(True)), "E254"),
        (LONG.with_columns(doc=pl.datetime(2020, 1, 1)), "E254"),
        (LONG.with_columns(doc=pl.lit(b"a")), "E254"),
        (LONG.with_columns(doc=pl.struct("query")), "E254"),
        (LONG.with_columns(doc=pl.lit(None)), "E255"),
        (LONG.with_columns(score=pl.lit(None)), "E211"),
        (LONG.with_columns(score=pl.lit(math.nan)), "E211"),
        (LONG.clear(), "E101"),
    ],
)
def test_odd_tables_are_refused(change: pl.DataFrame, code: str) -> None:
    assert refusal(read_ranking, change).code == code


def test_a_null_key_is_refused_with_its_row() -> None:
    frame = LONG.with_columns(doc=pl.Series(["a", None, "b"]))
    assert (refusal(read_ranking, frame).code, refusal(read_ranking, frame).line) == ("E255", 2)


def test_too_many_columns_are_refused() -> None:
    frame = LONG.with_columns([pl.lit(1).alias(f"c{i}") for i in range(10_001)])
    assert refusal(read_ranking, frame).code == "E257"


def test_a_cut_file_is_refused() -> None:
    data = packed(LONG)
    for size in (4, 8, 20, len(data) // 2, len(data) - 1):
        assert refusal(read_ranking, data[:size]).code == "E256"


def test_a_flipped_byte_is_refused_or_harmless() -> None:
    data, chance = packed(LONG), random.Random(7)
    for place in chance.sample(range(len(data)), 120):
        damaged = data[:place] + bytes([data[place] ^ 1 << chance.randrange(8)]) + data[place + 1 :]
        with suppress(CatchrateError):
            assert read_ranking(damaged, ReadOptions(format="parquet")).frame.height <= 3


# in batches


@pytest.fixture
def _small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parquet, "BLOCK_ROWS", 3)


LONGER = pl.DataFrame(
    {
        "query": [f"q{i // 7}" for i in range(40)],
        "doc": [f"d{i}" for i in range(40)],
        "rank": [1 + (i * 3) % 7 for i in range(40)],
        "score": [float(-i % 5) for i in range(40)],
        "text": ["long"] * 40,
    }
)


def blocks_of(frame: pl.DataFrame, **options: Any) -> list[pl.DataFrame]:
    data = io.BytesIO()
    frame.write_parquet(data, row_group_size=4)
    return list(open_ranking(data.getvalue(), ReadOptions(**options)).blocks())


@pytest.mark.usefixtures("_small_batches")
@pytest.mark.parametrize("column", ["rank", "score"])
def test_a_long_run_comes_in_whole_queries_and_is_what_the_frame_is(column: str) -> None:
    frame = LONGER.drop({"rank": "score", "score": "rank"}[column])
    blocks = blocks_of(frame)
    assert len(blocks) > 3
    assert sum(block["query"].n_unique() for block in blocks) == LONGER["query"].n_unique()
    rows = pl.concat(blocks)
    assert rows.equals(read_ranking(frame).frame)
    assert read_ranking(packed(frame)).frame.equals(rows)
    assert read_ranking(packed(frame)).ordered == (column == "rank")


@pytest.mark.usefixtures("_small_batches")
def test_findings_count_rows_from_the_beginning_of_the_file() -> None:
    nulls = LONGER.with_columns(doc=pl.when(pl.int_range(40) == 31).then(None).otherwise("doc"))
    assert refusal(read_ranking, nulls).line == 32
    ranks = LONGER.drop("score").with_columns(rank=pl.when(pl.int_range(40) == 20).then(0).otherwise("rank"))
    assert (refusal(read_ranking, ranks).code, refusal(read_ranking, ranks).line) == ("E224", 21)


@pytest.mark.usefixtures("_small_batches")
def test_a_rank_that_stands_twice_is_refused_also_across_batches() -> None:
    found = refusal(read_ranking, LONGER.drop("score").with_columns(rank=pl.lit(1)))
    assert (found.code, found.message) == ("E224", "query 'q0' has the rank 1 twice")


@pytest.mark.usefixtures("_small_batches")
def test_infinite_scores_are_noted_once_and_distances_are_turned() -> None:
    frame = LONGER.with_columns(score=pl.when(pl.col("query") == "q2").then(math.inf).otherwise("score"))
    ranking = read_ranking(packed(frame))
    assert [(note.code, note.sample) for note in ranking.findings] == [("W212", ("q2",))]
    turned = pl.concat(blocks_of(LONGER, ascending=True))
    assert turned["score"].to_list() == (-LONGER["score"]).to_list()


# folders


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A run in parts, as cluster programs leave it."""
    where = tmp_path / "bm25.parquet"
    where.mkdir()
    LONG[:2].write_parquet(where / "part-00000.parquet")
    LONG[2:].write_parquet(where / "part-00001.parquet")
    (where / "_SUCCESS").touch()
    (where / "_metadata.parquet").write_bytes(b"no table")
    (where / ".part-00000.parquet.crc").write_bytes(b"crc")
    return where


def test_a_folder_of_parts_is_one_ranking(folder: Path) -> None:
    assert read_ranking(folder).frame.rows() == LONG.rows()
    assert read_ranking(str(folder)).name == str(folder)


def test_a_folder_of_parts_is_one_set_of_judgments(tmp_path: Path) -> None:
    judged = LONG.rename({"score": "grade"})
    for number in range(3):
        judged[number : number + 1].write_parquet(tmp_path / f"{number}.parquet")
    assert read_judgments(tmp_path).items.rows() == read_judgments(judged).items.rows()


def test_a_folder_of_records_holds_both_sides(tmp_path: Path) -> None:
    frame = pl.DataFrame({"query": ["q", "r"], "retrieved": [["b", "a"], ["c"]], "ground_truth": [["a"], ["c"]]})
    for number in range(2):
        frame[number : number + 1].write_parquet(tmp_path / f"{number}.parquet")
    assert holds_both(tmp_path)
    judged, ranking = read_records(tmp_path)
    assert (judged.queries.height, ranking.frame.height) == (2, 3)


def test_partitions_are_columns_and_keep_their_zeros(tmp_path: Path) -> None:
    for query in ("007", "7", "a b"):
        part = tmp_path / "day=1" / f"qid={query.replace(' ', '%20')}"
        part.mkdir(parents=True)
        pl.DataFrame({"docid": ["d", "e"], "score": [1, 2]}).write_parquet(part / "0.parquet")
    assert read_ranking(tmp_path).frame["query"].unique().sort().to_list() == ["007", "7", "a b"]


def test_a_query_may_stand_in_several_parts(tmp_path: Path) -> None:
    for number in range(3):
        LONG.with_columns(pl.col("doc") + str(number)).write_parquet(tmp_path / f"{number}.parquet")
    assert read_ranking(tmp_path).frame["query"].to_list() == ["q1"] * 6 + ["q2"] * 3


def test_parts_that_do_not_agree_are_refused(folder: Path) -> None:
    LONG.rename({"doc": "text"}).write_parquet(folder / "part-2.parquet")
    assert refusal(read_ranking, folder).code in ("E254", "E256")
    LONG.with_columns(score=pl.lit("x")).write_parquet(folder / "part-2.parquet")
    assert refusal(read_ranking, folder).code == "E254"


def test_a_cut_part_is_refused(folder: Path) -> None:
    (folder / "part-2.parquet").write_bytes(packed(LONG)[:-9])
    assert refusal(read_ranking, folder).code == "E256"


def test_a_folder_is_no_text(folder: Path) -> None:
    assert refusal(read_ranking, folder, format="trec").code == "E111"


def test_the_digest_of_a_folder_changes_with_any_part(folder: Path) -> None:
    before = read_ranking(folder).content
    assert before == read_ranking(folder).content
    (folder / "part-00001.parquet").rename(folder / "part-2.parquet")
    renamed = read_ranking(folder).content
    LONG[1:].write_parquet(folder / "part-2.parquet")
    assert len({before, renamed, read_ranking(folder).content}) == 3


def test_a_part_that_changes_while_it_is_read_is_refused(folder: Path) -> None:
    ranking = open_ranking(folder)
    LONG.write_parquet(folder / "part-00001.parquet")
    with pytest.raises(InputError, match="E114"):
        list(ranking.blocks())

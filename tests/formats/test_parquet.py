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
from catchrate.formats import ReadOptions, holds_both, read_judgments, read_ranking, read_records

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

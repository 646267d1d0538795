"""Rows in any order to whole queries, in bounded memory."""

from __future__ import annotations

import random
import tempfile
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import polars as pl
import pytest

import catchrate
from catchrate.errors import OutputError
from catchrate.formats import grouping
from catchrate.formats.grouping import gathered_queries
from catchrate.tables.rows import query_starts


@pytest.fixture
def _little_memory(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """Spill every few rows into files, and check that none is left."""
    monkeypatch.setattr(grouping, "SORT_ROWS", 15)
    monkeypatch.setattr(grouping, "BLOCK_ROWS", 20)
    monkeypatch.setattr(grouping, "GROUP_ROWS", 8)
    spill = tmp_path / "spill"
    spill.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(spill))
    yield
    assert list(spill.iterdir()) == []


def interleaved(seed: int) -> list[pl.DataFrame]:
    chance = random.Random(seed)
    rows = [(f"q{chance.randrange(12)}" + "é" * chance.randrange(2), f"d{i}", chance.random()) for i in range(200)]
    frame = pl.DataFrame(rows, schema=["query", "doc", "score"], orient="row")
    cuts = sorted({0, 200, *(chance.randrange(200) for _ in range(chance.randrange(30)))})
    return [frame[a:b] for a, b in pairwise(cuts)]


@pytest.mark.usefixtures("_little_memory")
@pytest.mark.parametrize("seed", range(20))
def test_rows_sorted_on_disk_are_the_rows_sorted_in_memory(seed: int) -> None:
    frames = interleaved(seed)
    blocks = list(gathered_queries(iter(frames)))
    assert len(blocks) > 5
    assert pl.concat(blocks).equals(pl.concat(frames).sort("query", maintain_order=True))
    queries = [name for block in blocks for name in block["query"].gather(query_starts(block["query"])).to_list()]
    assert len(queries) == len(set(queries))


def test_what_fits_into_memory_is_sorted_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(pl.DataFrame, "write_parquet")
    frames = interleaved(0)
    (block,) = gathered_queries(iter(frames))
    assert block.equals(pl.concat(frames).sort("query", maintain_order=True))


def test_nothing_gives_nothing() -> None:
    assert list(gathered_queries(iter(()))) == []


@pytest.mark.usefixtures("_little_memory")
def test_files_are_gone_when_the_reader_stops_early() -> None:
    blocks = gathered_queries(iter(interleaved(1)))
    next(blocks)
    assert list(Path(tempfile.gettempdir()).iterdir())
    blocks.close()  # type: ignore[attr-defined]


@pytest.mark.usefixtures("_little_memory")
def test_a_full_disk_is_told_with_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> None:
        raise pl.exceptions.ComputeError("No space left on device")

    monkeypatch.setattr(pl.DataFrame, "write_parquet", full)
    with pytest.raises(OutputError, match=r"E302 .*No space left.*TMPDIR"):
        list(gathered_queries(iter(interleaved(2))))


@pytest.mark.usefixtures("_little_memory")
@pytest.mark.parametrize("kind", ["trec", "parquet"])
def test_an_interleaved_run_gets_the_numbers_of_the_sorted_one(kind: str, tmp_path: Path) -> None:
    rows = pl.concat(interleaved(3)).with_columns(score=(pl.col("score") * 4).floor())
    judgments = {q: dict.fromkeys(rows.filter(pl.col("query") == q)["doc"][::3], 1.0) for q in rows["query"].unique()}
    found = []
    for name, frame in (("any", rows), ("sorted", rows.sort("query", maintain_order=True))):
        path = tmp_path / f"{name}.{kind}"
        if kind == "parquet":
            frame.write_parquet(path)
        else:
            columns = [
                "query",
                pl.lit("Q0").alias("q0"),
                "doc",
                pl.lit(1).alias("rank"),
                "score",
                pl.lit("t").alias("t"),
            ]
            frame.select(columns).write_csv(path, separator=" ", include_header=False)
        found.append(catchrate.evaluate(judgments, path, "ap ndcg@5 rr recall@3"))
    assert found[0].per_query.equals(found[1].per_query)
    assert [note.code for note in found[0].notes] == [note.code for note in found[1].notes]

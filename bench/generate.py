"""Write generated collections: seeded, so that everybody measures the same bytes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import BinaryIO

import numpy as np
import polars as pl

from bench.shapes import Collection

SEED = 20_240_229
QUERY_IDS = 1_200_000
"""Query ids are drawn from below this; each copy adds it once more."""
DOCUMENT_IDS = 8_841_823
GRADE_SHARES = (0.55, 0.2, 0.15, 0.1)
QUERIES_A_BLOCK = 500
"""Queries written at a time, so that a collection of any size is written in little memory."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """One query with what was returned, best first, and what was judged."""

    id: int
    docs: np.ndarray
    scores: np.ndarray
    judged: np.ndarray
    grades: np.ndarray


Dicts = tuple[dict[str, dict[str, int]], dict[str, dict[str, float]]]


def queries(collection: Collection) -> Iterator[Query]:
    """Yield the queries of a collection, each copy in the same order."""
    for copy in range(collection.copies):
        rng = np.random.default_rng(SEED)
        for number in rng.choice(QUERY_IDS, collection.queries, replace=False):
            yield _query(rng, int(number) + copy * QUERY_IDS, collection)


def _query(rng: np.random.Generator, number: int, collection: Collection) -> Query:
    """Draw documents, of which the first half is returned; what stands earlier is judged more often."""
    pool = rng.choice(DOCUMENT_IDS, 2 * collection.depth, replace=False)
    weights = 1 / np.arange(10, 10 + pool.size)
    count = min(1 + rng.poisson(collection.judged - 1), pool.size)
    judged = rng.choice(pool, count, replace=False, p=weights / weights.sum())
    grades = rng.choice(4, count, p=GRADE_SHARES) if collection.graded else np.ones(count, np.int64)
    scores = np.sort(rng.random(collection.depth).round(6))[::-1]
    return Query(id=number, docs=pool[: collection.depth], scores=scores, judged=judged, grades=grades)


def as_dicts(collection: Collection) -> Dicts:
    """Return a collection as dicts of dicts: judgments and run."""
    judgments: dict[str, dict[str, int]] = {}
    run: dict[str, dict[str, float]] = {}
    for query in queries(collection):
        judgments[str(query.id)] = dict(zip(map(str, query.judged), query.grades.tolist(), strict=True))
        run[str(query.id)] = dict(zip(map(str, query.docs), query.scores.tolist(), strict=True))
    return judgments, run


def write(collection: Collection, folder: Path) -> None:
    """Write judgments and run as TREC files, block by block."""
    judgments, run = collection.files(folder)
    source = queries(collection)
    with _new_file(judgments) as judgments_file, _new_file(run) as run_file:
        while block := list(islice(source, QUERIES_A_BLOCK)):
            _append(_judgment_rows(block), judgments_file)
            _append(_run_rows(block, collection.depth), run_file)


def _judgment_rows(block: list[Query]) -> pl.DataFrame:
    ids = np.repeat([query.id for query in block], [query.judged.size for query in block])
    docs, grades = (np.concatenate(parts) for parts in zip(*((q.judged, q.grades) for q in block), strict=True))
    return pl.DataFrame({"query": ids, "iteration": np.zeros_like(ids), "doc": docs, "grade": grades})


def _run_rows(block: list[Query], depth: int) -> pl.DataFrame:
    docs, scores = (np.concatenate(parts) for parts in zip(*((q.docs, q.scores) for q in block), strict=True))
    ids = np.repeat([query.id for query in block], depth)
    ranks = np.tile(np.arange(1, depth + 1), len(block))
    columns = {"query": ids, "q0": "Q0", "doc": docs, "rank": ranks, "score": scores, "tag": "bench"}
    return pl.DataFrame(columns)


def _append(rows: pl.DataFrame, file: BinaryIO) -> None:
    rows.write_csv(file, include_header=False, separator=" ", float_precision=6)


@contextmanager
def _new_file(path: Path) -> Iterator[BinaryIO]:
    """Open a file that gets its name when it is whole."""
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(path.name + ".partial")
    with partial.open("wb") as file:
        yield file
    partial.replace(path)

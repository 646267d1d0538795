"""One measurement of `bench.scale` in a process of its own, as `bench.job` does it."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from time import perf_counter
from typing import Any

from bench.job import Result, run, timed
from bench.shapes import Collection
from bench.tools import MEASURES, TOOLS

CLUSTER_MEMORY = 2_048
"""Megabytes of the heap of an executor."""
PARTITIONS = 8
LOOP = "pytrec_eval"


def many(*, tool: str, judgments: str, runs: list[str]) -> Result:
    """Time a tool from the files of many runs to the means of each: at once, or run by run."""
    if tool == LOOP:
        import pytrec_eval

        evaluate = TOOLS[tool]()

        def loop() -> dict[str, float]:
            with Path(judgments).open() as file:
                judged = pytrec_eval.parse_qrel(file)
            found: dict[str, float] = {}
            for path in runs:
                with Path(path).open() as file:
                    means = evaluate.from_dicts(judged, pytrec_eval.parse_run(file))
                found |= {f"{Path(path).stem} {name}": mean for name, mean in means.items()}
            return found

        return timed(loop)
    import catchrate

    def board() -> dict[str, float]:
        named = {Path(path).stem: path for path in runs}
        found: Any = catchrate.evaluate(judgments, measures=MEASURES, runs=named)
        return {f"{name} {measure}": mean for name, one in found.items() for measure, mean in one.as_dict().items()}

    return timed(board)


def spark(*, executors: int, judgments: str, ranking: str) -> Result:
    """Time the Spark engine on a Parquet file, on executors of one core each; the first evaluation warms them up."""
    os.environ |= {"SPARK_LOCAL_IP": "127.0.0.1", "PYSPARK_PYTHON": sys.executable}
    from pyspark.sql import SparkSession

    from catchrate.engines.spark import evaluate

    settings = {
        "spark.ui.enabled": "false",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.ui.showConsoleProgress": "false",
        "spark.sql.shuffle.partitions": str(PARTITIONS),
        "spark.sql.files.maxPartitionBytes": "32m",
    }
    master = f"local-cluster[{executors},1,{CLUSTER_MEMORY}]"
    builder = SparkSession.builder.master(master).config(map=settings)  # type: ignore[union-attr]
    session = builder.config("spark.executor.memory", f"{CLUSTER_MEMORY}m").getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    rows = session.read.parquet(ranking)
    evaluate(judgments, rows.where("query < '2'"), MEASURES).release()
    result = timed(lambda: evaluate(judgments, rows, MEASURES).scores.as_dict())  # type: ignore[union-attr]
    session.stop()
    return result


def one_machine(*, judgments: str, ranking: str) -> Result:
    """Time the same Parquet file on one machine."""
    import catchrate

    return timed(lambda: catchrate.evaluate(judgments, ranking, MEASURES).as_dict())


def growth(*, judgments: str, runs: list[str], measures: Sequence[str], repeat: int) -> Result:
    """Time one evaluation several times in this process, and return the best time."""
    import catchrate

    def work() -> float:
        start = perf_counter()
        catchrate.evaluate(judgments, measures=measures, runs={str(i): path for i, path in enumerate(runs)})
        return perf_counter() - start

    return {"seconds": min(work() for _ in range(repeat))}


def parquet(*, source: str, target: str) -> Result:
    """Write a run as a Parquet file of query, doc and score."""
    import polars as pl

    names = ["query", "q0", "doc", "rank", "score", "tag"]
    rows = pl.scan_csv(source, separator=" ", has_header=False, new_columns=names, infer_schema=False)
    rows = rows.select("query", "doc", pl.col("score").cast(pl.Float64))
    rows.sink_parquet(target, row_group_size=1 << 18)
    return {}


def runs(*, shape: dict[str, Any], folder: str, count: int) -> Result:
    """Write judgments, and many runs over the same pools of documents, each with an order of its own."""
    import numpy as np
    import polars as pl

    from bench.generate import queries

    collection = Collection(**shape)
    found = list(queries(collection))
    known = [np.unique(np.append(query.docs, query.judged)) for query in found]
    pools = np.stack([docs[: min(map(len, known))] for docs in known])
    judged = [
        (q.id, 0, doc, grade) for q in found for doc, grade in zip(q.judged.tolist(), q.grades.tolist(), strict=True)
    ]
    columns = ["query", "iteration", "doc", "grade"]
    frame = pl.DataFrame(judged, schema=columns, orient="row")
    frame.write_csv(Path(folder, "judgments.qrels"), include_header=False, separator=" ")
    ids = np.repeat([query.id for query in found], collection.depth)
    ranks = np.tile(np.arange(1, collection.depth + 1), len(found))
    for number in range(count):
        rng = np.random.default_rng(number)
        order = np.argsort(rng.random(pools.shape), axis=1)[:, : collection.depth]
        docs = np.take_along_axis(pools, order, axis=1).ravel()
        scores = -np.sort(-rng.random((len(found), collection.depth)).round(6), axis=1).ravel()
        rows = {"query": ids, "q0": "Q0", "doc": docs, "rank": ranks, "score": scores, "tag": "bench"}
        path = Path(folder, f"run{number:03}.trec")
        pl.DataFrame(rows).write_csv(path, include_header=False, separator=" ", float_precision=6)
    return {}


JOBS: dict[str, Callable[..., Result]] = {
    "many": many,
    "spark": spark,
    "one_machine": one_machine,
    "growth": growth,
    "parquet": parquet,
    "runs": runs,
}

if __name__ == "__main__":
    run(JOBS)

"""The Spark engine on a real cluster: two executors of one core each, on this machine."""

from __future__ import annotations

import os
import re
import shutil
import signal
import sys
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import catchrate

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("spark")]  # one cluster for all

ROOT = Path(__file__).resolve().parents[2]
MEASURES = "recall@5 ap ndcg@10 rr hit@1 gm_ap"


@pytest.fixture(scope="module")
def session():
    """Return a session of a cluster that talks to this machine only, or skip where there is no Java."""
    if shutil.which("java") is None:
        pytest.skip("no Java is installed: apt-get install -y default-jre-headless")
    os.environ |= {"SPARK_LOCAL_IP": "127.0.0.1", "PYSPARK_PYTHON": sys.executable}
    from pyspark.sql import SparkSession

    settings = {
        "spark.ui.enabled": "false",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.sql.shuffle.partitions": "3",
        "spark.sql.execution.arrow.maxRecordsPerBatch": "100",
        "spark.ui.showConsoleProgress": "false",
    }
    found = SparkSession.builder.master("local-cluster[2,1,1024]").config(map=settings).getOrCreate()
    found.sparkContext.setLogLevel("OFF")
    yield found
    found.stop()


@pytest.fixture(scope="module")
def engine(session):
    from catchrate.engines import spark

    return spark


@pytest.fixture(scope="module")
def judgments() -> pl.DataFrame:
    rng = np.random.default_rng(1)
    rows = [(f"q{q}", f"d{d}", int(rng.integers(-1, 4))) for q in range(3, 15) for d in rng.permutation(300)[:9]]
    return pl.DataFrame(rows, schema=["query", "doc", "grade"], orient="row").sort("query", "doc")


@pytest.fixture(scope="module")
def run() -> pl.DataFrame:
    """Return a run of which one query has fifty times as many rows as the others, in pieces."""
    rng = np.random.default_rng(2)
    found = {q: rng.permutation(6_000)[:5_000] if q == 7 else rng.permutation(400)[:100] for q in range(12)}
    rows = [(f"q{q}", f"d{d}", float(rng.integers(0, 90)) / 8) for q, docs in found.items() for d in docs]
    return pl.DataFrame(rows, schema=["query", "doc", "score"], orient="row").sample(fraction=1, shuffle=True, seed=3)


def on(session, frame: pl.DataFrame, pieces: int = 5):
    return session.createDataFrame(frame.to_arrow(compat_level=pl.CompatLevel.oldest())).repartition(pieces)


def rows_of(frame) -> pl.DataFrame:
    return pl.DataFrame(frame.toArrow())


@pytest.mark.parametrize("partitions", [1, 7])
def test_a_long_table_has_the_numbers_of_one_machine_for_any_partitioning(session, engine, judgments, run, partitions):
    session.conf.set("spark.sql.shuffle.partitions", str(partitions))
    twice = pl.concat([run, run.head(4)])
    found = engine.evaluate(on(session, judgments, 2), on(session, twice, 9), MEASURES, duplicates="keep", rel=2)
    expected = catchrate.evaluate(judgments, twice, MEASURES, duplicates="keep", rel=2)
    assert found.scores.as_dict() == expected.as_dict()
    assert found.scores.per_query.equals(expected.per_query)
    assert found.scores.interval("ap") == expected.interval("ap")
    assert [(n.code, n.message) for n in found.scores.notes] == [(n.code, n.message) for n in expected.notes]
    assert rows_of(found.per_query).sort("query").equals(expected.per_query)
    found.release()
    assert repr(found) == repr(found.scores)


def test_runs_by_name_are_measured_in_one_pass(session, engine, judgments, run):
    runs = {"old": run, "new": run.with_columns(-pl.col("score")).filter(pl.col("query") != "q5")}
    rows = pl.concat([frame.with_columns(pl.lit(name).alias("run")) for name, frame in runs.items()])
    found = engine.evaluate(judgments, on(session, rows), MEASURES)
    expected = catchrate.evaluate(judgments, measures=MEASURES, runs=runs)
    assert list(found.scores) == ["new", "old"]
    assert {name: one.as_dict() for name, one in found.scores.items()} == {n: s.as_dict() for n, s in expected.items()}
    each = rows_of(found.per_query).partition_by("run", as_dict=True, include_key=False)
    assert {name: each[(name,)].sort("query").equals(expected[name].per_query) for name in runs} == dict.fromkeys(
        runs, True
    )


def test_a_query_log_with_a_list_of_hits_in_a_row_is_read_as_it_is(session, engine, judgments, run):
    from pyspark.sql import functions as sql

    short = run.filter(pl.col("query") != "q7").sort("query", "score", "doc", descending=[False, True, True])
    log = short.group_by("query", maintain_order=True).agg(retrieved="doc", scores="score")
    log = pl.concat([log, pl.DataFrame({"query": ["q13"], "retrieved": [[]], "scores": [[]]}, schema=log.schema)])
    expected = catchrate.evaluate(judgments, dict(log.select("query", "retrieved").iter_rows()), MEASURES)
    frame = on(session, log)
    pairs = sql.arrays_zip(sql.col("retrieved").alias("id"), sql.col("scores").alias("score"))
    shapes = {
        "ids": frame.drop("scores"),
        "structures": frame.select("query", pairs.alias("retrieved")),
        "mappings": frame.select("query", sql.map_from_arrays("retrieved", "scores").alias("retrieved")),
    }
    for name, shape in shapes.items():
        found = engine.evaluate(judgments, shape, MEASURES)
        assert found.scores.as_dict() == expected.as_dict(), name
        assert found.scores.per_query.equals(expected.per_query), name


def test_a_measure_of_your_own_reaches_the_executors_whose_threads_are_kept_to_their_cores(
    session, engine, judgments, run
):
    @catchrate.measure(per_query=True, range=(0, 1_000))
    def threads(slots, grades, returned, relevant):
        """How many threads polars has where the query is measured."""
        return float(pl.thread_pool_size() if returned else THREADS_OF_THE_MISSING)

    found = engine.evaluate(judgments, on(session, run), "threads")
    values = found.scores.per_query.join(run, on="query", how="semi")["threads"]
    assert set(values.to_list()) == {1.0}


THREADS_OF_THE_MISSING = 77.0


def test_what_is_refused_on_an_executor_is_our_error_with_the_query(session, engine, judgments, run):
    twice = pl.concat([run, run.filter(pl.col("query") == "q4").head(1)])
    with pytest.raises(
        catchrate.InputError, match=r"^E216 query 'q4' returned document '.*' more than once - "
    ) as caught:
        engine.evaluate(judgments, on(session, twice), MEASURES)
    assert "\n" not in str(caught.value)


def test_what_fails_in_spark_is_one_line_of_ours(session, engine, judgments, run):
    from pyspark.sql import functions as sql

    broken = on(session, run).withColumn("score", sql.raise_error(sql.lit("the disk is full")).cast("double"))
    with pytest.raises(catchrate.InputError, match=r"^E370 Spark failed: .*the disk is full") as caught:
        engine.evaluate(judgments, broken, MEASURES)
    assert "\n" not in str(caught.value)
    assert caught.value.__cause__ is not None


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (lambda frame: frame.drop("score"), "E250"),
        (lambda frame: frame.withColumn("doc", frame["score"]), "E254"),
        (lambda frame: frame.withColumn("run", frame["score"]), "E254"),
        (lambda frame: frame.limit(0), "E101"),
        (lambda frame: frame.withColumnRenamed("doc", "retrieved").withColumn("id", frame["query"]), "E250"),
        (lambda frame: frame.where("query = 'q1'"), "E221"),
    ],
    ids=["no-score", "doc-is-a-number", "run-is-a-number", "no-rows", "no-lists", "strangers"],
)
def test_a_ranking_that_is_none_is_refused_by_the_driver(session, engine, judgments, run, change, code):
    with pytest.raises(catchrate.InputError) as caught:
        engine.evaluate(judgments, change(on(session, run, 1)), MEASURES)
    assert caught.value.code == code


def test_a_ranking_that_is_no_spark_frame_is_a_usage_error(engine, judgments, run):
    with pytest.raises(catchrate.UsageError, match="Spark data frame"):
        engine.evaluate(judgments, run)


def test_killing_an_executor_does_not_change_the_numbers(session, engine, judgments, run, tmp_path):
    marker = tmp_path / "killed"
    deadly = deadly_measure(marker)
    judged = judgments.filter(pl.col("query").is_in(run["query"].unique().to_list()))
    session.conf.set("spark.sql.shuffle.partitions", "4")
    found = engine.evaluate(judged, on(session, run), ["ap", deadly])
    assert marker.exists()
    expected = catchrate.evaluate(judged, run, ["ap", deadly])
    assert found.scores.as_dict() == expected.as_dict()
    assert rows_of(found.per_query).sort("query").equals(expected.per_query)


def deadly_measure(marker: Path) -> str:
    """Declare a measure that ends the first executor that computes it, and counts slots elsewhere."""

    @catchrate.measure(per_query=True, range=(0, 1_000_000))
    def deadly(slots, grades, returned, relevant):
        """How many slots there are, unless this is an executor and none was killed before."""
        daemon = os.getppid()
        executor = int(Path(f"/proc/{daemon}/stat").read_text().rsplit(")", 1)[1].split()[1])
        command = Path(f"/proc/{executor}/cmdline").read_bytes()
        if b"CoarseGrainedExecutorBackend" in command and not marker.exists():
            marker.touch()
            os.kill(executor, signal.SIGKILL)
        return float(returned)

    return "deadly"


def test_the_example_of_the_page_runs(session, judgments, run, tmp_path):
    (example,) = re.findall(r"```python\n(.*?)```", (ROOT / "docs" / "scale.md").read_text(), flags=re.DOTALL)
    names = {"judgments": on(session, judgments), "ranking": on(session, run), "folder": tmp_path}
    exec(compile(example, "docs/scale.md", "exec"), names)
    written = pl.read_parquet(tmp_path / "per_query" / "*.parquet").sort("query")
    assert written.equals(catchrate.evaluate(judgments, run, "recall@10 ndcg@10", rel=2).per_query)

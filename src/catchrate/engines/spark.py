"""Evaluate on a Spark cluster: data frames in, the same numbers as on one machine out. Needs pyspark 4.1 or newer.

The rows of the ranking are parted by run and query and sorted, so that every query reaches one executor, whole and in
one piece. There they go through the same join and the same measures as on one machine. What comes back is the join,
whose size is bounded by the judgments; it is merged on the driver into the same `Scores`.
"""

from __future__ import annotations

import pickle
import re
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Any, NamedTuple

import polars as pl

from catchrate.alignment import Policy
from catchrate.alignment.policy import Dialect, Duplicates, QueryPolicy
from catchrate.engines.executor import QUERY, SAID, Work, found_schema
from catchrate.engines.merge import scores_of
from catchrate.engines.rows import HASH, NO_LIST, RUN
from catchrate.errors import InputError, MissingExtra, UsageError, shown
from catchrate.evaluation.evaluate import DEFAULT_MEASURES
from catchrate.evaluation.scores import Leaderboard, Scores
from catchrate.formats import ReadOptions, read_judgments
from catchrate.formats.frames import holds_lists
from catchrate.formats.long_table import Columns, ranking_columns, typed
from catchrate.formats.names import DOC, RANK, SCORE, field_of, find_column, missing_column
from catchrate.formats.records import RETURNED
from catchrate.measures import TABLE, Measure, parse_all
from catchrate.tables import Judgments

try:
    from py4j.protocol import Py4JError
    from pyspark import cloudpickle
    from pyspark.errors import PySparkException
    from pyspark.sql import DataFrame
    from pyspark.sql import functions as sql
except ImportError as error:
    raise MissingExtra.named("pyspark", "spark") from error

__all__ = ["Evaluated", "evaluate"]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Evaluated:
    """What an evaluation on a cluster found."""

    per_query: DataFrame
    """One row a query of a run: `run`, if there are several, `query`, and a column for each measure."""
    scores: Scores | Leaderboard
    """Means, intervals and notes: a Leaderboard when the ranking has a column of runs."""
    _found: DataFrame

    def release(self) -> None:
        """Let go of what the executors keep for `per_query`, which is then computed anew when it is asked for."""
        self._found.unpersist()

    def __repr__(self) -> str:
        return repr(self.scores)


def evaluate(
    judgments_df: object,
    ranking_df: DataFrame,
    measures: str | Measure | Iterable[str | Measure] | None = None,
    *,
    rel: float = 1,
    queries: QueryPolicy = "judged",
    duplicates: Duplicates | None = None,
    judged_only: bool = False,
    max_rank: int | None = None,
    dialect: Dialect = "catchrate",
    options: ReadOptions | None = None,
) -> Evaluated:
    """Measure what a retriever finds, on the executors of a Spark cluster.

    `ranking_df` is a Spark data frame with one row a returned document (query, doc, and score or rank), or with one row
    a query and a list of hits in `retrieved`: ids, structures with an id, or a map of ids to scores. A column `run`
    makes it several runs, which are measured in one pass. `judgments_df` is a Spark data frame too, or anything that
    `catchrate.evaluate` takes; judgments have to fit into the memory of the driver and of each executor. The policies
    are those of `catchrate.evaluate`, and so are the numbers, to the last bit.

    Raises InputError when an input is refused, also when that is found on an executor, and when the cluster fails;
    UsageError for unknown measures or policies.
    """
    options = options or ReadOptions()
    chosen = parse_all(DEFAULT_MEASURES if measures is None else measures)
    policy = Policy(
        rel=rel, queries=queries, duplicates=duplicates, judged_only=judged_only, max_rank=max_rank, dialect=dialect
    )
    if not isinstance(ranking_df, DataFrame):
        fix = "pass a Spark data frame, or use catchrate.evaluate"
        raise UsageError.of("E260", f"the ranking is a {type(ranking_df).__name__}", fix=fix)
    with _explained():
        judgments = _judgments(judgments_df, options)
        shape = _shape_of(ranking_df, options)
        effective = tuple(measure.at_level(policy.rel) for measure in chosen)
        found = _found(shape, _work(judgments, effective, policy, shape, options), len(chosen)).persist()
        try:
            scores = scores_of(_said(found), judgments, chosen, policy)
            per_query = _per_query(found, scores, chosen, several=shape.run is not None)
        except BaseException:
            found.unpersist()
            raise
    everything = Leaderboard(runs=scores) if shape.run is not None else scores[""]
    return Evaluated(per_query=per_query, scores=everything, _found=found)


# -- what the frames hold -------------------------------------------------------------------------------------------


class _Shape(NamedTuple):
    """How a ranking is written."""

    frame: DataFrame
    columns: Columns
    """The columns of the rows that executors get."""
    run: str | None
    query: str
    hits: str | None = None
    """The column of lists, where there is one row a query."""
    doc: str | None = None
    """The field of a hit that names its document, where hits are structures."""
    score: str | None = None
    mapped: bool = False


def _judgments(given: object, options: ReadOptions) -> Judgments:
    """Bring the judgments to the driver; their rows have no order on a cluster, so that they get one."""
    if not isinstance(given, DataFrame):
        return read_judgments(given, options)
    unused = {field_of(given.columns, field, options.columns) for field in (RETURNED, "scores", "texts")}
    listed = holds_lists(_schema(given), options)
    frame = pl.DataFrame(given.drop(*unused).toArrow() if listed else given.toArrow())
    keys = [name for name, kind in frame.schema.items() if not kind.is_nested()]
    return read_judgments(frame.sort(keys, maintain_order=True), options)


def _schema(frame: DataFrame) -> pl.Schema:
    return pl.DataFrame(frame.limit(0).toArrow()).schema


def _shape_of(frame: DataFrame, options: ReadOptions) -> _Shape:
    """Tell how a ranking is written; refuse what no ranking is, before any work is done."""
    schema = _schema(frame)
    run = RUN if RUN in schema else None
    shape = _lists(frame, schema, run, options) if holds_lists(schema, options) else None
    if shape is None:
        columns = ranking_columns(list(schema), options, "")
        typed(pl.DataFrame(schema=schema), columns, "")
        shape = _Shape(frame, columns, run, columns[QUERY])
    if run is not None:
        typed(pl.DataFrame(schema=schema), {QUERY: RUN}, "")
    return shape


def _lists(frame: DataFrame, schema: pl.Schema, run: str | None, options: ReadOptions) -> _Shape:
    query = "id" if "id" in schema else find_column(list(schema), QUERY, options.columns)
    if query is None:
        raise missing_column("no column for the query", list(schema), "", near=[QUERY])
    hits = field_of(schema, RETURNED, options.columns)
    columns: Columns = {QUERY: QUERY, RANK: RANK, DOC: DOC}
    kind = schema.get(hits, None)
    if kind is not None and frame.schema[hits].dataType.typeName() == "map":
        return _Shape(frame, {**columns, SCORE: SCORE}, run, query, hits, mapped=True)
    if not isinstance(kind, pl.List):
        message = f"the column {shown(hits)} is {kind or 'not there'}, not a list of documents"
        raise InputError.of("E254", message, fix="give each query an array of ids, of structures, or a map to scores")
    if not isinstance(kind.inner, pl.Struct):
        return _Shape(frame, columns, run, query, hits)
    names = [field.name for field in kind.inner.fields]
    doc = next((name for name in ("id", "key") if name in names), None) or find_column(names, DOC, options.columns)
    if doc is None:
        raise missing_column("the hits have no field for the document", names, "", near=[DOC])
    score = find_column(names, SCORE, options.columns)
    return _Shape(frame, {**columns, SCORE: SCORE} if score else columns, run, query, hits, doc, score)


# -- the work -------------------------------------------------------------------------------------------------------


def _work(
    judgments: Judgments, measures: tuple[Measure, ...], policy: Policy, shape: _Shape, options: ReadOptions
) -> bytes:
    items, queries = judgments.items.select("query", "doc", "grade"), judgments.queries.select("query")
    work = Work(
        judgments=Judgments(items=items, queries=queries),
        measures=measures,
        own=_own_measures(measures),
        policy=policy,
        columns=shape.columns,
        ascending=options.ascending,
        listed=shape.hits is not None,
        mapped=shape.mapped,
        several=shape.run is not None,
    )
    return pickle.dumps(work)


def _own_measures(measures: Iterable[Measure]) -> bytes:
    """Pickle the measures that executors do not know, with the code of the modules that declare them."""
    rows = {m.name: TABLE[m.name] for m in measures if not m.row.function.__module__.startswith("catchrate.measures.")}
    modules = {sys.modules.get(row.function.__module__) for row in rows.values()} - {None, sys.modules["__main__"]}
    with ExitStack() as stack:
        for module in modules:
            cloudpickle.register_pickle_by_value(module)
            stack.callback(cloudpickle.unregister_pickle_by_value, module)
        return cloudpickle.dumps(rows)


def _found(shape: _Shape, work: bytes, measures: int) -> DataFrame:
    """Return what the executors find: whole queries, in order, through Arrow batches.

    mapInArrow and not cogrouped Arrow, which calls Python for every query: 6.6 s against 34.7 s for 1,000 queries of
    200 rows on two cores. Both hold one query as a whole.
    """
    keys = [sql.col(_quoted(name)) for name in (shape.run, shape.query) if name is not None]
    needed = dict.fromkeys([*(name for name in (shape.run, shape.query, shape.hits) if name), *_long_columns(shape)])
    rows = shape.frame.select(*(sql.col(_quoted(name)) for name in needed))
    rows = rows.repartition(*keys).sortWithinPartitions(*keys)
    rows = _apart(rows, shape) if shape.hits else rows
    content = [sql.col(_quoted(name)) for name in shape.columns.values()]
    session: Any = shape.frame.sparkSession
    schema = ", ".join(f"{name} {_IN_SPARK[kind]}" for name, kind in found_schema(measures).items())
    cores = str(session.conf.get("spark.task.cpus", "1"))
    return rows.withColumn(HASH, sql.xxhash64(*content)).mapInArrow(_on_executor(work, cores), schema)


_IN_SPARK = {pl.String(): "string", pl.Binary(): "binary", pl.Float64(): "double"}


def _long_columns(shape: _Shape) -> list[str]:
    return [] if shape.hits else list(shape.columns.values())


def _apart(rows: DataFrame, shape: _Shape) -> DataFrame:
    """Take lists apart, a row a hit, in their order."""
    hits = sql.col(_quoted(shape.hits or ""))
    run = [sql.col(RUN)] if shape.run else []
    names = ("at", DOC, SCORE) if shape.mapped else ("at", "hit")
    exploded = sql.posexplode_outer(hits).alias(*names)
    rows = rows.select(*run, sql.col(_quoted(shape.query)).alias(QUERY), hits.isNull().alias("none"), exploded)
    rank = sql.when(sql.col("none"), NO_LIST).otherwise(sql.col("at") + 1).alias(RANK)
    if shape.mapped:
        return rows.select(*run, QUERY, rank, DOC, SCORE)
    if shape.doc is None:
        return rows.select(*run, QUERY, rank, sql.col("hit").alias(DOC))
    fields = [sql.col("hit")[shape.doc].alias(DOC)]
    fields += [sql.col("hit")[shape.score].alias(SCORE)] if shape.score else []
    return rows.select(*run, QUERY, rank, *fields)


def _on_executor(work: bytes, cores: str) -> Callable[[Iterator[Any]], Iterator[Any]]:
    """Return what Spark calls for each partition.

    Spark sends an inner function as it is, so that nothing is imported there before it begins: polars counts its
    threads when it is imported, and NumPy's were counted by Spark.
    """

    def on_executor(batches: Iterator[Any]) -> Iterator[Any]:
        import os

        os.environ.setdefault("POLARS_MAX_THREADS", cores)
        from catchrate.engines.executor import scored

        for table in scored(batches, work):
            yield from table.to_batches()

    return on_executor


def _quoted(name: str) -> str:
    """Return the name of a column such that Spark does not read it as a path."""
    return "`" + name.replace("`", "``") + "`"


# -- what comes back ------------------------------------------------------------------------------------------------


def _said(found: DataFrame) -> Iterator[tuple[str, bytes]]:
    """Do the work, and yield what each partition has to say of each run."""
    return pl.DataFrame(found.where(sql.col(SAID).isNotNull()).select(RUN, SAID).toArrow()).iter_rows()


def _per_query(
    found: DataFrame, scores: Mapping[str, Scores], measures: tuple[Measure, ...], *, several: bool
) -> DataFrame:
    """Return the values of the queries that executors had, and of those that were missing."""
    values = [sql.col(f"value{i}").alias(str(measure)) for i, measure in enumerate(measures)]
    there = found.where(sql.col(QUERY).isNotNull()).select(*([RUN] if several else []), QUERY, *values)
    absent = pl.concat([_absent(run, one, several=several) for run, one in scores.items()])
    if absent.is_empty():
        return there
    session: Any = found.sparkSession
    return there.unionByName(session.createDataFrame(absent.to_arrow(compat_level=pl.CompatLevel.oldest())))


def _absent(run: str, scores: Scores, *, several: bool) -> pl.DataFrame:
    rows = scores.per_query.filter(pl.Series(~scores.aligned.in_run))
    return rows.select(*([pl.lit(run).alias(RUN)] if several else []), pl.all())


@contextmanager
def _explained() -> Iterator[None]:
    """Turn what Spark says into one line of ours; its stack is the cause of the error."""
    try:
        with warnings.catch_warnings():
            # pandas takes no part here
            warnings.filterwarnings("ignore", message="PySpark does not yet fully support pandas")
            yield
    except (PySparkException, Py4JError) as error:
        reason = _reason(str(error))
        absent = "No module named" in reason
        fix = "install catchrate and pyarrow on the executors, too" if absent else "see what caused this error"
        raise InputError.of("E370", f"Spark failed: {shown(reason, 300)}", fix=fix) from error


def _reason(text: str) -> str:
    """Return the line that says what failed: the last one of a Python traceback, or the first one of all."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    raised = [line for line in lines if re.match(r"[\w.]*(Error|Exception|Interrupt)\b: ", line)]
    python = [line for line in raised if not line.startswith(("org.", "java."))]
    return (python or raised or lines or ["no reason given"])[0]

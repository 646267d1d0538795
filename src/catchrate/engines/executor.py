"""What runs on an executor: the queries of a partition go through the same join and measures as on one machine."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import polars as pl

from catchrate.alignment import Join, JudgmentIndex, Part, Policy, cut
from catchrate.engines.rows import RUN, ListRows, LongRows, Rows, by_run, large
from catchrate.errors import CatchrateError
from catchrate.evaluation.evaluate import values_of
from catchrate.evaluation.totals import Floats
from catchrate.formats.long_table import Columns
from catchrate.measures import TABLE, Measure
from catchrate.tables import Judgments

QUERY, SAID = "query", "said"


def found_schema(measures: int) -> pl.Schema:
    """Return the columns of what executors return: the values of a query in a row, and what a partition has to say."""
    values = {f"value{i}": pl.Float64() for i in range(measures)}
    return pl.Schema({RUN: pl.String(), QUERY: pl.String(), SAID: pl.Binary(), **values})


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Work:
    """All that an executor has to know, beside the rows."""

    judgments: Judgments
    measures: tuple[Measure, ...]
    """What is computed, with the level of relevance of the policy."""
    own: bytes
    """The rows of the table of measures that are not ours, pickled with the functions behind them."""
    policy: Policy
    columns: Columns
    """The column of the ranking that plays each role."""
    ascending: bool
    listed: bool
    """Whether rows come from one list a query."""
    mapped: bool
    """Whether these lists were mappings, which their scores rank."""
    several: bool
    """Whether a column names runs."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Said:
    """What a partition has to say of one run."""

    part: Part
    values: Floats
    """One row a query of the part, one column a measure."""
    rows: int
    hashes: int
    """The sum of the hashes of the rows."""


def scored(batches: Iterator[Any], work: bytes) -> Iterator[Any]:
    """Yield Arrow tables: the values of the queries of a partition, and what there is to say of each run."""
    for frame in _until_an_error(batches, work):
        yield frame.to_arrow(compat_level=pl.CompatLevel.oldest())


def _until_an_error(batches: Iterator[Any], work: bytes) -> Iterator[pl.DataFrame]:
    run, desk = "", _desk(work)
    try:
        for run, rows in by_run(large(batches), several=desk.work.several):
            yield from desk.found(run, rows)
    except CatchrateError as error:
        findings = [replace(finding, file=finding.file or run) for finding in error.findings]
        yield desk.row(run, type(error)(findings))


class _Desk:
    """What the partitions that one process works on have in common."""

    def __init__(self, work: Work) -> None:
        TABLE.update(pickle.loads(work.own))  # noqa: S301 - from the driver, as the code that runs here
        self.work = work
        self._index = JudgmentIndex(work.judgments)

    def found(self, run: str, rows: Rows) -> Iterator[pl.DataFrame]:
        """Yield the values of the judged queries, and what is to be said of the rows."""
        work = self.work
        source = self._source(run, rows)
        part = Part.of(Join(self._index, source, work.policy).joined())
        values = values_of(work.measures, cut(part.alignment(self._index), work.policy))
        queries = pl.DataFrame({QUERY: self._index.names.gather(part.codes)})
        columns = [pl.lit(run).alias(RUN), pl.lit(None, pl.Binary).alias(SAID)]
        columns += [pl.Series(f"value{i}", values[:, i]) for i in range(values.shape[1])]
        yield queries.with_columns(columns).select(found_schema(values.shape[1]).names())
        yield self.row(run, Said(part=part, values=values, rows=rows.count, hashes=rows.hashes))

    def row(self, run: str, said: Said | CatchrateError) -> pl.DataFrame:
        """Return the row that says something of a run."""
        return pl.DataFrame([{RUN: run, SAID: pickle.dumps(said)}], schema=found_schema(len(self.work.measures)))

    def _source(self, run: str, rows: Rows) -> LongRows | ListRows:
        work = self.work
        if work.listed:
            return ListRows(rows, work.columns, name=run, ascending=work.ascending, mapped=work.mapped)
        return LongRows(rows, work.columns, name=run, ascending=work.ascending)


@lru_cache(maxsize=1)
def _desk(work: bytes) -> _Desk:
    """Return the desk for some work: a process serves many partitions, and indexes the judgments once."""
    return _Desk(pickle.loads(work))  # noqa: S301 - from the driver, as the code that runs here

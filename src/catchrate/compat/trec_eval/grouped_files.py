"""Judgments by several people: preferences, and grouped judgments, read and joined with a run."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import polars as pl

from catchrate.alignment import Aligned
from catchrate.compat.trec_eval.command import Command
from catchrate.compat.trec_eval.inputs import join, read_qrels
from catchrate.errors import InputError, shown
from catchrate.formats import Source, open_source
from catchrate.tables import Judgments

_NUMBER = re.compile(r"[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?")
_SCHEMA = {"query": pl.String, "group": pl.String, "subgroup": pl.String, "doc": pl.String, "level": pl.Float64}
_KEY = ["query", "group", "subgroup", "doc"]
_WIDTHS = {"prefs": "topic, group, subgroup, document, level", "qrels_jg": "topic, group, document, level"}

_Row = tuple[str, str, str, str, float]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Grouped:
    """Judgments of several groups, each with the slot at which the run has its document."""

    rows: pl.DataFrame
    """One row a judgment: `topic` (its number), `group`, `subgroup`, `doc`, `level`, `slot` (0 when not returned)."""
    aligned: Aligned
    """The run joined with all judged documents."""


def read_grouped(command: Command, run: Source) -> Grouped:
    """Read judgments in the format of the command and find their documents in the run.

    Raises InputError for lines that are not of that format and for a document that one group judges twice.
    """
    rows = _from_qrels(command) if command.rel_format == "qrels_prefs" else _from_lines(command)
    documents = rows.select("query", "doc", grade=pl.lit(0.0)).unique()
    aligned = join(Judgments.of(documents, name=command.judgments), run, command)
    slots = aligned.items.select("query", "doc").with_columns(pl.Series("slot", aligned.arrays.items.slot))
    topics = aligned.queries.select("query").with_row_index("topic")
    joined = rows.join(topics, on="query").join(slots, on=["query", "doc"])
    return Grouped(rows=joined.sort("topic", "group", "subgroup", "doc"), aligned=aligned)


def _from_qrels(command: Command) -> pl.DataFrame:
    """Return judgments as the preferences of one group."""
    one = {"group": pl.lit("0"), "subgroup": pl.lit("0")}
    return read_qrels(command).items.select("query", **one, doc="doc", level="grade")


def _from_lines(command: Command) -> pl.DataFrame:
    source = open_source(command.judgments)
    rows = list(_rows(source, command))
    if not rows:
        raise InputError.of("E101", "no rows", fix="check how the file was written", file=source.name)
    frame = pl.DataFrame(rows, schema=_SCHEMA, orient="row")
    twice = frame.filter(frame.select(_KEY).is_duplicated())
    if not twice.is_empty():
        query, group, _, doc, _ = twice.row(0)
        message = f"query {shown(query)}: group {shown(group)} judges document {shown(doc)} twice"
        raise InputError.of("E206", message, fix="keep one of the judgments", file=source.name)
    return frame


def _rows(source: Source, command: Command) -> Iterator[_Row]:
    for number, line in enumerate(b"".join(source.chunks()).splitlines(), start=1):
        if b"\0" in line:
            raise InputError.of("E105", "a NUL byte", fix="remove it", file=source.name, line=number)
        try:
            columns = line.decode().split()
        except UnicodeDecodeError:
            raise InputError.of("E104", "not UTF-8", fix="save it as UTF-8", file=source.name, line=number) from None
        if not (command.dialect.comments and columns and columns[0].startswith("#")):
            yield _row(columns, command.rel_format, source.name, number)


def _row(columns: list[str], rel_format: str, name: str, line: int) -> _Row:
    layout = _WIDTHS[rel_format]
    if len(columns) != layout.count(",") + 1:
        message = f"{len(columns)} columns: {shown(' '.join(columns))}"
        raise InputError.of("E208", message, fix=f"write {layout}, or choose another -R", file=name, line=line)
    if not _NUMBER.fullmatch(columns[-1]):
        message = f"level {shown(columns[-1])} is not a number"
        raise InputError.of("E202", message, fix="use numbers such as 0, 1, 2", file=name, line=line)
    query, group, *subgroup, doc, level = columns
    return query, group, subgroup[0] if subgroup else "0", doc, float(level)

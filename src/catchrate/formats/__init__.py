"""Bytes and objects to tables, and back: whatever people keep judgments and rankings in."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import polars as pl

from catchrate.errors import InputError
from catchrate.formats import objects
from catchrate.formats.beir import QUERIES_FILE, read_beir_judgments, with_corpus_texts, with_query_texts
from catchrate.formats.delimited import read_delimited_judgments, read_delimited_ranking
from catchrate.formats.folder import open_source, parquet_files
from catchrate.formats.frames import (
    frame_records,
    holds_both_lists,
    holds_lists,
    judgments_from_frame,
    ranking_from_frame,
)
from catchrate.formats.json_text import parse_whole
from catchrate.formats.labels import label_sheet, read_labels, with_labels, write_labels
from catchrate.formats.long_table import judgment_columns
from catchrate.formats.longmemeval import Level, LongMemEval, is_longmemeval, longmemeval_judgments, longmemeval_of
from catchrate.formats.nested import Origin
from catchrate.formats.options import FORMATS, Format, ReadOptions
from catchrate.formats.parquet import SAVED_SCORES, ParquetTable
from catchrate.formats.parquet_run import ParquetRun
from catchrate.formats.records import (
    Records,
    Row,
    holds_both_fields,
    judgments_from_records,
    parse_records,
    ranking_from_records,
    records_from_text,
)
from catchrate.formats.sniff import format_of
from catchrate.formats.source import Source
from catchrate.formats.text import text_of
from catchrate.formats.trec import TrecRun, read_trec_judgments
from catchrate.formats.write import write_judgments, write_ranking, write_records
from catchrate.tables import Judgments, Ranking, RankingSource
from catchrate.tables.mapped import MappedRanking, mapped_judgments

__all__ = [
    "FORMATS",
    "Format",
    "LongMemEval",
    "ReadOptions",
    "Source",
    "TrecRun",
    "holds_both",
    "label_sheet",
    "open_ranking",
    "open_source",
    "question_rows",
    "read_judgments",
    "read_labels",
    "read_longmemeval",
    "read_ranking",
    "read_records",
    "with_labels",
    "write_judgments",
    "write_labels",
    "write_ranking",
    "write_records",
]

Streamed = TrecRun | ParquetRun | MappedRanking
"""Rankings that yield their blocks without being in memory as one table."""

_DEFAULT = ReadOptions()


def read_judgments(where: object, options: ReadOptions = _DEFAULT) -> Judgments:
    """Return judgments from a path, bytes, an open file, a BEIR folder, a Python object or a data frame.

    Judgments come back as they are. Raises InputError for what is not judgments, saying where and what to do.
    """
    if isinstance(where, Judgments):
        return where
    folder = _folder(where)
    if folder is not None:
        return read_beir_judgments(folder, options)
    source = _source(where)
    if source is None:
        mapped = None if options.texts or options.spans else mapped_judgments(where)
        return mapped or objects.judgments_from_object(where, options)
    judgments = _with_texts(_judgments_of(source, options), source, options)
    return replace(judgments, content=source.digest())


def open_ranking(where: object, options: ReadOptions = _DEFAULT) -> RankingSource:
    """Return a ranking that yields its blocks: TREC and long Parquet are streamed, the rest is read into memory.

    What was opened before comes back as it is.
    """
    if isinstance(where, Ranking | Streamed):
        return where
    source = _source(where)
    if source is None:
        mapped = None if options.ascending or options.texts else MappedRanking.of(where)
        return mapped or objects.ranking_from_object(where, options)
    return _streamed(source, options) or replace(_ranking_of(source, options), content=source.digest())


def read_ranking(where: object, options: ReadOptions = _DEFAULT) -> Ranking:
    """Return a ranking in memory from a path, bytes, an open file, a Python object or a data frame.

    A Ranking comes back as it is, and what `open_ranking` returned is gathered. Raises InputError for what is no
    ranking, saying where and what to do.
    """
    if isinstance(where, Ranking):
        return where
    source = None if isinstance(where, Streamed) else _source(where)
    streamed = where if isinstance(where, Streamed) else _streamed(source, options) if source else None
    if streamed is not None:
        return replace(_gathered(streamed), content=streamed.digest())
    if source is None:
        return objects.ranking_from_object(where, options)
    return replace(_ranking_of(source, options), content=source.digest())


def read_records(where: object, options: ReadOptions = _DEFAULT) -> tuple[Judgments, Ranking]:
    """Return both sides of evaluation records: a JSONL, JSON or Parquet file, a list of mappings, or a data frame."""
    source = _source(where)
    records = objects.records_from_object(where, options) if source is None else _records_of(source, options)
    records = records.answered()
    judgments, ranking = judgments_from_records(records, options), ranking_from_records(records, options)
    if source is None:
        return judgments, ranking
    return replace(judgments, content=source.digest()), replace(ranking, content=source.digest())


def read_longmemeval(where: object, level: Level = "session", options: ReadOptions = _DEFAULT) -> LongMemEval:
    """Return the questions, histories and evidence of a LongMemEval file; sessions or single turns are judged.

    Questions whose history holds no answer are set apart. Raises InputError for what is no file of LongMemEval.
    """
    source = _source(where)
    records = objects.records_from_object(where, options) if source is None else _records_of(source, options)
    return longmemeval_of(records, level)


def question_rows(where: object, options: ReadOptions = _DEFAULT) -> Sequence[Row] | None:
    """Return the rows of records that ask something, whatever sides they have; None for any other input."""
    if _folder(where) is not None:
        return None
    source = _source(where)
    if source is None:
        frame = objects.frame_of(where)
        return None if frame is None else frame.to_dicts()
    _refuse_empty(source)
    if format_of(source, options) not in ("json", "jsonl") or _is_mapping(source, options):
        return None
    records = _records_of(source, options)
    return None if is_longmemeval(records) else records.rows


def holds_both(where: object, options: ReadOptions = _DEFAULT) -> bool:
    """Tell whether one input carries judgments and a ranking; looks at its first record."""
    if isinstance(where, Judgments | Ranking | Streamed) or _folder(where) is not None:
        return False
    source = _source(where)
    if source is None:
        return objects.object_holds_both(where, options)
    _refuse_empty(source)
    kind = format_of(source, options)
    if kind == "parquet":
        return holds_both_lists(ParquetTable(source).schema, options)
    if kind not in ("json", "jsonl") or _is_mapping(source, options):
        return False
    pairs = parse_records(text_of(source, options.encoding)[0], source.name)
    return holds_both_fields((row for _, row in pairs), Origin(source.name, [1]), options)


def _refuse_empty(source: Source) -> None:
    if not source.head().strip() and not source.read().strip():
        raise InputError.of("E101", "the input is empty", fix="check how it was written", file=source.name)


def _source(where: object) -> Source | None:
    """Return the bytes behind a path, bytes or an open file; None for objects in memory."""
    if isinstance(where, Source):
        return where
    is_bytes = isinstance(where, str | os.PathLike | bytes | bytearray | memoryview)
    return open_source(cast("Any", where)) if is_bytes or callable(getattr(where, "read", None)) else None


def _folder(where: object) -> Path | None:
    """Return a folder, unless Parquet files make it one input."""
    is_folder = isinstance(where, str | os.PathLike) and os.path.isdir(where)  # noqa: PTH112 - never raises
    return Path(os.fsdecode(cast("Any", where))) if is_folder and not parquet_files(where) else None


def _judgments_of(source: Source, options: ReadOptions) -> Judgments:
    kind = format_of(source, options)
    if kind == "trec":
        return read_trec_judgments(source, options)
    if kind == "parquet":
        return _judgments_of_parquet(ParquetTable(source), source, options)
    if kind in ("json", "jsonl"):
        if _is_mapping(source, options):
            return objects.judgments_from_object(_json_value(source, options), options, source.name)
        records = _records_of(source, options)
        read = longmemeval_judgments if is_longmemeval(records) else judgments_from_records
        return read(records, options)
    return read_delimited_judgments(source, options)


def _judgments_of_parquet(table: ParquetTable, source: Source, options: ReadOptions) -> Judgments:
    long = not holds_lists(table.schema, options)
    columns = judgment_columns(list(table.schema), options, table.name).values() if long else None
    return judgments_from_frame(table.frame(columns), options, source.name, source.notes())


def _with_texts(judgments: Judgments, source: Source, options: ReadOptions) -> Judgments:
    """Add the texts of queries, and of documents where asked for, when a file is one split of a BEIR folder."""
    folder = source.path.parent.parent if source.path and source.path.parent.name == "qrels" else None
    if not folder or not (folder / QUERIES_FILE).is_file():
        return judgments
    judgments = with_query_texts(judgments, folder, options)
    return with_corpus_texts(judgments, folder) if options.texts else judgments


def _streamed(source: Source, options: ReadOptions) -> TrecRun | ParquetRun | None:
    """Return a ranking that is read block by block, or None for what is read as a whole."""
    kind = format_of(source, options)
    if kind == "trec":
        return TrecRun(source, options)
    if kind != "parquet":
        return None
    table = ParquetTable(source)
    if SAVED_SCORES in table.metadata:
        fix = "name the run itself, or compare with them: catchrate compare, catchrate gate --baseline"
        raise InputError.of("E322", "these are saved scores, not a run", fix=fix, file=source.name)
    return None if holds_lists(table.schema, options) else ParquetRun(source, table, options)


def _ranking_of(source: Source, options: ReadOptions) -> Ranking:
    kind = format_of(source, options)
    if kind == "parquet":
        return ranking_from_frame(ParquetTable(source).frame(), options, source.name, source.notes())
    if kind in ("json", "jsonl"):
        if _is_mapping(source, options):
            return objects.ranking_from_object(_json_value(source, options), options, source.name)
        return ranking_from_records(_records_of(source, options), options)
    return read_delimited_ranking(source, options)


def _gathered(run: Streamed) -> Ranking:
    rows = pl.concat(run.blocks(gather=True))
    return Ranking.of(rows, ordered=run.ordered, empty=run.empty_queries(), notes=run.notes(), name=run.name)


def _records_of(source: Source, options: ReadOptions) -> Records:
    _refuse_empty(source)
    kind = format_of(source, options)
    if kind == "parquet":
        table = ParquetTable(source)
        if holds_lists(table.schema, options):
            return frame_records(table.frame(), options, source.name, source.notes())
    if kind not in ("json", "jsonl"):
        message = f"records are asked for, and this is {kind} without records"
        fix = "pass JSONL, JSON, or Parquet with list columns; or judgments and run as two inputs"
        raise InputError.of("E236", message, fix=fix, file=source.name)
    text, notes = text_of(source, options.encoding)
    return records_from_text(text, source.name, options, notes)


def _is_mapping(source: Source, options: ReadOptions) -> bool:
    """Tell whether JSON is one object `{query: ...}`: only when the caller says that it is one JSON value."""
    return options.format == "json" and source.head().lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{")


def _json_value(source: Source, options: ReadOptions) -> object:
    text, _ = text_of(source, options.encoding)
    return parse_whole(text, source.name)

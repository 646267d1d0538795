"""BEIR folders: `qrels/*.tsv` beside `queries.jsonl`."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import polars as pl

from catchrate.errors import InputError, shown
from catchrate.formats.delimited import read_delimited_judgments
from catchrate.formats.names import DOC, QUERY, TEXT
from catchrate.formats.options import ReadOptions
from catchrate.formats.query_table import metadata_column
from catchrate.formats.records import parse_records
from catchrate.formats.source import open_source
from catchrate.formats.text import text_of
from catchrate.tables import Judgments

QUERIES_FILE = "queries.jsonl"
CORPUS_FILE = "corpus.jsonl"


def read_beir_judgments(folder: Path, options: ReadOptions) -> Judgments:
    """Return the judgments of a BEIR folder, with the texts of their queries, and of the documents where asked for.

    Reads `qrels/test.tsv`, or the only split there is. Raises InputError when the folder is none of BEIR, or when it
    has several splits and none is called test.
    """
    judgments = with_query_texts(read_split(_split(folder), options), folder, options)
    return with_corpus_texts(judgments, folder) if options.texts else judgments


def read_split(path: Path, options: ReadOptions) -> Judgments:
    """Return the judgments of one split, without texts."""
    return read_delimited_judgments(open_source(path), replace(options, format="tsv"))


def _split(folder: Path) -> Path:
    splits = sorted((folder / "qrels").glob("*.tsv"))
    named = [path for path in splits if path.name == "test.tsv"] or splits
    if len(named) == 1:
        return named[0]
    if not splits:
        fix = "pass a file, or a folder that holds qrels/*.tsv"
        raise InputError.of("E111", "this is a folder", fix=fix, file=str(folder))
    found = ", ".join(shown(path.name, 40) for path in splits[:12])
    fix = f"pass one of them, such as {splits[0]}"
    raise InputError.of("E117", f"the folder has several splits: {found}", fix=fix, file=str(folder))


def with_query_texts(judgments: Judgments, folder: Path, options: ReadOptions) -> Judgments:
    """Add what `queries.jsonl` says about the judged queries: text and metadata."""
    path = folder / QUERIES_FILE
    if not path.is_file():
        return judgments
    described = _described(path, set(judgments.queries[QUERY]), options)
    return replace(judgments, queries=judgments.queries.join(described, on=QUERY, how="left", maintain_order="left"))


def with_corpus_texts(judgments: Judgments, folder: Path) -> Judgments:
    """Add the texts that `corpus.jsonl` has of the judged documents, unless the judgments have texts already.

    The corpus is read in pieces and only what is judged is kept. Raises InputError for a corpus that is no JSONL, or
    names a document twice.
    """
    path = folder / CORPUS_FILE
    if TEXT in judgments.items.columns or not path.is_file():
        return judgments
    rows = pl.scan_ndjson(path, schema={"_id": pl.String, TEXT: pl.String}).rename({"_id": DOC})
    try:
        known = rows.filter(pl.col(DOC).is_in(judgments.items[DOC].unique().implode())).collect(engine="streaming")
    except pl.exceptions.PolarsError as error:
        message, fix = f"this is no JSONL ({shown(error, 80)})", "give each document its `_id` and `text`"
        raise InputError.of("E230", message, fix=fix, file=str(path)) from error
    twice = known.filter(pl.col(DOC).is_duplicated())
    if twice.height:
        message = f"the document id {shown(twice[DOC][0])} is there twice"
        raise InputError.of("E238", message, fix="give each document an id of its own", file=str(path))
    return replace(judgments, items=judgments.items.join(known, on=DOC, how="left", maintain_order="left"))


def _described(path: Path, judged: set[str], options: ReadOptions) -> pl.DataFrame:
    text, _ = text_of(open_source(path), options.encoding)
    found: dict[str, dict[str, object]] = {}
    for line, row in parse_records(text, str(path)):
        query = row.get("_id")
        if not isinstance(query, str):
            message = f"the record has no text field _id; it has {', '.join(map(shown, row)) or 'no fields'}"
            raise InputError.of("E236", message, fix="give each query its `_id` and `text`", file=str(path), line=line)
        if query in found:
            message = f"the query id {shown(query)} is there already"
            raise InputError.of("E238", message, fix="give each query an id of its own", file=str(path), line=line)
        if query in judged:
            found[query] = {key: value for key, value in row.items() if key != "_id" and value != {}}
    names = dict.fromkeys((TEXT, *(key for row in found.values() for key in row)))
    columns = {name: metadata_column([row.get(name) for row in found.values()]) for name in names if name != QUERY}
    return pl.DataFrame({QUERY: pl.Series(list(found), dtype=pl.String), **columns})

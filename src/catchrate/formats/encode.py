"""Tables to bytes. JSONL and JSON hold all that a table holds; the other formats hold ids and numbers."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from io import BytesIO
from typing import Any

import polars as pl

from catchrate.errors import OutputError, shown
from catchrate.formats.cells import guarded
from catchrate.formats.names import DOC, FIELDS, GRADE, QUERY, RANK, SCORE, TEXT
from catchrate.formats.options import Format
from catchrate.formats.records import JUDGED, RETURNED
from catchrate.tables import Judgments, Ranking

Record = dict[str, Any]
_TAG = "catchrate"
_SEPARATORS: Mapping[Format, str] = {"csv": ",", "tsv": "\t"}


def encoded_judgments(judgments: Judgments, kind: Format) -> bytes:
    """Return judgments in a format; raises OutputError for what the format cannot hold."""
    if kind in ("json", "jsonl"):
        return _json(_judged_records(judgments).values(), kind)
    _refuse_unjudged(judgments, kind)
    rows = judgments.items.select(QUERY, DOC, GRADE)
    if kind == "trec":
        return _trec_judgments(rows)
    return _flat(rows, kind)


def encoded_ranking(ranking: Ranking, kind: Format) -> bytes:
    """Return a ranking in a format; raises OutputError for what the format cannot hold."""
    if kind in ("json", "jsonl"):
        return _json(({QUERY: query, **record} for query, record in _returned_records(ranking).items()), kind)
    if kind == "trec":
        return _trec_run(ranking)
    rows = ranking.frame.with_columns(_rank())
    return _flat(rows.select(QUERY, DOC, RANK if ranking.ordered else SCORE), kind)


def encoded_records(judgments: Judgments, ranking: Ranking, kind: Format) -> bytes:
    """Return both sides as evaluation records; a judged query that is not in the ranking returned nothing."""
    if kind not in ("json", "jsonl"):
        raise _impossible(f"{kind} does not hold judgments and rankings in one file", "write jsonl or json")
    judged, returned = _judged_records(judgments), _returned_records(ranking)
    stray = next((query for query in returned if query not in judged), None)
    if stray is not None:
        raise _impossible(f"the query {shown(stray)} is not judged", "leave it out, or write the ranking by itself")
    return _json(({**record, **returned.get(query, {RETURNED: []})} for query, record in judged.items()), kind)


def _impossible(message: str, fix: str) -> OutputError:
    return OutputError.of("E302", message, fix=fix)


def _json(records: Iterable[Record], kind: Format) -> bytes:
    lines = [json.dumps(record, ensure_ascii=False, allow_nan=False, default=str) for record in records]
    text = "\n".join(lines) if kind == "jsonl" else "[\n" + ",\n".join(lines) + "\n]"
    return f"{text}\n".encode()


def _judged_records(judgments: Judgments) -> dict[str, Record]:
    """Return the records of judgments by query, each with everything that is known of its query."""
    records = {row[QUERY]: _described(row) for row in judgments.queries.iter_rows(named=True)}
    for record in records.values():
        record[JUDGED] = {}
    with_texts = TEXT in judgments.items.columns
    for query, docs, grades, *texts in _by_query(judgments.items, DOC, GRADE, *([TEXT] if with_texts else [])):
        records[query][JUDGED] = {doc: _short(grade) for doc, grade in zip(docs, grades, strict=True)}
        if with_texts:
            pairs = zip(docs, texts[0], strict=True)
            records[query]["gold_texts"] = {doc: text for doc, text in pairs if text is not None}
    return records


def _described(row: Record) -> Record:
    metadata = {key: value for key, value in row.items() if key not in (QUERY, TEXT)}
    clash = next((key for key in metadata if key in FIELDS and key != "weight"), None)
    if clash is not None:
        raise _impossible(f"the column {shown(clash)} of the queries is a field of records", "rename the column")
    return {"id": row[QUERY], QUERY: row[TEXT], **metadata} if TEXT in row else {QUERY: row[QUERY], **metadata}


def _short(number: float) -> int | float:
    return int(number) if number.is_integer() else number


def _returned_records(ranking: Ranking) -> dict[str, Record]:
    """Return the records of a ranking by query: lists where their order ranks, `{doc: score}` where scores do."""
    frame = ranking.frame
    if SCORE in frame.columns and frame[SCORE].is_infinite().any():
        raise _impossible("a score is infinite, which JSON cannot hold", "write another format")
    if not ranking.ordered:
        _refuse_repeats(frame)
    columns = [name for name in (SCORE, TEXT) if name in frame.columns]
    records: dict[str, Record] = {}
    for query, docs, *values in _by_query(frame, DOC, *columns):
        found = dict(zip(columns, values, strict=True))
        records[query] = _returned(docs, found, ordered=ranking.ordered)
    return {**records, **{query: {RETURNED: []} for query in ranking.empty}}


def _returned(docs: list[str], found: Mapping[str, list[Any]], *, ordered: bool) -> Record:
    scores = found.get(SCORE)
    mapped = not ordered and scores is not None
    record: Record = {RETURNED: dict(zip(docs, scores, strict=True)) if mapped and scores else docs}
    if scores is not None and not mapped:
        record["scores"] = scores
    return {**record, "texts": found[TEXT]} if TEXT in found else record


def _by_query(frame: pl.DataFrame, *columns: str) -> Iterable[tuple[Any, ...]]:
    return frame.group_by(QUERY, maintain_order=True).agg(columns).iter_rows()


def _flat(rows: pl.DataFrame, kind: Format) -> bytes:
    if kind == "parquet":
        buffer = BytesIO()
        rows.write_parquet(buffer)
        return buffer.getvalue()
    _refuse_characters(rows, "[\0]", "a NUL character", kind)
    separator = _SEPARATORS[kind]
    cells = rows.with_columns(_quoted(guarded(pl.col(QUERY, DOC)), separator), _spelled(rows[rows.columns[-1]]))
    return (separator.join(rows.columns) + "\n" + _joined(cells, separator)).encode()


def _quoted(texts: pl.Expr, separator: str) -> pl.Expr:
    inside = texts.str.replace_all('"', '""', literal=True).str.replace("(?s)^(.*)$", '"${1}"')
    return pl.when(texts.str.contains(f'["\r\n{separator}]')).then(inside).otherwise(texts)


def _spelled(numbers: pl.Series) -> pl.Series:
    """Return numbers as Python spells them: the shortest text that is read back to the last bit."""
    if numbers.dtype.is_integer():
        return numbers.cast(pl.String)
    values = numbers.to_list()
    return pl.Series(numbers.name, [repr(_short(v)) if abs(v) < 2**53 else repr(v) for v in values], dtype=pl.String)


def _joined(cells: pl.DataFrame, separator: str) -> str:
    return cells.write_csv(include_header=False, separator=separator, quote_style="never")


def _trec_judgments(rows: pl.DataFrame) -> bytes:
    row = (rows[GRADE] != rows[GRADE].round(0)).arg_max()
    if row is not None and rows[GRADE][row] % 1:
        message = f"the grade {rows[GRADE][row]!r} of document {shown(rows[DOC][row])} has a fraction"
        raise _impossible(message, "TREC judgments hold whole grades; write csv or jsonl")
    _refuse_characters(rows, "[ \t\r\n\0]|^\ufeff", "a blank", "trec")
    cells = rows.select(QUERY, pl.lit("0"), DOC, pl.col(GRADE).cast(pl.Int64))
    return _joined(cells, " ").encode()


def _trec_run(ranking: Ranking) -> bytes:
    _refuse_repeats(ranking.frame)
    _refuse_characters(ranking.frame, "[ \t\r\n\0]|^\ufeff", "a blank", "trec")
    rows = ranking.frame.with_columns(_kept_order(ranking.frame)) if ranking.ordered else _sorted(ranking.frame)
    cells = rows.with_columns(_spelled(rows[SCORE]), _rank())
    return _joined(cells.select(QUERY, pl.lit("Q0"), DOC, RANK, SCORE, pl.lit(_TAG).alias("tag")), " ").encode()


def _sorted(frame: pl.DataFrame) -> pl.DataFrame:
    """Put rows in the order in which their scores rank, so that the rank column agrees."""
    best_first = frame.sort(SCORE, DOC, descending=True)
    return best_first.sort(QUERY, maintain_order=True)


def _kept_order(frame: pl.DataFrame) -> pl.Series:
    """Return scores that rank as the order does: those that ride along, if they fall strictly, else n, n-1, ..., 1."""
    if SCORE in frame.columns:
        falling = pl.col(SCORE).diff().over(QUERY).fill_null(-1.0) < 0
        if frame.select(falling.all()).item():
            return frame[SCORE]
    return frame.select((pl.len().over(QUERY) - _position()).cast(pl.Float64).alias(SCORE)).to_series()


def _position() -> pl.Expr:
    return pl.int_range(pl.len()).over(QUERY)


def _rank() -> pl.Expr:
    return (_position() + 1).alias(RANK)


def _refuse_unjudged(judgments: Judgments, kind: Format) -> None:
    without = judgments.queries.join(judgments.items, on=QUERY, how="anti")[QUERY]
    if without.len():
        message = f"{without.len():,} queries, such as {shown(without[0])}, have no judged document"
        raise _impossible(f"{message}; {kind} cannot say so", "write jsonl or json")


def _refuse_repeats(frame: pl.DataFrame) -> None:
    repeats = frame.filter(~pl.struct(QUERY, DOC).is_first_distinct())
    if repeats.height:
        query, doc = repeats.row(0)[:2]
        message = f"query {shown(query)} returned the document {shown(doc)} twice"
        raise _impossible(message, "remove the repeat, or write a list of documents as jsonl or csv")


def _refuse_characters(rows: pl.DataFrame, pattern: str, what: str, kind: Format) -> None:
    for column in (QUERY, DOC):
        wrong = rows[column].filter(rows[column].str.contains(pattern))
        if wrong.len():
            raise _impossible(f"the id {shown(wrong[0])} holds {what}; {kind} cannot hold it", "write jsonl or parquet")

"""What records say about their queries beside ids: text, weight and metadata."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, cast

import polars as pl

from catchrate.formats.names import FIELDS, QUERY, TEXT
from catchrate.formats.nested import Origin, kind_of

Row = Mapping[str, Any]
"""One record, its fields named our way."""


def query_table(rows: Sequence[Row], ids: Sequence[str], origin: Origin) -> pl.DataFrame:
    """Return one row a query: its id, and its text, weight and metadata where the records hold them."""
    columns: dict[str, pl.Series] = {QUERY: pl.Series(ids, dtype=pl.String)}
    if _holds(rows, "id") and _holds(rows, QUERY):
        columns[TEXT] = _query_texts(rows, origin)
    if _holds(rows, "weight"):
        columns["weight"] = _weights(rows, origin)
    if _holds(rows, TEXT):
        number = next(i for i, row in enumerate(rows) if TEXT in row)
        fix = "name the text of the query `query` and its id `id`"
        origin.refuse("E236", number, "the field 'text' could be a query or a passage", fix=fix)
    for key in dict.fromkeys(key for row in rows for key in row if key not in FIELDS):
        columns[key] = metadata_column([row.get(key) for row in rows])
    return pl.DataFrame(columns)


def _query_texts(rows: Sequence[Row], origin: Origin) -> pl.Series:
    texts = [row.get(QUERY) for row in rows]
    for number, text in enumerate(texts):
        if text is not None and not isinstance(text, str) and "id" in rows[number]:
            message = f"the field query is {kind_of(text)}"
            origin.refuse("E236", number, message, fix="write the text of the query, or null")
    return pl.Series([None if text is None else str(text) for text in texts], dtype=pl.String)


def _weights(rows: Sequence[Row], origin: Origin) -> pl.Series:
    weights = [row.get("weight") for row in rows]
    for number, weight in enumerate(weights):
        if not (weight is None or (type(weight) in (int, float) and 0 < weight < float("inf"))):
            message = f"the weight is {kind_of(weight)}"
            origin.refuse("E239", number, message, fix="give it a positive number, or leave the query out")
    return pl.Series(weights, dtype=pl.Float64)


def metadata_column(values: Sequence[object]) -> pl.Series:
    """Return metadata as a column of one type: text, numbers or truth values; what does not fit one as JSON text."""
    kinds = set(map(type, values)) - {type(None)}
    for dtype, allowed in ((pl.String, {str}), (pl.Boolean, {bool}), (pl.Int64, {int}), (pl.Float64, {float})):
        if kinds <= allowed and not (allowed == {int} and any(abs(cast("int", v)) >= 2**63 for v in values if v)):
            return pl.Series(values, dtype=dtype)
    texts = [v if v is None or isinstance(v, str) else json.dumps(v, ensure_ascii=False, default=str) for v in values]
    return pl.Series(texts, dtype=pl.String)


def _holds(rows: Sequence[Row], field: str) -> bool:
    return any(field in row for row in rows)

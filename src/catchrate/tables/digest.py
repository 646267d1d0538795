"""A digest of rows, for inputs that have no bytes of their own."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping

import polars as pl


def digest_of(frame: pl.DataFrame, names: Iterable[str] = ()) -> str:
    """Return `sha256:` and the digest of a table's columns, and of some names beside it."""
    content = hashlib.sha256()
    for column in frame.columns:
        values = frame[column]
        if values.dtype == pl.Float64:
            content.update(values.to_numpy().data)
        else:
            texts = values.cast(pl.String)
            texts = texts.fill_null("") if texts.null_count() else texts
            content.update(texts.str.len_bytes().to_numpy().data)
            content.update((texts.str.join().item() or "").encode())
        content.update(f"\0{column}\0".encode())
    content.update("\n".join(names).encode())
    return f"sha256:{content.hexdigest()}"


def query_digests(queries: pl.DataFrame, items: pl.DataFrame) -> pl.Series:
    """Return a digest of each query's judgments: which documents with which grades, and the weight of the query."""
    judged = items.select("query", pair=pl.struct("doc", "grade")).sort("query", "pair").group_by("query").agg("pair")
    weight = pl.col("weight") if "weight" in queries.columns else pl.lit(None)
    rows = queries.select("query", weight=weight.cast(pl.Float64).fill_null(1.0))
    rows = rows.join(judged, on="query", how="left", maintain_order="left")
    return pl.Series("digest", [_digest(weight, pairs or ()) for _, weight, pairs in rows.iter_rows()], pl.String)


def _digest(weight: float, pairs: Iterable[Mapping[str, object]]) -> str:
    content = json.dumps([weight, [[pair["doc"], pair["grade"]] for pair in pairs]])
    return hashlib.sha256(content.encode()).hexdigest()[:32]

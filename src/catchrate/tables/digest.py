"""A digest of rows, for inputs that have no bytes of their own."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

import polars as pl


def digest_of(frame: pl.DataFrame, names: Iterable[str] = ()) -> str:
    """Return `sha256:` and the digest of a table's columns, and of some names beside it."""
    content = hashlib.sha256()
    for column in frame.columns:
        values = frame[column]
        if values.dtype == pl.Float64:
            content.update(values.to_numpy().data)
        else:
            texts = values.cast(pl.String).fill_null("")
            content.update(texts.str.len_bytes().to_numpy().data)
            content.update((texts.str.join().item() or "").encode())
        content.update(f"\0{column}\0".encode())
    content.update("\n".join(names).encode())
    return f"sha256:{content.hexdigest()}"

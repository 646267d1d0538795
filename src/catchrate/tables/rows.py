"""Rows that come in runs of one query."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import polars as pl


def query_starts(queries: pl.Series) -> npt.NDArray[np.int64]:
    """Return the rows at which another query begins."""
    sizes = queries.rle().struct.field("len").to_numpy().astype(np.int64)
    return np.cumsum(sizes) - sizes


_SHORT = 10_000
"""Longest list whose hashes are cut to 32 bits, which sort twice as fast; longer ones would collide too often."""


def lists_with_equals(hashes: npt.NDArray[np.uint64], starts: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Return the lists in which two hashes are equal; each list begins where the one before it ends.

    Hashes are sorted list by list, as the rows of one matrix for all lists of a length: several times faster than one
    long sort, and most runs have one length only. Equal hashes only raise suspicion.
    """
    sizes = np.diff(starts, append=hashes.size)
    found = [np.zeros(0, np.int64)]
    for size in np.unique(sizes[sizes > 1]).tolist():
        same = np.flatnonzero(sizes == size)
        rows = slice(None) if same.size == sizes.size else (starts[same, None] + np.arange(size)).ravel()
        lists = hashes[rows].reshape(-1, size)
        lists = (lists >> np.uint64(32)).astype(np.uint32) if size <= _SHORT else lists.copy()
        lists.sort(axis=1)
        found.append(same[(lists[:, 1:] == lists[:, :-1]).any(axis=1)])
    return np.concatenate(found)

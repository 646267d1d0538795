"""Plain dicts of dicts, `{query: {doc: number}}`, checked without a loop over documents in Python.

Whatever is odd about one, be it allowed or not, is left to a closer look: then these functions raise `OddError`.
"""

from __future__ import annotations

import struct
from collections.abc import Collection, Iterable

import numpy as np
import numpy.typing as npt

from catchrate.limits import MAX_ID_BYTES

Entries = dict[str, dict[str, float]]
"""The numbers of documents, by query."""

# Glibc keeps freed memory up to twice the largest block that was freed so far. What is more goes back to the system,
# and the next evaluation would ask for it page by page, for a fifth of its time. This block is never touched.
np.empty(24 << 20, np.uint8)


class OddError(Exception):
    """Something needs a closer look. Never leaves the library."""


def plain_entries(value: object) -> Entries:
    """Return a mapping that is a plain dict of plain dicts; its ids and numbers may still be anything."""
    if not isinstance(value, dict) or not value or set(map(type, value.values())) != {dict}:
        raise OddError
    return value


def plain_ids(ids: Iterable[str]) -> bytes:
    """Return ids with newlines between them; none is empty, huge or with NUL in it."""
    try:
        joined = "\n".join(ids).encode()
    except (TypeError, UnicodeEncodeError) as error:
        raise OddError from error
    if b"\0" in joined or not _sane_lengths(np.frombuffer(joined, np.uint8) <= ord("\n")):
        raise OddError
    return joined


def _sane_lengths(marks: npt.NDArray[np.bool_]) -> bool:
    """Tell whether no id is empty, nor as long as a wrong separator would make it; marks are what is no id."""
    if not marks.size or marks[0] or marks[-1] or (marks[1:] & marks[:-1]).any():
        return False
    # a huge id spans a whole half of its limit, wherever it begins
    half = MAX_ID_BYTES // 2
    if marks[: marks.size // half * half].reshape(-1, half).any(axis=1).all():
        return True
    gaps = np.diff(np.flatnonzero(marks), prepend=-1, append=marks.size) - 1
    return bool(gaps.max() <= MAX_ID_BYTES)


def plain_numbers(entries: Collection[dict[str, float]]) -> npt.NDArray[np.float64]:
    """Return all numbers as 64-bit floats; refuses text, which NumPy would read as a number."""
    pack = {size: struct.Struct(f"{size}d").pack for size in set(map(len, entries))}
    try:
        numbers = np.frombuffer(b"".join([pack[len(docs)](*docs.values()) for docs in entries]))
    except Exception as error:  # converting a value runs code of its own class
        raise OddError from error
    if not numbers.size or not np.isfinite(numbers).all():
        raise OddError
    return numbers


def sizes_of(entries: Collection[Collection[str]]) -> npt.NDArray[np.int64]:
    """Return how many documents each query has."""
    return np.fromiter(map(len, entries), np.int64, len(entries))

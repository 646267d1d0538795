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


class OddError(Exception):
    """Something needs a closer look. Never leaves the library."""


def plain_entries(value: object) -> Entries:
    """Return a mapping that is a plain dict of plain dicts; its ids and numbers may still be anything."""
    if not isinstance(value, dict) or not value or set(map(type, value.values())) != {dict}:
        raise OddError
    return value


def plain_ids(queries: Iterable[str], docs: Iterable[str]) -> bytes:
    """Return ids with newlines between them, and NUL between queries and documents; none is empty or huge."""
    try:
        ids = ("\n".join(queries) + "\0" + "\n".join(docs)).encode()
    except (TypeError, UnicodeEncodeError) as error:
        raise OddError from error
    if ids.find(b"\0") != ids.rfind(b"\0") or not _sane_lengths(np.frombuffer(ids, np.uint8) <= ord("\n")):
        raise OddError
    return ids


def plain_numbers(numbers: Iterable[Collection[float]]) -> npt.NDArray[np.float64]:
    """Return numbers as 64-bit floats; refuses text, which NumPy would read as a number."""
    try:
        packed = [struct.pack(f"{len(values)}d", *values) for values in numbers]
    except Exception as error:  # converting a value runs code of its own class
        raise OddError from error
    found = np.frombuffer(b"".join(packed))
    if not found.size or not np.isfinite(found).all():
        raise OddError
    return found


def sizes_of(entries: Entries) -> npt.NDArray[np.int64]:
    """Return how many documents each query has."""
    return np.fromiter(map(len, entries.values()), np.int64, len(entries))


def _sane_lengths(marks: npt.NDArray[np.bool_]) -> bool:
    """Tell whether no id is empty, nor as long as a wrong separator would make it; marks are what is no id."""
    if marks[0] or marks[-1] or (marks[1:] & marks[:-1]).any():
        return False
    # a huge id spans a whole half of its limit, wherever it begins
    half = MAX_ID_BYTES // 2
    if marks[: marks.size // half * half].reshape(-1, half).any(axis=1).all():
        return True
    gaps = np.diff(np.flatnonzero(marks), prepend=-1, append=marks.size) - 1
    return bool(gaps.max() <= MAX_ID_BYTES)

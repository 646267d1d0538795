"""Slices: queries of one kind, by what is known of them or by what follows from the judgments."""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import pairwise
from typing import cast

import numpy as np
import numpy.typing as npt
import polars as pl

from catchrate.alignment import Aligned
from catchrate.errors import UsageError, shown
from catchrate.limits import MAX_SLICES

RELEVANT, LENGTH = "relevant", "length"
DERIVED = (RELEVANT, LENGTH)
"""Slices that need no metadata: by how many relevant documents a query has, and by how many words."""
METADATA = "metadata"
"""A column of JSON objects, as in BEIR; their fields make slices, too."""
NOT_SLICES = frozenset(("query", "text", "weight", METADATA))
NOTHING = "(none)"
"""The slice of the queries of which the column says nothing."""
BANDS = 4
FEW = 12
"""So many different numbers are slices of their own; more are put in bands."""
RELEVANT_BANDS = (1, 2, 4, 10)
WORD_BANDS = (1, 4, 7, 11)

Ints = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Slices:
    """All queries, each in one slice."""

    by: str
    """What parts them: a column, or `relevant` or `length`."""
    names: tuple[str, ...]
    """The slices in their order; none is empty."""
    number: Ints
    """The place of each query's slice among the names, in the order of the alignment."""

    def __iter__(self) -> Iterator[tuple[str, Mask]]:
        """Yield each slice with the mask of its queries."""
        return ((name, self.number == place) for place, name in enumerate(self.names))

    def __len__(self) -> int:
        return len(self.names)


def slices_by(aligned: Aligned, by: str, *, rel: float = 1) -> Slices:
    """Part the queries of a run by a column of their metadata, by `relevant` or by `length`.

    Values are slices as they are; many different numbers are put in bands of about equally many queries. A column of
    that name wins over what is derived. Raises UsageError for a name that is not known, with the nearest one, and for a
    column with so many values that they part nothing.
    """
    known = slice_values(aligned)
    if by in known:
        return _by_values(by, known[by])
    if by == RELEVANT:
        return _by_bands(by, aligned.arrays.relevant(rel), RELEVANT_BANDS)
    texts = _texts(aligned.queries)
    if by == LENGTH and texts:
        return _by_bands(by, np.array([len((text or "").split()) for text in texts], float), WORD_BANDS)
    raise _unknown(by, (*known, *DERIVED))


def slice_values(aligned: Aligned) -> dict[str, list[object]]:
    """Return all metadata of the queries by its name: columns, and the fields of JSON objects in `metadata`."""
    queries = aligned.queries
    known = {name: queries[name].to_list() for name in queries.columns if name not in NOT_SLICES}
    objects = [_object(text) for text in queries[METADATA].to_list()] if METADATA in queries.columns else []
    fields = dict.fromkeys(field for one in objects for field in one)
    return {field: [one.get(field) for one in objects] for field in fields} | known


def _texts(queries: pl.DataFrame) -> list[str | None]:
    """Return the texts of the queries, or their ids where these are texts, or nothing."""
    if "text" in queries.columns and queries["text"].null_count() < queries.height:
        return queries["text"].to_list()
    return queries["query"].to_list() if queries["query"].str.contains(" ").any() else []


def _object(text: object) -> dict[str, object]:
    value = None
    with suppress(TypeError, ValueError, RecursionError):
        value = json.loads(cast("str", text))
    return cast("dict[str, object]", value) if isinstance(value, dict) else {}


def _by_values(by: str, values: Sequence[object]) -> Slices:
    there = {value for value in values if _is_number(value)}
    if len(there) > FEW and all(value is None or _is_number(value) for value in values):
        return _in_bands(by, values)
    labels = [_label(value) for value in values]
    if len(set(labels)) > MAX_SLICES:
        message = f"{shown(by)} has {len(set(labels)):,} different values"
        raise UsageError.of("E323", message, fix=f"slice by something with at most {MAX_SLICES}")
    return _sliced(by, labels, sorted(set(labels), key=lambda label: (label == NOTHING, _sort_key(label))))


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _label(value: object) -> str:
    if value is None or value == "" or value != value:
        return NOTHING
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str):
        return value
    return f"{value:g}" if isinstance(value, float) else json.dumps(value, ensure_ascii=False, default=str)


def _sort_key(label: str) -> tuple[bool, float, bytes]:
    """Order numbers by their value and text by its bytes."""
    with suppress(ValueError):
        return False, float(label), b""
    return True, 0.0, label.encode("utf-8", "surrogatepass")


def _in_bands(by: str, values: Sequence[object]) -> Slices:
    """Put numbers in bands of about equally many queries, equal numbers in the same."""
    numbers = pl.Series(values, dtype=pl.Float64, strict=False).to_numpy()
    known = np.sort(numbers[~np.isnan(numbers)])
    starts = np.unique(known[[known.size * band // BANDS for band in range(BANDS)]])
    band = np.searchsorted(starts, numbers, side="right")
    names = [_range(known[(known >= low) & (known < high)]) for low, high in pairwise([*starts, np.inf])]
    return _sliced(by, [NOTHING if np.isnan(x) else names[b - 1] for x, b in zip(numbers, band, strict=True)], names)


def _range(numbers: npt.NDArray[np.float64]) -> str:
    low, high = numbers[0], numbers[-1]
    return f"{low:.6g}" if low == high else f"{low:.6g} to {high:.6g}"


def _by_bands(by: str, counts: npt.NDArray[np.float64], starts: Sequence[int]) -> Slices:
    """Part whole numbers at fixed places, so that a slice means the same in every collection."""
    closed = [f"{low}" if low == high - 1 else f"{low} to {high - 1}" for low, high in pairwise(starts)]
    names = ["0", *closed, f"{starts[-1]} or more"]
    return _sliced(by, [names[band] for band in np.searchsorted(starts, counts, side="right")], names)


def _sliced(by: str, labels: Sequence[str], order: Sequence[str]) -> Slices:
    there = set(labels)
    names = [name for name in dict.fromkeys((*order, NOTHING)) if name in there]
    place = {name: i for i, name in enumerate(names)}
    return Slices(by=by, names=tuple(names), number=np.array([place[label] for label in labels], np.int64))


def _unknown(by: str, known: Sequence[str]) -> UsageError:
    if by == LENGTH:
        fix = "give the queries a text: BEIR folders and records have one"
        return UsageError.of("E323", "the texts of the queries are not known", fix=fix)
    near = difflib.get_close_matches(by, known, n=1, cutoff=0.6)
    names = ", ".join(shown(name, 30)[1:-1] for name in known[:12])
    fix = f"did you mean {shown(near[0])[1:-1]}?" if near else f"slice by one of {names}"
    return UsageError.of("E323", f"nothing is known of the queries under the name {shown(by)}", fix=fix)

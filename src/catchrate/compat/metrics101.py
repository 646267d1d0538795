"""Recall and precision as "Information Retrieval Metrics 101" writes them, quirks included.

The functions of the same names in `catchrate` count a repeated document once, leave documents of grade 0 out of the
divisor, and round nothing. docs/compat.md shows the difference.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from numbers import Integral

from catchrate.errors import InputError, UsageError, shown


def precision_at_k(retrieved: Sequence[Hashable], ground_truth: Mapping[Hashable, float], k: int) -> float:
    """Return how many of the first k have a grade above 0, over k; 0 for an empty ground truth.

    A document that was retrieved twice counts twice. Raises ValueError for what is no list, no mapping or no cut-off.

    >>> precision_at_k(["chunk_10", "chunk_07", "chunk_04"], {"chunk_10": 3, "chunk_04": 2}, k=3)
    0.6666666666666666
    """
    return _relevant(retrieved, ground_truth, k) / k


def recall_at_k(retrieved: Sequence[Hashable], ground_truth: Mapping[Hashable, float], k: int) -> float:
    """Return how many of the first k have a grade above 0, over the size of the ground truth, to 3 decimals.

    Entries of grade 0 count in the size, and a document that was retrieved twice counts twice, so that the recall may
    exceed 1. An empty ground truth gives 0. Raises ValueError for what is no list, no mapping or no cut-off.

    >>> recall_at_k(["chunk_10", "chunk_07"], {"chunk_10": 3, "chunk_04": 2, "chunk_05": 0}, k=2)
    0.333
    """
    found = _relevant(retrieved, ground_truth, k)
    return round(found / len(ground_truth), 3) if ground_truth else 0.0


def _relevant(retrieved: object, ground_truth: object, k: object) -> int:
    """Count the entries among the first k that have a grade above 0."""
    if not isinstance(k, Integral) or isinstance(k, bool) or k < 1:
        raise UsageError.of("E272", f"k is {shown(k)}", fix="give a whole number from 1 upwards")
    if not isinstance(retrieved, list | tuple):
        raise InputError.of("E260", f"retrieved is {shown(repr(retrieved), 40)}", fix="give a list of ids, best first")
    if not isinstance(ground_truth, Mapping):
        fix = "give a mapping of ids to grades"
        raise InputError.of("E260", f"ground_truth is {shown(repr(ground_truth), 40)}", fix=fix)
    try:
        return sum(ground_truth.get(document, 0) > 0 for document in retrieved[:k])
    except TypeError as error:
        fix = "give ids that a mapping can hold, and numbers as grades"
        raise InputError.of("E202", f"an entry cannot be looked up: {error}", fix=fix) from error

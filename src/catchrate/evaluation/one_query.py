"""Measures of one query from plain lists, through the same functions that serve millions of rows.

Grades above 0 count as relevant, a repeated document counts once, and nothing is rounded.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping, Sequence

import numpy as np

from catchrate.errors import InputError, shown
from catchrate.measures import TABLE, Alignment, Hits, choose
from catchrate.measures.arrays import repeated
from catchrate.measures.parameters import Value

Relevant = Mapping[Hashable, float] | Collection[Hashable]
"""Ids with grades, or ids alone, each of grade 1."""


def align_one(retrieved: Sequence[Hashable], relevant: Relevant) -> Alignment:
    """Join one list with its judged items."""
    if isinstance(retrieved, str | bytes) or isinstance(relevant, str | bytes):
        raise InputError.of("E260", "one text stands where a list of ids is needed", fix="put the ids into a list")
    try:
        grades = dict(relevant) if isinstance(relevant, Mapping) else dict.fromkeys(relevant, 1.0)
        retrieved = list(retrieved)
        hash(tuple(retrieved))
    except TypeError as error:
        fix = "give ids best first, and a list of relevant ids or a mapping of ids to grades"
        raise InputError.of("E260", f"these are no lists of ids ({error})", fix=fix) from error
    ranked = sorted(grades.items(), key=lambda pair: -_finite(pair[1]))
    number = {doc: item for item, (doc, _) in enumerate(ranked)}
    found = [(slot, number[doc]) for slot, doc in enumerate(retrieved, start=1) if doc in number]
    slot, item = (np.array(column, np.int64) for column in (zip(*found, strict=True) if found else ((), ())))
    grade = np.array([float(value) for _, value in ranked])
    return Alignment.of(
        hits=Hits(np.zeros_like(slot), slot, item, grade[item], repeated(item, grade.size)),
        item_query=np.zeros(grade.size, np.int64),
        item_grade=grade,
        returned=np.array([len(retrieved)]),
    )


def _finite(grade: object) -> float:
    try:
        number = float(grade)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        number = np.nan
    if isinstance(grade, str) or not np.isfinite(number):
        raise InputError.of("E202", f"grade {shown(grade)}", fix="give a finite number")
    return number


ABOVE_ZERO = 5e-324
"""The smallest number above 0."""


def _value(name: str, retrieved: Sequence[Hashable], relevant: Relevant, **parameters: Value) -> float:
    row = TABLE[name]
    measure = choose(row, {**parameters, "rel": ABOVE_ZERO} if row.parameter("rel") else parameters)
    return float(measure.per_query(align_one(retrieved, relevant))[0])


def recall_at_k(retrieved: Sequence[Hashable], relevant: Relevant, k: int | None = None) -> float:
    """Return the share of the relevant items that the first k slots hold.

    >>> recall_at_k(["a", "x", "b"], {"a": 2, "b": 1, "c": 1, "d": 0}, k=3)
    0.6666666666666666
    """
    return _value("recall", retrieved, relevant, k=k)


def recall_all_at_k(retrieved: Sequence[Hashable], relevant: Relevant, k: int | None = None) -> float:
    """Return 1.0 when the first k slots hold every relevant item, else 0.0.

    >>> recall_all_at_k(["a", "x", "b"], ["a", "b"], k=2)
    0.0
    """
    return _value("recall_all", retrieved, relevant, k=k)


def precision_at_k(retrieved: Sequence[Hashable], relevant: Relevant, k: int | None = None) -> float:
    """Return the share of the first k slots that hold a relevant item.

    >>> precision_at_k(["a", "x", "b", "y"], ["a", "b"], k=4)
    0.5
    """
    return _value("precision", retrieved, relevant, k=k)


def f1_at_k(retrieved: Sequence[Hashable], relevant: Relevant, k: int | None = None) -> float:
    """Return the harmonic mean of precision and recall.

    >>> f1_at_k(["a", "x"], ["a", "b"], k=2)
    0.5
    """
    return _value("f1", retrieved, relevant, k=k)


def hit_at_k(retrieved: Sequence[Hashable], relevant: Relevant, k: int | None = None) -> float:
    """Return 1.0 when the first k slots hold any relevant item, else 0.0.

    >>> hit_at_k(["x", "a"], ["a", "b"], k=2)
    1.0
    """
    return _value("hit", retrieved, relevant, k=k)


def rr_at_k(retrieved: Sequence[Hashable], relevant: Relevant, k: int | None = None) -> float:
    """Return one over the rank of the first relevant slot among the first k.

    >>> rr_at_k(["x", "a"], ["a"])
    0.5
    """
    return _value("rr", retrieved, relevant, k=k)


def ap_at_k(retrieved: Sequence[Hashable], relevant: Relevant, k: int | None = None) -> float:
    """Return the average precision.

    >>> ap_at_k(["a", "x", "b"], ["a", "b"])
    0.8333333333333333
    """
    return _value("ap", retrieved, relevant, k=k)


def ndcg_at_k(retrieved: Sequence[Hashable], relevant: Relevant, k: int | None = None) -> float:
    """Return the discounted gain as a share of the ideal list's.

    >>> ndcg_at_k(["a", "b"], {"a": 2, "b": 3}, k=2)
    0.9134015924715543
    """
    return _value("ndcg", retrieved, relevant, k=k)

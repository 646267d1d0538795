"""`-Z`: each value as its distance from a reference mean, in standard deviations."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from catchrate.compat.trec_eval.columns import AnyColumn, Column
from catchrate.errors import InputError, shown
from catchrate.formats import open_source

UNKNOWN = -1_000_000.0
"""The value of what has no reference, or none that can divide."""

References = dict[tuple[str, str], tuple[float, float]]
"""Mean and standard deviation by topic and printed name."""


def read_references(path: str) -> References:
    """Read lines of `topic measure mean deviation`.

    Raises InputError for any other line.
    """
    source = open_source(path)
    found: References = {}
    for number, line in enumerate(b"".join(source.chunks()).splitlines(), start=1):
        if line.strip():
            topic, measure, mean, deviation = _columns(line, source.name, number)
            found[topic, measure] = (mean, deviation)
    return found


def _columns(line: bytes, name: str, number: int) -> tuple[str, str, float, float]:
    columns = line.decode(errors="replace").split()
    try:
        topic, measure, mean, deviation = columns
        numbers = float(mean), float(deviation)
    except ValueError:
        numbers = (np.nan, np.nan)
        topic = measure = ""
    if not np.isfinite(numbers).all():
        fix = "write topic, measure, mean and standard deviation"
        raise InputError.of("E281", f"{shown(' '.join(columns))} is no reference", fix=fix, file=name, line=number)
    return topic, measure, *numbers


def converted(column: AnyColumn, topics: list[str], references: References) -> AnyColumn:
    """Return the column in standard deviations; text stays as it is."""
    if not isinstance(column, Column):
        return column
    values = [
        _score(value, references.get((topic, column.name)))
        for topic, value in zip(topics, column.values.tolist(), strict=True)
    ]
    return replace(column, values=np.array(values, np.float64), summary=None)


def _score(value: float, reference: tuple[float, float] | None) -> float:
    if reference is None:
        return UNKNOWN
    mean, deviation = reference
    if deviation == 0:
        return 0.0 if value == mean else UNKNOWN
    return (value - mean) / deviation

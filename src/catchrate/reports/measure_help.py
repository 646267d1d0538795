"""The table of measures as help: everything here is derived from the table."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable, Iterator
from itertools import groupby

from catchrate.measures import TABLE, Measure, Row
from catchrate.measures.chosen import example
from catchrate.measures.parameters import printed
from catchrate.reports.layout import HEADING, QUIET, Line, labelled, wrapped

NAME = "cyan"
COLUMN = 24
"""Where meanings begin."""
DIRECTIONS = {True: "higher is better", False: "lower is better", None: "neither direction is better"}


def family_of(row: Row) -> str:
    """Return what the module of a measure says of itself, in one line."""
    module = sys.modules.get(row.function.__module__)
    lines = (module.__doc__ or "").strip().splitlines() if module else []
    return lines[0] if lines else "Measures of your own."


def listing(columns: int | None) -> Iterator[Line]:
    """Yield all measures by family, with meaning and formula."""
    for i, (family, rows) in enumerate(groupby(TABLE.values(), family_of)):
        yield from [[]] if i else []
        yield from wrapped(family, columns, style=HEADING)
        for row in rows:
            yield from _entry(row, columns)


def _entry(row: Row, columns: int | None) -> Iterator[Line]:
    yield from labelled(f"  {signature(row)}", row.meaning, columns, room=COLUMN, style=NAME)
    if row.formula:
        indent = " " * COLUMN
        yield from wrapped(f"= {row.formula}", columns, first=indent, indent=f"{indent}  ", style=QUIET)


def signature(row: Row) -> str:
    """Return how a measure is written, with `@k` where it takes a cut-off."""
    return f"{row.name}@{row.at}" if row.at else row.name


def explanation(measures: Iterable[Measure], columns: int | None) -> Iterator[Line]:
    """Yield all that is known of some measures."""
    for i, measure in enumerate(measures):
        yield from [[]] if i else []
        yield from _explained(measure, columns)


def _explained(measure: Measure, columns: int | None) -> Iterator[Line]:
    row = measure.row
    yield [(str(measure), HEADING)]
    yield from wrapped(row.meaning, columns)
    if row.advice:
        yield []
        yield from wrapped(" ".join(row.advice.split()), columns)
    yield []
    facts = list(_facts(measure))
    room = max(len(label) for label, _ in facts) + 4
    for label, text in facts:
        yield from labelled(f"  {label}", text, columns, room=room)


def _facts(measure: Measure) -> Iterator[tuple[str, str]]:
    row = measure.row
    if row.formula:
        yield "formula", row.formula
    for parameter in row.parameters:
        default = "required" if parameter.required else f"default {_default(parameter.default)}"
        yield f"parameter {parameter.name}", f"{parameter.kind.meaning}; {default}"
    yield "range", f"{_bound(row.range[0])} to {_bound(row.range[1])}, {DIRECTIONS[row.higher_is_better]}"
    yield "over queries", row.aggregate
    yield "nothing relevant", f"{row.empty:g} where there is nothing to divide by"
    yield "write it", f"{example(row)}"
    if row.aliases:
        yield "also", ", ".join(_alias(alias) for alias in row.aliases)
    if row.reference:
        yield "reference", row.reference


def _default(value: object) -> str:
    return "none" if value is None else printed(value)  # type: ignore[arg-type]


def _bound(value: float) -> str:
    return ("-" if value < 0 else "") + "infinity" if math.isinf(value) else f"{value:g}"


def _alias(alias: object) -> str:
    if isinstance(alias, str):
        return alias
    text, fixed = alias  # type: ignore[misc]
    return f"{text} ({', '.join(f'{name}={printed(value)}' for name, value in fixed.items())})"


def row_content(row: Row) -> dict[str, object]:
    """Return a row of the table as plain data."""
    return {
        "name": row.name,
        "spelling": signature(row),
        "example": example(row),
        "family": family_of(row),
        "meaning": row.meaning,
        "advice": row.advice,
        "formula": row.formula,
        "parameters": [
            {"name": p.name, "kind": p.kind.meaning, "default": _plain(p.default), "required": p.required}
            for p in row.parameters
        ],
        "range": [None if math.isinf(bound) else bound for bound in row.range],
        "higher_is_better": row.higher_is_better,
        "aggregate": row.aggregate,
        "empty": row.empty,
        "aliases": [_alias(alias) for alias in row.aliases],
        "reference": row.reference,
    }


def _plain(value: object) -> object:
    return [list(pair) for pair in value] if isinstance(value, tuple) else value

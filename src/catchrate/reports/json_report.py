"""Results as strict JSON: no NaN, stable keys, ASCII only, so that it passes any pipe and terminal."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from typing import cast

from catchrate.reports.records import columns_of, tables_of
from catchrate.reports.view import Bullets, Figure, Grid, Heading, Text, View


def view_json(view: View) -> str:
    """Return what a view says, its tables as lists of records at full precision, its notes and its provenance."""
    return as_json(view_content(view))


def view_content(view: View) -> dict[str, object]:
    """Return a view as plain data."""
    return {
        "title": view.title,
        "text": list(_sentences(view)),
        "tables": {name: _records(grid) for name, grid in tables_of(view).items()},
        "notes": [note.as_dict() for note in view.notes],
        "provenance": view.provenance,
    }


def as_json(content: object) -> str:
    """Return plain data as indented JSON; numbers that JSON cannot hold become null."""
    return json.dumps(_finite(content), indent=2, allow_nan=False) + "\n"


def _sentences(view: View) -> Iterator[str]:
    for block in view.blocks:
        match block:
            case Heading(text=text) | Text(text=text) | Figure(summary=text):
                yield text
            case Bullets(items=items):
                yield from items
            case Grid():
                pass


def _records(grid: Grid) -> list[dict[str, object]]:
    columns = columns_of(grid)
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def _finite(content: object) -> object:
    if isinstance(content, float):
        return content if math.isfinite(content) else None
    if isinstance(content, Mapping):
        return {key: _finite(value) for key, value in cast("Mapping[str, object]", content).items()}
    if isinstance(content, list | tuple):
        return [_finite(value) for value in cast("list[object]", content)]
    return content

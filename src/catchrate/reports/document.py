"""What a document holds beside the blocks of a view: its notes, and where its numbers come from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import cast

from catchrate.reports.view import Block, Bullets, Cell, Column, Grid, Heading, View


def document(view: View) -> Iterator[Block]:
    """Yield the blocks of a view, then its notes and its provenance; a brief view leaves the latter to the full one."""
    yield from view.blocks
    if view.notes:
        yield Heading(text="Notes")
        yield Bullets(items=tuple(str(note) for note in view.notes))
    if view.provenance and not view.brief:
        yield Heading(text="Where the numbers come from")
        yield Grid(
            name="provenance",
            columns=(Column(name="what"), Column(name="value")),
            rows=tuple((Cell(what), Cell(value)) for what, value in _facts(view.provenance)),
        )


def _facts(content: Mapping[str, object], path: str = "") -> Iterator[tuple[str, str]]:
    """Yield nested data as lines: a dict of facts at the bottom becomes one line."""
    for key, value in content.items():
        name = f"{path} / {key}" if path else str(key)
        if not isinstance(value, Mapping):
            yield name, _fact(value)
            continue
        inner = cast("Mapping[str, object]", value)
        if any(isinstance(deeper, Mapping) for deeper in inner.values()):
            yield from _facts(inner, name)
        else:
            yield name, ", ".join(f"{k} {_fact(v)}" for k, v in inner.items() if v not in (None, ""))


def _fact(value: object) -> str:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)

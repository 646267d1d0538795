"""Checks as annotations of GitHub Actions, and text that it takes for nothing but text."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TextIO

from catchrate.errors import visible
from catchrate.reports.cases import Case, State

LEVELS: dict[State, str] = {"failed": "error", "unknown": "error", "skipped": "warning"}


def annotation_lines(title: str, cases: Sequence[Case]) -> Iterator[str]:
    """Yield one line for each check that was not passed.

    >>> list(annotation_lines("gate", [Case(name="a", state="failed", message="50% is too low")]))
    ['::error title=gate::50%25 is too low']
    """
    for case in cases:
        if case.state in LEVELS:
            yield f"::{LEVELS[case.state]} title={_property(title)}::{_data(case.message)}"


def _data(text: str) -> str:
    """Return text that ends no command and begins none: one line, and % as it has to be written."""
    return visible(text).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


@contextmanager
def no_commands(stream: TextIO) -> Iterator[None]:
    """Keep the runner from taking an id in a table for one of its commands, while something is printed."""
    token = secrets.token_hex(16)
    stream.write(f"::stop-commands::{token}\n")
    try:
        yield
    finally:
        stream.write(f"::{token}::\n")
        stream.flush()

"""Help pages: aligned, without boxes, with colour only where it is wanted."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from catchrate.reports.layout import HEADING, Line, labelled, wrapped
from catchrate.reports.terminal import columns_of, write_lines

if TYPE_CHECKING:
    from cyclopts.help import HelpEntry, HelpPanel

WIDTH = 80
OPTION = "cyan"
LABEL_COLUMNS = 24
"""Where the descriptions begin."""


class HelpPages:
    """How the program prints its help; the parser hands over what there is to say."""

    def render_usage(self, console: object, options: object, usage: Any) -> None:
        """Print how the command is called."""
        if usage:
            text = _plain(usage).removeprefix("Usage:").strip()
            _print([[("Usage: ", HEADING), (text, "")]])

    def render_description(self, console: object, options: object, description: Any) -> None:
        """Print what the command does."""
        if description:
            lines = [line for part in _plain(description).split("\n") for line in wrapped(part, _columns())]
            _print([[], *lines])

    def __call__(self, console: object, options: object, panel: HelpPanel) -> None:
        """Print a group of commands or options."""
        if panel.entries:
            _print([[], [(_plain(panel.title), HEADING)], *(line for e in panel.entries for line in _entry(e))])


def example_text(call: str) -> str:
    r"""Return an example, broken before options where it is too wide; a shell takes its lines as one.

    >>> print(example_text('catchrate gate qrels.txt run.trec --baseline scores.parquet --require "recall@10 >= 0.8"'))
    Example: catchrate gate qrels.txt run.trec --baseline scores.parquet \
      --require "recall@10 >= 0.8"
    """
    lines = ["Example:"]
    for part in re.split(" (?=-)", call):
        if len(lines[-1]) + len(part) + 3 > WIDTH:
            lines = [*lines[:-1], f"{lines[-1]} \\", f"  {part}"]
        else:
            lines[-1] += f" {part}"
    return "\n".join(lines)


def _entry(entry: HelpEntry) -> Iterator[Line]:
    text = " ".join(part for part in (_plain(entry.description), *_extras(entry)) if part)
    yield from labelled(f"  {_label(entry)}", text, _columns(), room=LABEL_COLUMNS, style=OPTION)


def _label(entry: HelpEntry) -> str:
    names = (*entry.positive_shorts, *entry.positive_names)
    named = ", ".join(names)
    value = f" {entry.metavar}" if entry.metavar and named else ""
    return entry.positional_label or f"{named}{value}"


def _extras(entry: HelpEntry) -> Iterator[str]:
    if entry.choices:
        yield f"({', '.join(entry.choices)})"
    if entry.default:
        yield f"[default: {entry.default}]"


def _plain(text: Any) -> str:
    plain = getattr(text, "plain", None)
    if plain is None and hasattr(text, "__rich_console__"):
        from rich.console import Console

        console = Console(width=10_000, color_system=None)
        with console.capture() as captured:
            console.print(text, end="")
        plain = captured.get()
    return "\n".join(line.rstrip() for line in str(text if plain is None else plain).strip().split("\n"))


def _columns() -> int:
    return min(columns_of(sys.stdout) or WIDTH, 100)


def _print(lines: list[Line]) -> None:
    write_lines(lines, sys.stdout)

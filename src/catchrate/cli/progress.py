"""Progress of long runs: on a terminal only, and at no cost elsewhere."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from catchrate.alignment import EachBlock
from catchrate.cli.inputs import Input
from catchrate.errors import visible
from catchrate.formats import Source

LONG_BYTES = 100 << 20
"""Files below this are read before a bar could be looked at."""


@contextmanager
def progress(runs: Sequence[Input]) -> Iterator[EachBlock]:
    """Give what is to be told the rows of each block; a bar shows them when runs are long and somebody looks."""
    sizes = [run.where.extent() if isinstance(run.where, Source) else (0, 0) for run in runs]
    if not sys.stderr.isatty() or sum(size for size, _ in sizes) < LONG_BYTES:
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn

    look = (TextColumn("{task.description}", markup=False), BarColumn(), TaskProgressColumn())
    with Progress(*look, console=Console(stderr=True), transient=True) as bar:
        what = f"reading {visible(Path(runs[0].path).name)[:40]}" if len(runs) == 1 else f"reading {len(runs):,} runs"
        task = bar.add_task(what, total=sum(rows for _, rows in sizes))
        yield lambda rows: bar.advance(task, rows)

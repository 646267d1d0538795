"""catchrate collect: ask a retriever every question."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated

from cyclopts import Parameter

from catchrate import collecting
from catchrate.cli.app import DASH
from catchrate.cli.messages import say
from catchrate.cli.options import Reading
from catchrate.collecting.collect import Collected, Tell
from catchrate.errors import UsageError, shown

RETRIEVER = "package.module:function, or file.py:function. It gets the text of a question and returns what it finds."
QUESTIONS = "Records with `query`, a BEIR folder, or judgments with texts."
SAVE = "The JSONL file of records to write, and to go on with after an interrupt."
TIMEOUT = "Seconds after which a question has failed."
SHOWN = 5
"""Failures that are named."""


def collect(
    retriever: Annotated[str, Parameter(help=RETRIEVER)],
    questions: Annotated[str, Parameter(help=QUESTIONS)],
    /,
    *,
    output: Annotated[str, Parameter(alias="-o", metavar="FILE.jsonl", help=SAVE)],
    k: Annotated[int, Parameter(alias="-k", metavar="N", help="Results kept for each question.")] = 10,
    concurrency: Annotated[int, Parameter(metavar="N", help="Questions under way at once.")] = 4,
    timeout: Annotated[float, Parameter(metavar="SECONDS", help=TIMEOUT)] = 60,
    reading: Reading | None = None,
) -> None:
    """Ask a retriever every question and write evaluation records, which `catchrate evaluate` reads.

    Answers are written as they come. After an interrupt the same command goes on where it was.
    """
    if questions == DASH:
        raise UsageError.of("E280", "questions are read from a file", fix="name one")
    with _bar() as tell:
        collected = collecting.collect(
            collecting.load_retriever(retriever),
            questions,
            k=k,
            concurrency=concurrency,
            timeout=timeout,
            save=output,
            progress=tell,
            options=(reading or Reading()).read_options(),
        )
    say(f"{output}: {collected!r}")
    _say_failures(collected)


def _say_failures(collected: Collected) -> None:
    failures = list(collected.failures.items())
    for name, why in failures[:SHOWN]:
        say(f"failed: {shown(name, 40)}: {why}")
    if len(failures) > SHOWN:
        say(f"... and {len(failures) - SHOWN:,} more; the file names them")
    if failures:
        say("run the same command again to ask these again; questions that failed are not scored")


@contextmanager
def _bar() -> Iterator[Tell]:
    """Give what is told how many questions are done; a bar shows it on a terminal."""
    if not sys.stderr.isatty():
        yield lambda _done, _total: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    look = (TextColumn("asking"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*look, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)

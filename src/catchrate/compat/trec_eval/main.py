"""The command: parse, evaluate, print, exit code."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from catchrate.compat.trec_eval.command import Command, parse
from catchrate.compat.trec_eval.evaluate import evaluate
from catchrate.compat.trec_eval.help import help_text
from catchrate.compat.trec_eval.printer import printed
from catchrate.compat.trec_eval.rows import select
from catchrate.errors import CatchrateError
from catchrate.reports.output import deliver
from catchrate.version import __version__


def main(argv: Sequence[str]) -> int:
    """Run a command line of trec_eval.

    Returns the exit code: 0, 2 for usage, 4 for refused files, 5 for output that cannot be written.
    """
    try:
        deliver(_answer(parse(argv)), None)
    except CatchrateError as error:
        for finding in error.findings:
            _tell(f"{finding.severity}: {finding}")
        if error.total > len(error.findings):
            _tell(f"... and {error.total - len(error.findings):,} more")
        return error.exit_code
    return 0


def _answer(command: Command) -> str:
    if command.version:
        return f"catchrate {__version__} as trec_eval {command.dialect.version}\n"
    selection = select(command.requests, command.dialect)
    if command.help:
        return help_text(entry for entry, _ in selection.entries)
    for remark in (*command.remarks, *selection.remarks):
        _tell(f"note: {remark}")
    table = evaluate(command, selection)
    for note in table.notes:
        _tell(f"{note.severity}: {note}")
    return printed(table, per_topic=command.per_topic, summary=command.summary)


def _tell(message: str) -> None:
    sys.stderr.write(f"{message}\n")

"""What the program says beside its data: errors, warnings and notes, on standard error."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import replace

from catchrate.errors import CatchrateError, Finding, visible
from catchrate.reports.layout import QUIET, Line, wrapped
from catchrate.reports.terminal import columns_of, write_lines

STYLES = {"error": "bold red", "warning": "yellow", "note": QUIET}
FEW = 3
"""Notes of one code that are shown before the rest is counted."""
_WORDS = re.compile(r"\b(format|encoding|duplicates|queries|dialect|match)=('[^']*'|\.\.\.)")
_FLAGS = re.compile(r"\b(comments|fractions|ascending)=True\b")
_COLUMNS = re.compile(r"\bcolumns=\{'(\w+)': '([^']*)'\}")


def print_error(error: CatchrateError) -> None:
    """Print every finding of an error on a line of its own."""
    print_findings(error.findings)
    if error.total > len(error.findings):
        say(f"... and {error.total - len(error.findings):,} more")


def print_findings(findings: Iterable[Finding]) -> None:
    """Print findings on standard error, wrapped on a terminal; of notes that many runs share the first few."""
    columns = columns_of(sys.stderr)
    by_code: dict[str, list[Finding]] = {}
    for finding in findings:
        by_code.setdefault(finding.code, []).append(finding)
    for code, alike in by_code.items():
        few = FEW if len(alike) > FEW + 1 and alike[0].severity != "error" else len(alike)
        write_lines(finding_lines(alike[:few], columns), sys.stderr)
        if alike[few:]:
            say(f"{alike[0].severity}: {code} was found {len(alike) - few:,} more times; --json lists all")


def finding_lines(findings: Iterable[Finding], columns: int | None) -> Iterator[Line]:
    """Yield findings with their severity in front, options spelled as the command line has them."""
    for finding in findings:
        first = f"{finding.severity}: "
        said = visible(str(replace(finding, fix=as_flags(finding.fix))))
        for i, line in enumerate(wrapped(said, columns, first=first, indent=" " * len(first))):
            yield line if i else [(first, STYLES[finding.severity]), *line[1:]]


def leave_a_line() -> None:
    """Part what follows from the data above, where both are seen together."""
    if sys.stdout.isatty() and sys.stderr.isatty():
        say("")


def say(text: str) -> None:
    """Print a line on standard error."""
    write_lines([[(visible(text), "")]], sys.stderr)


def as_flags(fix: str) -> str:
    """Return advice with the options of Python calls spelled as flags.

    >>> as_flags("read it with format='tsv', or with comments=True")
    'read it with --format tsv, or with --comments'
    """
    fix = _COLUMNS.sub(r"--column \1=\2", fix)
    fix = fix.replace("columns={...}", "--column OURS=THEIRS")
    fix = _FLAGS.sub(r"--\1", fix)
    return _WORDS.sub(lambda found: f"--{found[1]} {found[2].strip(chr(39)).replace('...', 'NAME')}", fix)

"""What a build server reads beside what a person does: JUnit XML, Markdown, and annotations of GitHub Actions."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Annotated

from cyclopts import Group, Parameter

from catchrate.cli.inputs import Input
from catchrate.cli.options import FLAG, Output
from catchrate.errors import OutputError, UsageError
from catchrate.evaluation.gate import Gate
from catchrate.reports.github import annotation_lines, no_commands
from catchrate.reports.junit import junit_xml
from catchrate.reports.output import deliver
from catchrate.reports.render import render
from catchrate.reports.views.gate import gate_cases, gate_view

MACHINES = Group("For build servers", sort_key=4)
SUMMARY = "GITHUB_STEP_SUMMARY"
TITLE = "catchrate gate"


@Parameter(name="*", group=MACHINES)
@dataclass(frozen=True, kw_only=True)
class Machines:
    """What is written for build servers, beside the usual output."""

    junit: Annotated[str | None, Parameter(metavar="FILE.xml")] = None
    """Write JUnit XML: a test case for each check and slice."""
    markdown: Annotated[str | None, Parameter(metavar="FILE.md")] = None
    """Write Markdown, such as for a comment on a pull request."""
    github: Annotated[bool, FLAG] = False
    """Print annotations of GitHub Actions, and add the Markdown to the summary of the step."""

    def refuse_mixed_output(self, output: Output) -> None:
        """Refuse annotations among data: both would go to standard output."""
        if self.github and output.output is None and output.form() != "text":
            fix = "name a file for the data with --output"
            raise UsageError.of("E280", "--github prints annotations to standard output", fix=fix)


@contextmanager
def tell_machines(gate: Gate, machines: Machines, inputs: Sequence[Input]) -> Iterator[None]:
    """Write what machines read, then let the caller print for people."""
    paths = [one.path for one in inputs]
    with ExitStack() as stack:
        if machines.junit is not None:
            deliver(junit_xml(TITLE, gate_cases(gate)), machines.junit, inputs=paths)
        if machines.markdown is not None:
            deliver(render(gate_view(gate), "md"), machines.markdown, inputs=paths)
        if machines.github:
            _add_to_summary(render(gate_view(gate), "md"))
            for line in annotation_lines(TITLE, gate_cases(gate)):
                sys.stdout.write(f"{line}\n")
            stack.enter_context(no_commands(sys.stdout))
        yield


def _add_to_summary(text: str) -> None:
    """Add to the page that GitHub shows for a step, which earlier commands may have begun; elsewhere there is none."""
    path = os.environ.get(SUMMARY)
    if not path:
        return
    try:
        with open(path, "a", encoding="utf-8", errors="backslashreplace") as summary:
            summary.write(text)
    except OSError as error:
        message = f"the summary of the step cannot be written: {error.strerror or error}"
        raise OutputError.of("E302", message, fix=f"check what {SUMMARY} names", file=path) from error

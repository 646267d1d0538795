"""catchrate check: look for mistakes in inputs."""

from __future__ import annotations

import sys
from typing import Annotated

from cyclopts import Parameter

from catchrate.cli.app import DASH
from catchrate.cli.inputs import named
from catchrate.cli.messages import finding_lines
from catchrate.cli.options import FLAG, Policies, Reading
from catchrate.errors import Finding, InputError, visible
from catchrate.evaluation import check as use_case
from catchrate.evaluation.check import CheckedInput
from catchrate.reports.json_report import as_json
from catchrate.reports.output import deliver
from catchrate.reports.terminal import columns_of, write_lines

FILES = "Judgments first, then runs; or one side alone, or records. - is standard input."
KINDS = {"judgments": "judgments", "ranking": "run", "records": "records", None: "input"}


def check(
    *files: Annotated[str, Parameter(required=True, help=FILES)],
    json: Annotated[bool, FLAG, Parameter(help="Print JSON.")] = False,
    policies: Policies | None = None,
    reading: Reading | None = None,
) -> int:
    """Look for mistakes in judgments and runs.

    Reports all that an evaluation would refuse, and what is allowed and yet often a mistake. Ends with 4 when an input
    would be refused, else with 0.
    """
    inputs = ["-" if text == DASH else named(text)[1] for text in files]
    reading = reading or Reading()
    policies = policies or Policies()
    checked = use_case.check(inputs, reading.read_options(), policies.policy(reading), policies.match)
    if json:
        deliver(as_json(_content(checked)), None)
    else:
        _print(checked)
    return InputError.exit_code if any(one.refused for one in checked) else 0


def _print(checked: tuple[CheckedInput, ...]) -> None:
    columns = columns_of(sys.stdout)
    for one in checked:
        write_lines([[(_title(one), "bold")]], sys.stdout)
        write_lines(finding_lines(_sorted(one.findings), columns), sys.stdout)
        if one.more:
            write_lines([[(f"... and {one.more:,} more errors", "")]], sys.stdout)


def _title(one: CheckedInput) -> str:
    if one.refused and not one.queries:
        found = "refused"
    else:
        what = "judged" if one.kind == "judgments" else "returned"
        found = f"{one.queries:,} {'query' if one.queries == 1 else 'queries'}, {one.rows:,} {what}"
    clean = "" if one.findings else ", nothing to report"
    return f"{visible(one.name)}: {KINDS[one.kind]}, {found}{clean}"


def _sorted(findings: tuple[Finding, ...]) -> list[Finding]:
    """Return errors first, then warnings, then notes, each by line."""
    return sorted(findings, key=lambda finding: ("EWN".index(finding.code[0]), finding.line or 0))


def _content(checked: tuple[CheckedInput, ...]) -> list[dict[str, object]]:
    return [
        {
            "name": one.name,
            "kind": one.kind,
            "refused": one.refused,
            "queries": one.queries,
            "rows": one.rows,
            "findings": [finding.as_dict() for finding in _sorted(one.findings)],
            "more": one.more,
        }
        for one in checked
    ]

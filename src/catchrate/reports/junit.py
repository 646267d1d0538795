"""Checks as JUnit XML, which every build server reads; no character in it that XML does not allow."""

from __future__ import annotations

from collections.abc import Sequence
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from catchrate.errors import visible
from catchrate.reports.cases import Case, State

TAGS: dict[State, str] = {"failed": "failure", "unknown": "error", "skipped": "skipped"}
"""What stands in a test case that was not passed."""
COUNTED: dict[State, str] = {"failed": "failures", "unknown": "errors", "skipped": "skipped"}
CLASS = "catchrate.gate"


def junit_xml(name: str, cases: Sequence[Case]) -> str:
    """Return one test suite with a test case for each check, and no time of day: the same checks are the same bytes."""
    counts = {"tests": str(len(cases))}
    counts |= {word: str(sum(case.state == state for case in cases)) for state, word in COUNTED.items()}
    root = Element("testsuites", {"name": visible(name), **counts})
    suite = SubElement(root, "testsuite", {"name": visible(name), **counts})
    for case in cases:
        _add(suite, case)
    indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{tostring(root, encoding="unicode")}\n'


def _add(suite: Element, case: Case) -> None:
    held = SubElement(suite, "testcase", {"classname": CLASS, "name": visible(case.name), "time": "0"})
    message = visible(case.message)
    if case.state == "passed":
        SubElement(held, "system-out").text = message
        return
    found = SubElement(held, TAGS[case.state], {"message": message})
    if case.state != "skipped":
        found.set("type", case.state)
        found.text = "\n".join(visible(line) for line in case.details.splitlines()) or message

"""What build servers read: JUnit XML by its schema, and annotations that hold no command but their own."""

from __future__ import annotations

import io
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
import xmlschema

from catchrate.errors import visible
from catchrate.reports.cases import Case
from catchrate.reports.github import annotation_lines, no_commands
from catchrate.reports.junit import junit_xml
from hostile_texts import HOSTILE

SCHEMA = xmlschema.XMLSchema(Path(__file__).with_name("junit.xsd"))
STATES = ("passed", "failed", "unknown", "skipped")
CASES = [Case(name=state, state=state, message=f"it {state}", details="one\ntwo") for state in STATES]


def test_every_state_is_a_case_of_the_schema():
    text = junit_xml("gate", CASES)
    SCHEMA.validate(text)
    root = ElementTree.fromstring(text)
    assert root.attrib == {"name": "gate", "tests": "4", "failures": "1", "errors": "1", "skipped": "1"}
    found = {case.get("name"): [child.tag for child in case] for case in root.iter("testcase")}
    assert found == {"passed": ["system-out"], "failed": ["failure"], "unknown": ["error"], "skipped": ["skipped"]}
    (failure,) = root.iter("failure")
    assert (failure.get("message"), failure.text) == ("it failed", "one\ntwo")


@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: ascii(text[:20]))
@pytest.mark.parametrize("state", STATES)
def test_no_text_breaks_the_xml_or_becomes_part_of_it(text, state):
    written = junit_xml(text, [Case(name=text, state=state, message=text, details=f"{text}\n{text}")])
    written.encode("utf-8")
    SCHEMA.validate(written)
    (case,) = ElementTree.fromstring(written).iter("testcase")
    assert len(case) == 1
    assert len(case[0]) == 0
    assert case.get("name") == visible(text)


def test_annotations_are_for_what_does_not_hold():
    lines = list(annotation_lines("a: gate, 5%", CASES))
    assert lines == [
        "::error title=a%3A gate%2C 5%25::it failed",
        "::error title=a%3A gate%2C 5%25::it unknown",
        "::warning title=a%3A gate%2C 5%25::it skipped",
    ]


@pytest.mark.parametrize("text", [*HOSTILE, "::set-env name=x::y", "a\n::add-mask::b", "50%0A::error::x"], ids=ascii)
def test_an_annotation_is_one_line_and_one_command(text):
    (line,) = annotation_lines(text, [Case(name=text, state="failed", message=text)])
    assert len(line.splitlines()) == 1
    head, title, _ = re.fullmatch(r"::(error) title=([^:,]*)::(.*)", line).groups()
    assert (head, "\n" in title, "\r" in title) == ("error", False, False)


def test_what_is_printed_between_is_no_command():
    stream = io.StringIO()
    with no_commands(stream):
        stream.write("::add-mask::secret\n")
    first, _, last = stream.getvalue().splitlines()
    token = first.removeprefix("::stop-commands::")
    assert re.fullmatch("[0-9a-f]{32}", token)
    assert last == f"::{token}::"

"""The pytest plugin of catchrate: a fixture with a gate, a marker, an option and a section in the summary.

It is a package of its own, since importing a part of catchrate imports its parent, too. A test run that asks for no
gate pays for nothing: all else is imported when the fixture is used.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

PROPERTY = "catchrate"
"""Under which name a test says what its gates found; pytest-xdist brings it from the workers."""
MARKER = "catchrate(**options): what every gate of a test is given, such as by='kind' for slices"
UPDATE = "save the runs of gates as the baselines that are stored for them, instead of comparing with these"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option that saves baselines."""
    group = parser.getgroup("catchrate", "gates for retrieval")
    group.addoption("--catchrate-update", action="store_true", dest="catchrate_update", help=UPDATE)


def pytest_configure(config: pytest.Config) -> None:
    """Declare the marker."""
    config.addinivalue_line("markers", MARKER)


@pytest.fixture(name="catchrate")
def _catchrate(request: pytest.FixtureRequest) -> Any:
    """Give catchrate, with a `gate` that fails the test where a run may not pass."""
    from catchrate.pytest_plugin import Gatekeeper

    options: dict[str, Any] = {}
    for marker in reversed(list(request.node.iter_markers("catchrate"))):
        options |= marker.kwargs
    return Gatekeeper(
        folder=request.path.parent,
        update=bool(request.config.getoption("catchrate_update")),
        options=options,
        tell=lambda line: request.node.user_properties.append((PROPERTY, line)),
    )


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say what became of every gate."""
    told = list(_told(terminalreporter))
    if told:
        terminalreporter.write_sep("=", "catchrate")
        for line in told:
            terminalreporter.write_line(line)


def _told(terminalreporter: pytest.TerminalReporter) -> Iterator[str]:
    reports = [report for some in terminalreporter.stats.values() for report in some]
    for report in reports:
        if isinstance(report, pytest.TestReport) and (report.when == "call" or report.outcome == "failed"):
            lines = [value for name, value in report.user_properties if name == PROPERTY]
            yield from ([report.nodeid, *(f"  {line}" for line in lines)] if lines else [])

"""What holds for all tests."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from hypothesis import settings

from restored import restored_table

ORACLES = ("test_oracle.py", "test_against_trec_eval_output.py")
"""Tests of outputs that are not part of the project and that a clone may lack."""

os.environ["HAYSTACK_TELEMETRY_ENABLED"] = "False"  # no test speaks to another machine

settings.register_profile("any-machine", deadline=None)
settings.load_profile("any-machine")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:
    """Fail what is skipped for want of a part where every part is required, as in continuous integration."""
    report = yield
    required = os.environ.get("CATCHRATE_REQUIRE_ALL") and item.path.name not in ORACLES
    if required and report.skipped and not hasattr(report, "wasxfail"):
        report.outcome = "failed"
        report.longrepr = f"skipped, and CATCHRATE_REQUIRE_ALL is set: {report.longrepr}"
    return report


@pytest.fixture(autouse=True)
def table() -> Iterator[None]:
    """Forget the measures that a test or an example declares."""
    with restored_table():
        yield

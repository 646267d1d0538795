"""One app for all tests of a worker."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from local_app import App, started, stopped


@pytest.fixture(scope="session")
def app() -> Iterator[App]:
    """Return a running app without files."""
    running = started()
    yield running
    stopped(running)


@pytest.fixture(scope="session")
def guarded() -> Iterator[App]:
    """Return a running app that asks for a token."""
    running = started("--token")
    yield running
    stopped(running)

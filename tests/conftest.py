"""One browser for all tests of a worker that look at pages as people see them."""

from __future__ import annotations

import shutil

import pytest

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
QUIET = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)


@pytest.fixture(scope="session")
def chromium():
    """Return a browser, or skip where none is installed."""
    path = next(filter(None, map(shutil.which, BROWSERS)), None)
    if path is None:
        pytest.skip("no browser is installed: apt-get install -y chromium")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(QUIET))
        yield browser
        browser.close()


@pytest.fixture
def tab(chromium):
    """Return a function that opens a page; no error in its console and no request to elsewhere is let pass."""
    troubles: list[str] = []
    contexts = []

    def opened(width: int = 1280, height: int = 900, **options):
        context = chromium.new_context(viewport={"width": width, "height": height}, reduced_motion="reduce", **options)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(15_000)
        page.on("console", lambda said: troubles.append(said.text) if said.type in ("error", "warning") else None)
        page.on("pageerror", lambda error: troubles.append(str(error)))
        page.on("request", lambda asked: troubles.append(asked.url) if not _local(asked.url) else None)
        return page

    yield opened
    for context in contexts:
        context.close()
    assert troubles == []


def _local(url: str) -> bool:
    return url.startswith(("http://127.0.0.1:", "file:///", "data:", "blob:http://127.0.0.1:"))

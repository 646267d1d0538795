"""The browser that some tests look at reports with."""

from browser import chromium, tab  # noqa: F401

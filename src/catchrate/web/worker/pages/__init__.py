"""The pages of an opened set. Each returns what it shows as a view; its twins in JSON and CSV hold the same."""

from __future__ import annotations

from collections.abc import Callable

from catchrate.web.worker.pages.compare import compare
from catchrate.web.worker.pages.explain import explain
from catchrate.web.worker.pages.misses import misses
from catchrate.web.worker.pages.overview import overview
from catchrate.web.worker.pages.queries import queries
from catchrate.web.worker.pages.query import query
from catchrate.web.worker.pages.report import report
from catchrate.web.worker.pages.shown import Asked, Shown
from catchrate.web.worker.pages.slices import slices
from catchrate.web.worker.pages.unjudged import unjudged
from catchrate.web.worker.study import Study

PAGES: dict[str, Callable[[Study, Asked], Shown]] = {
    "overview": overview,
    "compare": compare,
    "queries": queries,
    "query": query,
    "explain": explain,
    "slices": slices,
    "misses": misses,
    "unjudged": unjudged,
    "report": report,
}
"""Every page by its name in the address."""
NAVIGATION = {
    "overview": "Overview",
    "compare": "Compare",
    "queries": "Queries",
    "slices": "Slices",
    "misses": "Misses",
    "unjudged": "Unjudged",
    "report": "Report",
    "files": "Files",
}
"""The pages that stand at the top of each page."""

__all__ = ["NAVIGATION", "PAGES", "Asked", "Shown"]

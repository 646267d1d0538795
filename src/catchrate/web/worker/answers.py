"""What the worker sends back: a whole response."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from catchrate.reports.json_report import as_json
from catchrate.web.faults import WORDS
from catchrate.web.pages import rendered
from catchrate.web.replies import TYPES


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """A response: its status, its type, its bytes and, for a file to keep, its name."""

    body: bytes
    form: str = "html"
    status: int = 200
    name: str = ""
    """The name of a file to keep: one of ours."""

    def head(self) -> dict[str, Any]:
        """Return all but the bytes."""
        return {"status": self.status, "type": TYPES[self.form], "name": self.name}


def page(template: str, *, status: int = 200, **values: Any) -> Answer:
    """Return a page from a template."""
    return Answer(body=rendered(template, **values).encode("utf-8", "backslashreplace"), status=status)


def plain(content: object, *, status: int = 200) -> Answer:
    """Return plain data."""
    return Answer(body=as_json(content).encode(), form="json", status=status)


def fault(status: int, message: str) -> Answer:
    """Return the page for what went wrong."""
    return page("fault.html", status=status, code=status, title=WORDS[status], message=message)

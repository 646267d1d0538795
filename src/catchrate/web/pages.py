"""Templates: everything in them is escaped, and a value that is missing is an error."""

from __future__ import annotations

from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.responses import HTMLResponse

from catchrate.errors import visible
from catchrate.reports.values import value_text

_ENVIRONMENT = Environment(
    loader=PackageLoader("catchrate.web"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
_ENVIRONMENT.filters["shown"] = value_text
_ENVIRONMENT.filters["visible"] = visible
_ENVIRONMENT.filters["capped"] = lambda text: text[:1].upper() + text[1:]


def page(template: str, *, status: int = 200, **values: Any) -> HTMLResponse:
    """Return a page."""
    return HTMLResponse(_ENVIRONMENT.get_template(template).render(values), status)

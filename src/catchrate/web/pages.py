"""Templates: everything in them is escaped, and a value that is missing is an error."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup
from starlette.responses import HTMLResponse

from catchrate.errors import visible
from catchrate.reports.html import blocks_html
from catchrate.reports.html.fragment import printed
from catchrate.reports.values import LEFT, NOTHING, SIGNS, value_text
from catchrate.reports.view import Block

_ENVIRONMENT = Environment(
    loader=PackageLoader("catchrate.web"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
_ENVIRONMENT.filters["shown"] = value_text
_ENVIRONMENT.filters["visible"] = visible
_ENVIRONMENT.filters["printed"] = printed
_ENVIRONMENT.filters["capped"] = lambda text: text[:1].upper() + text[1:]
_ENVIRONMENT.globals |= {"LEFT": LEFT, "NOTHING": NOTHING, "SIGNS": SIGNS}


def _fragment(blocks: Iterable[Block]) -> Markup:
    """Return blocks as the reports draw them."""
    return Markup(blocks_html(blocks))  # noqa: S704 - it comes from templates that escape


_ENVIRONMENT.filters["blocks"] = _fragment


def rendered(template: str, **values: Any) -> str:
    """Return what a template says of some values."""
    return _ENVIRONMENT.get_template(template).render(values)


def page(template: str, *, status: int = 200, **values: Any) -> HTMLResponse:
    """Return a page."""
    return HTMLResponse(rendered(template, **values), status)

"""The first page."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from catchrate.web.pages import page


async def show(_request: Request) -> Response:
    """Say what there is to do."""
    return page("start.html", here="/")

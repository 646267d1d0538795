"""Pages for what went wrong: what to do next, and never a trace, a path or a version."""

from __future__ import annotations

import secrets
import sys
import traceback
from http import HTTPStatus

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from catchrate.errors import CatchrateError
from catchrate.web.access import Refusal
from catchrate.web.pages import page

WORDS = {
    400: "This request is not understood",
    401: "Sign in first",
    403: "This request does not come from the app",
    404: "There is no such page",
    405: "This page is not used like that",
    408: "It took too long",
    413: "That is too large",
    422: "That cannot be read",
    429: "Too much at a time",
    500: "Something went wrong in catchrate",
    507: "The disk is nearly full",
}


def fault_page(status: int, message: str) -> Response:
    """Return the page for a status."""
    title = WORDS.get(status) or HTTPStatus(status).phrase
    return page("fault.html", status=status, title=title, message=message, code=status)


def refused(refusal: Refusal) -> Response:
    """Return the page for a request that the guard stops."""
    return fault_page(refusal.status, refusal.message)


async def on_http(_request: Request, error: Exception) -> Response:
    """Answer what a page raises on purpose."""
    assert isinstance(error, HTTPException)  # noqa: S101 - it is registered for nothing else
    custom = error.detail != HTTPStatus(error.status_code).phrase
    return fault_page(error.status_code, error.detail if custom else "The address may be mistyped or out of date.")


async def on_refused(_request: Request, error: Exception) -> Response:
    """Answer what the library refuses."""
    return fault_page(422, str(error))


async def on_crash(_request: Request, error: Exception) -> Response:
    """Answer what nobody foresaw; the terminal has the details, under the same number."""
    number = secrets.token_hex(4)
    print(f"error {number}", file=sys.stderr)  # noqa: T201 - the log of the app is its terminal
    traceback.print_exception(error, file=sys.stderr)
    return fault_page(500, f"The terminal says more, under error {number}. Nothing of yours was changed.")


HANDLERS = {HTTPException: on_http, CatchrateError: on_refused, Exception: on_crash}

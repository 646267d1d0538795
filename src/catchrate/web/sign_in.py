"""Signing in: the token travels in the fragment of the address, which browsers keep to themselves, then in a form."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from catchrate.web.access import COOKIE, Access
from catchrate.web.pages import page


async def show(_request: Request) -> Response:
    """Return the form, which fills itself in from the fragment."""
    return page("sign_in.html", wrong=False)


def enter(access: Access) -> Callable[[Request], Awaitable[Response]]:
    """Return the page that takes a token and gives a cookie."""

    async def entered(request: Request) -> Response:
        async with request.form(max_files=0, max_fields=4) as form:
            session = access.sign_in(str(form.get("token", "")))
        if session is None:
            return page("sign_in.html", wrong=True, status=401)
        response = RedirectResponse("/", 303)
        response.set_cookie(COOKIE, session, httponly=True, samesite="strict")
        return response

    return entered

"""The app: which address leads to which page."""

from __future__ import annotations

from starlette.applications import Starlette
from starlette.routing import Route
from starlette.types import ASGIApp

from catchrate.web import calculator_pages, sign_in, start
from catchrate.web.access import Access
from catchrate.web.faults import HANDLERS, refused
from catchrate.web.guard import Guard
from catchrate.web.static_files import static_file


def build(access: Access) -> ASGIApp:
    """Return the app behind its guard."""
    routes = [
        Route("/", start.show),
        Route("/calculator", calculator_pages.show),
        Route("/calculator.json", calculator_pages.as_json_twin),
        Route("/calculator.csv", calculator_pages.as_csv),
        Route("/sign-in", sign_in.show, methods=["GET"]),
        Route("/sign-in", sign_in.enter(access), methods=["POST"]),
        Route("/static/{name}", static_file),
    ]
    app = Starlette(routes=routes, exception_handlers=HANDLERS)
    app.router.redirect_slashes = False
    return Guard(app, access, refused)

"""The app: which address leads to which page."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from starlette.applications import Starlette
from starlette.routing import Route
from starlette.types import ASGIApp

from catchrate.web import calculator_pages, sign_in
from catchrate.web.access import Access
from catchrate.web.explorer.opened import Sets
from catchrate.web.explorer.routes import Explorer
from catchrate.web.faults import HANDLERS, refused
from catchrate.web.guard import Guard
from catchrate.web.order import Order
from catchrate.web.static_files import static_file


def build(access: Access, order: Order | None = None, *, key: str = "") -> ASGIApp:
    """Return the app behind its guard. It begins by opening an order, under an id, where there is one."""
    sets = Sets()

    @asynccontextmanager
    async def living(_app: Starlette) -> AsyncIterator[None]:
        if order:
            sets.open(order, key=key)
        yield
        await sets.close_all()

    routes = [
        *Explorer(sets).routes(),
        Route("/calculator", calculator_pages.show),
        Route("/calculator.json", calculator_pages.as_json_twin),
        Route("/calculator.csv", calculator_pages.as_csv),
        Route("/calculator.pdf", calculator_pages.as_pdf),
        Route("/sign-in", sign_in.show, methods=["GET"]),
        Route("/sign-in", sign_in.enter(access), methods=["POST"]),
        Route("/static/{name}", static_file),
    ]
    app = Starlette(routes=routes, exception_handlers=HANDLERS, lifespan=living)
    app.router.redirect_slashes = False
    return Guard(app, access, refused)

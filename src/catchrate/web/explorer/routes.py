"""The addresses of the explorer. GET reads; whatever opens, closes or reads again is sent with POST."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from importlib.resources import files as resources

from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from catchrate.limits import MAX_OPENED, MAX_PAGE_SECONDS, MAX_UPLOAD_BYTES
from catchrate.web.explorer.again import ordered
from catchrate.web.explorer.opened import OpenedSet, Sets
from catchrate.web.explorer.uploads import received
from catchrate.web.guard import UPLOAD_PATH
from catchrate.web.order import FileOrder, Order
from catchrate.web.pages import page

FORMS = ("json", "csv", "html", "pdf", "tex", "md")
"""What may stand behind the name of a page: the same as data, or as a file to keep."""
PATIENCE = 0.8
"""Seconds that a page waits for its set before it shows how far that is."""
DEMO = "Demo: 40 questions on 64 passages"


@dataclass(frozen=True, slots=True)
class Explorer:
    """The pages around the sets that are open."""

    sets: Sets

    def routes(self) -> list[Route]:
        """Return which address leads to what."""
        post: Callable[[str, Callable[[Request], Awaitable[Response]]], Route] = lambda path, page: Route(  # noqa: E731
            path, page, methods=["POST"]
        )
        return [
            Route("/", self.start),
            post(UPLOAD_PATH, self.open),
            post("/demo", self.demo),
            Route("/sets/{id}", self.front),
            Route("/sets/{id}/state.json", self.state),
            post("/sets/{id}/close", self.close),
            post("/sets/{id}/read", self.read),
            Route("/sets/{id}/{page}", self.page),
        ]

    async def start(self, _request: Request) -> Response:
        """Say what there is to do, and what is open."""
        return page(
            "start.html", here="/", sets=list(self.sets), most=MAX_OPENED, most_bytes=MAX_UPLOAD_BYTES >> 20, wrong=""
        )

    async def open(self, request: Request) -> Response:
        """Take files."""
        self.sets.refuse_many()
        order, folder = await received(request)
        return _to(self.sets.open(order, folder))

    async def demo(self, _request: Request) -> Response:
        """Open the bundled collection."""
        return _to(self.sets.open(demo_order()))

    async def front(self, request: Request) -> Response:
        """Lead to the first page of a set."""
        return RedirectResponse(f"{self.sets.get(request.path_params['id']).base}/overview", 303)

    async def state(self, request: Request) -> Response:
        """Say how far reading is."""
        one = self.sets.get(request.path_params["id"])
        return JSONResponse({"state": one.state, "share": one.share, **one.progress})

    async def close(self, request: Request) -> Response:
        """Close a set, in the middle of reading too."""
        self.sets.close(request.path_params["id"])
        return RedirectResponse("/", 303)

    async def read(self, request: Request) -> Response:
        """Read the files of a set as a form says."""
        one = self.sets.get(request.path_params["id"])
        async with request.form(max_files=0, max_fields=1_000) as form:
            said = {name: value for name, value in form.items() if not isinstance(value, UploadFile)}
        self.sets.read_again(one, ordered(one.order, said))
        return _to(one)

    async def page(self, request: Request) -> Response:
        """Return a page of a set, or one of its twins, from its worker."""
        one = self.sets.get(request.path_params["id"])
        name, _, form = str(request.path_params["page"]).partition(".")
        if form not in ("", *FORMS):
            raise HTTPException(404)
        await one.opened(MAX_PAGE_SECONDS if form else PATIENCE)
        if one.state == "opening":
            return _opening(one, form)
        if one.state == "refused" and name != "files" and not form:
            return RedirectResponse(f"{one.base}/files", 303)
        answer = await one.page(name, form, dict(request.query_params))
        headers = {"content-disposition": f'attachment; filename="{answer.name}"'} if answer.name else {}
        return Response(answer.body, answer.status, headers, answer.type)


def _to(one: OpenedSet) -> Response:
    return RedirectResponse(f"{one.base}/overview", 303)


def _opening(one: OpenedSet, form: str) -> Response:
    if form:
        return JSONResponse({"state": one.state, "share": one.share}, 503)
    return page("explorer/opening.html", here="/", one=one, title=one.order.title)


def demo_order() -> Order:
    """Return the bundled collection: judgments, texts and two runs."""
    folder = resources("catchrate") / "demo"
    runs = ("bm25", "dense")
    files = (
        FileOrder(name="demo", path=str(folder), kind="judgments"),
        *(FileOrder(name=f"{run}.trec", path=str(folder / "runs" / f"{run}.trec"), kind="ranking") for run in runs),
    )
    return Order(files=files, title=DEMO)

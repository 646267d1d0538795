"""Style and script. A name is looked up in a table that is read at the start: no path is ever built from a request."""

from __future__ import annotations

from importlib.resources import files

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from catchrate.reports.html import BLOCKS_STYLE

TYPES = {".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".svg": "image/svg+xml"}
FILES = {entry.name: entry.read_bytes() for entry in files("catchrate.web").joinpath("static").iterdir()}
FILES["blocks.css"] = BLOCKS_STYLE.encode()


async def static_file(request: Request) -> Response:
    """Return a file by its name."""
    name = request.path_params["name"]
    if name not in FILES:
        raise HTTPException(404)
    return Response(FILES[name], media_type=TYPES["." + name.rpartition(".")[2]])

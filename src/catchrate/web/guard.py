"""The gate in front of every page: checks the request, counts its bytes, and seals the response."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from catchrate.limits import MAX_FORM_BYTES, MAX_UPLOAD_BYTES
from catchrate.web.access import Access, Refusal

CONTENT_POLICY = (
    b"default-src 'self'; script-src 'self'; style-src 'self'; object-src 'none'; base-uri 'none'; "
    b"form-action 'self'; frame-ancestors 'none'"
)
SEALS = (
    (b"content-security-policy", CONTENT_POLICY),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cache-control", b"no-store"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
)
"""Headers of every response, errors too. There is no header that lets other sites read anything."""
UPLOAD_PATH = "/open"
MAX_BODIES = 4
"""Bodies that may arrive at a time."""
PATIENCE = 30.0
"""Seconds between two pieces of a body."""

Refuse = Callable[[Refusal], ASGIApp]


class Guard:
    """The middleware."""

    def __init__(self, app: ASGIApp, access: Access, refuse: Refuse, patience: float = PATIENCE) -> None:
        self._app = app
        self._access = access
        self._refuse = refuse
        self._patience = patience
        self._bodies = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or say why not."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        sealed = _sealing(send)
        refusal = self._refusal(scope)
        if refusal:
            await self._refuse(refusal)(scope, receive, sealed)
            return
        self._bodies += scope["method"] == "POST"
        try:
            await self._app(scope, _counting(receive, scope, self._patience), sealed)
        except Exception:  # noqa: BLE001, S110 - answered and logged by the app already
            pass
        finally:
            self._bodies -= scope["method"] == "POST"

    def _refusal(self, scope: Scope) -> Refusal | None:
        if not scope["path"].startswith("/"):
            return Refusal(400, "A request names a path.")
        refusal = self._access.refusal(scope["method"], scope["path"], scope["headers"])
        if refusal or scope["method"] != "POST":
            return refusal
        if self._bodies >= MAX_BODIES:
            return Refusal(429, "Too much arrives at the same time. Try again in a moment.")
        length = dict(scope["headers"]).get(b"content-length", b"0")
        too_long = not length.isdigit() or int(length[:20]) > _cap(scope)
        return _too_large(scope) if too_long else None


def _cap(scope: Scope) -> int:
    return MAX_UPLOAD_BYTES if scope["path"] == UPLOAD_PATH else MAX_FORM_BYTES


def _too_large(scope: Scope) -> Refusal:
    fix = " Open large files on the command line: catchrate view FILE..." if scope["path"] == UPLOAD_PATH else ""
    return Refusal(413, f"That is more than {_cap(scope) >> 10:,} KiB.{fix}")


def _counting(receive: Receive, scope: Scope, patience: float) -> Receive:
    """Return a `receive` that stops a body that is too large or too slow, whatever its headers said."""
    seen = 0
    complete = False

    async def counted() -> Message:
        nonlocal seen, complete
        if complete:  # what follows the body is only the end of the connection, which may take its time
            return await receive()
        try:
            message = await asyncio.wait_for(receive(), patience)
        except TimeoutError:
            raise HTTPException(408, "The file stopped arriving.") from None
        seen += len(message.get("body", b""))
        complete = not message.get("more_body", False)
        if seen > _cap(scope):
            raise HTTPException(413, _too_large(scope).message)
        return message

    return counted


def _sealing(send: Send) -> Callable[[Message], Awaitable[None]]:
    async def sealed(message: Message) -> None:
        if message["type"] == "http.response.start":
            ours = {name for name, _ in SEALS}
            kept = [header for header in message["headers"] if header[0].lower() not in ours]
            message = {**message, "headers": [*kept, *SEALS]}
        await send(message)

    return sealed

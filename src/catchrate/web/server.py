"""The server: which address, which port, and how it ends."""

from __future__ import annotations

import socket
from collections.abc import Callable
from importlib.util import find_spec

from catchrate.errors import MissingExtra, UsageError
from catchrate.web.access import EVERYWHERE, Access, Token, authorities, is_loopback
from catchrate.web.order import Order

FIRST_PORT = 8137
TRIES = 50
"""Ports that are tried, one after the other."""


def serve(
    order: Order | None = None,
    *,
    host: str = "127.0.0.1",
    port: int = FIRST_PORT,
    with_token: bool = False,
    ready: Callable[[str], None],
) -> None:
    """Run the app until it is interrupted; it opens what is ordered, and `ready` gets its address.

    Raises UsageError before any port is taken when others could reach the app and no token is asked for.
    """
    if not is_loopback(host) and not with_token:
        fix = "add --token, which lets in only who knows it, or leave --host out"
        raise UsageError.of("E354", f"others could reach {host}, and nothing would ask who they are", fix=fix)
    _require("uvicorn", "starlette", "jinja2", "python_multipart")
    token = Token() if with_token else None
    with listening(host, port) as taken:
        port = taken.getsockname()[1]
        access = Access(hosts=authorities(host, port), token=token)
        import uvicorn

        from catchrate.web.app import build
        from catchrate.web.explorer.opened import new_id

        key = new_id()
        config = uvicorn.Config(
            build(access, order, key=key),
            http="h11",
            ws="none",
            lifespan="on",
            log_level="error",
            access_log=False,
            server_header=False,
            limit_concurrency=64,
            timeout_keep_alive=5,
            timeout_graceful_shutdown=1,
        )
        ready(_address(host, port, token) + (f"sets/{key}" if order and not token else ""))
        uvicorn.Server(config).run([taken])


def listening(host: str, port: int) -> socket.socket:
    """Return a socket on the port, or on the next one that is free.

    Raises UsageError when there is none.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for candidate in range(port, min(port + TRIES, 65_536)):
        taken = socket.socket(family, socket.SOCK_STREAM)
        taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            taken.bind((host.strip("[]"), candidate))
            taken.listen(128)
        except OSError as error:
            taken.close()
            refused = error
        else:
            return taken
    message = f"no port from {port} on is free: {refused.strerror}"  # type: ignore[possibly-undefined]
    raise UsageError.of("E355", message, fix="name another with --port, or --port 0 for any")


def _address(host: str, port: int, token: Token | None) -> str:
    name = f"[{host.strip('[]')}]" if ":" in host else host
    if host in EVERYWHERE:
        name = socket.gethostname()
    return f"http://{name}:{port}/" + (f"sign-in#{token.reveal()}" if token else "")


def _require(*libraries: str) -> None:
    for library in libraries:
        if find_spec(library) is None:
            raise MissingExtra.named(library, "web")

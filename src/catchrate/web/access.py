"""Who may talk to the app: only pages of its own, under exactly its own addresses, or whoever knows the token."""

from __future__ import annotations

import ipaddress
import secrets
import socket
from collections.abc import Sequence
from dataclasses import dataclass, field
from hmac import compare_digest

from catchrate.errors import UsageError, shown

COOKIE = "catchrate"
EVERYWHERE = frozenset(("0.0.0.0", "::"))  # noqa: S104 - recognised in order to be refused without a token
"""Addresses that stand for all of this machine's."""
MAX_SESSIONS = 100
"""Browsers that may be signed in at a time; the one that came first has to sign in again."""
OPEN_TO_LINKS = frozenset(("/", "/calculator"))
"""Pages that a link elsewhere may lead to: a calculation is sent as a link. None of them changes anything."""

Header = tuple[bytes, bytes]


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a request is not answered."""

    status: int
    message: str


class Token:
    """A secret that is never printed by accident."""

    def __init__(self, value: str | None = None) -> None:
        self._value = value or secrets.token_urlsafe(32)

    def reveal(self) -> str:
        """Return the secret itself."""
        return self._value

    def equals(self, other: str) -> bool:
        """Compare in a time that says nothing about the secret."""
        return compare_digest(self._value.encode(), other.encode("utf-8", "replace"))

    def __repr__(self) -> str:
        return "Token(***)"


@dataclass(slots=True)
class Access:
    """The rules of one running app."""

    hosts: frozenset[str]
    """The authorities that it answers to, such as 127.0.0.1:8137."""
    token: Token | None = None
    """What a browser or script must know; None leaves the app to pages of its own."""
    sessions: list[str] = field(default_factory=list[str])

    def refusal(self, method: str, path: str, headers: Sequence[Header]) -> Refusal | None:
        """Return why a request is refused, or None."""
        host = self._host(headers)
        if host is None:
            return Refusal(400, "This app answers only to the address that it printed when it started.")
        if method not in ("GET", "HEAD", "POST"):
            return Refusal(405, "Pages are read with GET, and files are sent with POST.")
        if self._bearer(headers):
            return None
        if not self._from_here(method, path, host, headers):
            return Refusal(403, FOREIGN)
        if self.token and not self._open_without_token(path) and not self._signed_in(headers):
            return Refusal(401, "Sign in with the token that was printed when the app started.")
        return None

    def sign_in(self, token: str) -> str | None:
        """Return a session for who knows the token."""
        if self.token is None or not self.token.equals(token):
            return None
        self.sessions.append(secrets.token_urlsafe(32))
        del self.sessions[:-MAX_SESSIONS]
        return self.sessions[-1]

    def _host(self, headers: Sequence[Header]) -> str | None:
        values = _values(headers, b"host")
        return values[0] if len(values) == 1 and values[0] in self.hosts else None

    def _bearer(self, headers: Sequence[Header]) -> bool:
        values = _values(headers, b"authorization")
        if self.token is None or len(values) != 1 or not values[0].startswith("Bearer "):
            return False
        return self.token.equals(values[0].removeprefix("Bearer "))

    def _from_here(self, method: str, path: str, host: str, headers: Sequence[Header]) -> bool:
        """Tell whether a browser says that a page of this app, or the user by hand, asks."""
        sites, origins = _values(headers, b"sec-fetch-site"), _values(headers, b"origin")
        if len(sites) != 1 or len(origins) > 1 or (origins and origins != [f"http://{host}"]):
            return False
        if method == "POST":
            return sites == ["same-origin"] and bool(origins)
        linked = _values(headers, b"sec-fetch-mode") == ["navigate"] and _values(headers, b"sec-fetch-dest") == [
            "document"
        ]
        return sites[0] in ("same-origin", "none") or (linked and path in OPEN_TO_LINKS)

    def _open_without_token(self, path: str) -> bool:
        return path == "/sign-in" or path.startswith("/static/")

    def _signed_in(self, headers: Sequence[Header]) -> bool:
        cookies = [part.strip() for value in _values(headers, b"cookie") for part in value.split(";")]
        given = [part.partition("=")[2] for part in cookies if part.partition("=")[0] == COOKIE]
        return any(compare_digest(one.encode(), session.encode()) for one in given for session in self.sessions)


FOREIGN = (
    "Only pages of this app may ask. Scripts start it with `catchrate view --token` and send the token as "
    "`Authorization: Bearer TOKEN`."
)


def _values(headers: Sequence[Header], name: bytes) -> list[str]:
    return [value.decode("latin-1") for key, value in headers if key == name]


def is_loopback(host: str) -> bool:
    """Tell whether only this machine can reach an address.

    Raises UsageError for what is no address.
    """
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        fix = "give an IP address, such as 127.0.0.1"
        raise UsageError.of("E354", f"{shown(host)} is no address", fix=fix) from None


def authorities(host: str, port: int) -> frozenset[str]:
    """Return every spelling of the address under which browsers reach it."""
    names = {"127.0.0.1", "localhost", "[::1]"}
    if not is_loopback(host):
        names |= {socket.gethostname()}
    if host not in EVERYWHERE:
        names.add(f"[{host.strip('[]')}]" if ":" in host else host)
    return frozenset(f"{name}:{port}" for name in names)

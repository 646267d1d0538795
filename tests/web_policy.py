"""The headers that seal every response."""

from __future__ import annotations

SEALED = {
    "content-security-policy": "default-src 'self'; script-src 'self'; style-src 'self'; object-src 'none'; "
    "base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cache-control": "no-store",
}


def sealed(answer) -> bool:
    """Tell whether a response carries the policy and opens nothing to other sites."""
    opened = [name for name in answer.headers if name.startswith("access-control")]
    return all(answer.headers.get(name) == value for name, value in SEALED.items()) and not opened

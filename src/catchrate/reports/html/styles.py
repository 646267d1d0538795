"""The style sheets: one for a page, and one for the blocks of a view on any page that has its colours."""

from __future__ import annotations

import base64
import hashlib
from importlib.resources import files

_FOLDER = files("catchrate.reports.html") / "style"
BLOCKS_STYLE = (_FOLDER / "blocks.css").read_text("utf-8")
"""How blocks look. It uses the variables that `page.css` and the local app define: --ink, --soft, --line and so on."""
PAGE_STYLE = (_FOLDER / "page.css").read_text("utf-8") + BLOCKS_STYLE
"""All that a page of its own needs."""


def digest_of(style: str) -> str:
    """Return what a content security policy calls a style sheet."""
    return f"sha256-{base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()}"

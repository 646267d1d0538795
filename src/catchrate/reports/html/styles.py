"""The style sheets: one for a page, and one for the blocks of a view on any page that has its colours."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping
from importlib.resources import files

from catchrate.reports.charts.theme import NAMED, ON_DARK

_FOLDER = files("catchrate.reports.html") / "style"


def _recoloured(colours: Mapping[str, str]) -> str:
    """Return rules that give the shapes of charts other colours."""
    return "".join(
        f'.drawing [{what}="{old}"] {{ {what}: {new}; }}\n'
        for old, new in colours.items()
        for what in ("fill", "stroke")
    )


BLOCKS_STYLE = (
    (_FOLDER / "blocks.css").read_text("utf-8")
    + _recoloured({old: f"var({name})" for old, name in NAMED.items()})
    + f"@media screen and (prefers-color-scheme: dark) {{\n{_recoloured(ON_DARK)}}}\n"
)
"""How blocks look. It uses the variables that `page.css` and the local app define: --ink, --soft, --line and so on."""
PAGE_STYLE = (_FOLDER / "page.css").read_text("utf-8") + BLOCKS_STYLE
"""All that a page of its own needs."""
NOTEBOOK_STYLE = (_FOLDER / "notebook.css").read_text("utf-8") + BLOCKS_STYLE
"""What a cell of a notebook needs: it takes the colours of the notebook."""


def digest_of(style: str) -> str:
    """Return what a content security policy calls a style sheet."""
    return f"sha256-{base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()}"

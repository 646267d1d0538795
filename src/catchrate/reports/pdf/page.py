"""From a view to the bytes of a PDF."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from importlib.resources import files
from typing import Any

from catchrate.errors import MissingExtra
from catchrate.reports.pdf.content import Pictures, pdf_content
from catchrate.reports.view import View
from catchrate.version import __version__

TEMPLATE = files("catchrate.reports.pdf") / "template.typ"
SIZES = (9.5, 8.5, 7.5, 6.5)
"""Sizes of text in points; a page that must hold everything takes the first at which it does."""
_FOREIGN = re.compile("[^\x00-\u058f\u2000-\u2bff]")
"""What the fonts that come with Typst may not have: they write Latin, Greek, Cyrillic and signs."""


def view_pdf(view: View) -> bytes:
    """Return a view, its notes and its provenance as PDF.

    Raises MissingExtra when Typst is not installed.
    """
    compiler, pictures = _typst(), Pictures()
    content = {**pdf_content(view, pictures), "version": __version__}
    fonts = {"ignore_system_fonts": not _FOREIGN.search(json.dumps(content, ensure_ascii=False))}

    def source(size: float) -> dict[str, bytes]:
        said = json.dumps({**content, "size": size}).encode()
        return {"main.typ": TEMPLATE.read_bytes(), "data.json": said} | pictures.files

    fitting = (size for size in SIZES if _pages(compiler, source(size), fonts) == 1)
    size = next(fitting, SIZES[-1]) if view.brief else SIZES[0]
    return compiler.compile(source(size), format="pdf", timestamp=0, **fonts)


def _pages(compiler: Any, source: Mapping[str, bytes], fonts: Mapping[str, bool]) -> int:
    """Return how many pages the text needs."""
    return json.loads(compiler.query(source, "<pages>", field="value", one=True, **fonts))


def _typst() -> Any:
    try:
        import typst
    except ImportError as error:
        raise MissingExtra.named("typst", "report") from error
    return typst

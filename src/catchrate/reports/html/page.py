"""One HTML file that needs nothing else: it opens from disk, is read without scripts and prints well."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from markupsafe import Markup

from catchrate.reports.document import document
from catchrate.reports.html.fragment import ENVIRONMENT, Anchors, blocks_html
from catchrate.reports.html.styles import NOTEBOOK_STYLE, PAGE_STYLE, digest_of
from catchrate.reports.view import Block, Figure, Grid, View

LONG = 4
"""So many headings make a table of contents useful."""


def page_html(view: View) -> str:
    """Return a view, its notes and its provenance as a whole page."""
    anchors, blocks = Anchors(), tuple(document(view))
    fragment = blocks_html(blocks, anchors)
    contents = [(name, heading.text) for name, heading in anchors.headings if heading.level == 2]
    return ENVIRONMENT.get_template("page.html").render(
        title=view.title,
        fragment=Markup(fragment),  # noqa: S704 - it comes from a template that escapes
        contents=contents if len(contents) >= LONG else (),
        glossary=dict(_glossary(blocks)),
        style=Markup(PAGE_STYLE),  # noqa: S704 - our own
        digest=digest_of(PAGE_STYLE),
    )


def notebook_fragment(view: View, prefix: str) -> str:
    """Return a view and its notes for a page that is not ours, with its style; `prefix` begins the ids there."""
    return ENVIRONMENT.get_template("notebook.html").render(
        title=view.title,
        fragment=Markup(blocks_html(document(view), Anchors(prefix))),  # noqa: S704 - it comes from a template that escapes
        style=Markup(NOTEBOOK_STYLE),  # noqa: S704 - our own
    )


def _glossary(blocks: Iterable[Block]) -> Iterator[tuple[str, str]]:
    """Yield what the columns of all tables say."""
    for block in blocks:
        grid = block.data if isinstance(block, Figure) else block
        if isinstance(grid, Grid):
            yield from ((column.name, column.help) for column in grid.columns if column.help)

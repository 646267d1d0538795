"""Foreign text - ids, run names, paths - made harmless for a terminal."""

from __future__ import annotations

import unicodedata

ELLIPSIS = "…"


def visible(text: str) -> str:
    r"""Return text on one line in which nothing is invisible and nothing steers a terminal.

    >>> print(visible("a\x1b[2Jb\u202ec"))
    a\x1b[2Jb\u202ec
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(char if _is_plain(char) else char.encode("unicode_escape").decode("ascii") for char in text)


def _is_plain(char: str) -> bool:
    return char == " " or unicodedata.category(char)[0] not in "CZ"


def width(text: str) -> int:
    """Return how many columns of a terminal the text takes."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)


def shortened(text: str, columns: int) -> str:
    """Return text that takes at most so many columns, cut with an ellipsis."""
    if width(text) <= columns:
        return text
    while width(text) > columns - 1:
        text = text[: max(len(text) - max(width(text) - columns, 1), 0)]
    return text + ELLIPSIS

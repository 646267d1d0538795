"""How much room foreign text - ids, run names, paths - takes on a terminal."""

from __future__ import annotations

ELLIPSIS = "…"


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

"""Rules of WCAG 2.2 AA that a machine can check, on the page as a browser draws it."""

from __future__ import annotations

from pathlib import Path

RULES = (Path(__file__).parent / "accessibility.js").read_text()


def faults(page) -> list[str]:
    """Return what breaks a rule, in words."""
    return [*page.evaluate(RULES), *_focus(page)]


def _focus(page) -> list[str]:
    """Walk through the first stops of the keyboard: each must show where it is."""
    unseen = []
    for _ in range(12):
        page.keyboard.press("Tab")
        stop = page.evaluate(
            """() => {
                const at = document.activeElement, style = getComputedStyle(at);
                const outlined = style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2;
                return outlined || at === document.body ? null : at.outerHTML.slice(0, 80);
            }"""
        )
        unseen += [f"focus is not visible: {stop}"] if stop else []
    return unseen

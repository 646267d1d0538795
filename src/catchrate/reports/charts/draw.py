"""Figures drawn: as specifications, as SVG that carries no meaning but shapes and text, as PNG."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from xml.etree import ElementTree

from catchrate.errors import MissingExtra, visible
from catchrate.reports.charts.bars import differences, distribution, loss_account, rank_positions, slices
from catchrate.reports.charts.curves import difference_band, precision_recall, recall_curve
from catchrate.reports.charts.data import runs_left_out
from catchrate.reports.charts.theme import CONFIG, PAPER, Spec
from catchrate.reports.escape import shortened
from catchrate.reports.view import Figure

VEGA_LITE = "6.1"
"""The version of the specifications, which is that of Altair."""
MAX_TEXT = 160
"""Characters of a title of a chart or an axis."""
SCALE = 2.0
"""Pixels a point in PNG."""
ELEMENTS = frozenset(("svg", "g", "path", "rect", "line", "text", "tspan"))
"""What our charts consist of. None of these loads, links or runs anything."""
DROPPED = ("class", "role", "aria-", "pointer-events", "{", "version", "xlink", "xmlns", "id")
"""Attributes, by their beginnings, that a chart within a page does not need."""
SVG = "http://www.w3.org/2000/svg"

DRAWN: dict[str, Callable[[Figure], Spec]] = {
    "difference_band": difference_band,
    "differences": differences,
    "distribution": distribution,
    "loss_account": loss_account,
    "precision_recall": precision_recall,
    "rank_positions": rank_positions,
    "recall_curve": recall_curve,
    "slices": slices,
}
"""The charts by the name that a figure gives."""


def can_be_drawn(figure: Figure) -> bool:
    """Tell whether there is a chart of that name, and anything to draw."""
    return figure.chart in DRAWN and bool(figure.data.rows)


def specification(figure: Figure, *, titled: bool = True) -> dict[str, Any]:
    """Return a figure as a Vega-Lite specification; without its title where the page around it says it."""
    left_out = runs_left_out(figure)
    spec: Spec = {
        "$schema": f"https://vega.github.io/schema/vega-lite/v{VEGA_LITE}.0.json",
        "description": figure.summary,
        "config": CONFIG if not titled else {**CONFIG, "background": PAPER, "padding": 16},
        **DRAWN[figure.chart](figure),
    }
    if titled:
        spec["title"] = {"text": figure.title}
    if left_out:
        note = f"The first runs; {left_out} more are in the table."
        spec["title"] = {"text": "", **spec.get("title", {}), "subtitle": note}
    return _shown(spec)


def _shown(part: Any) -> Any:
    """Return a specification whose text is visible and of sane length: the converter dies of a control character."""
    match part:
        case str():
            return shortened(visible(part[: 2 * MAX_TEXT]), MAX_TEXT)
        case dict():
            return {name: _shown(value) for name, value in part.items()}
        case list() | tuple():
            return [_shown(value) for value in part]
        case _:
            return part


def svg_of(figure: Figure, *, name: str = "") -> str:
    """Return a figure as SVG: the same bytes for the same figure.

    `name` is given where it becomes a part of a page: it begins the ids there, and the page says the title.
    """
    spec = specification(figure, titled=not name)
    svg = _converter().vegalite_to_svg(spec, vl_version=VEGA_LITE, allowed_base_urls=[])
    root = ElementTree.fromstring(svg)  # noqa: S314 - written by Vega a moment ago, from plain data
    _strip(root)
    root.attrib |= {"xmlns": SVG, "role": "img", "aria-labelledby": f"{name}-title {name}-desc"}
    for place, (what, text) in enumerate((("title", figure.title), ("desc", figure.summary))):
        said = ElementTree.Element(what, id=f"{name}-{what}")
        said.text = visible(text)
        root.insert(place, said)
    return ElementTree.tostring(root, encoding="unicode")


def png_of(figure: Figure) -> bytes:
    """Return a figure as PNG."""
    spec = specification(figure)
    return _converter().vegalite_to_png(spec, vl_version=VEGA_LITE, scale=SCALE, allowed_base_urls=[])


def _strip(root: ElementTree.Element) -> None:
    """Keep shapes and text alone; what a chart never holds is not let through either."""
    for element in root.iter():
        element.tag = element.tag.removeprefix(f"{{{SVG}}}")
        for name in [name for name in element.attrib if name.startswith(DROPPED)]:
            del element.attrib[name]
        for child in [child for child in element if child.tag.removeprefix(f"{{{SVG}}}") not in ELEMENTS]:
            element.remove(child)


def _converter() -> Any:
    try:
        import vl_convert
    except ImportError as error:
        raise MissingExtra.named("vl-convert-python", "report") from error
    return vl_convert

"""Colours, strokes and shapes: runs differ by all three, so that a chart is read in grey, too."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

Spec = dict[str, Any]

FONT = "Liberation Sans, Arial, Helvetica, sans-serif"
"""Bundled with vl-convert; the others are as wide, so that a browser without it breaks no line."""
INK, SOFT, LINE, PAPER = "#1b1f23", "#56606b", "#dfe2e6", "#ffffff"
GOOD, BAD = "#17683a", "#b3261e"
SERIES = ("#0f766e", "#b45309", "#4338ca", "#be185d", "#4d7c0f", "#475569")
DASHES = ([1, 0], [6, 3], [2, 2], [9, 3, 2, 3], [12, 3], [4, 2, 1, 2])
SHAPES = ("circle", "square", "triangle-up", "diamond", "cross", "triangle-down")
PARTS = ("#0f766f", "#d9e1e8", "#dc9a3c", "#8a3324", "#7b8794")
"""Shares of a whole: neighbours differ in lightness. They stay as they are on dark paper."""

NAMED: Mapping[str, str] = {
    INK: "--ink",
    SOFT: "--soft",
    LINE: "--line",
    PAPER: "--card",
    GOOD: "--good",
    BAD: "--bad",
}
"""Which colour of the page stands for one of the chart."""
ON_DARK: Mapping[str, str] = dict(
    zip(SERIES, ("#5fc9bb", "#f2ae5c", "#a5b0fb", "#f59ac4", "#b5d96b", "#b9c4d0"), strict=True)
)
"""What the colours of runs become where the page is dark."""

CONFIG: Spec = {
    "aria": False,
    "font": FONT,
    "background": None,
    "padding": 4,
    "view": {"stroke": None},
    "title": {
        "anchor": "start",
        "color": INK,
        "fontSize": 15,
        "subtitleColor": SOFT,
        "subtitleFontSize": 12,
        "offset": 12,
    },
    "axis": {
        "labelColor": SOFT,
        "titleColor": SOFT,
        "gridColor": LINE,
        "tickColor": LINE,
        "domain": False,
        "labelFontSize": 12,
        "titleFontSize": 12,
        "titleFontWeight": "normal",
        "titlePadding": 8,
        "labelLimit": 220,
    },
    "legend": {
        "orient": "top",
        "direction": "horizontal",
        "title": None,
        "labelColor": INK,
        "labelFontSize": 12,
        "labelLimit": 220,
        "symbolSize": 110,
        "symbolStrokeWidth": 2.5,
        "columns": 3,
        "offset": 20,
    },
    "header": {"labelColor": INK, "labelFontSize": 12, "title": None, "labelAnchor": "start", "labelOrient": "top"},
}

"""Charts: a figure of a view as a Vega-Lite specification, and that as SVG, as PNG or as an Altair object.

A specification is plain data. It names its columns itself and holds foreign text only as values and titles, which Vega
never reads as expressions. Drawing needs no network and no font that is not bundled.
"""

from catchrate.reports.charts.draw import can_be_drawn, png_of, specification, svg_of
from catchrate.reports.charts.offer import chart, figure_of

__all__ = ["can_be_drawn", "chart", "figure_of", "png_of", "specification", "svg_of"]

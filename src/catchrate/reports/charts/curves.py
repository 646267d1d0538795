"""Charts of lines over cut-offs: what is found, the difference of two runs, precision against recall."""

from __future__ import annotations

from typing import Any

from catchrate.reports.charts.data import Rows, column_of, format_of, measure_of, rows_of, runs_of
from catchrate.reports.charts.theme import DASHES, FONT, INK, SERIES, SHAPES, SOFT, Spec
from catchrate.reports.values import value_text
from catchrate.reports.view import Figure

WIDTH, HEIGHT = 620, 300
FEW_POINTS = 15
"""Up to so many points of a line are marked one by one."""
CUT_OFFS = tuple(step * 10**power for power in range(7) for step in (1, 2, 5))


def recall_curve(figure: Figure) -> Spec:
    """Return a measure by cut-off with its band, a line for each run."""
    name = measure_of(figure)
    rows = rows_of(figure, x="cut-off", y=name)
    kind = column_of(figure, name).kind
    y = {"title": name, "format": format_of(kind), "scale": {"domain": [0, max(1, *(row["y"] for row in rows))]}}
    k, target = figure.options.get("k"), figure.options.get("target")
    marks = [*([upright(k, f"k = {k}")] if k else [])]
    marks += [_across(target, f"target {value_text(target, kind)}")] if target is not None else []
    return _lines(rows, _x_of_cut_offs(rows), y, marks)


def difference_band(figure: Figure) -> Spec:
    """Return the difference of two runs by cut-off with its band; where the band leaves out zero, it is sure."""
    rows = rows_of(figure, x="cut-off", y="difference")
    y = {"title": "difference", "format": "+.2f", "scale": {"zero": True, "nice": True}}
    return _lines(rows, _x_of_cut_offs(rows), y, [_across(0, "no difference")])


def precision_recall(figure: Figure) -> Spec:
    """Return precision against recall, a line for each run; each point is a cut-off."""
    rows = rows_of(figure, x="recall", y="precision", k="cut-off")
    x = {"title": "recall", "format": format_of(column_of(figure, "recall").kind), "scale": {"domain": [0, 1]}}
    y = {"title": "precision", "format": format_of(column_of(figure, "precision").kind), "scale": {"domain": [0, 1]}}
    named = [row for row in rows if row["run"] == rows[0]["run"] and row["k"] in CUT_OFFS]
    return _lines(rows, x, y, [_named_points(named)])


def run_scales(runs: list[str], *, points: bool) -> Spec:
    """Return colour, stroke and shape of the runs; a legend says which is which where there are several."""
    symbols: Spec = {"symbolStrokeWidth": 0} if points else {"symbolType": "stroke", "symbolSize": 500}
    legend = symbols if len(runs) > 1 else None

    def channel(values: tuple[Any, ...]) -> Spec:
        scale = {"domain": runs, "range": list(values[: len(runs)])}
        return {"field": "run", "type": "nominal", "scale": scale, "legend": legend}

    return {"color": channel(SERIES), "strokeDash": channel(DASHES), "shape": channel(SHAPES)}


def _lines(rows: Rows, x: Spec, y: Spec, marks: list[Spec]) -> Spec:
    """Return lines with bands, under what marks the place to look at."""
    place = {"x": _axis("x", x), "y": _axis("y", y)}
    runs = runs_of(rows)
    points = max(sum(row["run"] == run for row in rows) for run in runs) <= FEW_POINTS
    scales = run_scales(runs, points=points)
    order = {"field": "k" if "k" in rows[0] else "x", "type": "quantitative"}
    layers = [_band(run, colour, place) for run, colour in zip(runs, SERIES, strict=False)]
    line = {"type": "line", "strokeWidth": 2.5, "strokeCap": "butt"}
    strokes = {"order": order, "color": scales["color"], "strokeDash": scales["strokeDash"]}
    layers.append({"mark": line, "encoding": {**place, **strokes}})
    if points:
        dots = {"type": "point", "filled": True, "size": 60, "opacity": 1}
        layers.append({"mark": dots, "encoding": {**place, "color": scales["color"], "shape": scales["shape"]}})
    return {"width": WIDTH, "height": HEIGHT, "data": {"values": rows}, "layer": [*marks, *layers]}


def _band(run: str, colour: str, place: Spec) -> Spec:
    """Return the band of a run; it has no scale of its own, which would spoil the legend of the lines."""
    known: list[Spec] = [{"filter": {"field": "run", "equal": run}}, {"filter": "isValid(datum.low)"}]
    ends = {"x": place["x"], "y": {**place["y"], "field": "low"}, "y2": {"field": "high"}}
    return {"transform": known, "mark": {"type": "area", "color": colour, "opacity": 0.13}, "encoding": ends}


def _axis(field: str, said: Spec) -> Spec:
    axis = {"format": said["format"], "grid": True, **said.get("axis", {"tickCount": 6})}
    return {"field": field, "type": "quantitative", "title": said["title"], "axis": axis, "scale": said["scale"]}


def _x_of_cut_offs(rows: Rows) -> Spec:
    """Return the axis of cut-offs: by their logarithm, since each step costs more than the last."""
    first, last = min(row["x"] for row in rows), max(row["x"] for row in rows)
    ticks = [k for k in CUT_OFFS if first <= k <= last] or [first]
    scale = {"type": "log", "domain": [first, max(last, first + 1)], "nice": False}
    return {
        "title": "cut-off k",
        "format": ",d",
        "scale": scale,
        "axis": {"values": ticks, "grid": False, "labelOverlap": False},
    }


def upright(x: float, text: str) -> Spec:
    """Return a broken line from top to bottom with its name."""
    return _marked({"x": {"datum": x}}, text, {"align": "center", "y": -5, "baseline": "bottom"})


def _across(y: float, text: str) -> Spec:
    return _marked({"y": {"datum": y}}, text, {"align": "left", "dy": -6, "x": 4, "baseline": "bottom"})


def _marked(place: Spec, text: str, at: Spec) -> Spec:
    """Return a broken line across the chart with its name."""
    rule = {"mark": {"type": "rule", "color": SOFT, "strokeDash": [4, 4]}, "encoding": place}
    words = {"mark": {"type": "text", "color": SOFT, "font": FONT, "fontSize": 12, **at}}
    return {"data": {"values": [{}]}, "layer": [rule, {**words, "encoding": {**place, "text": {"value": text}}}]}


def _named_points(rows: Rows) -> Spec:
    mark = {
        "type": "text",
        "align": "left",
        "dx": 6,
        "dy": -8,
        "color": INK,
        "fontSize": 11,
        "text": {"expr": "'@' + datum.k"},
    }
    encoding = {"x": {"field": "x", "type": "quantitative"}, "y": {"field": "y", "type": "quantitative"}}
    return {"data": {"values": rows}, "mark": mark, "encoding": encoding}

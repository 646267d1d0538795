"""Charts of bars: how queries are spread, who wins where, where documents are lost, how slices differ."""

from __future__ import annotations

from catchrate.reports.charts.curves import WIDTH, upright
from catchrate.reports.charts.data import Rows, column_of, format_of, measure_of, rows_of, runs_of
from catchrate.reports.charts.theme import BAD, GOOD, INK, PAPER, PARTS, SERIES, SOFT, Spec
from catchrate.reports.values import value_text
from catchrate.reports.view import Figure

MAX_BARS = 310
"""More bars would be thinner than two points each."""
NAMED_BARS = 30
"""So many bars can have their names written under them."""

WRITTEN_SHARE = 0.08
"""A part that is smaller has no room for its number."""


def distribution(figure: Figure) -> Spec:
    """Return how many queries have which value, the runs below each other."""
    rows = rows_of(figure, start="from", end="to", y="queries")
    x = {"field": "start", "type": "quantitative", "bin": {"binned": True}, "title": figure.options.get("measure", "")}
    encoding: Spec = {
        "x": {**x, "axis": {"format": ".1f", "tickCount": 10, "grid": False}},
        "x2": {"field": "end"},
        "y": {"field": "y", "type": "quantitative", "title": "queries", "axis": {"format": ",d", "tickCount": 4}},
    }
    return _by_run(rows, {"type": "bar", "color": SERIES[0], "binSpacing": 2}, encoding)


def differences(figure: Figure) -> Spec:
    """Return a bar for each query, from the largest gain to the largest loss; many queries are thinned out evenly."""
    rows = rows_of(figure, query="query", y="difference")
    rows.sort(key=lambda row: -row["y"])
    rows = [rows[len(rows) * i // MAX_BARS] for i in range(MAX_BARS)] if len(rows) > MAX_BARS else rows
    named = len(rows) <= NAMED_BARS
    axis: Spec = {"labelAngle": -90, "ticks": False, "grid": False, "labels": named}
    x = {"field": "query", "type": "nominal", "sort": None, "title": None if named else "queries", "axis": axis}
    sign = {"condition": {"test": "datum.y >= 0", "value": GOOD}, "value": BAD}
    y = {"field": "y", "type": "quantitative", "title": "difference", "axis": {"format": "+.2f", "tickCount": 6}}
    bars = {"mark": {"type": "bar"}, "encoding": {"x": x, "y": y, "color": sign}}
    zero = {"mark": {"type": "rule", "color": SOFT}, "encoding": {"y": {"datum": 0}}}
    return {"width": WIDTH, "height": 240, "data": {"values": rows}, "layer": [bars, zero]}


def loss_account(figure: Figure) -> Spec:
    """Return where the relevant documents are, as one bar a run whose parts add up to all of them."""
    rows = rows_of(figure, part="part", y="share")
    parts = list(dict.fromkeys(row["part"] for row in rows))
    for row in rows:
        wide = row["y"] >= WRITTEN_SHARE
        row |= {"place": parts.index(row["part"]), "text": value_text(row["y"], "share") if wide else ""}
    several = len(runs_of(rows)) > 1
    colour = {"domain": parts, "range": [PARTS[i % len(PARTS)] for i in range(len(parts))]}
    axis = {"format": ".0%", "tickCount": 6}
    share = {"field": "y", "type": "quantitative", "stack": "zero", "title": "share of the relevant documents"}
    order = {"field": "place", "type": "quantitative"}
    run: Spec = {
        "field": "run",
        "type": "nominal",
        "sort": None,
        "title": None,
        "axis": {"ticks": False, "labels": several},
    }
    bars = {
        "mark": {"type": "bar", "stroke": PAPER, "strokeWidth": 2, "height": {"band": 0.5}},
        "encoding": {
            "x": {**share, "axis": {**axis, "grid": False}, "scale": {"domain": [0, 1]}},
            "y": run,
            "order": order,
            "color": {"field": "part", "type": "nominal", "scale": colour, "legend": {"symbolType": "square"}},
        },
    }
    words = {"type": "text", "fontSize": 11, "dy": 23, "color": INK}
    place = {"x": {**share, "bandPosition": 0.5}, "y": run, "order": order, "detail": {"field": "part"}}
    texts = {"mark": words, "encoding": {**place, "text": {"field": "text"}}}
    return {"width": WIDTH, "height": {"step": 56}, "data": {"values": rows}, "layer": [bars, texts]}


def slices(figure: Figure) -> Spec:
    """Return the measure of each slice with its interval, beside that of all queries."""
    name = measure_of(figure)
    kind = column_of(figure, name).kind
    rows = rows_of(figure, slice="slice", y=name, n="queries")
    for row in rows:
        row["label"] = f"{row['slice']}  (n = {row['n']:,})"
    y = {
        "field": "label",
        "type": "nominal",
        "sort": None,
        "title": None,
        "axis": {"ticks": False, "grid": False, "labelColor": INK},
    }
    value = {"type": "quantitative", "title": name, "axis": {"format": format_of(kind), "tickCount": 6}}
    value["scale"] = {"domain": [0, max(1, *(row["high"] or row["y"] for row in rows))]}
    layers: list[Spec] = [
        {
            "transform": [{"filter": "isValid(datum.low)"}],
            "mark": {"type": "rule", "strokeWidth": 2, "color": SERIES[0]},
            "encoding": {"y": y, "x": {"field": "low", **value}, "x2": {"field": "high"}},
        },
        {
            "mark": {"type": "point", "filled": True, "size": 80, "opacity": 1, "color": SERIES[0]},
            "encoding": {"y": y, "x": {"field": "y", **value}},
        },
    ]
    overall = figure.options.get("overall")
    if overall is not None:
        layers.insert(0, upright(overall, "all queries"))
    return {"width": WIDTH - 120, "height": {"step": 30}, "data": {"values": rows}, "layer": layers}


def rank_positions(figure: Figure) -> Spec:
    """Return at which ranks the relevant documents stand, the runs below each other."""
    rows = rows_of(figure, bin="ranks", y="documents")
    x: Spec = {
        "field": "bin",
        "type": "nominal",
        "sort": None,
        "title": "rank",
        "axis": {"labelAngle": 0, "ticks": False},
    }
    y = {"field": "y", "type": "quantitative", "title": "documents", "axis": {"format": ",d", "tickCount": 4}}
    return _by_run(rows, {"type": "bar", "color": SERIES[0]}, {"x": x, "y": y})


def _by_run(rows: Rows, mark: Spec, encoding: Spec) -> Spec:
    """Return bars; those of several runs stand below each other, on the same axes."""
    runs = runs_of(rows)
    several = len(runs) > 1
    run = {"field": "run", "type": "nominal", "sort": runs, "spacing": 16}
    encoding = encoding | ({"row": run} if several else {})
    spec = {"mark": mark, "encoding": encoding, "height": 110 if several else 220}
    return {"width": WIDTH, "data": {"values": rows}, **spec}

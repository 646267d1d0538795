"""Charts as a parser, as Altair and as a grey eye see them."""

from __future__ import annotations

import itertools
import os
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import altair
import pytest

import catchrate
from catchrate.errors import MissingExtra, UsageError, visible
from catchrate.reports.charts import can_be_drawn, png_of, specification, svg_of
from catchrate.reports.charts.bars import MAX_BARS
from catchrate.reports.charts.data import MAX_LABEL, labels_of
from catchrate.reports.charts.draw import DRAWN, SVG
from catchrate.reports.charts.theme import DASHES, ON_DARK, PAPER, PARTS, SERIES, SHAPES
from catchrate.reports.html import BLOCKS_STYLE
from catchrate.reports.view import View
from figures import curve, differences, figure, figures
from hostile_texts import HOSTILE

ELEMENTS = {"svg", "g", "path", "rect", "line", "text", "title", "desc"}
ATTRIBUTES = {
    *("d", "fill", "stroke", "stroke-width", "stroke-dasharray", "stroke-miterlimit", "opacity", "transform", "x", "y"),
    *("x2", "y2", "width", "height", "viewBox", "font-family", "font-size", "font-weight", "text-anchor", "role"),
    *("aria-labelledby", "id", "stroke-linecap", "fill-opacity", "stroke-opacity", "display", "visibility"),
}


def elements(svg: str) -> list[ElementTree.Element]:
    return list(ElementTree.fromstring(svg).iter())


def bare(element: ElementTree.Element) -> str:
    return element.tag.removeprefix(f"{{{SVG}}}")


def lightness(colour: str) -> float:
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_there_is_a_figure_for_each_chart():
    assert {one.chart for one in figures()} == set(DRAWN)


@pytest.mark.parametrize("one", figures(), ids=lambda one: one.chart)
def test_altair_reads_every_specification(one):
    chart = altair.Chart.from_dict(specification(one))
    assert chart.to_dict()["title"]["text"] == "Title x"


@pytest.mark.parametrize("hostile", HOSTILE)
def test_a_chart_consists_of_shapes_and_text_whatever_ids_hold(hostile):
    for one in figures(hostile):
        svg = svg_of(one, name="chart")
        found = elements(svg)
        assert {bare(element) for element in found} <= ELEMENTS, one.chart
        assert {name for element in found for name in element.attrib} <= ATTRIBUTES, one.chart
        assert {e.get("id") for e in found if "id" in e.attrib} == {"chart-title", "chart-desc"}
        assert "url(" not in "".join(value for element in found for value in element.attrib.values())
        title, desc = (next(e.text for e in found if bare(e) == what) for what in ("title", "desc"))
        assert (title, desc) == (visible(f"Title {hostile}"), visible(f"Summary {hostile}"))


@pytest.mark.parametrize("name", ["<b>", "a&b", "[x] 'y'", "datum.x", "日本"])
def test_runs_are_named_as_they_are(name):
    texts = [element.text for element in elements(svg_of(curve([name, "other"]))) if bare(element) == "text"]
    assert {name, "other"} <= set(texts)


def test_the_same_figure_gives_the_same_bytes_in_any_process():
    code = "import sys; from figures import figures; from catchrate.reports.charts import *; "
    code += "sys.stdout.write(''.join(map(svg_of, figures())))"
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(__file__).parents[1],
        env={**os.environ, "PYTHONHASHSEED": "7"},
    )
    assert done.stdout == "".join(map(svg_of, figures()))


def test_png_is_a_picture_of_the_same():
    assert png_of(curve(["a"])).startswith(b"\x89PNG\r\n")


def test_runs_differ_by_more_than_colour():
    assert len(set(SERIES)) == len(set(map(tuple, DASHES))) == len(set(SHAPES)) == len(SERIES)
    shapes = {element.get("d") for element in elements(svg_of(curve(["a", "b", "c"]))) if bare(element) == "path"}
    dashes = {e.get("stroke-dasharray") for e in elements(svg_of(curve(["a", "b", "c"], cut_offs=range(1, 99))))}
    assert len(shapes) > 6
    assert len(dashes) >= 3


def test_parts_of_a_whole_can_be_told_apart_in_grey():
    assert all(abs(lightness(a) - lightness(b)) > 40 for a, b in itertools.pairwise(PARTS))


def test_no_colour_of_a_part_is_recoloured_by_a_page():
    assert not set(PARTS) & {*ON_DARK, *SERIES, PAPER}
    assert all(f'[fill="{colour}"]' in BLOCKS_STYLE for colour in (*SERIES, PAPER))


def test_labels_are_short_and_different_texts_stay_different():
    long = "x" * 100
    labels = labels_of([f"{long}1", f"{long}2", "a\u202e", "a\\u202e", 3])
    assert len(set(labels.values())) == 5
    assert all(len(str(label)) <= MAX_LABEL + 4 for label in labels.values())


def test_runs_that_are_too_many_to_tell_apart_are_left_to_the_table():
    spec = specification(curve([f"run {i}" for i in range(9)]))
    assert spec["title"]["subtitle"] == "The first runs; 3 more are in the table."
    assert {row["run"] for row in spec["data"]["values"]} == {f"run {i}" for i in range(6)}
    assert "subtitle" not in specification(curve(["a", "b"]))["title"]


def test_very_many_bars_are_thinned_out_evenly():
    shown = [row["y"] for row in specification(differences(10_000))["data"]["values"]]
    assert len(shown) == MAX_BARS
    assert shown == sorted(shown, reverse=True)
    assert sum(value > 0 for value in shown) == MAX_BARS // 2


@pytest.mark.parametrize("one", [curve([]), figure("unknown", (("a", "text"),), [("b",)], "")])
def test_what_cannot_be_drawn_is_left_to_its_table(one):
    assert not can_be_drawn(one)


def test_a_chart_of_a_result_is_an_altair_object():
    found = catchrate.calculator(queries=40, relevant=120, k=10, found=83, hits=34, cutoffs="5, 10", found_at="60, 83")
    chart = catchrate.chart(found, "recall_curve")
    assert isinstance(chart, altair.LayerChart)
    assert chart.properties(width=99).to_dict()["width"] == 99
    assert catchrate.chart(found).to_dict() == chart.to_dict()


@pytest.mark.parametrize("view", [View(title="", blocks=tuple(figures())), View(title="", blocks=())])
def test_a_chart_that_is_not_there_is_a_wrong_call(view):
    with pytest.raises(UsageError, match="E341"):
        catchrate.chart(view, "recall_curves")


@pytest.mark.parametrize(
    ("library", "draw"), [("altair", catchrate.chart), ("vl_convert", lambda view: svg_of(*view.blocks))]
)
def test_without_a_library_one_line_says_what_to_install(monkeypatch, library, draw):
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(MissingExtra, match=r"pip install 'catchrate\[report\]'"):
        draw(View(title="", blocks=(curve(["a"]),)))

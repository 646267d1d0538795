"""HTML as a parser and as a browser see it: no foreign element, whatever ids and texts hold."""

from __future__ import annotations

import base64
import hashlib
import re
import subprocess
import sys
from pathlib import Path

import html5lib
import pytest

import catchrate
from accessibility import faults
from catchrate.errors import Finding, visible
from catchrate.limits import MAX_CELL_CHARS, MAX_HTML_ROWS
from catchrate.reports.html import blocks_html
from catchrate.reports.html.fragment import Anchors
from catchrate.reports.render import render
from catchrate.reports.view import Bullets, Cell, Column, Figure, Grid, Heading, Text, View
from figures import figures
from hostile_texts import HOSTILE, view_of_texts

OURS = {
    *(
        "html",
        "head",
        "meta",
        "title",
        "style",
        "body",
        "header",
        "nav",
        "main",
        "footer",
        "div",
        "p",
        "h1",
        "h2",
        "h3",
    ),
    *("ul", "li", "a", "span", "strong", "table", "caption", "thead", "tbody", "tr", "th", "td"),
    *("figure", "figcaption", "details", "summary", "dl", "dt", "dd"),
}
DRAWN = {"svg", "g", "path", "rect", "line", "text", "title", "desc"}
"""What a chart consists of; its attributes are held by test_charts.py."""
ATTRIBUTES = {
    *("lang", "charset", "http-equiv", "content", "name", "class", "id", "href", "aria-label", "aria-labelledby"),
    *("aria-hidden", "role", "tabindex", "scope", "title", "open"),
}


def parsed(page: str):
    return html5lib.parse(page, namespaceHTMLElements=False)


def texts(tree, tag: str) -> list[str]:
    return ["".join(element.itertext()) for element in tree.iter(tag)]


@pytest.mark.parametrize("hostile", HOSTILE)
def test_no_foreign_element_and_no_foreign_attribute(hostile):
    tree = parsed(render(view_of_texts(hostile), "html"))
    charts = [element for element in tree.iter() if element.tag == "{http://www.w3.org/2000/svg}svg"]
    drawn = {element for chart in charts for element in chart.iter()}
    assert {element.tag.rpartition("}")[2] for element in drawn} <= DRAWN
    assert {element.tag for element in tree.iter() if element not in drawn} <= OURS
    attributes = [pair for element in tree.iter() if element not in drawn for pair in element.attrib.items()]
    assert {name for name, _ in attributes} <= ATTRIBUTES
    assert all(value.startswith("#") for name, value in attributes if name == "href")


@pytest.mark.parametrize("hostile", HOSTILE)
def test_foreign_text_is_read_back_as_text(hostile):
    tree = parsed(render(view_of_texts(hostile), "html"))
    said = visible(hostile)
    said = f"{said[:MAX_CELL_CHARS]}…" if len(said) > MAX_CELL_CHARS else said
    for tag in ("title", "h1", "h2", "p", "li", "figcaption", "caption", "th", "td", "dt", "dd"):
        assert any(said in text for text in texts(tree, tag)), tag


def test_the_policy_allows_our_style_and_nothing_else():
    tree = parsed(render(view_of_texts("x"), "html"))
    (policy,) = (e.get("content") for e in tree.iter("meta") if e.get("http-equiv") == "Content-Security-Policy")
    (style,) = texts(tree, "style")
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    assert policy == f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    assert not re.search(r"url\(|@import|</", style)


def test_the_same_view_gives_the_same_bytes():
    assert render(view_of_texts("a"), "html") == render(view_of_texts("a"), "html")


def test_a_cell_shows_its_value_its_interval_and_its_mark_as_sign_and_word():
    grid = Grid(
        name="g",
        columns=(Column(name="run", kind="id"), Column(name="rr", kind="score")),
        rows=(
            (Cell("a"), Cell(0.5, 0.25, 0.75, "best")),
            (Cell("b"), Cell(0.25, mark="worse")),
            (Cell("c"), Cell(reason="too few queries")),
        ),
    )
    tree = parsed(blocks_html((grid,)))
    assert texts(tree, "td") == ["0.5000 * best [0.2500, 0.7500]", "0.2500 ▼ worse", "–"]
    assert texts(tree, "strong") == ["0.5000"]
    assert texts(tree, "p") == ["* best ▼ worse", "– too few queries"]
    assert [cell.get("scope") for cell in tree.iter("th")] == ["col", "col", "row", "row", "row"]


def rows(count: int) -> Grid:
    return Grid(name="g", columns=(Column(name="n", kind="count"),), rows=tuple((Cell(i),) for i in range(count)))


@pytest.mark.parametrize(("count", "tables"), [(3, [3]), (45, [45]), (46, [30, 16]), (501, [30, 470])])
def test_a_long_table_is_folded_and_one_without_end_is_cut(count, tables):
    tree = parsed(blocks_html((rows(count),)))
    assert [len(list(body)) for body in tree.iter("tbody")] == tables
    assert len(list(tree.iter("details"))) == len(tables) - 1
    left = count - sum(tables)
    assert (f"… and {left:,} more, which are left to the full data." in texts(tree, "p")) == bool(left)
    assert sum(tables) <= MAX_HTML_ROWS


def test_a_table_shows_as_many_rows_as_its_view_says():
    tree = parsed(blocks_html((Grid(name="g", columns=(Column(name="n"),), rows=rows(9).rows, shown=4),)))
    assert [len(list(body)) for body in tree.iter("tbody")] == [4, 5]


def test_anchors_are_plain_and_stand_once_also_over_several_fragments():
    anchors = Anchors()
    page = "".join(
        blocks_html((Heading(text="A <b>"), Heading(text="A <b>"), Heading(text="日本")), anchors) for _ in "12"
    )
    assert re.findall(r'id="([^"]*)"', page) == ["a-b", "a-b-2", "part", "a-b-3", "a-b-4", "part-2"]


def test_contents_lead_to_the_headings():
    view = View(title="T", blocks=tuple(Heading(text=f"Part {i}") for i in range(4)))
    tree = parsed(render(view, "html"))
    ids = {element.get("id") for element in tree.iter()}
    assert [link.get("href") for link in tree.iter("a")] == [f"#part-{i}" for i in range(4)]
    assert all(link.get("href")[1:] in ids for link in tree.iter("a"))


GRID = Grid(
    name="runs",
    caption="What was found.",
    columns=(
        Column(name="run", kind="id"),
        *(Column(name=f"measure@{i}", kind="score", help="Help.") for i in range(9)),
    ),
    rows=tuple(
        (Cell(f"run {i}"), *[Cell(0.5, 0.4, 0.6, mark)] * 9) for i, mark in enumerate(("best", "worse", "unsure"))
    ),
)
VIEW = View(
    title="Evaluation",
    blocks=(
        Text(text="dense is better.", style="verdict", mark="better"),
        Text(text="bm25 is worse.", style="verdict", mark="worse"),
        Text(text="Cannot tell.", style="verdict", mark="unsure"),
        *(Heading(text=f"Part {i}") for i in range(4)),
        Text(text="Do it.", style="advice"),
        Text(text="By the way.", style="quiet"),
        GRID,
        rows(60),
        Figure(chart="none", title="It rises.", summary="From 0 to 1.", data=rows(3)),
        *figures("a run"),
        Bullets(items=("one", "two")),
    ),
    notes=(Finding(code="N225", message="2 queries are missing"),),
    provenance={"catchrate": "1.0", "digest": "sha256:" + "40209cfdbe41c3970d2241eb01b20cdb" * 2},
)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 360])
def test_everyone_can_read_it_on_every_screen(tab, tmp_path, width, scheme):
    (tmp_path / "report.html").write_text(render(VIEW, "html"), "utf-8")
    page = tab(width, color_scheme=scheme)
    page.goto(f"file://{tmp_path}/report.html")
    assert faults(page) == []
    assert page.evaluate("document.styleSheets[0].cssRules.length") > 20


def test_without_its_library_one_line_says_what_to_install():
    code = "import sys; sys.modules['jinja2'] = None; from catchrate.cli import main; sys.exit(main(sys.argv[1:]))"
    demo = Path(__file__).resolve().parents[2] / "src" / "catchrate" / "demo"
    command = [sys.executable, "-c", code, "evaluate", str(demo), str(demo / "runs" / "bm25.trec"), "-o", "x.html"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 2
    assert "E502 jinja2 is not installed - pip install 'catchrate[report]'" in done.stderr


def test_the_usual_results_of_a_report_fit_a_usual_window(tab, tmp_path):
    demo = Path(catchrate.__file__).with_name("demo")
    runs = {name: demo / f"runs/{name}.trec" for name in ("bm25", "dense")}
    catchrate.report(catchrate.evaluate(demo, runs=runs), tmp_path / "report.html")
    page = tab(1280)
    page.goto(f"file://{tmp_path}/report.html")
    hidden = page.locator(".table").first.evaluate("table => table.scrollWidth - table.clientWidth")
    assert hidden == 0

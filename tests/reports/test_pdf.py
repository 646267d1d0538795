"""PDF as a reader takes it apart: text, shapes and nothing that acts, whatever ids and texts hold."""

from __future__ import annotations

import io
import itertools
import re
import sys
from collections.abc import Iterator

import pytest
from pypdf import PdfReader
from pypdf.generic import DictionaryObject

from catchrate.calculation import EXAMPLE, Totals, calculate, read_totals
from catchrate.errors import MissingExtra, visible
from catchrate.reports.render import render
from catchrate.reports.view import Bullets, Cell, Column, Grid, Heading, Text, View
from catchrate.reports.views.calculator import calculator_view
from figures import curve
from hostile_texts import HOSTILE, view_of_texts

ACTING = {"/Annots", "/AA", "/OpenAction", "/AcroForm", "/EmbeddedFiles", "/AF", "/URI", "/JS", "/JavaScript"}
ACTIONS = {"/URI", "/JavaScript", "/Launch", "/GoTo", "/GoToR", "/GoToE", "/SubmitForm", "/ImportData", "/Named"}
NOT_IN_FONTS = ("🦜", "＝", "مرحبا", "日本語")


def read(view: View) -> PdfReader:
    return PdfReader(io.BytesIO(render(view, "pdf")))


def text_of(reader: PdfReader) -> str:
    return re.sub(r"\s", "", "".join(page.extract_text() for page in reader.pages).replace("\u200b", ""))


def entries_of(reader: PdfReader) -> Iterator[tuple[str, object]]:
    """Yield all entries of all dictionaries of a file."""
    left: list[object] = [reader.get_object(number) for number in range(1, len(reader.xref[0]) + 1)]
    while left:
        one = left.pop()
        if isinstance(one, DictionaryObject):
            yield from one.items()
            left += one.values()
        elif isinstance(one, list):
            left += one


@pytest.mark.parametrize("hostile", HOSTILE)
def test_foreign_text_is_text_and_nothing_acts(hostile):
    reader = read(view_of_texts(hostile))
    entries = list(entries_of(reader))
    assert ("/Type", "/Catalog") in entries
    assert not {key for key, _ in entries} & ACTING
    assert not {str(value) for key, value in entries if key == "/S"} & ACTIONS
    if not any(piece in hostile for piece in NOT_IN_FONTS):
        assert re.sub(r"\s", "", visible(hostile)[:500]) in text_of(reader)


def test_a_glyph_that_no_font_has_is_a_visible_box():
    here, empty = (len(render(View(title="t", blocks=(Text(text=text),)), "pdf")) for text in ("\U0001f9a1\ue000", ""))
    assert here > empty


def test_the_same_view_gives_the_same_bytes():
    view = View(title="t", blocks=(curve(["a", "b"]), Text(text="x")), provenance={"catchrate": "1"})
    assert render(view, "pdf") == render(view, "pdf")
    assert b"CreationDate" not in render(view, "pdf")


GRID = Grid(
    name="g",
    caption="Caption",
    columns=(Column(name="run", kind="id"), Column(name="rr", kind="score")),
    rows=((Cell("a"), Cell(0.5, 0.25, 0.75, "best", raised="b")), (Cell("b"), Cell(reason="too few"))),
)


def test_a_document_holds_blocks_notes_provenance_numbers_of_charts_and_pages():
    view = View(
        title="A title",
        blocks=(
            Heading(text="A heading"),
            Text(text="It is so.", style="verdict", mark="better"),
            Text(text="Do it.", style="advice"),
            Bullets(items=("one", "two")),
            GRID,
            curve(["a", "b"]),
        ),
        provenance={"catchrate": "9.9"},
    )
    reader = read(view)
    text = " ".join(" ".join(page.extract_text() for page in reader.pages).split())
    for said in ("A title", "A heading", "▲ It is so.", "Do it.", "Caption", "0.5000", "[0.2500, 0.7500]", "* best"):
        assert said in text
    for said in ("– too few", "Summary", "k = 10", "The numbers behind the charts", "9.9", f"1 / {len(reader.pages)}"):
        assert said in text
    assert reader.metadata.title == "A title"


def test_long_tables_are_cut_and_say_so():
    rows = tuple((Cell(f"q{i}"), Cell(i / 99)) for i in range(99))
    text = read(View(title="t", blocks=(Grid(name="g", columns=GRID.columns, rows=rows),))).pages[0].extract_text()
    assert "q29" in text
    assert "q30" not in text
    assert "and 69 more" in text


def test_a_brief_view_takes_one_page():
    blocks = (*(Text(text="Some words about what was found. " * 12),) * 9, curve(["a", "b"]), GRID, GRID)
    assert len(read(View(title="t", blocks=blocks)).pages) > 1
    brief = read(View(title="t", blocks=blocks, brief=True))
    assert len(brief.pages) == 1
    assert "The numbers behind" not in brief.pages[0].extract_text()


def test_a_wide_table_has_its_rows_as_columns():
    columns = (Column(name="run", kind="id"), *(Column(name=f"precision@{i}", kind="score") for i in range(12)))
    wide = Grid(name="g", columns=columns, rows=tuple((Cell(run), *[Cell(0.5, 0.4, 0.6)] * 12) for run in "ab"))
    lines = read(View(title="t", blocks=(wide,))).pages[0].extract_text().splitlines()
    assert [line.split()[0] for line in lines if line.startswith("precision")] == [f"precision@{i}" for i in range(12)]


def test_rows_of_sentences_behind_a_chart_do_not_stand_on_each_other():
    heights: list[float] = []
    totals = read_totals(EXAMPLE)
    assert isinstance(totals, Totals)

    def visit(text: str, place: list[float], _tm: object, _font: object, _size: float) -> None:
        heights.extend([place[5]] if re.match(r"(Most of|Less than|More than|Most is)", text.strip()) else [])

    for page in read(calculator_view(calculate(totals))).pages:
        page.extract_text(visitor_text=visit)
    assert len(heights) == 5
    assert all(above - below > 8 for above, below in itertools.pairwise(heights))


def test_without_typst_one_line_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "typst", None)
    with pytest.raises(MissingExtra, match=r"pip install 'catchrate\[report\]'"):
        render(View(title="", blocks=()), "pdf")

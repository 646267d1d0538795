from __future__ import annotations

import pytest
from markdown_it import MarkdownIt

from catchrate.errors import Finding
from catchrate.reports.markdown import escaped, view_markdown
from catchrate.reports.view import Bullets, Cell, Column, Figure, Grid, Heading, Text, View

HOSTILE = [
    "<script>alert(1)</script>",
    "[x](javascript:alert(1))",
    "![x](http://x/y.png)",
    "`code` *bold* _it_ ~~no~~ $x$",
    "a | b \\| c",
    "# head",
    "- item",
    "1. item",
    "===",
    "---",
    "https://example.org www.example.org me@example.org @team",
    "&lt; &amp;",
    "line\nbreak\x1b[2J\u202e",
    "{{7*7}} ${x}",
    "> quote",
    "    code",
]
READER = MarkdownIt("gfm-like", {"linkify": False})


def text_of(tokens) -> str:
    return "".join(child.content for token in tokens for child in token.children or ())


@pytest.mark.parametrize("hostile", HOSTILE)
def test_foreign_text_is_read_back_as_text(hostile):
    from catchrate.errors import visible

    tokens = READER.parse(escaped(hostile))
    assert [token.type for token in tokens] == ["paragraph_open", "inline", "paragraph_close"]
    assert {child.type for child in tokens[1].children} <= {"text", "text_special", "softbreak"}
    assert text_of(tokens) == visible(hostile).strip()


@pytest.mark.parametrize("hostile", HOSTILE)
def test_a_table_keeps_its_shape_whatever_its_cells_hold(hostile):
    grid = Grid(
        name="g", columns=(Column(name=hostile), Column(name="n", kind="count")), rows=((Cell(hostile), Cell(1)),)
    )
    tokens = READER.parse(view_markdown(View(title=hostile, blocks=(grid,))))
    kinds = [token.type for token in tokens]
    assert (kinds.count("table_open"), kinds.count("th_open"), kinds.count("td_open")) == (1, 2, 2)
    inline = {child.type for token in tokens for child in token.children or ()}
    assert inline <= {"text", "text_special"}


def test_nothing_that_a_reader_turns_into_links_is_left():
    text = escaped("https://example.org www.example.org me@example.org @team")
    assert not any(piece in text for piece in ("://", "www.", "me@", " @team"))
    assert escaped("recall@10 q_1") == "recall@10 q_1"


def test_a_document_holds_blocks_notes_and_provenance():
    grid = Grid(
        name="g",
        caption="Caption",
        columns=(Column(name="run", kind="id"), Column(name="rr", kind="score")),
        rows=(
            (Cell("a"), Cell(0.5, mark="best")),
            (Cell("b"), Cell(0.25, 0.1, 0.4, "worse")),
            (Cell("c"), Cell(reason="why")),
        ),
        shown=2,
    )
    view = View(
        title="Title",
        blocks=(
            Heading(text="Head"),
            Text(text="It is so.", style="verdict", mark="better"),
            Text(text="Do it.", style="advice"),
            Bullets(items=("one", "two")),
            Figure(chart="x", title="It grows.", summary="By 1.", data=grid),
        ),
        notes=(Finding(code="N225", message="2 queries are missing"),),
        provenance={"catchrate": "1.0", "policies": {"rel": 1, "strict": True}},
    )
    assert (
        view_markdown(view)
        == """# Title

## Head

**▲ It is so.**

> Do it.

- one
- two

**It grows.**

By 1.

Caption

| run |                        rr |
| --- | ------------------------: |
| a   |                **0.5000** |
| b   | 0.2500 [0.1000, 0.4000] ▼ |

... and 1 more

## Notes

- N225 2 queries are missing

## Where the numbers come from

| what      | value             |
| --------- | ----------------- |
| catchrate | 1.0               |
| policies  | rel 1, strict yes |
"""
    )

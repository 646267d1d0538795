"""Texts that try to be more than text, and a view that holds one wherever a view holds text."""

from __future__ import annotations

from catchrate.errors import Finding
from catchrate.reports.view import Bullets, Cell, Column, Figure, Grid, Heading, Text, View

HOSTILE = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "' onx='",
    "javascript:alert(1)",
    "</script><!--",
    "</style></title><svg onload=alert(1)>",
    "]]><x>&lt;&amp;&#60;",
    "{{7*7}}{% raw %}",
    "${x}",
    '=HYPERLINK("http://x","y")',
    "+1",
    "-1+1",
    "@SUM(1)",
    "\ttab",
    "\rreturn",
    "＝1",
    r"\input{/etc/passwd}",
    r"\write18{rm -rf x}",
    r"% # $ _ ^ ~ & { } \ ",
    '#link("http://x")[y] #eval("1") *b* _i_ `c` <label> @ref $x$ // /* = h',
    "\x1b[2J",
    "\x1b]8;;http://x\x07y\x1b]8;;\x07",
    "\x07bell",
    "over\rwrite",
    "\u202eesrever",
    "word" * 2500,
    "new\nline",
    "nul\0",
    "lone \udc80 surrogate",
    "../../etc/passwd",
    "CON",
    "a/b",
    "emoji 🦜👩‍👩‍👧",
    "مرحبا",
    "日本語",
    "zero\u200bwidth",
    "http://example.org www.example.org me@example.org",
]


def view_of_texts(text: str) -> View:
    """Return a view with a text wherever a view holds one."""
    grid = Grid(
        name="texts",
        caption=text,
        columns=(Column(name=text, kind="id", help=text), Column(name=f"{text} "), Column(name="n", kind="score")),
        rows=((Cell(text, mark="best"), Cell(text), Cell(0.5)), (Cell("x"), Cell(reason=text), Cell(reason=text))),
    )
    names = (Column(name="run", kind="id"), Column(name="cut-off", kind="rank"), Column(name=text, kind="score"))
    rows = tuple((Cell(text), Cell(k), Cell(k / 9, 0.1, 0.9)) for k in (1, 5))
    curve = Grid(name=text, columns=names, rows=rows)
    return View(
        title=text,
        blocks=(
            Heading(text=text),
            Text(text=text),
            Text(text=text, style="verdict", mark="better"),
            Text(text=text, style="advice"),
            Bullets(items=(text, text)),
            grid,
            Figure(chart="no chart", title=text, summary=text, data=grid),
            Figure(chart="recall_curve", title=text, summary=text, data=curve, options={"measure": text}),
        ),
        notes=(Finding(code="N225", message=text, file=text),),
        provenance={text: text, "deep": {text: {text: text}}},
    )

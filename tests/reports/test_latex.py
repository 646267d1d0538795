"""LaTeX: foreign text is printed and never run."""

from __future__ import annotations

import re
import shutil
import subprocess

import pytest

from catchrate.errors import visible
from catchrate.reports.latex import escaped, grid_latex
from catchrate.reports.render import render
from catchrate.reports.view import Cell, Column, Grid, View
from hostile_texts import HOSTILE, view_of_texts

OURS = {
    "usepackage",
    *("begin", "end", "centering", "caption", "toprule", "midrule", "bottomrule", "multicolumn", "footnotesize"),
    *("textbf", "textsuperscript", "uparrow", "downarrow", "bullet", "times", "circ"),
    *("textbackslash", "textasciicircum", "textasciitilde", "textless", "textgreater", "textbar", "ldots"),
}
MORE = [
    "\\\\[1cm]",
    "\\\\*",
    "--",
    "?`!`",
    "^^5cinput",
    "a & b \\\\ c",
    "}{",
    "%comment",
    "$$",
    "@{x}",
    "\\end{tabular}",
]
BACK = {
    r"\textbackslash{}": "\\",
    r"\textasciicircum{}": "^",
    r"\textasciitilde{}": "~",
    r"\textless{}": "<",
    r"\textgreater{}": ">",
    r"\textbar{}": "|",
    r"\ldots{}": "…",
}


def printed_by_latex(text: str) -> str:
    """Return what LaTeX prints of escaped text, by a reading of our own."""
    pattern = r"|".join(map(re.escape, BACK)) + r"|\\[{}$&#_%]|\{[^\\{}]\}|--|[^\\{}$&#_%^~]"
    pieces = re.findall(pattern, text)
    assert "".join(pieces) == text
    return "".join("–" if p == "--" else BACK.get(p) or (p[1] if len(p) > 1 else p) for p in pieces)


@pytest.mark.parametrize("hostile", [*HOSTILE, *MORE])
def test_foreign_text_is_printed_as_it_is(hostile):
    said = visible(hostile)[:600]
    assert printed_by_latex(escaped(hostile)[: len(escaped(said))]) == said


@pytest.mark.parametrize("hostile", [*HOSTILE, *MORE])
def test_no_command_but_ours(hostile):
    text = render(view_of_texts(hostile), "tex")
    assert set(re.findall(r"\\([a-zA-Z]+)", text)) <= OURS
    assert [line for line in text.splitlines() if "%" in line.replace(r"\%", "")] == ["% \\usepackage{booktabs}"]
    lines = text.partition("\\toprule")[2].partition("\\bottomrule")[0].strip().replace("\\midrule\n", "").splitlines()
    assert [len(re.findall(r"(?<!\\)&", line)) for line in lines] == [2, 2, 2]


GRID = Grid(
    name="g",
    caption="What was found",
    columns=(
        Column(name="run", kind="id"),
        Column(name="rr", kind="score"),
        Column(name="change", kind="difference"),
    ),
    rows=(
        (Cell("a_1"), Cell(0.5, 0.25, 0.75, "best", raised="b"), Cell(-0.25, mark="worse")),
        (Cell("b"), Cell(reason="too few"), Cell(0.25, mark="better")),
    ),
)


def test_the_best_value_is_bold_and_marks_are_raised_or_explained():
    assert (
        grid_latex(GRID)
        == r"""% \usepackage{booktabs}
\begin{table}
\centering
\caption{What was found}
\begin{tabular}{lrr}
\toprule
run & rr & change \\
\midrule
a\_1 & \textbf{0.5000}\textsuperscript{b} {\footnotesize {[}0.2500, 0.7500{]}} & $-$0.2500 $\downarrow$ \\
b & -- & +0.2500 $\uparrow$ \\
\bottomrule
\multicolumn{3}{l}{\footnotesize $\uparrow$ better, $\downarrow$ worse} \\
\multicolumn{3}{l}{\footnotesize -- too few} \\
\end{tabular}
\end{table}
"""
    )


def test_latex_itself_takes_all_of_it(tmp_path):
    latex = shutil.which("pdflatex")
    if latex is None:
        pytest.skip("LaTeX is not installed: apt-get install -y texlive-latex-recommended")
    texts = [text[:200] for text in (*HOSTILE, *MORE) if visible(text).isascii()]
    rows = tuple((Cell(text), Cell(0.5, mark="best"), Cell(text)) for text in texts)
    table = render(View(title="", blocks=(Grid(name="g", columns=GRID.columns, rows=rows),)), "tex")
    document = "\\documentclass{article}\\usepackage{booktabs}\\begin{document}\n" + table + "\\end{document}\n"
    (tmp_path / "t.tex").write_text(document)
    command = [latex, "-no-shell-escape", "-halt-on-error", "-interaction=batchmode", "t.tex"]
    assert subprocess.run(command, cwd=tmp_path, capture_output=True, timeout=60).returncode == 0

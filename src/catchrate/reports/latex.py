r"""A table as LaTeX: booktabs, the best value in bold, marks of significance raised. Foreign text is never a command.

The table needs `\usepackage{booktabs}` and no other package. Text outside ASCII stays as it is: LuaLaTeX and XeLaTeX
print all of it, pdfLaTeX what its fonts have.
"""

from __future__ import annotations

from collections.abc import Iterator

from catchrate.reports.values import LEFT, NOTHING, Row, interval_text, marks_of, printed, reasons_of, value_text
from catchrate.reports.view import Cell, Column, Grid, Mark

SIGNS: dict[Mark, str] = {
    "chosen": r"$\leftarrow$",
    "better": r"$\uparrow$",
    "worse": r"$\downarrow$",
    "unsure": "?",
    "found": r"$\bullet$",
    "missed": r"$\times$",
    "unjudged": r"$\circ$",
    "repeat": "=",
    "passed": r"$\bullet$",
    "failed": r"$\times$",
}
"""Marks by what plain LaTeX has; the best value is bold."""
_ESCAPED = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "^": r"\textasciicircum{}",
        "~": r"\textasciitilde{}",
        "<": r"\textless{}",
        ">": r"\textgreater{}",
        "|": r"\textbar{}",
        "\u2013": "--",
        "\u2026": r"\ldots{}",
        **{sign: f"\\{sign}" for sign in "{}$&#_%"},
        **{sign: f"{{{sign}}}" for sign in "[]*\"'`-"},
    }
)
r"""What would be a command, a comment, a table's edge, an option of `\\`, or one letter with its neighbour."""


def grid_latex(grid: Grid) -> str:
    """Return a table as a `table` that a paper can hold; rows that are not worth showing stay away."""
    rows = grid.rows[: grid.shown]
    sides = "".join("l" if i < grid.labels or one.kind in LEFT else "r" for i, one in enumerate(grid.columns))
    head = " & ".join(escaped(column.name) for column in grid.columns)
    lines = [
        "% \\usepackage{booktabs}",
        r"\begin{table}",
        r"\centering",
        *([f"\\caption{{{escaped(grid.caption)}}}"] if grid.caption else []),
        f"\\begin{{tabular}}{{{sides}}}",
        r"\toprule",
        rf"{head} \\",
        r"\midrule",
        *(rf"{' & '.join(map(_cell, row, grid.columns))} \\" for row in rows),
        r"\bottomrule",
        *(rf"\multicolumn{{{len(sides)}}}{{l}}{{\footnotesize {text}}} \\" for text in _legend(rows)),
        r"\end{tabular}",
        r"\end{table}",
    ]
    return "\n".join(lines) + "\n"


def escaped(text: str) -> str:
    r"""Return foreign text that LaTeX prints as it is.

    >>> print(escaped(r"50% of a_b \input{x}"))
    50\% of a\_b \textbackslash{}input\{x\}
    """
    return printed(text).translate(_ESCAPED)


def _cell(cell: Cell, column: Column) -> str:
    text = _number(value_text(cell.value, column.kind), column)
    if cell.mark == "best" and text:
        text = rf"\textbf{{{text}}}"
    elif cell.mark:
        text = f"{text} {SIGNS[cell.mark]}"
    raised = rf"\textsuperscript{{{escaped(cell.raised)}}}" if cell.raised else ""
    interval = interval_text(cell, column.kind)
    return text + raised + (rf" {{\footnotesize {_number(interval, column)}}}" if interval else "")


def _number(text: str, column: Column) -> str:
    """Return a value; the minus of a number is a minus, and not a hyphen."""
    if column.kind in LEFT:
        return escaped(text)
    return escaped(text).replace("{-}", "$-$")


def _legend(rows: tuple[Row, ...]) -> Iterator[str]:
    """Yield what the signs of a table mean, and why values are missing."""
    signs = [f"{SIGNS[mark]} {sign.word}" for mark, sign in marks_of(rows).items() if mark in SIGNS]
    if signs:
        yield ", ".join(signs)
    for reason, missing in reasons_of(rows).items():
        yield escaped(f"{NOTHING} {reason}" if missing else reason)

"""Write the reference pages that derive from the code: docs/commands.md, docs/errors.md and docs/measures.md."""

from __future__ import annotations

import math
from contextlib import redirect_stdout
from io import BytesIO, TextIOWrapper
from pathlib import Path

from catchrate.cli import main
from catchrate.cli.app import COMMANDS
from catchrate.errors import CODES
from catchrate.measures import Row, example, families

DOCS = Path(__file__).resolve().parents[1] / "docs"

GROUPS = {
    "E10 E11 N11 W10 W11": "Bytes and lines",
    "E20 N20 W20": "Judgments",
    "E21 W21 N21 E22 N22 W22": "Rankings and query sets",
    "E23 N23 E25 N25": "JSON and tables",
    "E24": "Compressed files",
    "E26 E27": "Python objects and measures",
    "E28 W28": "Command line",
    "E31 N31 W31": "Intervals and comparisons",
    "E32 N32": "Gate, slices, saved scores and settings",
    "E33": "Curves and diagnosis",
    "E34": "Reports",
    "E29 W29 N29": "Matching, collecting and data sets",
    "E35": "Calculator and local app",
    "E36": "Explaining and reconciling",
    "E37": "Clusters",
    "E30 E50": "Output and resources",
}


def measures_page() -> str:
    """Return the page that lists every measure."""
    parts = [
        "# Measures\n",
        "Written by `scripts/make_docs.py` from the table of measures. The same is in `catchrate measures NAME`.\n",
    ]
    for title, rows in families().items():
        parts.append(f"## {title}\n")
        parts += [_measure(row) for row in rows]
    return "\n".join(parts)


def _measure(row: Row) -> str:
    low, high = ("no bound" if math.isinf(x) else f"{x:g}" for x in row.range)
    facts = [
        f"range {low} to {high}",
        {True: "higher is better", False: "lower is better", None: "no better side"}[row.higher_is_better],
    ]
    facts.append(
        {"mean": "mean over queries", "sum": "sum over queries"}.get(row.aggregate, f"{row.aggregate} over queries")
    )
    facts.append(f"{row.empty:g} where there is nothing to divide by")
    lines = [f"### `{example(row)}`\n", f"{row.meaning}\n", f"    {row.formula}\n"]
    if row.advice:
        lines.append(f"{row.advice}\n")
    lines.append(f"- {'; '.join(facts)}")
    lines += [
        f"- `{p.name}`: {p.kind.meaning}" + ("" if p.required else f" (default {p.default})") for p in row.parameters
    ]
    if row.aliases:
        lines.append("- also spelled " + ", ".join(f"`{a if isinstance(a, str) else a[0]}`" for a in row.aliases))
    if row.reference:
        lines.append(f"- as in {row.reference}")
    return "\n".join(lines) + "\n"


def errors_page() -> str:
    """Return the page that lists every code."""
    parts = [
        "# Codes\n",
        "Written by `scripts/make_docs.py`. `E` refuses an input or a call, `W` warns of a mistake, `N` only tells.\n",
    ]
    for prefixes, title in GROUPS.items():
        codes = [code for code in sorted(CODES, key=lambda c: c[1:]) if code[:3] in prefixes.split()]
        parts.append(f"## {title}\n\n| code | what is allowed |\n| --- | --- |")
        parts.append("\n".join(f"| {code} | {CODES[code]} |" for code in codes) + "\n")
    return "\n".join(parts)


def commands_page() -> str:
    """Return the page that shows the help of every command."""
    parts = ["# Commands\n", "Written by `scripts/make_docs.py`: what `catchrate COMMAND --help` prints.\n"]
    parts += [f"## catchrate {name}\n\n```text\n{_help(name)}\n```\n" for name in COMMANDS]
    parts.append("`catchrate trec_eval` has a page of its own: [trec_eval.md](trec_eval.md).\n")
    return "\n".join(parts)


def _help(command: str) -> str:
    shown = BytesIO()
    with redirect_stdout(TextIOWrapper(shown, "utf-8")) as stream:
        main([command, "--help"])
        stream.flush()
        return shown.getvalue().decode().strip()


PAGES = {"commands.md": commands_page, "errors.md": errors_page, "measures.md": measures_page}

if __name__ == "__main__":
    for name, page in PAGES.items():
        (DOCS / name).write_text(page(), encoding="utf-8")
        print(f"wrote docs/{name}")

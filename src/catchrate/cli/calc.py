"""catchrate calc: the calculator in a terminal."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Group, Parameter

from catchrate.calculation import EXAMPLE, FIELDS, Totals, calculate, read_totals
from catchrate.cli.options import FLAG, Output
from catchrate.cli.show import show
from catchrate.errors import UsageError
from catchrate.reports.views.calculator import calculator_table, calculator_view

ENTRIES = Group("Totals", sort_key=1)


def _entry(name: str, metavar: str = "N", alias: str | None = None) -> Parameter:
    return Parameter(group=ENTRIES, metavar=metavar, alias=alias, help=FIELDS[name].help, show_default=False)


def calc(
    *,
    queries: Annotated[str, _entry("queries")] = "",
    relevant: Annotated[str, _entry("relevant")] = "",
    k: Annotated[str, _entry("k", alias="-k")] = "",
    found: Annotated[str, _entry("found")] = "",
    hits: Annotated[str, _entry("hits")] = "",
    retrieved: Annotated[str, _entry("retrieved")] = "",
    target: Annotated[str, _entry("target", "SHARE")] = "",
    cutoffs: Annotated[str, _entry("cutoffs", "N,N")] = "",
    found_at: Annotated[str, _entry("found_at", "N,N")] = "",
    example: Annotated[bool, FLAG, Parameter(group=ENTRIES, help="Use the entries of an example.")] = False,
    output: Output | None = None,
) -> None:
    """Work out recall and more from totals, for when there is no run at hand."""
    typed = {
        "queries": queries,
        "relevant": relevant,
        "k": k,
        "found": found,
        "hits": hits,
        "retrieved": retrieved,
        "target": target,
        "cutoffs": cutoffs,
        "found_at": found_at,
    }
    totals = read_totals(EXAMPLE if example else typed)
    if not isinstance(totals, Totals):
        raise UsageError([problem.named("--" + problem.field.replace("_", "-")) for problem in totals])
    output = output or Output()
    found_all = calculate(totals)
    one_table = output.form() in ("csv", "tsv")
    view = calculator_table(found_all) if one_table else calculator_view(found_all)
    show(view, output, content=found_all.as_dict())

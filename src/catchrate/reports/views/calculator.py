"""What the calculator says."""

from __future__ import annotations

from collections.abc import Iterator

from catchrate.calculation import Calculation, Metric, Target
from catchrate.reports.view import Block, Cell, Column, Figure, Grid, Kind, Text, View

TITLE = "Recall from totals"


def calculator_view(calculation: Calculation) -> View:
    """Return the verdict, the numbers, and recall by cut-off."""
    blocks: list[Block] = [_verdict(calculation.target)] if calculation.target else []
    blocks.append(summary_grid(calculation))
    blocks += [Text(text=text, style="quiet") for text in dict.fromkeys(m.basis for m in calculation.metrics)]
    if calculation.curve:
        blocks.append(_curve(calculation))
    return View(title=TITLE, blocks=tuple(blocks))


def summary_grid(calculation: Calculation) -> Grid:
    """Return one row a number."""
    columns = (
        Column(name="number"),
        Column(name="value", kind="share", help="with its 95% interval, where totals allow one"),
        Column(name="formula"),
        Column(name="reading"),
    )
    return Grid(name="summary", columns=columns, rows=tuple(_summary(calculation)))


def curve_grid(calculation: Calculation) -> Grid:
    """Return one row a cut-off."""
    columns = (
        Column(name="cut-off", kind="rank"),
        Column(name="found", kind="count"),
        Column(name="relevant", kind="count"),
        Column(name="recall", kind="share"),
        Column(name="gain", kind="share", help="recall gained over the row before"),
        Column(name="interpretation"),
    )
    rows = (
        (Cell(p.k), Cell(p.found), Cell(p.relevant), Cell(p.recall), Cell(p.gain), Cell(p.reading))
        for p in calculation.curve
    )
    return Grid(name="cut-offs", columns=columns, rows=tuple(rows))


def calculator_table(calculation: Calculation) -> View:
    """Return numbers and cut-offs as one table, for forms that hold one."""
    names = ("number", "cut-off", "value", "found", "relevant", "gain", "formula", "reading")
    kinds: tuple[Kind, ...] = ("text", "rank", "share", "count", "count", "share", "text", "text")
    none = Cell()
    rows = [
        (name, none, value, none, none, none, formula, text) for name, value, formula, text in _summary(calculation)
    ]
    rows += [
        (Cell(f"Recall@{k.value}"), k, recall, found, of, gain, Cell(f"{found.value} ÷ {of.value}"), text)
        for k, found, of, recall, gain, text in curve_grid(calculation).rows
    ]
    columns = tuple(Column(name=name, kind=kind) for name, kind in zip(names, kinds, strict=True))
    return View(title=TITLE, blocks=(Grid(name="calculation", columns=columns, rows=tuple(rows)),))


def _summary(calculation: Calculation) -> Iterator[tuple[Cell, ...]]:
    for metric in calculation.metrics:
        yield _row(metric)
    if calculation.target:
        distance = calculation.target.distance
        yield Cell("Distance to the target"), Cell(distance), Cell("recall - target"), Cell("Below 0: not reached.")


def _row(metric: Metric) -> tuple[Cell, ...]:
    value = Cell(metric.value, metric.low, metric.high)
    return Cell(metric.label), value, Cell(f"{metric.formula} = {metric.numbers}"), Cell(metric.reading)


def _verdict(target: Target) -> Text:
    mark = "unsure" if not target.sure else "better" if target.reached else "worse"
    return Text(text=f"{target.verdict} {target.next_step}", style="verdict", mark=mark)


def _curve(calculation: Calculation) -> Figure:
    first, last = calculation.curve[0], calculation.curve[-1]
    target = calculation.target
    return Figure(
        chart="recall_curve",
        title="Recall by cut-off",
        summary=f"Recall rises from {first.recall:.1%} at {first.k:,} to {last.recall:.1%} at {last.k:,}.",
        data=curve_grid(calculation),
        options={"k": calculation.totals.k, "target": target.value if target else None},
    )

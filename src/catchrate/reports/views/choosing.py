"""What a choice of k says: what every cut-off finds and costs, and where a target is reached."""

from __future__ import annotations

from collections.abc import Iterator

from catchrate.evaluation.diagnosis import Choice, Reached, Step
from catchrate.evaluation.diagnosis.choosing import NAMES
from catchrate.evaluation.scores import Leaderboard
from catchrate.reports.values import value_text
from catchrate.reports.view import Cell, Column, Figure, Grid, Mark, Text, View
from catchrate.reports.views.curves import CUTOFF, interval_cell
from catchrate.statistics import Interval

USUAL = (1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100, 150, 200, 300, 500, 700, 1000)
"""Cut-offs that are worth a line where not every one is asked for."""


def choice_view(choice: Choice) -> View:
    """Return a choice of k by itself."""
    return View(title="Choosing k", blocks=(*reached_texts(choice), choice_figure(choice, full=True)))


def choice_figure(choice: Choice, *, k: int | None = None, full: bool = False) -> Figure:
    """Return what the cut-offs find and cost; those that one usually asks for, unless `full`."""
    target = choice.target
    shown = target.value if target and target.measure.name == "recall" else None
    first, last = choice.steps[0], choice.steps[-1]
    return Figure(
        chart="recall_curve",
        title="What each cut-off finds",
        summary=f"Recall goes from {first.recall:.4f} at {first.k:,} to {last.recall:.4f} at {last.k:,}.",
        data=choice_grid(choice, k=k, full=full),
        options={"measure": "recall", "k": k, "target": shown},
    )


def choice_grid(choice: Choice, *, k: int | None = None, full: bool = False) -> Grid:
    """Return one row a cut-off."""
    tokens, cost = choice.steps[0].tokens is not None, choice.steps[0].cost is not None
    columns = (
        CUTOFF,
        Column(name="recall", kind="score", help="with its 95% interval"),
        Column(name="gain", kind="difference", help="recall gained over the cut-off above"),
        Column(name="precision", kind="score", help="with its 95% interval"),
        Column(name="hit rate", kind="score", help="queries with any relevant document; with its 95% interval"),
        *((Column(name=choice.counted, kind="number", help="length of the context, in the mean"),) if tokens else ()),
        *((Column(name="cost", kind="number", help="of 1,000 queries, in the currency of the price"),) if cost else ()),
    )
    drawn = {name: choice.curves[name].scores for name in (NAMES if full else NAMES[:1])}
    bands = Leaderboard(runs=drawn).intervals()
    rows: list[tuple[Cell, ...]] = []
    before = 0.0
    for step, *three in zip(choice.steps, *bands.values(), strict=True):
        if full or _worth_a_row(step, choice, k):
            extra = (*((Cell(step.tokens),) if tokens else ()), *((Cell(step.cost),) if cost else ()))
            rows.append((*_row(step, step.recall - before, *three), *extra))
            before = step.recall
    return Grid(name="cut-offs", columns=columns, rows=tuple(rows))


def _row(step: Step, gain: float, recall: Interval, *others: Interval) -> tuple[Cell, ...]:
    """Return the cells of a cut-off; where a person reads there is room for the band of recall alone."""
    values = (step.precision, step.hit)
    rest = map(interval_cell, values, others) if others else map(Cell, values)
    return Cell(step.k), interval_cell(step.recall, recall), Cell(gain), *rest


def _worth_a_row(step: Step, choice: Choice, k: int | None) -> bool:
    return step.k in USUAL or step.k in (k, choice.steps[-1].k)


def reached_texts(choice: Choice) -> Iterator[Text]:
    """Yield where the target is reached, or why it is not."""
    for reached in choice.reached:
        text, mark = _verdict(choice, reached)
        yield Text(text=text, style="verdict", mark=mark)


def _verdict(choice: Choice, reached: Reached) -> tuple[str, Mark]:
    target, band = choice.target, _band(reached.interval)
    if reached.point is None:
        lost = f": {value_text(choice.never, 'share')} of recall was never returned" if choice.never else ""
        where = f"no {_unit(choice, reached)} up to {reached.largest:,} reaches it"
        return f"{target}: not reachable. With this run {where}, at most {reached.most:.4f}{lost}.", "worse"
    point = _at(choice, reached, reached.point)
    if reached.sure is None:
        largest = _at(choice, reached, reached.largest)
        surely = f"but even {largest}{band} is not sure to be above it"
        return f"{target}: {point} reaches it in the mean, {surely}.", "unsure"
    if reached.sure == reached.point:
        return f"{target}: {point} is the smallest that reaches it, and surely{band}.", "better"
    sure = _at(choice, reached, reached.sure)
    return f"{target}: {sure} is the smallest that is sure to reach it{band}; in the mean {point} does.", "better"


def _at(choice: Choice, reached: Reached, place: int) -> str:
    return f"k = {place:,}" if reached.unit == "k" else f"a budget of {place:,} {choice.counted}"


def _unit(choice: Choice, reached: Reached) -> str:
    return "k" if reached.unit == "k" else f"number of {choice.counted}"


def _band(interval: Interval | None) -> str:
    return f" ({interval})" if interval is not None and interval.ends else ""

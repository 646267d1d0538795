"""What a set of queries can show."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict

from catchrate.errors import shown
from catchrate.evaluation.power import Power, Resolution
from catchrate.reports.view import Cell, Column, Grid, Text, View

TOO_FEW = "so few queries show no difference at all"
OUT_OF_REACH = "no set that anyone judges would show so small a difference"


def power_view(power: Power) -> View:
    """Return what the queries at hand show, and what others would."""
    blocks = (*_sentences(power), needed_grid(power), sizes_grid(power))
    return View(title="Power", blocks=blocks, notes=power.notes, provenance={"power": asdict(power.choices)})


def needed_grid(power: Power) -> Grid:
    """Return how much queries spread, what they show, and how many each wanted difference needs."""
    data = (
        Column(name="queries", kind="count", help="how many there are" if power.cluster is None else "clusters"),
        Column(name="show", kind="score", help="the smallest difference that these queries show"),
    )
    columns = (
        Column(name="measure"),
        Column(name="spread", kind="score", help="the standard deviation of the differences of queries"),
        *(data if power.runs else ()),
        *(Column(name=f"for {d:g}", kind="count", help=f"queries to show {d:g}") for d in power.choices.differences),
    )
    return Grid(name="needed", columns=columns, rows=tuple(_needed(power, row) for row in power.rows))


def _needed(power: Power, row: Resolution) -> tuple[Cell, ...]:
    few = row.reason or TOO_FEW
    data = (Cell(row.queries), Cell(row.detectable, reason="" if row.detectable else few)) if power.runs else ()
    needed = (Cell(n, reason="" if n else OUT_OF_REACH) for _, n in row.needed)
    nothing = (Cell(reason=row.reason) for _ in power.choices.differences)
    return (Cell(row.name), Cell(row.spread, reason=row.reason), *data, *(nothing if row.reason else needed))


def sizes_grid(power: Power) -> Grid:
    """Return the smallest difference that sets of other sizes show."""
    columns = (Column(name="measure"), *(Column(name=f"{n:,}", kind="score") for n in power.choices.sizes))
    rows = tuple(
        (Cell(row.name), *(Cell(shows, reason="" if shows else TOO_FEW) for _, shows in row.by_size))
        for row in power.rows
        if not row.reason
    )
    return Grid(name="sizes", columns=columns, rows=rows, caption="The smallest difference that so many queries show:")


def _sentences(power: Power) -> Iterator[Text]:
    yield Text(text=_answer(power), style="verdict")
    yield Text(text=_source(power), style="quiet")


def _answer(power: Power) -> str:
    choices = power.choices
    how = f"in {100 * choices.power:g}% of such sets, at {100 * choices.level:g}% confidence"
    shown_here = [row.detectable for row in power.rows if row.detectable is not None]
    unit = "queries" if power.cluster is None else "clusters of queries"
    if power.runs and shown_here:
        low, high = f"{min(shown_here):.2g}", f"{max(shown_here):.2g}"
        span = low if low == high else f"{low} to {high}, by the measure,"
        return f"{power.rows[0].queries:,} {unit} show a difference of {span} {how}."
    if power.runs:
        return f"{power.rows[0].queries:,} {unit} show no difference."
    return f"How many queries it takes to show a difference between two runs {how}."


def _source(power: Power) -> str:
    together = f", the queries of each {shown(power.cluster)} together" if power.cluster else ""
    alike = f"a correlation of {power.choices.correlation:g} with those of a second run"
    match power.runs:
        case (a, b):
            return f"The spread is that of the differences between {a} and {b}{together}."
        case (a,):
            return f"The spread follows from the values of {a}{together}, and from {alike}, which is a guess."
        case _:
            mean = power.rows[0].mean
            if mean is None:
                return "The spread is a guess."
            most = f"the largest that values from 0 to 1 with a mean of {mean:g} can have: that of values of 0 and 1"
            return f"The spread is {most}, and {alike}. Both are guesses; less spread needs fewer queries."


def power_content(power: Power) -> dict[str, object]:
    """Return what queries can show as plain data: what `--json` prints."""
    return {
        "runs": list(power.runs),
        "measures": [_content(row) for row in power.rows],
        "notes": [note.as_dict() for note in power.notes],
        "provenance": {"power": asdict(power.choices), "cluster": power.cluster},
    }


def _content(row: Resolution) -> dict[str, object]:
    return {
        "measure": None if row.measure is None else str(row.measure),
        "mean": row.mean,
        "spread": row.spread,
        "queries": row.queries,
        "detectable": row.detectable,
        "by_size": [{"queries": n, "detectable": shows} for n, shows in row.by_size],
        "needed": [{"difference": difference, "queries": n} for difference, n in row.needed],
        "reason": row.reason or None,
    }

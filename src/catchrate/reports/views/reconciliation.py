"""What the way back from a printed number says."""

from __future__ import annotations

from collections.abc import Iterator

from catchrate.evaluation.reconciling import Candidate, Reconciliation
from catchrate.evaluation.reconciling.number import Printed
from catchrate.reports.view import Block, Cell, Column, Grid, Heading, Text, View

FEW = 10
"""How many queries are shown at once."""
SAME_FILES = "Check that the tool read the same lists: another run, other judgments or ids give other numbers, too."
WORTH_SAYING = 0.5
"""From so many chance hits on, a find is a question of luck."""


def reconciliation_view(result: Reconciliation) -> View:
    """Return what the number is, which queries make the difference, and what else it may be."""
    blocks = [*_verdict(result), *_made_by(result), *_others(result), *_chance(result)]
    return View(title="Reconciliation", blocks=tuple(blocks), notes=result.notes, provenance=result.provenance)


def _verdict(result: Reconciliation) -> Iterator[Block]:
    asked = f"{result.measure} is {result.value:.4f} over {_counted(result.queries)}."
    if not result.found:
        yield Heading(text=f"Nothing that is known gives {_read(result.got)}")
        yield Text(text=asked)
        return
    best = result.found[0]
    if result.agrees:
        yield Heading(text=f"{result.got.text} is {best.name}")
        yield Text(text=f"It is the measure itself: {asked}")
        return
    yield Heading(text=f"{result.got.text} is {best.name}: {best.value:.4f}")
    differs = f"{best.differs[0].upper()}{best.differs[1:]}. " if best.differs else ""
    over = "" if best.queries == result.queries else f"It is over {_counted(best.queries)}{_silence(best)}. "
    yield Text(text=f"{differs}{over}{asked}")
    if best.also:
        yield Text(text=f"The same is {_or(best.also)}.", style="quiet")


def _read(got: Printed) -> str:
    """Return a number as it was given, and how it was read where it does not say so itself."""
    plain = got.text.endswith("%") or float(got.text) == got.value
    return got.text if plain else f"{got.text}, read as {got.text}%"


def _silence(best: Candidate) -> str:
    """Say what the tool does with queries, where nothing else explains that it counts fewer."""
    return "" if best.changes or not best.says else f": {best.tool} {best.says}"


def _made_by(result: Reconciliation) -> Iterator[Block]:
    best = result.found[0] if result.found else None
    if best is None or best.steps == 0:
        return
    if not best.made_by:
        yield Text(text="No query has another value: only how they are put together differs.")
        return
    count = len(best.made_by)
    who = "This query makes" if count == 1 else f"These {count:,} queries make"
    yield Heading(text=f"{who} the difference")
    columns = (
        Column(name="query", kind="id"),
        Column(name=str(result.measure), kind="score"),
        Column(name="printed", kind="score", help="its value as the printed number has it"),
    )
    left_out = "left out"
    rows = tuple(
        (
            Cell(one.query),
            Cell(one.ours, reason=left_out if one.ours is None else ""),
            Cell(one.theirs, reason=left_out if one.theirs is None else ""),
        )
        for one in best.made_by
    )
    yield Grid(name="queries", columns=columns, rows=rows, shown=FEW)


def _others(result: Reconciliation) -> Iterator[Block]:
    others = () if result.agrees else result.found[1:]
    if others:
        yield Heading(text="It may also be")
        yield _candidates(others, "others")
    elif result.nearest:
        yield Text(text=SAME_FILES, style="advice")
        yield Heading(text="The nearest are")
        yield _candidates(result.nearest, "nearest")


def _candidates(some: tuple[Candidate, ...], name: str) -> Grid:
    columns = (
        Column(name="value", kind="score"),
        Column(name="queries", kind="count"),
        Column(name="steps", kind="count", help="how many things differ from the measure that was asked for"),
        Column(name="what", help="whose measure, and what has to be done otherwise than usual"),
    )
    rows = tuple((Cell(one.value), Cell(one.queries), Cell(one.steps), Cell(one.name)) for one in some)
    return Grid(name=name, columns=columns, rows=rows)


def _chance(result: Reconciliation) -> Iterator[Block]:
    tried = f"{result.tried:,} different values were looked at"
    if not result.found or result.agrees or result.by_chance < WORTH_SAYING:
        yield Text(text=f"{tried}.", style="quiet")
        return
    lucky = f"about {result.by_chance:.0f} of so many would be {result.got.text} by chance"
    yield Text(text=f"{tried}, and {lucky}: more digits, or the tool that it comes from, tell more.", style="quiet")


def _counted(queries: int) -> str:
    return f"{queries:,} {'query' if queries == 1 else 'queries'}"


def _or(names: tuple[str, ...]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} or {names[-1]}"

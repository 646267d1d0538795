"""What each stage of a pipeline loses and gains."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict

from catchrate.evaluation.comparison import Difference
from catchrate.evaluation.stages import Stage, Stages
from catchrate.reports.view import Block, Cell, Column, Grid, Heading, Text, View
from catchrate.reports.views.comparison_words import MARKS


def stages_view(found: Stages) -> View:
    """Return where relevant documents end, what each stage does to the measures, and some of what was lost."""
    blocks: list[Block] = [Text(text=_answer(found), style="verdict"), stages_grid(found), account_grid(found)]
    blocks += [Heading(text="Each stage against the one before"), changes_grid(found), *_examples(found)]
    return View(title="Stages", blocks=tuple(blocks), notes=found.notes, provenance=found.provenance)


def _answer(found: Stages) -> str:
    losing = max(found.stages[1:], key=lambda stage: stage.lost)
    first = found.stages[0]
    missed = found.relevant - first.held
    start = f"{first.name} misses {missed:,} of {found.relevant:,} relevant documents"
    if not losing.lost:
        return f"{start}; no later stage loses any."
    return f"{start}; of the later stages {losing.name} loses most: {losing.lost:,}."


def stages_grid(found: Stages) -> Grid:
    """Return what each stage holds, and what it lost and gained."""
    first = next(iter(found.scores.values()))
    columns = (
        Column(name="stage", kind="id"),
        Column(name="documents", kind="number", help="documents that it returns for a query, in the mean"),
        Column(name="recall", kind="score", help="of its whole lists: what no later stage can exceed"),
        Column(name="lost", kind="count", help="relevant documents that the stage before had"),
        Column(name="gained", kind="count", help="relevant documents that the stage before had not"),
        *(Column(name=str(measure), kind="score") for measure in first.measures),
    )
    rows = tuple(_row(stage, found) for stage in found.stages)
    return Grid(name="stages", columns=columns, rows=rows)


def _row(stage: Stage, found: Stages) -> tuple[Cell, ...]:
    begins = stage is found.stages[0]
    moved = (Cell(), Cell()) if begins else (Cell(stage.lost), Cell(stage.gained))
    return (
        *(Cell(stage.name), Cell(stage.returned), Cell(stage.recall), *moved),
        *map(Cell, found.scores[stage.name].means),
    )


def account_grid(found: Stages) -> Grid:
    """Return where all relevant documents ended, each counted once."""
    columns = (
        Column(name="relevant documents"),
        Column(name="number", kind="count"),
        Column(name="share", kind="share"),
    )
    rows = tuple(
        (Cell(where), Cell(count), Cell(count / found.relevant if found.relevant else None))
        for where, count in found.account
    )
    return Grid(name="account", columns=columns, rows=rows)


def changes_grid(found: Stages) -> Grid:
    """Return the difference of each stage from the one before at each measure."""
    columns = (
        Column(name="stage", kind="id"),
        Column(name="measure"),
        Column(name="difference", kind="difference", help="with its paired interval"),
        Column(name="p", kind="p"),
        Column(name="verdict"),
    )
    return Grid(name="changes", columns=columns, rows=tuple(map(_change, found.differences)), labels=2)


def _change(one: Difference) -> tuple[Cell, ...]:
    low, high = one.interval.ends or (None, None)
    value = Cell(one.difference, low, high, mark=MARKS.get(one.verdict), reason=one.interval.reason)
    return Cell(one.b), Cell(str(one.measure)), value, Cell(one.corrected), Cell(one.verdict)


def _examples(found: Stages) -> Iterator[Block]:
    lost = [(stage, one) for stage in found.stages for one in stage.examples]
    if not lost:
        return
    columns = (
        Column(name="lost by", kind="id"),
        Column(name="query", kind="id"),
        Column(name="document", kind="id"),
        Column(name="grade", kind="grade"),
        Column(name="was at", kind="rank"),
    )
    rows = tuple(
        (Cell(stage.name), Cell(one.query), Cell(one.doc), Cell(one.grade), Cell(one.slot)) for stage, one in lost
    )
    yield Heading(text="Some of what was lost")
    yield Grid(name="lost", columns=columns, rows=rows, labels=3)


def stages_content(found: Stages) -> dict[str, object]:
    """Return a pipeline as plain data: what `--json` prints."""
    return {
        "stages": [{**asdict(stage), "measures": found.scores[stage.name].as_dict()} for stage in found.stages],
        "relevant": found.relevant,
        "account": [{"where": where, "count": count} for where, count in found.account],
        "differences": [
            {
                "stage": one.b,
                "against": one.a,
                "measure": str(one.measure),
                "difference": one.difference,
                "ci": one.interval.ends,
                "p": one.p.value,
                "p_corrected": one.corrected,
                "verdict": one.verdict,
                "reason": one.reason or None,
            }
            for one in found.differences
        ],
        "notes": [note.as_dict() for note in found.notes],
        "provenance": found.provenance,
    }

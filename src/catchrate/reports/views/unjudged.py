"""What means would be if the unjudged documents were judged."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict

from catchrate.errors import Finding
from catchrate.evaluation.coverage import slots_down_to
from catchrate.evaluation.moved import depth_of
from catchrate.evaluation.scores import Leaderboard, Scores
from catchrate.evaluation.unjudged import Scenario, scenarios, shown_scenarios
from catchrate.reports.view import Block, Cell, Column, Grid

FEW_RUNS = 5
"""So many values are read in one sentence."""


def unjudged_note(board: Leaderboard) -> tuple[Finding, ...]:
    """Tell in one sentence what unjudged documents could do to the first measure that looks at any."""
    if len(board) > FEW_RUNS:
        return ()
    found = {name: shown_scenarios(scores) for name, scores in board.items()}
    first = next((measure for of_run in found.values() for measure in of_run), None)
    if first is None:
        return ()
    there = {name: of_run[first] for name, of_run in found.items() if first in of_run}
    slots = sum(one.slots for one in there.values())
    return (Finding(code="N318", message=_sentence(there, only=len(board) == 1), count=slots),)


def _sentence(of_runs: Mapping[str, Scenario], *, only: bool) -> str:
    one = next(iter(of_runs.values()))
    where = f"in {slots_down_to(depth_of(one.measure))}"
    if one.bounds:
        spans = [f"{_number(s.irrelevant)} to {_number(s.relevant)}{_of(n, only)}" for n, s in of_runs.items()]
        return f"however the unjudged documents {where} are judged, {one.measure} is {_listed(spans)}"
    values = [f"{_number(s.relevant)}{_of(n, only)}" for n, s in of_runs.items()]
    return f"if all unjudged documents {where} were relevant, {one.measure} would be {_listed(values)}"


def _number(value: float) -> str:
    return f"{value:.4f}"


def _of(name: str, only: bool) -> str:  # noqa: FBT001
    return "" if only else f" for {name}"


def _listed(words: list[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def unjudged_grid(board: Leaderboard, grade: float) -> Iterator[Block]:
    """Return every mean as it is, and with all unjudged documents irrelevant or relevant."""
    labels = (Column(name="measure"), *([Column(name="run", kind="id")] if len(board) > 1 else []))
    columns = (
        *labels,
        Column(name="as judged", kind="score"),
        Column(name="if irrelevant", kind="score"),
        Column(name="if relevant", kind="score"),
        Column(name="slots", kind="count", help="slots with unjudged documents that the measure looks at"),
        Column(name="these are", help="bounds hold the mean however the documents are judged; scenarios need not"),
    )
    found = {name: scenarios(scores, grade) for name, scores in board.items()}
    measures = [str(measure) for measure in next(iter(board.values())).measures]
    rows = tuple(
        (Cell(measure), *([Cell(name)] if len(board) > 1 else []), *_cells(of_run[measure]))
        for measure in measures
        for name, of_run in found.items()
    )
    caption = f"If all unjudged documents that a measure looks at were irrelevant, or relevant with grade {grade:g}:"
    yield Grid(name="unjudged", columns=columns, rows=rows, caption=caption, labels=len(labels))


def _cells(one: Scenario) -> tuple[Cell, ...]:
    numbers = map(Cell, (one.value, one.irrelevant, one.relevant, one.slots))
    return (*numbers, Cell("bounds" if one.bounds else "scenarios"))


def unjudged_content(scores: Scores, grade: float) -> dict[str, dict[str, object]]:
    """Return the scenarios of the measures of a run as plain data."""
    return {name: _plain(one) for name, one in scenarios(scores, grade).items()}


def _plain(one: Scenario) -> dict[str, object]:
    content = asdict(one)
    del content["measure"], content["value"]
    return content

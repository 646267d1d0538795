"""What a gate says: the outcome, each check in a sentence, every part in numbers, and the queries to look at."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import asdict
from itertools import compress

from catchrate.evaluation.gate import Check, Floor, Gate, Lost, Margin, MaxLost, Outcome, Part
from catchrate.reports.cases import Case, State
from catchrate.reports.terminal import as_text, view_lines
from catchrate.reports.values import cell_text
from catchrate.reports.view import Block, Cell, Column, Grid, Heading, Mark, Text, View
from catchrate.reports.views.comparison import moved_grid

MARKS: dict[Outcome, Mark] = {"passed": "passed", "failed": "failed", "cannot tell": "unsure"}
HEADS: dict[Outcome, str] = {"passed": "The gate is passed", "failed": "The gate failed", "cannot tell": ""}
NAMED = 5
"""Queries that a sentence names."""


def gate_view(gate: Gate) -> View:
    """Return the outcome, a sentence for each check, the numbers, and the worst queries of what does not hold."""
    blocks: list[Block] = [Text(text=headline(gate), style="verdict", mark=MARKS[gate.outcome])]
    blocks += [Text(text=sentence(check), style="verdict", mark=MARKS[check.outcome]) for check in gate]
    blocks += _slice_grids(gate) if gate.rules.by else _grids(gate)
    blocks += _legend(gate)
    for number, check in enumerate(gate, start=1):
        blocks += _queries(check, f"queries-{number}")
    return View(title="Gate", blocks=tuple(blocks), notes=gate.notes, provenance=gate.provenance)


def gate_table(gate: Gate) -> View:
    """Return every part of every check as one table, for forms that hold one."""
    return View(title="Gate", blocks=(_grid("checks", gate.checks, frozenset(COLUMNS)),), notes=gate.notes)


def headline(gate: Gate) -> str:
    """Return the outcome in one sentence."""
    counts = [(sum(check.outcome == outcome for check in gate), outcome) for outcome in HEADS]
    found = ", ".join(f"{count} {outcome}" for count, outcome in counts if count)
    number = gate.scores.queries
    checks = f"over {number:,} {'query' if number == 1 else 'queries'}: {found}"
    if gate.outcome == "cannot tell":
        lenient = " It passes, as was asked for." if gate.passed else ""
        return f"Cannot tell {checks}.{lenient}"
    return f"{HEADS[gate.outcome]} {checks}."


def sentence(check: Check) -> str:
    """Return what became of a check, with the worst slice where that is worse than the whole."""
    worst, slices = check.worst, len(check.parts) - 1
    text = part_sentence(check, worst)
    return f"{text} Worst of {slices:,} slices." if worst.slice and slices > 1 else text


def part_sentence(check: Check, part: Part) -> str:
    """Return what became of a check for all queries, or for a slice of them."""
    where = "" if part.slice is None else f" in {part.slice}"
    match check.rule:
        case Floor():
            return _floor(check.rule, part, where)
        case Margin():
            return _margin(check.rule, part, where)
        case MaxLost():
            return _lost(check.rule, check)


def _floor(rule: Floor, part: Part, where: str) -> str:
    if part.value is None:
        return f"Cannot tell whether {rule}{where}: {part.reason}."
    side = ("at least", "below") if rule.sign == ">=" else ("at most", "above")
    return f"{rule.subject} is {part.value:.4f}{where}: {side[part.outcome != 'passed']} {rule.bound:g}."


def _margin(rule: Margin, part: Part, where: str) -> str:
    low, high = part.interval.ends or (None, None)
    change = cell_text(Cell(part.value, low, high), "difference")
    if part.outcome == "failed":
        return f"{rule.measure} is worse by more than {rule.by:g}{where}: {change}."
    if part.outcome == "passed":
        return f"{rule.measure} is not worse by {rule.by:g}{where}: {part.reason or change}."
    if part.holds is None:
        return f"Cannot tell whether {rule.measure} is worse by {rule.by:g}{where}: {part.reason}."
    queries = f"{part.queries:,} queries"
    could = f"with {queries}, a margin of {_upwards(part.holds)} would have held"
    return f"Cannot tell whether {rule.measure} is worse by {rule.by:g}{where}: {change}; {could}."


def _upwards(margin: float) -> str:
    """Return a margin with four decimals, rounded so that it still holds."""
    rounded = round(margin, 4)
    return f"{rounded if rounded >= margin else rounded + 1e-4:.4f}"


def _lost(rule: MaxLost, check: Check) -> str:
    names = [one.query for one in check.lost[:NAMED]]
    more = f" and {len(check.lost) - NAMED:,} more" if len(check.lost) > NAMED else ""
    lost = "1 query lost" if len(check.lost) == 1 else f"{len(check.lost):,} queries lost"
    found = f"{lost} a relevant document from the first {rule.at:,} slots, {rule.most:,} may"
    return f"{found}: {', '.join(names)}{more}." if names else f"{found}."


COLUMNS = {
    "check": Column(name="check"),
    "slice": Column(name="slice", kind="id"),
    "outcome": Column(name="outcome"),
    "queries": Column(name="queries", kind="count"),
    "value": Column(name="value", kind="score", help="the measure in the run"),
    "change": Column(name="change", kind="difference", help="what it is more than in the baseline"),
    "lost": Column(name="lost", kind="count", help="queries that lost a relevant document"),
}


def _grids(gate: Gate) -> Iterator[Grid]:
    """Yield the values of floors, then the changes of margins; what counts queries has said all in its sentence."""
    for name, kind, column in (("floors", Floor, "value"), ("margins", Margin, "change")):
        checks = [check for check in gate if isinstance(check.rule, kind)]
        if checks:
            yield _grid(name, checks, {"check", "outcome", column})


def _slice_grids(gate: Gate) -> Iterator[Grid]:
    """Yield a table for each check that has slices."""
    for number, check in enumerate(gate, start=1):
        column = "change" if isinstance(check.rule, Margin) else "value"
        if len(check.parts) > 1:
            yield _grid(f"check-{number}", [check], {"slice", "outcome", "queries", column}, caption=str(check))


def _grid(name: str, checks: Sequence[Check], shown: Collection[str], caption: str = "") -> Grid:
    """Return one row for each check and each slice of it."""
    wanted = [column in shown for column in COLUMNS]
    return Grid(
        name=name,
        columns=tuple(compress(COLUMNS.values(), wanted)),
        rows=tuple(tuple(compress(_row(check, part), wanted)) for check in checks for part in check.parts),
        caption=caption,
        labels=sum(wanted[:2]),
    )


def _legend(gate: Gate) -> Iterator[Text]:
    intervals = [part.interval.level for check in gate for part in check.parts if part.interval.ends]
    if not intervals:
        return
    least, most = min(intervals), max(intervals)
    text = f"[low, high] is the {100 * least:.4g}% interval"
    if most > least:
        text += f"; in each slice the {100 * most:.4g}% interval, so that all slices together are as sure"
    yield Text(text=f"{text}.", style="quiet")


def _row(check: Check, part: Part) -> tuple[Cell, ...]:
    low, high = part.interval.ends or (None, None)
    nothing = Cell()
    value, change, lost = Cell(part.mean), nothing, nothing
    match check.rule:
        case Floor():
            value = Cell(part.mean, low, high)
        case Margin():
            change = Cell(part.value, low, high, reason=part.reason)
        case MaxLost():
            value, lost = nothing, Cell(part.value)
    outcome = Cell(part.outcome, mark=MARKS[part.outcome])
    return Cell(str(check)), Cell(part.slice or "all"), outcome, Cell(part.queries), value, change, lost


def _queries(check: Check, name: str) -> Iterator[Block]:
    """Yield the queries to look at where a check does not hold."""
    where = f" in {check.worst.slice}" if check.worst.slice else ""
    if check.lowest and isinstance(check.rule, Floor):
        yield Heading(text=f"Worst queries at {check.rule.measure}{where}")
        columns = (Column(name="query", kind="id"), Column(name=str(check.rule.measure), kind="score"))
        yield Grid(name=name, columns=columns, rows=tuple((Cell(q.query), Cell(q.value)) for q in check.lowest))
    if check.moved and isinstance(check.rule, Margin):
        yield Heading(text=f"Queries that lost most at {check.rule.measure}{where}")
        yield moved_grid(check.moved, check.rule.measure, name)
    if check.lost and isinstance(check.rule, MaxLost):
        yield Heading(text=f"Queries that lost a relevant document from the first {check.rule.at:,} slots")
        yield _lost_grid(check, name)


def _lost_grid(check: Check, name: str) -> Grid:
    texts = any(one.text for one in check.lost)
    columns = (Column(name="query", kind="id"), Column(name="text"), Column(name="lost"))
    shown = [True, texts, True]
    rows = ((Cell(one.query), Cell(one.text), Cell(_docs(one))) for one in check.lost)
    return Grid(
        name=name,
        columns=tuple(compress(columns, shown)),
        rows=tuple(tuple(compress(row, shown)) for row in rows),
        shown=20,
    )


def _docs(lost: Lost) -> str:
    return "; ".join(f"{change.doc} (was at {change.before})" for change in lost.docs)


def gate_cases(gate: Gate) -> list[Case]:
    """Return each check, and each slice of it, as a case for build servers."""
    cases: list[Case] = []
    for check in gate:
        details = as_text(view_lines(View(title="", blocks=tuple(_queries(check, "queries")))))
        for part in check.parts:
            name = f"{check} [{part.slice}]" if part.slice else str(check)
            unknown = "skipped" if gate.rules.cannot_tell == "pass" else "unknown"
            state: State = unknown if part.outcome == "cannot tell" else part.outcome
            message = part_sentence(check, part)
            said = f"{message}\n\n{details}" if part == check.worst else message
            cases.append(Case(name=name, state=state, message=message, details=said))
    return cases


def gate_content(gate: Gate) -> dict[str, object]:
    """Return a gate as plain data: what `--json` prints."""
    return {
        "outcome": gate.outcome,
        "passed": gate.passed,
        "checks": [_check(check) for check in gate],
        "notes": [note.as_dict() for note in gate.notes],
        "provenance": gate.provenance,
    }


def _check(check: Check) -> dict[str, object]:
    measure = None if isinstance(check.rule, MaxLost) else str(check.rule.measure)
    return {
        "check": str(check),
        "measure": measure,
        "outcome": check.outcome,
        "message": sentence(check),
        "worst": check.worst.slice,
        "parts": [_part(part) for part in check.parts],
        "queries": [
            *(asdict(one) for one in check.lowest),
            *({**asdict(one), "difference": one.difference} for one in check.moved),
            *(asdict(one) for one in check.lost),
        ],
    }


def _part(part: Part) -> dict[str, object]:
    return {
        "slice": part.slice,
        "outcome": part.outcome,
        "queries": part.queries,
        "value": part.value,
        "mean": part.mean,
        "ci": part.interval.ends,
        "level": part.interval.level,
        "smallest_margin": part.holds,
        "reason": part.reason or part.interval.reason or None,
    }

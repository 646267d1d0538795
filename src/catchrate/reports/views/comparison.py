"""What a comparison says: verdicts first, then the numbers that they come from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict

from catchrate.evaluation.comparison import Comparison, Difference, Flip
from catchrate.evaluation.comparison import flips as flips_of
from catchrate.evaluation.comparison.result import EqualBudgets
from catchrate.evaluation.found import Finds
from catchrate.evaluation.moved import Moved
from catchrate.measures import Measure
from catchrate.reports.view import Block, Cell, Column, Grid, Heading, Kind, Mark, Text, View
from catchrate.reports.views.comparison_words import MARKS, flip_sentences, verdicts, verdicts_of

FEW_PAIRS = 3
"""So many pairs are looked at query by query."""
CORRECTED = {
    "holm": "corrected for the differences that are looked at together, by Holm",
    "bh": "corrected for the differences that are looked at together, by Benjamini and Hochberg",
    "max-t": "corrected for the differences that are looked at together, by the largest of them",
    "none": "not corrected",
}


def comparison_view(comparison: Comparison, flips: Sequence[Flip] | None = None) -> View:
    """Return the verdicts, the differences, the queries that moved most, and what each run finds alone.

    `flips` are the verdicts that unjudged documents could change, where somebody has worked them out already.
    """
    doubts = flip_sentences(flips_of(comparison) if flips is None else flips)
    blocks: list[Block] = [*verdicts(comparison), *doubts, numbers_grid(comparison), queries_grid(comparison)]
    blocks += budget_blocks(comparison)
    if len(comparison.pairs) <= FEW_PAIRS:
        for number, (first, *_) in enumerate(comparison.pairs.values(), start=1):
            blocks += _pair_blocks(comparison, first, number)
    return View(title="Comparison", blocks=tuple(blocks), notes=comparison.notes, provenance=comparison.provenance)


def differences_view(comparison: Comparison) -> View:
    """Return all numbers of all differences as one table, for forms that hold one."""
    frame = comparison.frame
    kinds: dict[str, Kind] = {"run": "id", "against": "id", "measure": "text", "verdict": "text", "reason": "text"}
    columns = tuple(Column(name=name, kind=kinds.get(name, "number")) for name in frame.columns)
    grid = Grid(name="differences", columns=columns, rows=tuple(tuple(map(Cell, row)) for row in frame.iter_rows()))
    return View(title="Comparison", blocks=(grid,), notes=comparison.notes)


def numbers_grid(
    comparison: Comparison, differences: Iterable[Difference] | None = None, name: str = "numbers"
) -> Grid:
    """Return the values of both runs and their difference; with one pair, its runs are columns."""
    differences = comparison if differences is None else differences
    means = _means(comparison)
    columns = (
        *_labels(comparison),
        *(Column(name=name, kind="score") for name in means),
        Column(name="difference", kind="difference", help="with its paired interval"),
        Column(name="p", kind="p", help=CORRECTED[comparison.choices.correction]),
        Column(name="relative", kind="share", help="the difference as a share of the first value"),
    )
    rows = tuple((*_named(comparison, one), *_numbers(one, means=bool(means))) for one in differences)
    return Grid(name=name, columns=columns, rows=rows, labels=len(_labels(comparison)))


def budget_blocks(comparison: Comparison) -> Iterator[Block]:
    """Yield the runs at equal budgets, where their chunks differ in length: verdicts, then numbers beside equal k."""
    found = comparison.at_equal_budgets
    if found is None:
        return
    yield Heading(text=f"Equal k is not equal context: at equal budgets of {found.unit}")
    rows: list[Difference] = []
    for pair, at_k in comparison.pairs.items():
        at_budgets = [one for one in found.differences if (one.a, one.b) == pair]
        yield from verdicts_of(at_budgets, comparison.choices.care)
        rows += _side_by_side(at_k, at_budgets)
    yield numbers_grid(comparison, rows, "budgets")


def _side_by_side(at_k: Iterable[Difference], at_budgets: Iterable[Difference]) -> Iterator[Difference]:
    """Yield the differences of each measure at equal k, then at equal budgets."""
    kinds: dict[object, list[Difference]] = {}
    for one in at_budgets:
        kinds.setdefault(_without_k(one.measure), []).append(one)
    for kind, same in kinds.items():
        yield from (one for one in at_k if _without_k(one.measure) == kind and one.measure.get("k") is not None)
        yield from same


def _without_k(measure: Measure) -> object:
    return measure.name, tuple(given for given in measure.parameters if given[0] != "k"), measure.judged_only


def queries_grid(comparison: Comparison) -> Grid:
    """Return how many queries each difference rests on, and how large it had to be to be seen."""
    columns = (
        *_labels(comparison),
        Column(name="won", kind="count", help="queries at which the second run is better"),
        Column(name="tied", kind="count", help="queries at which both are equal"),
        Column(name="lost", kind="count", help="queries at which the first run is better"),
        Column(name="effect", kind="number", help="the mean difference in standard deviations of the differences"),
        Column(name="detectable", kind="score", help="the difference that such a set shows in four of five cases"),
    )
    rows = tuple(
        (*_named(comparison, one), *map(Cell, (one.wins, one.ties, one.losses, one.effect, one.detectable)))
        for one in comparison
    )
    return Grid(name="queries", columns=columns, rows=rows, labels=len(_labels(comparison)))


def _labels(comparison: Comparison) -> tuple[Column, ...]:
    """Return the columns that name a difference: as few as tell them apart."""
    run = () if len(comparison.pairs) == 1 else (Column(name="run", kind="id"),)
    against = () if comparison.baseline or not run else (Column(name="against", kind="id"),)
    return (*run, *against, Column(name="measure"))


def _means(comparison: Comparison) -> tuple[str, ...]:
    """Return what the columns of the two values are called; there is no room for them beside the names of two runs."""
    if len(comparison.pairs) == 1:
        return next(iter(comparison.pairs))
    return (comparison.baseline, "mean") if comparison.baseline else ()


def _named(comparison: Comparison, one: Difference) -> tuple[Cell, ...]:
    cells = {"run": one.b, "against": one.a, "measure": str(one.measure)}
    return tuple(Cell(cells[column.name]) for column in _labels(comparison))


def _numbers(one: Difference, *, means: bool) -> Iterator[Cell]:
    low, high = one.interval.ends or (None, None)
    if means:
        yield Cell(one.mean_a)
        yield Cell(one.mean_b)
    yield Cell(one.difference, low, high, mark=MARKS.get(one.verdict), reason=one.interval.reason)
    yield Cell(one.corrected, reason="" if one.p.reason == one.interval.reason else one.p.reason)
    yield Cell(one.relative)


def moved_grid(moved: Sequence[Moved], measure: Measure, name: str = "moved") -> Grid:
    """Return the queries that moved most, each with the documents that made it move."""
    texts = any(one.text for one in moved)
    columns = (
        Column(name="query", kind="id"),
        *((Column(name="text"),) if texts else ()),
        Column(name="difference", kind="difference"),
        Column(name="what changed"),
    )
    rows: list[tuple[Cell, ...]] = []
    for one in moved:
        text = (Cell(one.text),) if texts else ()
        difference = Cell(one.difference, mark=side(measure, one.difference))
        rows.append((Cell(one.query), *text, difference, Cell("; ".join(map(str, one.changes)))))
    return Grid(name=name, columns=columns, rows=tuple(rows))


def side(measure: Measure, difference: float) -> Mark | None:
    """Return whether a difference is one for the better, where a measure has a better side."""
    better = measure.row.higher_is_better
    return None if better is None or not difference else "better" if (difference > 0) is better else "worse"


def _pair_blocks(comparison: Comparison, of: Difference, number: int) -> Iterator[Block]:
    """Yield what makes two runs differ: the queries that moved most, and the documents that only one of them finds."""
    one_pair = len(comparison.pairs) == 1
    yield from moved_blocks(comparison, of, 0 if one_pair else number)
    yield from finds_blocks(comparison, of, 0 if one_pair else number)


def moved_blocks(comparison: Comparison, of: Difference, number: int = 0) -> Iterator[Block]:
    """Yield the queries that moved most; a number tells the tables of several pairs apart."""
    moved = comparison.moved(of)
    if moved:
        yield Heading(text=f"Queries that moved most from {of.a} to {of.b} at {of.measure}")
        yield moved_grid(moved, of.measure, f"moved{_behind(number)}")


def finds_blocks(comparison: Comparison, of: Difference, number: int = 0) -> Iterator[Block]:
    """Yield how many documents each of two runs finds alone; a number tells the tables of several pairs apart."""
    found = comparison.finds(of.a, of.b)
    if found.only_a or found.only_b:
        where = "in their lists" if found.depth is None else f"in the first {found.depth:,} slots"
        yield Heading(text=f"What {of.a} and {of.b} find {where}")
        recall = f"{of.a} has a recall of {found.recall_a:.4f}, {of.b} {found.recall_b:.4f}"
        yield Text(text=f"{recall}; the lists of both together would have {found.recall_union:.4f}.")
        yield finds_grid(found, of.a, of.b, f"finds{_behind(number)}")


def _behind(number: int) -> str:
    return f"-{number}" if number else ""


def finds_grid(found: Finds, a: str, b: str, name: str = "finds") -> Grid:
    """Return how many relevant documents both runs find, one of them, or neither."""
    parts = {"both": found.both, f"only {a}": found.only_a, f"only {b}": found.only_b, "neither": found.neither}
    columns = (Column(name="found by", kind="id"), Column(name="relevant documents", kind="count"))
    return Grid(name=name, columns=columns, rows=tuple((Cell(who), Cell(count)) for who, count in parts.items()))


def comparison_content(comparison: Comparison, flips: Sequence[Flip] | None = None) -> dict[str, object]:
    """Return a comparison as plain data: what `--json` prints."""
    found = flips_of(comparison) if flips is None else flips
    return {
        "baseline": comparison.baseline,
        "queries": comparison.queries,
        "differences": [_difference(one) for one in comparison],
        "flips": [_flip(one) for one in found],
        "equal_budgets": _equal_budgets(comparison.at_equal_budgets),
        "moved": [
            {"run": first.b, "against": first.a, "measure": str(first.measure), "queries": _moved(comparison, first)}
            for first, *_ in comparison.pairs.values()
        ],
        "finds": [{"run": b, "against": a, **asdict(comparison.finds(a, b))} for a, b in comparison.pairs],
        "notes": [note.as_dict() for note in comparison.notes],
        "provenance": comparison.provenance,
    }


def _difference(one: Difference) -> dict[str, object]:
    return {
        "run": one.b,
        "against": one.a,
        "measure": str(one.measure),
        "mean": one.mean_b,
        "mean_against": one.mean_a,
        "difference": one.difference,
        "ci": list(one.interval.ends) if one.interval.ends else None,
        "ci_reason": one.interval.reason or None,
        "n": one.interval.n,
        "relative": one.relative,
        "wins": one.wins,
        "ties": one.ties,
        "losses": one.losses,
        "effect": one.effect,
        "p": one.p.value,
        "p_exact": one.p.exact,
        "p_corrected": one.corrected,
        "p_reason": one.p.reason or None,
        "detectable": one.detectable,
        "verdict": one.verdict,
        "reason": one.reason or None,
    }


def _equal_budgets(found: EqualBudgets | None) -> dict[str, object] | None:
    if found is None:
        return None
    return {
        "depth": found.depth,
        "unit": found.unit,
        "lengths": dict(found.lengths),
        "budgets": list(found.budgets),
        "differences": [_difference(one) for one in found.differences],
    }


def _flip(one: Flip) -> dict[str, object]:
    named = {"run": one.found.b, "against": one.found.a, "measure": str(one.found.measure)}
    other = one.if_relevant
    return {**named, "verdict": one.found.verdict, "if_relevant": other.verdict, "difference": other.difference}


def _moved(comparison: Comparison, of: Difference) -> list[dict[str, object]]:
    return [
        {**asdict(one), "difference": one.difference, "changes": [{**asdict(c), "what": c.what} for c in one.changes]}
        for one in comparison.moved(of)
    ]

"""How alike two runs are, where nothing is judged."""

from __future__ import annotations

from dataclasses import asdict

from catchrate.evaluation.rankings import SHOWN, Changed, RankingComparison
from catchrate.reports.view import Block, Cell, Column, Grid, Heading, Text, View

NAMED = 4
"""So many documents are named."""


def rankings_view(found: RankingComparison) -> View:
    """Return how alike two runs are, and the queries that changed most."""
    blocks: list[Block] = [Text(text=_answer(found), style="verdict"), Text(text=ADVICE, style="quiet")]
    if found.changed[0].rbo < 1:
        blocks += [Heading(text=f"Queries that changed most from {found.a} to {found.b}"), changed_grid(found)]
    return View(title="Two rankings", blocks=tuple(blocks), notes=found.notes, provenance=found.provenance)


ADVICE = "Without judgments nobody can say which run is better: judge the documents in which they differ first."


def _answer(found: RankingComparison) -> str:
    alike = f"{found.a} and {found.b} share {found.overlap:.1%} of their first {found.k:,} documents"
    same = f"{found.same:,} of {found.queries:,} queries {'has' if found.same == 1 else 'have'} the same ones"
    return f"{alike}; rank-biased overlap is {found.rbo:.4f}. {same}."


def all_changed_view(found: RankingComparison) -> View:
    """Return every query with all documents in which the runs differ, for forms that hold one table."""
    return View(title="Two rankings", blocks=(changed_grid(found, named=None),), notes=found.notes)


def changed_grid(found: RankingComparison, *, named: int | None = NAMED) -> Grid:
    """Return every query, the one that changed most first, with so many documents by name."""
    columns = (
        Column(name="query", kind="id"),
        Column(name=f"overlap@{found.k}", kind="score", help="share of the first documents that both runs hold"),
        Column(name="rbo", kind="score", help="rank-biased overlap: 1 for equal lists, 0 for those that share nothing"),
        Column(name="gone", help=f"among the first {found.k} of {found.a} alone"),
        Column(name="new", help=f"among the first {found.k} of {found.b} alone"),
    )
    rows = tuple(
        (Cell(one.query), Cell(one.overlap), Cell(one.rbo), Cell(_some(one.gone, named)), Cell(_some(one.new, named)))
        for one in found.changed
    )
    return Grid(name="changed", columns=columns, rows=rows, shown=SHOWN)


def _some(docs: tuple[str, ...], named: int | None) -> str:
    more = f" and {len(docs) - named} more" if named is not None and len(docs) > named else ""
    return ", ".join(docs[:named]) + more


def rankings_content(found: RankingComparison) -> dict[str, object]:
    """Return two rankings beside each other as plain data: what `--json` prints."""
    return {
        "runs": [found.a, found.b],
        "k": found.k,
        "p": found.p,
        "queries": found.queries,
        "overlap": found.overlap,
        "rbo": found.rbo,
        "same": found.same,
        "changed": [_plain(one) for one in found.changed],
        "notes": [note.as_dict() for note in found.notes],
        "provenance": found.provenance,
    }


def _plain(one: Changed) -> dict[str, object]:
    return {**asdict(one), "gone": list(one.gone), "new": list(one.new)}

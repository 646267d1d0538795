"""What a diagnosis says of documents: what was missed, what stands there instead, and what to judge next."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import polars as pl

from catchrate.evaluation.diagnosis import Alike, Crowd, Hub, Miss, MissedOften, NothingFound
from catchrate.reports.values import value_text
from catchrate.reports.view import Block, Cell, Column, Grid, Heading, Text

SHOWN, FEW = 10, 5
MOST = 1_000
"""Documents to judge that a report holds; the sheet holds all."""
INSTEAD = 3
"""So many documents are named that stand in the place of a miss, where a person reads."""


def missed_blocks(
    missed: Sequence[Miss], nothing: Sequence[NothingFound], often: Sequence[MissedOften], *, full: bool
) -> Iterator[Block]:
    """Yield every miss, the queries without anything found, and the documents that several queries miss."""
    if missed:
        yield Heading(text=f"What was missed: {len(missed):,} relevant documents")
        yield misses_grid(missed, full=full)
    if nothing:
        found = f"{len(nothing):,} {'query has' if len(nothing) == 1 else 'queries have'} nothing relevant"
        yield Heading(text=f"{found} among the first slots")
        yield nothing_grid(nothing, full=full)
    if often:
        yield Heading(text="Documents that several queries miss")
        yield often_grid(often)


def misses_grid(missed: Sequence[Miss], *, full: bool = True) -> Grid:
    """Return one row a missed document."""
    texts = full and any(one.text for one in missed)
    instead, near = any(one.instead for one in missed), any(one.near for one in missed)
    columns = (
        Column(name="query", kind="id"),
        Column(name="document", kind="id"),
        Column(name="grade", kind="grade"),
        Column(name="rank", kind="rank", help="where it stands; none was never returned"),
        Column(name="lost to"),
        *((Column(name="instead", help="documents among the first k that are not relevant"),) if instead else ()),
        *((Column(name="nearest", kind="id", help="the chunk that came nearest to its text"),) if near else ()),
        *((Column(name="match", kind="score", help="how strongly the nearest chunk matched"),) if near else ()),
        *((Column(name="text", help="what was asked"),) if texts else ()),
    )
    rows = tuple(
        (
            *map(Cell, (one.query, one.doc, one.grade, one.rank, one.fate)),
            *((Cell(_few(one.instead, None if full else INSTEAD)),) if instead else ()),
            *((Cell(one.near), Cell(one.strength)) if near else ()),
            *((Cell(one.text),) if texts else ()),
        )
        for one in missed
    )
    return Grid(name="misses", columns=columns, rows=rows, labels=2, shown=SHOWN)


def _few(names: Sequence[str], most: int | None) -> str:
    more = len(names) - len(names[:most])
    return ", ".join(names[:most]) + (f" and {more:,} more" if more else "")


def nothing_grid(nothing: Sequence[NothingFound], *, full: bool = True) -> Grid:
    """Return one row a query of which nothing relevant was found."""
    texts = any(one.text for one in nothing)
    columns = (
        Column(name="query", kind="id"),
        Column(name="relevant", kind="count"),
        Column(name="best rank", kind="rank", help="of any relevant document; none was returned where it is empty"),
        *((Column(name="text", help="what was asked"),) if texts else ()),
    )
    rows = tuple(
        (*map(Cell, (one.query, one.relevant, one.best)), *((Cell(one.text),) if texts else ())) for one in nothing
    )
    return Grid(name="nothing-found", columns=columns, rows=rows, shown=SHOWN if full else FEW)


def often_grid(often: Sequence[MissedOften]) -> Grid:
    """Return one row a document that several queries miss."""
    columns = (
        Column(name="document", kind="id"),
        Column(name="missed by", kind="count", help="queries that it is relevant to and that miss it"),
        Column(name="relevant to", kind="count"),
        Column(name="never returned to", kind="count"),
    )
    rows = tuple(tuple(map(Cell, (one.doc, one.missed, one.relevant, one.never))) for one in often)
    return Grid(name="missed-often", columns=columns, rows=rows, shown=FEW)


def crowd_blocks(crowd: Crowd | None) -> Iterator[Block]:
    """Yield what takes slots without adding anything."""
    if crowd is None:
        return
    if crowd.hubs:
        yield Heading(text="Documents that come back for many queries and help few")
        yield hubs_grid(crowd.hubs)
    wasted = crowd.repeats + len(crowd.alike or ())
    if wasted:
        share = value_text(wasted / crowd.slots, "share")
        slots = f"1 slot ({share}) says" if wasted == 1 else f"{wasted:,} slots ({share}) say"
        yield Heading(text=f"{slots} what a slot above said already")
        yield Text(text=_wasted(crowd))
    if crowd.alike:
        yield alike_grid(crowd.alike)


def _wasted(crowd: Crowd) -> str:
    parts = [f"the same document again: {crowd.repeats:,}"] if crowd.repeats else []
    parts += [f"the same text, or nearly: {len(crowd.alike):,}"] if crowd.alike else []
    said = "; ".join(parts)
    return f"{said[:1].upper()}{said[1:]}. Drop duplicates before the cut-off, and other documents move up."


def hubs_grid(hubs: Sequence[Hub]) -> Grid:
    """Return one row a document that crowds the first slots."""
    columns = (
        Column(name="document", kind="id"),
        Column(name="returned for", kind="count", help="queries whose first k slots hold it"),
        Column(name="relevant to", kind="count"),
        Column(name="judged for", kind="count"),
    )
    rows = tuple(tuple(map(Cell, (one.doc, one.returned, one.relevant, one.judged))) for one in hubs)
    return Grid(name="hubs", columns=columns, rows=rows, shown=FEW)


def alike_grid(alike: Sequence[Alike]) -> Grid:
    """Return one row a slot that says what one above it says."""
    columns = (
        Column(name="query", kind="id"),
        Column(name="document", kind="id"),
        Column(name="again", kind="id", help="the document further down that says the same"),
        Column(name="rank", kind="rank", help="of the one further down"),
        Column(name="alike", kind="share", help="runs of words that both have, of those that either has"),
    )
    rows = tuple(tuple(map(Cell, (one.query, one.doc, one.again, one.slots[1], one.similarity))) for one in alike)
    return Grid(name="alike", columns=columns, rows=rows, labels=3, shown=FEW)


def judging_blocks(worklist: pl.DataFrame | None, judged: float, k: int) -> Iterator[Block]:
    """Yield how much was judged, and what to judge next."""
    if worklist is None or worklist.is_empty():
        return
    yield Heading(text="What to judge next")
    said = f"{value_text(judged, 'share')} of the first {k:,} slots were judged."
    rest = f"Of the {worklist.height:,} documents there that nobody judged, these would narrow recall most;"
    yield Text(text=f"{said} {rest} --worklist FILE writes them as a sheet to fill in.")
    yield worklist_grid(worklist)


def worklist_grid(worklist: pl.DataFrame) -> Grid:
    """Return one row a document to judge."""
    columns = (
        Column(name="query", kind="id"),
        Column(name="document", kind="id"),
        Column(name="runs", kind="count", help="how many runs return it among their first slots"),
        Column(name="best rank", kind="rank"),
        Column(name="chance", kind="share", help="how often judged documents at such ranks are relevant"),
        Column(name="moves", kind="score", help="how far a judgment is expected to move the recall of the query"),
    )
    rows = worklist.select("query", "doc", "runs", "best_rank", "chance", "moves").iter_rows()
    return Grid(
        name="worklist", columns=columns, rows=tuple(tuple(map(Cell, row)) for row in rows), labels=2, shown=FEW
    )

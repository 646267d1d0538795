"""What matching texts says: what was found, what nearly was, and how much depends on the threshold."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import polars as pl

from catchrate.errors import UsageError, shown
from catchrate.evaluation.match import Sensitivity
from catchrate.evaluation.matches import Matches
from catchrate.reports.view import Block, Cell, Column, Grid, Heading, Text, View

FEW = 10
"""Near misses that are shown at once."""
EXCERPT = 60
"""Characters of a text that are shown."""
STRENGTH = Column(name="strength", kind="share", help="how much of the gold text the chunk holds by itself")
SLOT = Column(name="slot", kind="rank", help="the place in the list")


def matches_view(matches: Matches, sensitivity: Sensitivity | None = None) -> View:
    """Return how many gold texts were found, the nearest of those that were not, and every match."""
    near = matches.near_misses.sort("strength", descending=True, nulls_last=True, maintain_order=True)
    blocks: list[Block] = [Heading(text=_summary(matches)), *_remark(near)]
    if near.height:
        blocks.append(_near_grid(near, matches.texts()))
    if sensitivity:
        blocks.append(threshold_grid(sensitivity))
        blocks.append(Text(text=_moved(sensitivity), style="quiet"))
    blocks.append(_match_grid(matches))
    return View(title="Matches", blocks=tuple(blocks), notes=matches.notes, provenance={"match": matches.rule})


def sensitivity_view(sensitivity: Sensitivity) -> View:
    """Return a measure at every threshold."""
    title = f"{sensitivity.measure} by the threshold of {sensitivity.rule}"
    return View(title=title, blocks=(threshold_grid(sensitivity), Text(text=_moved(sensitivity), style="quiet")))


def query_view(matches: Matches, query: str) -> View:
    """Return every chunk of one query with what it holds, and each gold text that was missed with what came nearest.

    Raises UsageError for a query that has no gold text.
    """
    gold = matches.aligned.items.filter(pl.col("query") == query)
    if gold.is_empty() and query not in matches.aligned.queries["query"]:
        known = ", ".join(shown(name, 40) for name in matches.aligned.queries["query"].head(3))
        raise UsageError.of("E360", f"no query {shown(query)} is judged", fix=f"name one, such as {known}")
    texts = matches.texts()
    near = matches.near_misses.filter(pl.col("query") == query)
    blocks: list[Block] = [Heading(text=f"{query}: {gold.height - near.height} of {gold.height} gold texts found")]
    blocks.append(_held_grid(matches, query, texts))
    if near.height:
        blocks.append(_near_grid(near, texts))
    return View(title="Matches", blocks=tuple(blocks), notes=matches.notes, provenance={"match": matches.rule})


def threshold_grid(sensitivity: Sensitivity) -> Grid:
    """Return one row a threshold."""
    rows = zip(sensitivity.thresholds, sensitivity.means, strict=True)
    return Grid(
        name="thresholds",
        columns=(Column(name="threshold", kind="share"), Column(name=str(sensitivity.measure), kind="score")),
        rows=tuple((Cell(t, mark="chosen" if t == sensitivity.chosen else None), Cell(mean)) for t, mean in rows),
    )


def _summary(matches: Matches) -> str:
    gold, found = matches.aligned.items.height, matches.table.select("query", "gold").n_unique()
    queries = matches.aligned.queries.height
    of = "1 query" if queries == 1 else f"{queries:,} queries"
    return f"{found:,} of {gold:,} gold {'text' if gold == 1 else 'texts'} of {of} found by {matches.rule}"


def _remark(near: pl.DataFrame) -> Iterator[Text]:
    nothing = near["slot"].null_count()
    if nothing:
        yield Text(text=f"No chunk has anything of {nothing:,} of the {near.height:,} that were missed.")


def _moved(sensitivity: Sensitivity) -> str:
    chosen = f"The threshold that was chosen, {sensitivity.chosen:g}, is marked"
    first, last = sensitivity.means[0], sensitivity.means[-1]
    if first == last:
        return f"{chosen}; the threshold changes nothing."
    ends = f"{sensitivity.thresholds[0]:g} and {sensitivity.thresholds[-1]:g}"
    return f"{chosen}; between {ends} the value moves from {first:.4f} to {last:.4f}."


def _near_grid(near: pl.DataFrame, texts: Mapping[str, str]) -> Grid:
    columns = (
        Column(name="query", kind="id"),
        Column(name="missed gold text"),
        Column(name="nearest chunk"),
        SLOT,
        STRENGTH,
    )
    rows = near.select("query", "gold", "chunk", "slot", "strength").rows()
    return Grid(
        name="near-misses",
        columns=columns,
        rows=tuple(
            (Cell(q), Cell(_excerpt(gold, texts), mark="missed"), Cell(_excerpt(chunk, texts)), Cell(slot), Cell(share))
            for q, gold, chunk, slot, share in rows
        ),
        caption="Gold texts that were missed, the nearest misses first.",
        shown=FEW,
    )


def _match_grid(matches: Matches) -> Grid:
    names = ("query", "slot", "chunk", "gold", "strength", "together")
    together = Column(name="together", kind="share", help="how much of it all chunks down to this one hold")
    columns = (
        Column(name="query", kind="id"),
        SLOT,
        Column(name="chunk"),
        Column(name="gold text"),
        STRENGTH,
        together,
    )
    rows = matches.table.select(names).rows()
    return Grid(name="matches", columns=columns, rows=tuple(tuple(map(Cell, row)) for row in rows), labels=2, shown=FEW)


def _held_grid(matches: Matches, query: str, texts: Mapping[str, str]) -> Grid:
    found: dict[int, list[tuple[str, float, float]]] = {}
    table = matches.table.filter(pl.col("query") == query)
    for slot, gold, strength, together in table.select("slot", "gold", "strength", "together").rows():
        found.setdefault(slot, []).append((gold, strength, together))
    columns = (
        SLOT,
        Column(name="chunk"),
        Column(name="holds"),
        STRENGTH,
        Column(name="together", kind="share", help="how much of the gold text all chunks down to this one hold"),
    )
    rows: list[tuple[Cell, ...]] = []
    for slot, doc in enumerate(matches.documents(query), start=1):
        for gold, strength, together in found.get(slot, [("", None, None)]):
            mark = "found" if gold else "unjudged"
            holds = Cell(_excerpt(gold, texts) if gold else None)
            rows.append((Cell(slot), Cell(_excerpt(doc, texts), mark=mark), holds, Cell(strength), Cell(together)))
    return Grid(name="chunks", columns=columns, rows=tuple(rows), labels=2)


def _excerpt(doc: str | None, texts: Mapping[str, str]) -> str | None:
    if doc is None:
        return None
    text = " ".join(texts.get(doc, doc)[: 4 * EXCERPT].split())
    return text if len(text) <= EXCERPT else f"{text[:EXCERPT]}…"

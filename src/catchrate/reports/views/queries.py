"""What a diagnosis says of positions, of kinds of queries, and of what else is known of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from catchrate.evaluation.diagnosis import Beside, Positions, Slice, really_worse
from catchrate.evaluation.diagnosis.loss import LossAccount
from catchrate.reports.values import value_text
from catchrate.reports.view import Block, Cell, Column, Figure, Grid, Heading, Text
from catchrate.reports.views.curves import interval_cell
from catchrate.reports.views.loss import slices_loss_grid

FEW_SLICES = 6
"""So many slices are taken apart where a person reads; all are in the data."""


def position_blocks(positions: Positions) -> Iterator[Block]:
    """Yield in which third of the context relevant documents stand, and at which ranks of the lists."""
    total = sum(third.relevant for third in positions.thirds)
    if not total:
        return
    shares = ", ".join(f"{value_text(third.share, 'share')} in the {third.name}" for third in positions.thirds)
    yield Heading(text="Where the relevant documents stand")
    middle = positions.thirds[1].share or 0.0
    buried = " Readers overlook what stands in the middle: put the best first." if middle > 1 / 3 else ""
    yield Text(text=f"Of {total:,} relevant slots among the first {positions.k:,}, {shares} third.{buried}")
    yield thirds_grid(positions)
    yield ranks_figure({"run": positions})


def thirds_grid(positions: Positions) -> Grid:
    """Return one row a third."""
    columns = (
        Column(name="third"),
        Column(name="relevant", kind="count", help="slots with a relevant document"),
        Column(name="share", kind="share", help="of all relevant slots"),
        Column(name="precision", kind="share", help="relevant slots as a share of the slots of this third"),
    )
    rows = tuple((Cell(t.name), Cell(t.relevant), Cell(t.share), Cell(t.precision)) for t in positions.thirds)
    return Grid(name="thirds", columns=columns, rows=rows)


def ranks_figure(found: Mapping[str, Positions]) -> Figure:
    """Return how many relevant documents of one run or several stand at which ranks."""
    labels = (Column(name="run", kind="id"),) if len(found) > 1 else ()
    rows = tuple(
        (*(Cell(name) for _ in labels), Cell(_range(one.first, one.last)), Cell(one.documents))
        for name, positions in found.items()
        for one in positions.ranks
    )
    columns = (
        *labels,
        Column(name="ranks"),
        Column(name="documents", kind="count", help="relevant ones, first found there"),
    )
    return Figure(
        chart="rank_positions",
        title="Ranks of the relevant documents",
        summary=" ".join(_returned(name if labels else "", positions) for name, positions in found.items()),
        data=Grid(name="rank-positions", columns=columns, rows=rows, labels=len(labels) + 1),
    )


def _returned(name: str, positions: Positions) -> str:
    found = sum(one.documents for one in positions.ranks)
    first = f"{positions.ranks[0].documents:,} stand at rank 1." if positions.ranks else ""
    return f"{f'{name}: ' if name else ''}{found:,} relevant documents were returned; {first}".rstrip("; ")


def _range(first: int, last: int) -> str:
    return f"{first:,}" if first == last else f"{first:,} to {last:,}"


def worse_texts(slices: Sequence[Slice]) -> Iterator[Text]:
    """Yield the slices that are really worse than the rest."""
    for one in really_worse(slices):
        rest = f"{abs(one.difference or 0):.4f} below the rest, p {value_text(one.corrected, 'p')} after correction"
        text = f"{one.by} {one.name} is worse: recall {one.recall:.4f} over {one.queries:,} queries, {rest}."
        yield Text(text=text, style="verdict", mark="worse")


def slice_blocks(slices: Sequence[Slice], k: int, overall: float, *, full: bool) -> Iterator[Block]:
    """Yield each kind of query with its recall, and where its documents are."""
    if not slices:
        return
    yield Heading(text="Kinds of queries")
    if not really_worse(slices):
        text = f"No slice is really worse than the rest, after correction for {len(slices):,} slices."
        yield Text(text=text, style="quiet")
    yield slices_figure(slices, k, overall)
    if full or len(slices) <= FEW_SLICES:
        for number, by in enumerate(dict.fromkeys(one.by for one in slices), start=1):
            accounts: dict[str, LossAccount] = {one.name: one.loss for one in slices if one.by == by}
            yield Heading(text=f"Where they are, by {by}", level=3)
            yield slices_loss_grid(by, accounts, number)


def slices_figure(slices: Sequence[Slice], k: int, overall: float) -> Figure:
    """Return recall of each slice with its interval beside that of all queries."""
    measure = f"recall@{k}"
    columns = (
        Column(name="slice", kind="id"),
        Column(name="queries", kind="count"),
        Column(name=measure, kind="score", help="with its 95% interval"),
        Column(name="difference", kind="difference", help="to the mean of all other queries"),
        Column(name="p", kind="p", help="corrected for all slices, by Holm"),
    )
    rows = tuple(
        (
            Cell(f"{one.by}: {one.name}"),
            Cell(one.queries),
            interval_cell(one.recall, one.interval),
            Cell(one.difference, mark=one.verdict),
            Cell(one.corrected, reason=one.p.reason and f"No p: {one.p.reason}."),
        )
        for one in slices
    )
    low = min(slices, key=lambda one: one.recall)
    return Figure(
        chart="slices",
        title=f"{measure} by kind of query",
        summary=f"{low.by} {low.name} has the lowest recall, {low.recall:.4f}; all queries have {overall:.4f}.",
        data=Grid(name="slices", columns=columns, rows=rows),
        options={"measure": measure, "overall": overall},
    )


def beside_blocks(beside: Sequence[Beside], k: int) -> Iterator[Block]:
    """Yield the numbers that records carry beside quality."""
    if not beside:
        return
    columns = (
        Column(name="number", kind="id"),
        Column(name="queries", kind="count", help="of how many it is known"),
        Column(name="mean", kind="number"),
        Column(name="median", kind="number"),
        Column(name="95%", kind="number", help="what 95 of 100 queries do not exceed"),
        Column(name="largest", kind="number"),
        Column(name="with recall", kind="difference", help=f"Spearman's rank correlation with recall@{k}"),
        Column(name="p", kind="p", help="of the correlation, corrected by Holm"),
    )
    rows = tuple(
        (
            *map(Cell, (one.name, one.known, one.mean, one.median, one.high, one.largest)),
            Cell(one.correlation, reason=one.p.reason and f"No correlation: {one.p.reason}."),
            Cell(one.corrected),
        )
        for one in beside
    )
    yield Heading(text="Beside recall")
    yield Grid(name="beside", columns=columns, rows=rows)

"""What a loss account says: where the relevant documents are, what larger cut-offs would find, what to do."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from catchrate.evaluation.diagnosis import LossAccount
from catchrate.evaluation.diagnosis.loss import FATES, Fate, Part
from catchrate.reports.values import value_text
from catchrate.reports.view import Block, Cell, Column, Figure, Grid, Text, View

SHARE = "share of recall: the mean over queries, each counting alike; the parts add up to 1"


def loss_view(account: LossAccount) -> View:
    """Return a loss account by itself."""
    blocks: list[Block] = [loss_figure({"run": account}), *deeper_grids(account), *advice(account)]
    return View(title=f"Loss account at {account.k}", blocks=tuple(blocks))


def loss_figure(accounts: Mapping[str, LossAccount]) -> Figure:
    """Return the parts of one run or several, as bars that add up to all relevant documents."""
    first = next(iter(accounts.values()))
    return Figure(
        chart="loss_account",
        title=f"Where the relevant documents are, at k = {first.k:,}",
        summary=" ".join(_summary(name if len(accounts) > 1 else "", one) for name, one in accounts.items()),
        data=loss_grid(accounts),
    )


def loss_grid(accounts: Mapping[str, LossAccount]) -> Grid:
    """Return one row a part; with several runs one row a run and part."""
    labels = (Column(name="run", kind="id"),) if len(accounts) > 1 else ()
    columns = (
        *labels,
        Column(name="part"),
        Column(name="share", kind="share", help=SHARE),
        Column(name="documents", kind="count", help="how many relevant documents that are"),
        Column(name="of documents", kind="share", help="these as a share of all relevant documents of all queries"),
    )
    rows = (
        (*(Cell(name) for _ in labels), Cell(said(part.fate, one.k)), *_numbers(part))
        for name, one in accounts.items()
        for part in one.parts
        if _worth_a_row(part.fate, accounts)
    )
    return Grid(name="loss-account", columns=columns, rows=tuple(rows), labels=len(labels) + 1)


def said(fate: Fate, k: int) -> str:
    """Return what a part is called at a cut-off."""
    return f"ranked below {k:,}" if fate == "ranked below k" else fate


def deeper_grids(account: LossAccount) -> tuple[Grid, ...]:
    """Return what larger cut-offs would find, where lists are that long."""
    columns = (
        Column(name="larger k", kind="rank", help="a cut-off beyond that of the account"),
        Column(name="recall", kind="score"),
        Column(name="gain", kind="difference", help="what it adds to recall"),
        Column(name="documents", kind="count", help="how many more relevant documents it finds"),
    )
    rows = tuple((Cell(d.k), Cell(d.recall), Cell(d.gain), Cell(d.documents)) for d in account.deeper)
    return (Grid(name="larger-cut-offs", columns=columns, rows=rows),) if rows else ()


def slices_loss_grid(by: str, accounts: Mapping[str, LossAccount], number: int = 1) -> Grid:
    """Return one row a slice, one column a part; `number` tells the tables of several kinds of slices apart."""
    shown: list[Fate] = [fate for fate in FATES if _worth_a_row(fate, accounts)]
    k = next(iter(accounts.values())).k
    columns = (
        Column(name=by, kind="id"),
        Column(name="queries", kind="count"),
        *(Column(name=said(fate, k), kind="share") for fate in shown),
    )
    rows = (
        (Cell(name), Cell(one.queries), *(Cell(one[fate].share) for fate in shown)) for name, one in accounts.items()
    )
    return Grid(name=f"loss-by-slice-{number}", columns=columns, rows=tuple(rows))


def advice(account: LossAccount) -> Iterator[Text]:
    """Yield what each loss asks for, the largest first."""
    lost = sorted(account.parts[1:], key=lambda part: -part.share)
    for part in lost:
        if part.share:
            yield Text(text=_ADVICE[part.fate](account, value_text(part.share, "share")), style="advice")


def _numbers(part: Part) -> tuple[Cell, ...]:
    if part.fate == "nothing to find":
        return Cell(part.share), Cell(), Cell()
    return Cell(part.share), Cell(part.documents), Cell(part.of_documents)


def _worth_a_row(fate: Fate, accounts: Mapping[str, LossAccount]) -> bool:
    """Tell whether a part is shown: what may be found always is, queries without anything to find where there are."""
    return fate != "nothing to find" or any(one[fate].share for one in accounts.values())


def _summary(name: str, account: LossAccount) -> str:
    parts = [f"{value_text(part.share, 'share')} {said(part.fate, account.k)}" for part in account.parts if part.share]
    whose = f"{name}: " if name else ""
    return f"{whose}{', '.join(parts)} (of {account.relevant:,} relevant documents, each query counting alike)."


def _never(account: LossAccount, share: str) -> str:
    return (
        f"{share} were never returned, at any of up to {account.depth:,} ranks. No cut-off and no reranker over these"
        " lists brings them back: look at what the index holds, how documents are cut into chunks, and how queries are"
        " embedded."
    )


def _below(account: LossAccount, share: str) -> str:
    deeper = account.deeper[0]
    return (
        f"{share} are ranked below {account.k:,}, a matter of ranking or of the cut-off. k = {deeper.k:,} would lift"
        f" recall to {deeper.recall:.4f}; reranking what is returned, at the same k, at most to"
        f" {account.recall + account['ranked below k'].share:.4f}."
    )


def _ceiling(account: LossAccount, share: str) -> str:
    return (
        f"{share} are over the ceiling: their queries have more relevant documents than {account.k:,} slots can hold."
        " Only a larger k finds them."
    )


def _barren(_account: LossAccount, share: str) -> str:
    return f"{share} of the queries have no relevant document and count as 0: judge them, or leave them out."


_ADVICE = {
    "never returned": _never,
    "ranked below k": _below,
    "over the ceiling": _ceiling,
    "nothing to find": _barren,
}

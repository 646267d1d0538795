"""Which queries moved most from one run to another, and what changed in them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
import polars as pl

from catchrate.evaluation.scores import Scores
from catchrate.measures import Measure

SHOWN = 10
"""How many queries are named."""

What = Literal["found", "lost", "up", "down"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """What became of one relevant document."""

    doc: str
    """Its id."""
    grade: float
    """How relevant it is."""
    before: int | None
    """Its slot in the first run; None when it is not among those looked at."""
    after: int | None
    """Its slot in the second run."""

    @property
    def what(self) -> What:
        """Whether it was found, lost, or moved up or down."""
        if self.before is None or self.after is None:
            return "found" if self.before is None else "lost"
        return "up" if self.after < self.before else "down"

    def __str__(self) -> str:
        if self.before is None or self.after is None:
            place = f"at {self.after}" if self.before is None else f"was at {self.before}"
            return f"{self.what} {self.doc} ({place})"
        return f"{self.doc} {self.what} from {self.before} to {self.after}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Moved:
    """One query whose value changed."""

    query: str
    """Its id."""
    text: str | None
    """What was asked, where that is known."""
    a: float
    """The value in the first run."""
    b: float
    """The value in the second run."""
    changes: tuple[Change, ...]
    """The relevant documents whose slot changed, the most important first."""

    @property
    def difference(self) -> float:
        """How far the value moved."""
        return self.b - self.a


def moved(
    a: Scores, b: Scores, place: int, rel: float, shown: int = SHOWN, *, towards: Literal[-1, 0, 1] = 0
) -> tuple[Moved, ...]:
    """Return the queries that one measure moved most, the largest first; equal ones in the order of the queries.

    With `towards`, only those that went up (1) or down (-1).
    """
    before, after = a.values[:, place], b.values[:, place]
    distance = (after - before) * towards if towards else np.abs(after - before)
    order = [row for row in np.argsort(-distance, kind="stable")[:shown].tolist() if distance[row] > _SAME]
    if not order:
        return ()
    depth = depth_of(a.computed[place])
    texts = a.aligned.queries["text"] if "text" in a.aligned.queries.columns else None
    names = a.aligned.queries["query"]
    changes = _changes(a, b, rel, depth, order)
    return tuple(
        Moved(
            query=names[row],
            text=None if texts is None else texts[row],
            a=float(before[row]),
            b=float(after[row]),
            changes=changes[row],
        )
        for row in order
    )


_SAME = 1e-9


def depth_of(measure: Measure) -> int | None:
    """Return the cut-off of a measure, where it has one."""
    k = measure.get("k")
    return k if isinstance(k, int) else None


def _changes(a: Scores, b: Scores, rel: float, depth: int | None, rows: list[int]) -> dict[int, tuple[Change, ...]]:
    """Return what changed in each of some queries: found and lost documents first, then the longest moves."""
    items = a.aligned.arrays.items
    held = [np.where(s.aligned.arrays.items.found_within(depth), s.aligned.arrays.items.slot, 0) for s in (a, b)]
    wanted = np.flatnonzero((held[0] != held[1]) & (items.grade >= rel) & np.isin(items.query, rows))
    docs = a.aligned.items["doc"].gather(pl.Series(wanted)).to_list()
    found: dict[int, list[Change]] = {row: [] for row in rows}
    for item, doc in zip(wanted.tolist(), docs, strict=True):
        before, after = (int(slots[item]) or None for slots in held)
        change = Change(doc=doc, grade=float(items.grade[item]), before=before, after=after)
        found[int(items.query[item])].append(change)
    return {row: tuple(sorted(changes, key=_importance)) for row, changes in found.items()}


def _importance(change: Change) -> tuple[int, float]:
    before, after = change.before, change.after
    if before is None or after is None:
        return (0, -change.grade)
    return (1, -abs(1 / after - 1 / before))

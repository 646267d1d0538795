"""How another tool defines a measure: declared as one of ours and what differs, and computed from the same join."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Self

import numpy as np

from catchrate.alignment import Aligned
from catchrate.alignment.policy import Dialect
from catchrate.evaluation.elsewhere.quirks import Quirk
from catchrate.measures import Alignment, Measure, aggregate, choose, parse
from catchrate.measures.arrays import Floats, Mask

FIRST_K = ", not only the first {k}"
OWN = "catchrate"
"""The tool whose measures are ours."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """Another tool: what it is called, which version was looked at, and what all of its measures share."""

    name: str
    """What it is called in `--as`."""
    title: str
    """What it calls itself."""
    version: str
    """The version that these definitions were held against."""
    only_in_run: bool = False
    """Whether its means leave out judged queries that the run does not have."""
    dialect: Dialect = "catchrate"
    """How it compares scores."""
    says: str = ""
    """What to know of all its measures."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Definition:
    """One measure of a tool."""

    tool: str
    """The name of the tool."""
    called: str
    """What it is called there; `{k}` stands for the cut-off."""
    whole: str = ""
    """What it is called without a cut-off, where that is another name."""
    like: tuple[str, ...]
    """Our measures that people mean by it, by name."""
    measure: str = ""
    """Our measure that it is, without a cut-off."""
    quirk: Quirk | None = None
    """How it is computed where it is none of ours."""
    cuts: bool = True
    """Whether it knows a cut-off; otherwise it gets a list that was cut before."""
    whole_only: bool = False
    """Whether it has no cut-off and means nothing on a cut list."""
    silent: Literal["", "nothing relevant", "nothing returned", "either"] = ""
    """Which queries it gives no number: it stops, or leaves them out of its mean."""
    differs: str = ""
    """What differs from the measures it is like, in words."""

    @classmethod
    def of(cls, measure: Measure) -> Self:
        """Return the definition of a measure of ours, ready for any cut-off."""
        plain = choose(
            measure.row,
            {name: value for name, value in measure.parameters if name != "k"},
            judged_only=measure.judged_only,
            budget=measure.budget,
        )
        cuts = measure.row.parameter("k") is not None
        called = f"{plain}@{{k}}" if cuts else str(plain)
        return cls(tool=OWN, called=called, like=(measure.name,), measure=str(plain), whole_only=not cuts)

    @property
    def has_level(self) -> bool:
        """Whether it matters from which grade on a document is relevant."""
        return self.quirk is not None or parse(self.measure).row.parameter("rel") is not None

    def said(self, k: int | None) -> str:
        """Return what differs, for a cut-off."""
        return self.differs.replace(FIRST_K, "") if k is None else self.differs.replace("{k}", str(k))

    def name_at(self, k: int | None) -> str:
        """Return what the tool calls it at a cut-off."""
        if k is None:
            return self.whole or self.called.replace("@{k}", "").replace("_{k}", "").replace("{k}", "all")
        return self.called.replace("{k}", str(k))

    def our_measure(self, k: int | None, rel: float) -> Measure:
        """Return the measure of ours that it is, where it has no quirk."""
        return parse(f"{self.measure}@{k}" if k is not None and self.cuts else self.measure).at_level(rel)

    def seen(self, a: Alignment, k: int | None) -> Alignment:
        """Return what it gets to see: a tool without cut-offs gets the list cut."""
        return a if self.cuts or k is None else a.first_slots(k)

    def per_query(self, a: Alignment, k: int | None, rel: float) -> Floats:
        """Return one value a query."""
        seen = self.seen(a, k)
        if self.quirk is not None:
            return self.quirk(seen, k, rel)
        return self.our_measure(k, rel).per_query(seen)

    def together(
        self, a: Alignment, values: Floats, counted: Mask, k: int | None, rel: float, weights: Floats | None = None
    ) -> float:
        """Return what the values of the queries that count make together; `weights` are theirs."""
        kept = values[counted]
        if self.quirk is not None:
            return aggregate("mean", kept)
        measure = self.our_measure(k, rel)
        if measure.row.aggregate != "pooled":
            return aggregate(measure.row.aggregate, kept, weights)
        return measure.mean(self.seen(a, k).some_queries(counted), kept, weights)

    def silences(self, a: Alignment, k: int | None, rel: float) -> dict[str, Mask]:
        """Mark the queries that get no number, by the reason."""
        found: dict[str, Mask] = {}
        if self.silent in ("nothing relevant", "either"):
            found["nothing is relevant"] = a.relevant(rel) == 0
        if self.silent in ("nothing returned", "either"):
            found["nothing was returned"] = self.seen(a, k).returned == 0
        return found

    def counted(self, aligned: Aligned, k: int | None, rel: float, *, only_in_run: bool) -> Mask:
        """Mark the queries that its mean counts."""
        counted = aligned.in_run.copy() if only_in_run else np.ones(aligned.in_run.size, bool)
        for silent in self.silences(aligned.arrays, k, rel).values():
            counted &= ~silent
        return counted

    def silence(self, aligned: Aligned, place: int, k: int | None, rel: float) -> str:
        """Say why one query gets no number."""
        known = self.silences(aligned.arrays, k, rel)
        return next((reason for reason, silent in known.items() if silent[place]), "the run does not have the query")

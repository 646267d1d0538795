"""One number taken apart: the frozen result of `explain`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from catchrate.errors import Finding, visible
from catchrate.evaluation.elsewhere import Elsewhere
from catchrate.evaluation.provenance import Provenance
from catchrate.measures import Measure
from catchrate.showing import Result

State = Literal["relevant", "not relevant", "not judged", "repeat", "below the cut-off", "not returned"]
"""What a document is to the measure. The last two are relevant documents that were missed."""
MISSED: tuple[State, ...] = ("below the cut-off", "not returned")


@dataclass(frozen=True, slots=True, kw_only=True)
class Quotient:
    """A numerator over a denominator; `value` is exactly their quotient, unless there is nothing to divide by."""

    name: str
    """What it is: the measure, or a part of it such as precision."""
    numerator: float
    denominator: float
    value: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Part(Quotient):
    """A quotient with everything that was added up to its numerator."""

    terms: tuple[float, ...]
    """What was added, in the order in which it was added: their sum is exactly the numerator."""
    rows: Literal["items", "slots", "queries"]
    """What each term belongs to: a relevant document, a place in the list, or the list as a whole."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One document: a place of the list that the measure looked at, or a relevant one that it missed."""

    rank: int | None
    """Its place; None when it was not returned."""
    doc: str
    """Its id."""
    item: str | None
    """The judged document that it holds: the same, unless texts were matched. None when it holds none."""
    grade: float | None
    """How relevant it is; None when nobody judged it."""
    state: State
    """What it is to the measure."""
    adds: tuple[float | None, ...]
    """What it adds to the numerator of each part; None where the part belongs to the list as a whole."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryValue:
    """The value of one query."""

    query: str
    value: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Whole:
    """How the number of all queries came about."""

    how: Literal["mean", "sum", "geometric", "pooled"]
    """How the queries became one number."""
    value: float
    """That number."""
    parts: tuple[Quotient, ...]
    """What was divided by what: for a mean the sum over queries, for pooled measures the sums of both sides."""
    queries: int
    """How many queries count."""
    missing: int
    """How many judged queries the run does not have."""
    worst: tuple[QueryValue, ...]
    """The worst queries, worst first."""
    as_bad: int
    """How many queries have the value of the worst one."""
    best: float
    """The value of the best query."""
    as_good: int
    """How many queries have it."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True, repr=False)
class Explanation(Result):
    """One query's value of a measure, taken apart down to its documents."""

    measure: Measure
    """What was measured, with the level of relevance of the policy."""
    query: str
    """The query."""
    text: str | None
    """What was asked, where that is known."""
    picked: bool
    """Whether the query was not named and is the worst one."""
    ties: int
    """How many other queries have the same value."""
    value: float
    """The number."""
    parts: tuple[Part, ...]
    """What the number is made of: one quotient, or several that the formula combines."""
    reason: str
    """Why the value is what it is where there was nothing to divide by; else empty."""
    rel: float
    """The lowest grade that counts as relevant."""
    returned: int
    """How many places the list has, as far as the measure reads it."""
    relevant: int
    """How many relevant documents the query has."""
    ranking: tuple[Entry, ...]
    """The places that the measure looked at, best first."""
    missed: tuple[Entry, ...]
    """The relevant documents that are not among them."""
    whole: Whole
    """The number over all queries, taken apart."""
    elsewhere: tuple[Elsewhere, ...]
    """What other tools print for the same lists, as far as they were asked for."""
    notes: tuple[Finding, ...]
    """What was noticed."""
    provenance: Provenance
    """Version, definitions, policies, dialect and digests of the inputs."""

    @property
    def formula(self) -> str:
        """The formula of the measure."""
        return self.measure.row.formula

    @property
    def entries(self) -> Sequence[Entry]:
        """All documents: the ranking, then what was missed."""
        return (*self.ranking, *self.missed)

    def __repr__(self) -> str:
        parts = ", ".join(f"{p.name} {p.numerator:g} / {p.denominator:g}" for p in self.parts)
        lines = [f"{self.measure} of {visible(self.query)}: {self.value:.4f} ({parts})"]
        for entry in self.entries:
            rank = "-" if entry.rank is None else entry.rank
            grade = "" if entry.grade is None else f", grade {entry.grade:g}"
            lines.append(f"  {rank:>3}  {visible(entry.doc)}: {entry.state}{grade}")
        return "\n".join(lines)

"""What a number of another tool turned out to be: the frozen result of `reconcile`."""

from __future__ import annotations

from dataclasses import dataclass

from catchrate.errors import Finding
from catchrate.evaluation.provenance import Provenance
from catchrate.evaluation.reconciling.number import Printed
from catchrate.measures import Measure
from catchrate.showing import Result


def named(tool: str, called: str, changes: tuple[str, ...]) -> str:
    """Return what a number is, in words."""
    own = called if tool == "catchrate" else f"{tool}'s {called}"
    return " ".join((own, ", ".join(changes))).strip()


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryChange:
    """A query that makes the difference."""

    query: str
    ours: float | None
    """Its value of the measure that was asked for; None where that leaves it out."""
    theirs: float | None
    """Its value as the other number has it; None where that leaves it out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """Something that the number may be."""

    tool: str
    """Whose definition it is."""
    called: str
    """What the measure is called there."""
    also: tuple[str, ...]
    """What else gives exactly the same values."""
    changes: tuple[str, ...]
    """What has to be done otherwise than usual, in words."""
    steps: int
    """How many things differ from the measure that was asked for."""
    value: float
    """What it gives."""
    queries: int
    """Over how many queries."""
    differs: str
    """What the definition does otherwise, in words."""
    says: str
    """What to know of all measures of the tool."""
    made_by: tuple[QueryChange, ...]
    """The queries that make the difference, those that move it most first."""

    @property
    def name(self) -> str:
        """The measure with whose it is and what has to be done otherwise, in words."""
        return named(self.tool, self.called, self.changes)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True, repr=False)
class Reconciliation(Result):
    """A number that another tool printed, and what it may be."""

    got: Printed
    """The number."""
    measure: Measure
    """What it should have been."""
    value: float
    """What that is."""
    queries: int
    """Over how many queries."""
    found: tuple[Candidate, ...]
    """What gives the number, the fewest steps from the measure first."""
    nearest: tuple[Candidate, ...]
    """What comes nearest, where nothing gives it."""
    tried: int
    """How many different values were looked at."""
    by_chance: float
    """How many of these would give the number by chance, judged by how many lie near it."""
    notes: tuple[Finding, ...]
    """What was noticed."""
    provenance: Provenance
    """Version, definitions, policies, dialect and digests of the inputs."""

    @property
    def agrees(self) -> bool:
        """Whether the number is the measure itself."""
        return bool(self.found) and self.found[0].steps == 0

    def __repr__(self) -> str:
        queries = "query" if self.queries == 1 else "queries"
        lines = [f"{self.got.text}: {self.measure} is {self.value:.4f} over {self.queries:,} {queries}"]
        lines += [f"  = {one.name} ({one.value:.4f})" for one in self.found]
        lines += [f"  near: {one.name} ({one.value:.4f})" for one in self.nearest]
        return "\n".join(lines)

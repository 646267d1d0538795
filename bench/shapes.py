"""The collections that are measured: their shapes and where their files lie. The content comes from `generate`."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

BYTES_A_ROW = 40
"""A little more than one line of a generated run."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Collection:
    """The shape of one generated collection; the same shape always gives the same content."""

    name: str
    """What its files are called."""
    queries: int
    """Judged queries, all of them in the run."""
    depth: int
    """Documents returned for each query."""
    judged: float
    """Judged documents a query, in the mean; at least one."""
    graded: bool = False
    """Whether grades run from 0 to 3 instead of being all 1."""
    copies: int = 1
    """How often everything is repeated under other query ids, so that the means stay what they are."""

    def shrunk(self, divisor: int) -> Collection:
        """Return the same shape with fewer queries."""
        return replace(self, queries=max(3, self.queries // divisor))

    def files(self, folder: Path) -> tuple[Path, Path]:
        """Return the paths of judgments and run."""
        stem = f"{self.name}-{self.queries}x{self.copies}x{self.depth}"
        return folder / f"{stem}.qrels", folder / f"{stem}.trec"

    @property
    def rows(self) -> int:
        """Rows of the run."""
        return self.queries * self.copies * self.depth

    def __str__(self) -> str:
        return f"{self.queries * self.copies:,} x {self.depth:,}"


SPARSE = Collection(name="sparse", queries=6_980, depth=1_000, judged=1.065)
"""The shape of a well-known passage ranking task: integer ids, mostly one judgment a query."""

TENFOLD = replace(SPARSE, name="tenfold", copies=10)
"""Ten times as many rows, whose means are those of `SPARSE`."""

DEEP = Collection(name="deep", queries=250, depth=1_000, judged=1_000, graded=True)
"""Judged as deeply as it returns."""

POOLED = replace(DEEP, name="pooled", judged=100)
"""The same, judged as deeply as a pool of a few systems is."""

MEDIUM = Collection(name="medium", queries=1_000, depth=100, judged=20, graded=True)
"""What a service compares in memory."""

SMALL = Collection(name="small", queries=3, depth=5, judged=3, graded=True)
"""What a unit test evaluates."""

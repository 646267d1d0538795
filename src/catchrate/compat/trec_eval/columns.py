"""What is printed, as data: one column a printed name, with a value for each topic and one for all of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from catchrate.errors import Finding
from catchrate.measures.chosen import GEOMETRIC_FLOOR
from catchrate.measures.terms import in_order

Floats = npt.NDArray[np.float64]
Mask = npt.NDArray[np.bool_]
Aggregate = Literal["mean", "sum", "geometric"]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Column:
    """The numbers of one printed name."""

    name: str
    values: Floats
    """One value a topic; those of a geometric mean are logarithms."""
    aggregate: Aggregate = "mean"
    summary: float | None = None
    """The value of all topics, where it is not their aggregate."""

    @property
    def is_count(self) -> bool:
        """Whether the values print as whole numbers."""
        return self.aggregate == "sum"

    @property
    def per_topic(self) -> bool:
        """Whether topics have a row; a geometric mean has only its summary."""
        return self.aggregate != "geometric"

    def total(self, topics: int) -> float:
        """Return the one value of so many topics, added in their order."""
        if self.summary is not None:
            return self.summary
        added = in_order(self.values)
        if self.aggregate == "sum":
            return added
        return float(np.exp(added / topics)) if self.aggregate == "geometric" else added / topics


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Strings:
    """A column of text, which has no summary."""

    name: str
    values: list[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """A row of the summary alone."""

    name: str
    text: str


AnyColumn = Column | Strings | Fact


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Table:
    """Everything that was computed, in the order in which it is printed."""

    topics: list[str]
    """In byte order."""
    printed: Mask
    """The topics that get rows."""
    columns: tuple[AnyColumn, ...]
    notes: tuple[Finding, ...] = ()


def logarithms(values: Floats) -> Floats:
    """Return what a geometric mean adds up."""
    return np.log(np.maximum(values, GEOMETRIC_FLOOR))

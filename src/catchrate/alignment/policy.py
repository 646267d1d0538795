"""What the caller may decide about a join."""

from __future__ import annotations

import math
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Literal, get_args

from catchrate.errors import UsageError, shown

QueryPolicy = Literal["judged", "both", "strict"]
Duplicates = Literal["refuse", "keep", "collapse"]
Dialect = Literal["catchrate", "trec_eval-9"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """The choices that change numbers. Every result names them."""

    rel: float = 1
    """The lowest grade that counts as relevant, where a measure does not say its own."""
    queries: QueryPolicy = "judged"
    """Which queries count: all judged ones, those in both inputs, or all after refusing any difference (`strict`)."""
    duplicates: Duplicates | None = None
    """A document returned twice for a query: refuse, keep its slot without credit, or close the gap. None refuses in
    rankings by score and keeps in lists."""
    judged_only: bool = False
    """Whether slots without a judged item are dropped first (trec_eval -J)."""
    max_rank: int | None = None
    """Cut every ranking after that many slots (trec_eval -M)."""
    dialect: Dialect = "catchrate"
    """`trec_eval-9` compares scores as 32-bit floats, as trec_eval up to 9.0.8 and everything built on it does."""

    def __post_init__(self) -> None:
        """Refuse values that no policy has."""
        _one_of("queries", self.queries, get_args(QueryPolicy))
        _one_of("duplicates", self.duplicates, (None, *get_args(Duplicates)))
        _one_of("dialect", self.dialect, get_args(Dialect))
        if not _is_number(self.rel):
            raise UsageError.of("E272", f"rel is {shown(self.rel)}", fix="it is a number")
        if self.max_rank is not None and not _is_rank(self.max_rank):
            fix = "it is a whole number from 1 upwards"
            raise UsageError.of("E272", f"max_rank is {shown(self.max_rank)}", fix=fix)


def _is_rank(value: object) -> bool:
    return isinstance(value, Integral) and not isinstance(value, bool) and int(value) >= 1


def _is_number(value: object) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool) and math.isfinite(value)


def _one_of(name: str, value: object, allowed: tuple[object, ...]) -> None:
    if value not in allowed:
        words = ", ".join(str(word) for word in allowed if word is not None)
        raise UsageError.of("E272", f"{name} is {shown(value)}", fix=f"it is one of {words}")

"""What the caller may decide about a join."""

from __future__ import annotations

import math
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Literal, get_args

from catchrate.alignment.lengths import Length
from catchrate.errors import UsageError, shown
from catchrate.limits import MAX_GRADE, MAX_NUMBER

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

    length: Length | None = None
    """How long texts are, for measures with a budget: in words, in characters, or as a function counts. None counts
    words where a measure has one."""

    def __post_init__(self) -> None:
        """Refuse values that no policy has."""
        _one_of("queries", self.queries, get_args(QueryPolicy))
        _one_of("duplicates", self.duplicates, (None, *get_args(Duplicates)))
        _one_of("dialect", self.dialect, get_args(Dialect))
        if not callable(self.length):
            _one_of("length", self.length, (None, "words", "chars"))
        _set_number(self, "rel", _number(self.rel), "a number")
        if self.max_rank is not None:
            _set_number(self, "max_rank", _rank(self.max_rank), f"a whole number from 1 to {MAX_NUMBER:,}")


def _set_number(policy: Policy, name: str, number: float | None, allowed: str) -> None:
    """Keep a plain Python number, whatever kind of number was given."""
    if number is None:
        raise UsageError.of("E272", f"{name} is {shown(getattr(policy, name))}", fix=f"it is {allowed}")
    object.__setattr__(policy, name, number)


def _rank(value: object) -> int | None:
    whole = isinstance(value, Integral) and not isinstance(value, bool)
    return int(value) if whole and 1 <= int(value) <= MAX_NUMBER else None  # type: ignore[arg-type]


def _number(value: object) -> float | None:
    if not isinstance(value, Real) or isinstance(value, bool):
        return None
    if isinstance(value, Integral):
        return int(value) if abs(int(value)) <= MAX_GRADE else None
    return float(value) if math.isfinite(value) else None


def _one_of(name: str, value: object, allowed: tuple[object, ...]) -> None:
    if value not in allowed:
        words = ", ".join(str(word) for word in allowed if word is not None)
        raise UsageError.of("E272", f"{name} is {shown(value)}", fix=f"it is one of {words}")

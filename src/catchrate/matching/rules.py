"""What every rule of matching has in common: a name, parameters, and how it is written."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import MISSING, dataclass, fields, replace
from typing import ClassVar

from catchrate.errors import UsageError, shown
from catchrate.matching.pairs import Pairs


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule by which a chunk holds a gold text. `str(rule)` is how it is written."""

    name: ClassVar[str]
    """What the rule is called."""
    texts: ClassVar[bool] = True
    """Whether the rule reads texts; if not, ids."""
    graded: ClassVar[bool] = False
    """Whether pairs have strengths between 0 and 1, so that a threshold can be moved."""

    @property
    def level(self) -> float:
        """The strength from which on a pair is a match."""
        return 1.0

    def at(self, level: float) -> Rule:
        """Return the rule with another threshold, from 0 to 1.

        Raises UsageError for a rule without degrees.
        """
        raise UsageError.of(
            "E290", f"{self} has no threshold to move", fix="use covered, containment, overlap, fuzzy or spans"
        )

    def pairs(self, chunks: Sequence[str], gold: Sequence[str]) -> Pairs:
        """Return the pairs of one query with any strength; the chunks come in the order of the list."""
        raise NotImplementedError

    def __str__(self) -> str:
        given = [(field.name, getattr(self, field.name), field.default) for field in fields(self)]
        first = [_printed(value) for name, value, _ in given[:1] if name == "threshold"]
        others = [f"{name}={_printed(value)}" for name, value, usual in given[len(first) :] if value != usual]
        return f"{self.name}({', '.join(first + others)})" if first + others else self.name


@dataclass(frozen=True, slots=True)
class ShareRule(Rule):
    """A rule whose strength is a share, such as that of the gold text's words; from a threshold on it is a match."""

    graded: ClassVar[bool] = True

    threshold: float
    """The share from which on a pair is a match."""

    def __post_init__(self) -> None:
        """Refuse a threshold that is no share above 0."""
        if not 0 < self.threshold <= 1:
            fix = "give a share above 0 and up to 1"
            raise UsageError.of("E290", f"the threshold is {self.threshold:g}", fix=fix)

    @property
    def level(self) -> float:
        """The threshold."""
        return self.threshold

    def at(self, level: float) -> Rule:
        """Return the rule with another threshold."""
        return replace(self, threshold=level)


@dataclass(frozen=True, slots=True)
class OwnRule(Rule):
    """A function of a chunk and a gold text that says whether, or how strongly (0 to 1), the one holds the other."""

    name: ClassVar[str] = "function"
    graded: ClassVar[bool] = True

    function: Callable[[str, str], float]

    @property
    def level(self) -> float:
        """Half: a function may say True or give a share."""
        return 0.5

    def pairs(self, chunks: Sequence[str], gold: Sequence[str]) -> Pairs:
        """Ask the function about every pair."""
        asked = ((s, i, self._strength(c, g)) for s, c in enumerate(chunks) for i, g in enumerate(gold))
        return Pairs.of(row for row in asked if row[2] > 0)

    def _strength(self, chunk: str, gold: str) -> float:
        try:
            strength = float(self.function(chunk, gold))
        except Exception as error:
            message = f"the matcher failed with {type(error).__name__}: {shown(error)}"
            raise UsageError.of("E290", message, fix="return True, False or a number from 0 to 1") from error
        if not 0 <= strength <= 1:
            message = f"the matcher returned {strength}"
            raise UsageError.of("E290", message, fix="return True, False or a number from 0 to 1")
        return strength

    def __str__(self) -> str:
        return getattr(self.function, "__qualname__", "a function")


def _printed(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else f"{value:g}" if isinstance(value, float) else str(value)


def usual_values(rule: type[Rule]) -> dict[str, object]:
    """Return the parameters of a rule with their defaults."""
    return {field.name: None if field.default is MISSING else field.default for field in fields(rule)}


Match = str | Rule | Callable[[str, str], float]
"""A rule of matching: its spelling, the rule itself, or a function of a chunk and a gold text."""

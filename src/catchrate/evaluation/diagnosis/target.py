"""What somebody wants to reach, as they write it: `recall@k >= 0.9`."""

from __future__ import annotations

import re
from dataclasses import dataclass

from catchrate.errors import UsageError, shown
from catchrate.measures import Measure, choose, parse

_WRITTEN = re.compile(r"\s*(?P<name>.+?)\s*(?:>=|≥)\s*(?P<value>\d*\.?\d+)\s*(?P<percent>%?)\s*")
EXAMPLE = "recall@k >= 0.9"


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """A value that a measure should reach, at some cut-off."""

    measure: Measure
    """What should reach it, without a cut-off."""
    value: float
    """What it should reach."""

    def at(self, k: int | None = None, *, budget: int | None = None) -> Measure:
        """Return the measure at a cut-off, or within a budget of tokens."""
        parameters = dict(self.measure.parameters) | ({} if k is None else {"k": k})
        return choose(self.measure.row, parameters, judged_only=self.measure.judged_only, budget=budget)

    def __str__(self) -> str:
        return f"{self.measure}@k >= {self.value:g}"


def target_of(text: str | Target) -> Target:
    """Read a target. Raises UsageError for a measure that does not grow with k, and for a value that none reaches."""
    if isinstance(text, Target):
        return text
    found = _WRITTEN.fullmatch(text) if isinstance(text, str) else None
    if found is None:
        raise UsageError.of("E333", f"the target is {shown(text)}", fix=f"write it as {EXAMPLE!r}")
    wanted = parse(re.sub(r"@(k|\d+)$", "", found["name"]))
    if wanted.row.at != "k" or wanted.row.trend != "up" or wanted.budget is not None:
        message = f"{wanted.name} does not grow with k, so that no smallest k reaches it"
        raise UsageError.of("E333", message, fix="use recall, hit or another that does")
    value = float(found["value"]) / (100 if found["percent"] else 1)
    if not 0 < value <= 1:
        raise UsageError.of("E333", f"the target is {value:g}", fix="it is a share above 0 and up to 1")
    return Target(measure=wanted, value=value)

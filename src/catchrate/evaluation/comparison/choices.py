"""What the caller may decide about a comparison."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from catchrate.errors import UsageError, shown
from catchrate.evaluation.intervals import MOST_SAMPLES, Resampling, refuse_other_numbers
from catchrate.limits import MAX_NUMBER
from catchrate.statistics import LEVEL

Test = Literal["flips", "t", "wilcoxon", "sign"]
Correction = Literal["holm", "bh", "max-t", "none"]
Family = Literal["measure", "all"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Choices:
    """How differences are judged. The same choices give the same verdicts, on any machine and number of threads."""

    care: float | None = None
    """The smallest difference that matters; None where nobody says."""
    test: Test = "flips"
    """Where p comes from: swapping the runs at random queries, or the paired t, Wilcoxon or sign test."""
    correction: Correction = "holm"
    """How p is corrected for looking at several differences."""
    family: Family = "measure"
    """What is looked at together: the pairs of runs within each measure, or `all` differences."""
    level: float = LEVEL
    """How often an interval should hold the true difference; a test rejects at one less that."""
    cluster: str | None = None
    """A column of the judged queries; the queries that share its value are drawn and swapped together."""
    samples: int | None = None
    """How many samples a bootstrap draws; None takes 10,000, and fewer where there are very many queries."""
    flips: int | None = None
    """How many swaps a test tries; None takes 100,000, and fewer where there are very many queries."""
    seed: int = 0
    """Where the random numbers start."""

    def __post_init__(self) -> None:
        """Refuse what no comparison has."""
        for name, kinds in (("test", Test), ("correction", Correction), ("family", Family)):
            _one_of(name, getattr(self, name), get_args(kinds))
        refuse_other_numbers("care", self.care, 0, MAX_NUMBER)
        refuse_other_numbers("flips", self.flips, 100, MOST_SAMPLES, whole=True)
        _ = self.resampling
        if self.correction == "max-t" and self.test != "flips":
            fix = "leave the test out, or use correction='holm'"
            raise UsageError.of("E314", "max-t comes from swapping runs and takes no other test", fix=fix)

    @property
    def resampling(self) -> Resampling:
        """How the intervals are made."""
        return Resampling(level=self.level, cluster=self.cluster, samples=self.samples, seed=self.seed)


def _one_of(name: str, value: object, allowed: tuple[str, ...]) -> None:
    if value not in allowed:
        raise UsageError.of("E314", f"{name} is {shown(value)}", fix=f"it is one of {', '.join(allowed)}")

"""What a gate found: frozen, plain data."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Literal

from catchrate.errors import Finding, UsageError, shown, visible
from catchrate.evaluation.explanation import QueryValue
from catchrate.evaluation.gate.requirements import Floor, Margin
from catchrate.evaluation.intervals import USUAL, Resampling, refuse_other_numbers
from catchrate.evaluation.moved import Change, Moved
from catchrate.evaluation.provenance import Provenance
from catchrate.evaluation.scores import Scores
from catchrate.limits import MAX_NUMBER
from catchrate.measures import Measure, parse
from catchrate.showing import Result
from catchrate.statistics import Interval

Outcome = Literal["passed", "failed", "cannot tell"]
WORST_FIRST: tuple[Outcome, ...] = ("failed", "cannot tell", "passed")
EXIT_CODES: dict[Outcome, int] = {"passed": 0, "failed": 3, "cannot tell": 6}
"""What the command ends with; 1 is never chosen, so that a gate never looks like a crash."""
LOST_AT = 10
"""How many slots are looked at for lost documents where no measure says."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MaxLost:
    """How many queries may lose a relevant document that they had."""

    most: int
    """The largest number that is accepted."""
    at: int
    """How many slots are looked at."""

    def __str__(self) -> str:
        return f"at most {self.most:,} queries lose a document at {self.at:,}"


Rule = Floor | Margin | MaxLost


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """Everything that a gate is asked to hold."""

    floors: tuple[Floor, ...] = ()
    """What measures have to reach."""
    margins: tuple[Margin, ...] = ()
    """How much worse than the baseline measures may be."""
    max_lost: int | None = None
    """How many queries may lose a relevant document; None asks for nothing."""
    lost_at: int | None = None
    """How many slots are looked at for that; None takes the deepest cut-off of the other rules, or 10."""
    by: tuple[str, ...] = ()
    """What parts the queries into slices, each of which has to hold floors and margins."""
    resampling: Resampling = USUAL
    """How sure is sure."""
    cannot_tell: Literal["fail", "pass"] = "fail"
    """Whether a gate passes where the queries are too few to tell."""

    def __post_init__(self) -> None:
        """Refuse rules that ask for nothing, or for what no gate has."""
        refuse_other_numbers("max_lost", self.max_lost, 0, MAX_NUMBER, whole=True)
        refuse_other_numbers("lost_at", self.lost_at, 1, MAX_NUMBER, whole=True)
        if self.cannot_tell not in ("fail", "pass"):
            raise UsageError.of("E321", f"cannot_tell is {shown(self.cannot_tell)}", fix="it is fail or pass")
        if not self.floors and not self.margins and self.max_lost is None:
            fix = 'require something, such as "recall@10 >= 0.8"'
            raise UsageError.of("E321", "there is nothing to check", fix=fix)

    @property
    def compares(self) -> bool:
        """Whether a baseline is needed."""
        return bool(self.margins) or self.max_lost is not None

    @property
    def depth(self) -> int:
        """How many slots are looked at for lost documents."""
        named = [k for rule in (*self.floors, *self.margins) if isinstance(k := rule.measure.get("k"), int)]
        return self.lost_at or max(named, default=LOST_AT)

    @property
    def measures(self) -> tuple[Measure, ...]:
        """What has to be measured."""
        named = (rule.measure for rule in (*self.floors, *self.margins))
        return tuple(dict.fromkeys(named)) or (parse(f"recall@{self.depth}"),)


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """All queries or one slice of them, held against one rule."""

    slice: str | None
    """What the slice is called, such as `kind=fact`; None for all queries."""
    queries: int
    """How many queries there are."""
    outcome: Outcome
    """Whether the rule holds here."""
    value: float | None
    """The mean, the end of its interval, the difference, or how many queries lost something: what is judged."""
    slack: float | None
    """How far the value is on the right side of the rule."""
    interval: Interval
    """The interval of the mean or of the difference."""
    mean: float | None = None
    """The value of the measure in the run."""
    holds: float | None = None
    """The smallest margin that these queries could show to hold, where they cannot tell."""
    reason: str = ""
    """Why nothing can be told, or why a rule holds without an interval."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lost:
    """A query that lost relevant documents which it had."""

    query: str
    """Its id."""
    text: str | None
    """What was asked, where that is known."""
    docs: tuple[Change, ...]
    """What it lost, the most relevant first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One rule and what became of it."""

    rule: Rule
    """What was required."""
    parts: tuple[Part, ...]
    """All queries first, then each slice."""
    lowest: tuple[QueryValue, ...] = ()
    """The worst queries of a floor that does not hold."""
    moved: tuple[Moved, ...] = ()
    """The queries that lost most, where a measure may be worse than it was."""
    lost: tuple[Lost, ...] = ()
    """The queries that lost a document, where these are counted."""

    @property
    def outcome(self) -> Outcome:
        """The worst outcome of any part."""
        return self.worst.outcome

    @property
    def whole(self) -> Part:
        """All queries together."""
        return self.parts[0]

    @property
    def worst(self) -> Part:
        """The part that is furthest from holding the rule; all queries where nothing is worse."""
        return min(self.parts, key=lambda p: (WORST_FIRST.index(p.outcome), p.slack is None, p.slack or 0.0))

    def __str__(self) -> str:
        return str(self.rule)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True, repr=False)
class Gate(Result):
    """Whether a run may pass. True where it does: `assert catchrate.gate(...)`."""

    scores: Scores
    """The run."""
    baseline: Scores | None
    """What it was compared with, over the queries that are judged alike."""
    rules: Rules
    """What was required."""
    checks: tuple[Check, ...]
    """One for each rule, in the order floors, margins, lost documents."""
    notes: tuple[Finding, ...] = ()
    """What was noticed."""

    @property
    def outcome(self) -> Outcome:
        """`failed` when any check failed, `cannot tell` when any cannot tell, else `passed`."""
        found = {check.outcome for check in self.checks}
        return next(outcome for outcome in WORST_FIRST if outcome in found)

    @property
    def passed(self) -> bool:
        """Whether the run may pass, with what the rules say of what cannot be told."""
        return self.exit_code == 0

    @property
    def exit_code(self) -> int:
        """What the command ends with: 0 passed, 3 failed, 6 cannot tell."""
        lenient = self.outcome == "cannot tell" and self.rules.cannot_tell == "pass"
        return 0 if lenient else EXIT_CODES[self.outcome]

    @property
    def provenance(self) -> Provenance:
        """What the outcome depends on: the rules, and where both sides come from."""
        how = asdict(self.rules.resampling)
        rules = {"checks": [str(check) for check in self.checks], "by": list(self.rules.by), **how}
        runs = {"run": self.scores.provenance}
        return {"gate": rules, "runs": runs | ({"baseline": self.baseline.provenance} if self.baseline else {})}

    def __bool__(self) -> bool:
        return self.passed

    def __iter__(self) -> Iterator[Check]:
        return iter(self.checks)

    def __len__(self) -> int:
        return len(self.checks)

    def __repr__(self) -> str:
        lines = [f"Gate {self.outcome}: {len(self)} {'check' if len(self) == 1 else 'checks'}"]
        for check in self.checks:
            worst = check.worst
            where = f" ({visible(worst.slice)})" if worst.slice else ""
            value = "" if worst.value is None else f" {worst.value:.4g}"
            lines.append(f"  {check.outcome}: {check}:{value}{where}")
        return "\n".join(lines)

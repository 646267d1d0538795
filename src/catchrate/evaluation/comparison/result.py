"""What a comparison found: frozen, plain data."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field

import polars as pl

from catchrate.errors import Finding, UsageError, shown, visible
from catchrate.evaluation.comparison.choices import Choices
from catchrate.evaluation.comparison.verdicts import Verdict
from catchrate.evaluation.found import Finds, finds
from catchrate.evaluation.moved import SHOWN, Moved, depth_of, moved
from catchrate.evaluation.provenance import Provenance
from catchrate.evaluation.scores import Leaderboard
from catchrate.measures import Measure, parse
from catchrate.showing import Result
from catchrate.statistics import Interval, PValue


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """How far run `b` is from run `a` at one measure, and what that says."""

    a: str
    """The run that is compared with: the baseline, where there is one."""
    b: str
    """The run that is judged."""
    measure: Measure
    """What was measured."""
    mean_a: float
    """The value of `a` over all queries."""
    mean_b: float
    """The value of `b` over all queries."""
    difference: float
    """The value of `b` less that of `a`."""
    interval: Interval
    """The range in which the true difference lies with the chosen confidence."""
    relative: float | None
    """The difference as a share of the value of `a`; None where that is 0."""
    wins: int
    """Queries at which `b` is better."""
    ties: int
    """Queries at which both are equal."""
    losses: int
    """Queries at which `a` is better."""
    effect: float | None
    """The mean difference in standard deviations of the differences; None without any."""
    p: PValue
    """How often chance alone makes such a difference."""
    corrected: float | None
    """The same, corrected for all differences that are looked at together."""
    detectable: float | None
    """The smallest difference that a set like this shows in four of five cases; None where no query differs."""
    verdict: Verdict
    """What interval and corrected p say together."""
    reason: str = ""
    """Why there is no verdict, or no difference."""

    @property
    def queries(self) -> int:
        """How many queries were compared."""
        return self.wins + self.ties + self.losses


@dataclass(frozen=True, slots=True, kw_only=True)
class EqualBudgets:
    """Runs whose chunks differ in length, compared where all have the same room for context."""

    depth: int
    """The deepest cut-off, within which lengths were looked at."""
    unit: str
    """What lengths are: words, characters or tokens."""
    lengths: Mapping[str, float]
    """How long a slot of each run is on average."""
    budgets: tuple[int, ...]
    """What the run with the shortest contexts uses for a query within the deepest cut-off, and twice that."""
    differences: tuple[Difference, ...]
    """One for each pair and each measure with a cut-off at each budget, the measures of a pair together."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True, repr=False)
class Comparison(Result):
    """Runs over the same queries, compared pair by pair and measure by measure.

    `comparison["recall@10"]` is the difference of two runs; with several runs name one, or both:
    `comparison["new", "recall@10"]`, `comparison["old", "new", "recall@10"]`.
    """

    scores: Leaderboard
    """The runs, over the same queries and judgments."""
    baseline: str | None
    """The run that all others are compared with; None when all pairs are."""
    differences: tuple[Difference, ...]
    """One for each pair and measure, the measures of a pair together."""
    choices: Choices
    """How the differences were judged."""
    notes: tuple[Finding, ...] = ()
    """What was noticed."""
    at_equal_budgets: EqualBudgets | None = None
    """The runs at equal budgets, where their chunks differ in length; None where they do not, or nobody knows."""
    _pairs: dict[tuple[str, str], tuple[Difference, ...]] = field(
        default_factory=dict[tuple[str, str], tuple[Difference, ...]]
    )

    @property
    def pairs(self) -> Mapping[tuple[str, str], tuple[Difference, ...]]:
        """The differences of each pair of runs."""
        if not self._pairs:
            for one in self.differences:
                self._pairs[one.a, one.b] = (*self._pairs.get((one.a, one.b), ()), one)
        return self._pairs

    @property
    def measures(self) -> tuple[Measure, ...]:
        """What was measured."""
        return next(iter(self.scores.values())).measures

    @property
    def queries(self) -> int:
        """How many queries were compared."""
        return next(iter(self.scores.values())).queries

    @property
    def provenance(self) -> Provenance:
        """What the numbers depend on: that of each run, and the choices of the comparison."""
        runs = {name: scores.provenance for name, scores in self.scores.items()}
        return {"comparison": asdict(self.choices), "runs": runs}

    def __getitem__(self, key: str | Measure | tuple[str | Measure, ...]) -> Difference:
        """Return one difference by its measure, with the names of one run or both before it where there are several.

        Raises UsageError when there is none, or more than one.
        """
        *runs, measure = key if isinstance(key, tuple) else (key,)
        wanted = parse(measure)
        names = [str(run) for run in runs]
        found = [d for d in self.differences if d.measure == wanted and names in ([], [d.b], [d.a, d.b])]
        if len(found) != 1:
            what = "no difference is" if not found else f"{len(found)} differences are"
            pairs = ", ".join(f"{shown(a)} and {shown(b)}" for a, b in list(self.pairs)[:3])
            fix = f"name both runs and the measure; compared are {pairs} at {', '.join(map(str, self.measures))}"
            raise UsageError.of("E271", f"{what} called {shown(', '.join([*names, str(wanted)]))}", fix=fix)
        return found[0]

    def __iter__(self) -> Iterator[Difference]:
        return iter(self.differences)

    def __len__(self) -> int:
        return len(self.differences)

    def moved(self, of: Difference, shown: int = SHOWN) -> tuple[Moved, ...]:
        """Return the queries that moved most, each with the documents that made it move."""
        a, b = self.scores[of.a], self.scores[of.b]
        place = a.place(of.measure)
        return moved(a, b, place, level_of(a.computed[place]), shown)

    def finds(self, a: str, b: str) -> Finds:
        """Return where each of two runs finds relevant documents that the other misses, down to the deepest cut-off."""
        first = self.scores[a]
        depths = [depth for measure in first.computed if (depth := depth_of(measure)) is not None]
        return finds(first, self.scores[b], level_of(first.computed[0]), max(depths, default=None))

    def by_query(self, of: Difference) -> pl.DataFrame:
        """Return each query with both values and their difference, the largest loss first."""
        a, b = (self.scores[name].per_query[str(of.measure)] for name in (of.a, of.b))
        queries = self.scores[of.a].aligned.queries["query"]
        return pl.DataFrame({"query": queries, "a": a, "b": b, "difference": b - a}).sort(
            "difference", maintain_order=True
        )

    @property
    def frame(self) -> pl.DataFrame:
        """One row a difference."""
        return pl.DataFrame([_row(one) for one in self.differences], infer_schema_length=None)

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """Hand the table of differences to any library that speaks Arrow."""
        return self.frame.__arrow_c_stream__(requested_schema)

    def __repr__(self) -> str:
        lines = [f"Comparison of {len(self.scores)} runs over {self.queries:,} queries"]
        for one in self.differences:
            pair = f"{visible(one.b)} against {visible(one.a)}"
            lines.append(f"  {pair}  {one.measure}  {one.difference:+.4f} {one.interval}  {one.verdict}")
        return "\n".join([*lines, *(f"  {note}" for note in self.notes)])


def level_of(measure: Measure) -> float:
    """Return the lowest grade that counts as relevant for a measure."""
    rel = measure.get("rel")
    return rel if isinstance(rel, int | float) else 1


def _row(one: Difference) -> dict[str, object]:
    return {
        "run": one.b,
        "against": one.a,
        "measure": str(one.measure),
        "mean": one.mean_b,
        "mean_against": one.mean_a,
        "difference": one.difference,
        "low": one.interval.low,
        "high": one.interval.high,
        "relative": one.relative,
        "wins": one.wins,
        "ties": one.ties,
        "losses": one.losses,
        "effect": one.effect,
        "p": one.p.value,
        "corrected": one.corrected,
        "detectable": one.detectable,
        "verdict": one.verdict,
        "reason": one.reason or None,
    }

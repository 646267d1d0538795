"""What a set of queries can show: the smallest difference, and how many queries another one would need."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import inf, sqrt
from typing import Any

from catchrate.alignment.policy import QueryPolicy
from catchrate.errors import Finding, UsageError
from catchrate.evaluation.comparison.cells import Sums
from catchrate.evaluation.comparison.compare import evaluated
from catchrate.evaluation.comparison.sides import comparable
from catchrate.evaluation.intervals import refuse_other_numbers
from catchrate.evaluation.scores import Scores
from catchrate.limits import MAX_NUMBER
from catchrate.measures import Measure, parse
from catchrate.showing import Result
from catchrate.statistics import (
    LEVEL,
    POWER,
    Statistic,
    detectable,
    largest_spread,
    queries_needed,
    spread_of_differences,
    standard_errors,
    too_few,
)
from catchrate.statistics.paired import NO_DIFFERENCE
from catchrate.statistics.power import MOST_QUERIES
from catchrate.statistics.sums import Floats

DIFFERENCES = (0.01, 0.02, 0.05, 0.1)
"""Differences that people ask for."""
SIZES = (50, 100, 200, 500, 1_000, 2_000)
"""Sets that people have."""
CORRELATION = 0.5
"""How two runs of a kind go together, query by query, where nobody knows: most go together more."""
GIVE = "give one run or two, or guess a mean or a spread"
_TINY = 1e-9


@dataclass(frozen=True, slots=True, kw_only=True)
class PowerChoices:
    """What is asked of a set of queries."""

    differences: Sequence[float] = DIFFERENCES
    """The differences that somebody wants to show."""
    sizes: Sequence[int] = SIZES
    """Numbers of queries that somebody could have."""
    level: float = LEVEL
    """The confidence with which a difference is called real."""
    power: float = POWER
    """How often such a set should show the difference."""
    correlation: float = CORRELATION
    """How the values of a second run go together with those of the first, where only one is known."""

    def __post_init__(self) -> None:
        """Refuse what no set has."""
        for difference in self.differences:
            refuse_other_numbers("difference", difference, _TINY, MAX_NUMBER)
        for size in self.sizes:
            refuse_other_numbers("size", size, 2, MOST_QUERIES, whole=True)
        refuse_other_numbers("level", self.level, 0.5, 0.9999)
        refuse_other_numbers("power", self.power, 0.5, 0.9999)
        refuse_other_numbers("correlation", self.correlation, -1, 0.9999)


@dataclass(frozen=True, slots=True, kw_only=True)
class Resolution:
    """What queries show at one measure."""

    measure: Measure | None
    """The measure; None for a guess."""
    mean: float | None
    """Its mean, the first run's where there are two; None for a guess of the spread."""
    spread: float | None
    """The standard deviation of the differences of queries; None where it cannot be computed."""
    queries: int | None
    """How many queries, or clusters of queries, there are; None for a guess."""
    detectable: float | None
    """The smallest difference that so many show; None where it cannot be computed, or so few show none at all."""
    by_size: tuple[tuple[int, float | None], ...] = ()
    """The smallest difference that other numbers of queries show."""
    needed: tuple[tuple[float, int | None], ...] = ()
    """How many queries each wanted difference needs; None where no set that could be judged would do."""
    reason: str = ""
    """Why nothing can be computed."""

    @property
    def name(self) -> str:
        """What is measured, as text."""
        return "guess" if self.measure is None else str(self.measure)


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Power(Result):
    """What a set of queries can show, measure by measure. `power["recall@10"]` is that of one."""

    rows: tuple[Resolution, ...]
    """One a measure, or the one of a guess."""
    runs: tuple[str, ...]
    """The runs that the spread comes from: two, one with a guess of how a second goes with it, or none."""
    choices: PowerChoices
    """What was asked."""
    cluster: str | None = None
    """What says which queries belong together."""
    notes: tuple[Finding, ...] = ()
    """What was noticed."""

    def __getitem__(self, measure: str | Measure) -> Resolution:
        """Return what is said of a measure.

        Raises UsageError for one that was not asked for.
        """
        wanted = parse(measure)
        found = next((row for row in self.rows if row.measure == wanted), None)
        if found is None:
            known = ", ".join(row.name for row in self.rows)
            raise UsageError.of("E271", f"{wanted} was not evaluated", fix=f"ask for it, or use one of {known}")
        return found

    def __repr__(self) -> str:
        lines = [f"Power {self.choices.power:g} at {self.choices.level:g}, from {' and '.join(self.runs) or 'a guess'}"]
        for row in self.rows:
            if row.reason:
                lines.append(f"  {row.name}: {row.reason}")
                continue
            here = f"{row.queries:,} queries show {row.detectable:.4f}; " if row.queries and row.detectable else ""
            wanted = ", ".join(f"{d:g} needs {_counted(n)}" for d, n in row.needed)
            lines.append(f"  {row.name}: spread {row.spread:.4f}; {here}{wanted}")
        return "\n".join(lines)


def _counted(queries: int | None) -> str:
    return "too many" if queries is None else f"{queries:,}"


def power(
    judgments: object = None,
    runs: Mapping[str, object] | None = None,
    measures: str | Measure | Iterable[str | Measure] | None = None,
    *,
    spread: float | None = None,
    mean: float | None = None,
    differences: float | Iterable[float] = DIFFERENCES,
    sizes: int | Iterable[int] = SIZES,
    level: float = LEVEL,
    power: float = POWER,
    correlation: float = CORRELATION,
    cluster: str | None = None,
    queries: QueryPolicy | None = None,
    **policies: Any,
) -> Power:
    """Say which difference a set of queries can show, and how many queries another difference needs.

    `judgments` and `runs` are what `compare` takes. Two runs say how much the differences of queries spread; of one run
    it is known how much its values spread, and `correlation` guesses how those of a second would go with them. Before
    any data, guess the `spread` of the differences, or the `mean` of a measure from 0 to 1: a measure of 0 and 1 with
    that mean has the largest spread that there is, any other one less.

    A difference counts as shown when the paired t test finds it at the `level` in a share of `power` of such sets.

    Raises UsageError when there is nothing to go by or too much of it, and what `compare` raises.

    >>> import catchrate
    >>> catchrate.power(mean=0.7, differences=0.05, sizes=300)
    Power 0.8 at 0.95, from a guess
      guess: spread 0.4583; 0.05 needs 662
    """
    choices = PowerChoices(
        differences=_several(differences), sizes=_several(sizes), level=level, power=power, correlation=correlation
    )
    if judgments is None and runs is None:
        return guessed_power(choices, spread=spread, mean=mean)
    if spread is not None or mean is not None:
        raise UsageError.of("E317", "a guess stands beside runs", fix="leave out the runs, or the guess")
    board = evaluated(judgments, runs, measures, {**policies, "queries": queries or "judged"})
    return power_of_scores(board, choices, cluster=cluster, queries=queries)


def guessed_power(choices: PowerChoices, *, spread: float | None = None, mean: float | None = None) -> Power:
    """Say what queries can show before there are any."""
    if spread is not None and mean is not None:
        raise UsageError.of("E317", "both a mean and a spread are guessed", fix="give one of the two")
    refuse_other_numbers("spread", spread, _TINY, MAX_NUMBER)
    refuse_other_numbers("mean", mean, _TINY, 1 - _TINY)
    if mean is not None:
        spread = spread_of_differences(largest_spread(mean), choices.correlation)
    if spread is None:
        raise UsageError.of("E317", "there is nothing to go by", fix=GIVE)
    return Power(rows=(_resolution(choices, spread, mean=mean),), runs=(), choices=choices)


def power_of_scores(
    board: Mapping[str, Scores],
    choices: PowerChoices,
    *,
    cluster: str | None = None,
    queries: QueryPolicy | None = None,
) -> Power:
    """Say what the queries of one run or two can show."""
    if len(board) > 2:
        raise UsageError.of("E317", f"there are {len(board):,} runs", fix="give one or two")
    alike, notes = comparable(board, queries) if len(board) == 2 else (board, ())
    runs = list(alike.values())
    _refuse_sums(runs[0].measures)
    n, spreads, reason = _spreads(runs, choices, cluster)
    measured = zip(runs[0].measures, runs[0].means, spreads, strict=True)
    rows = tuple(
        _unknown(measure, mean, n, reason) if spread <= _TINY else _resolution(choices, spread, n, measure, mean)
        for measure, mean, spread in measured
    )
    shared = dict.fromkeys(note for scores in runs for note in scores.notes)
    return Power(rows=rows, runs=tuple(alike), choices=choices, cluster=cluster, notes=(*shared, *notes))


def _refuse_sums(measures: Iterable[Measure]) -> None:
    for measure in measures:
        if measure.row.aggregate == "sum":
            fix = "ask for measures that are means, such as recall, precision or ndcg"
            raise UsageError.of("E317", f"{measure} is a sum, which grows with the queries", fix=fix)


def _spreads(runs: Sequence[Scores], choices: PowerChoices, cluster: str | None) -> tuple[int, list[float], str]:
    """Return how many queries there are, how far apart they are at each measure, and why some are not at all."""
    sums = Sums.of(runs, cluster)
    pair = len(runs) == 2
    columns, finish = _of_pair(sums) if pair else (sums.columns[0], sums.finish)
    n = len(columns)
    if missing := too_few(n, choices.level, "query" if cluster is None else "cluster"):
        return n, [0.0] * len(runs[0]), missing.reason
    scale = sqrt(n) * (1.0 if pair else spread_of_differences(1.0, choices.correlation))
    spreads = (standard_errors(columns, finish) * scale).tolist()
    return n, spreads, NO_DIFFERENCE if pair else "every query has the same value"


def _of_pair(sums: Sums) -> tuple[Floats, Statistic]:
    table = sums.differences([(0, 1)])
    return table.columns, table.finish


def _unknown(measure: Measure, mean: float, queries: int, reason: str) -> Resolution:
    return Resolution(measure=measure, mean=mean, spread=None, queries=queries, detectable=None, reason=reason)


def _resolution(
    choices: PowerChoices,
    spread: float,
    queries: int | None = None,
    measure: Measure | None = None,
    mean: float | None = None,
) -> Resolution:
    span = inf if mean is None else 1.0
    if measure is not None:
        span = measure.row.range[1] - measure.row.range[0]

    def shows(n: int) -> float | None:
        found = detectable(n, spread, level=choices.level, power=choices.power)
        return None if found is None or found >= span else found

    def needs(difference: float) -> int | None:
        return queries_needed(difference, spread, level=choices.level, power=choices.power)

    return Resolution(
        measure=measure,
        mean=mean,
        spread=spread,
        queries=queries,
        detectable=None if queries is None else shows(queries),
        by_size=tuple((size, shows(size)) for size in choices.sizes),
        needed=tuple((difference, needs(difference)) for difference in choices.differences),
    )


def _several(values: Any) -> tuple[Any, ...]:
    """Return one number or several as a tuple."""
    return tuple(values) if isinstance(values, Iterable) and not isinstance(values, str) else (values,)

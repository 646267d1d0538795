"""What an evaluation found: frozen, plain data."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypedDict, cast

import numpy as np
import numpy.typing as npt
import polars as pl

from catchrate.alignment import Aligned
from catchrate.errors import Finding, UsageError, shown, visible
from catchrate.evaluation.intervals import CHEAP, USUAL, Resampling, intervals_of
from catchrate.evaluation.provenance import Provenance
from catchrate.later import Later
from catchrate.measures import Measure, parse
from catchrate.showing import Result
from catchrate.statistics import LEVEL, Interval


class Policies(TypedDict):
    """What a provenance says of the policy, as far as results read it."""

    rel: float


@dataclass(frozen=True, slots=True, eq=False, kw_only=True, repr=False)
class Scores(Result):
    """The measures of one run. `scores["recall@10"]` is the mean over queries, under any spelling of the measure."""

    measures: tuple[Measure, ...]
    """What was measured, in the order that was asked for."""
    computed: tuple[Measure, ...]
    """The same with the level of relevance of the policy."""
    means: tuple[float, ...]
    """The one value of each measure over all queries, as the measure aggregates them."""
    values: npt.NDArray[np.float64]
    """One row a query, one column a measure."""
    aligned: Aligned
    """The join behind the numbers: every hit, item and query."""
    notes: tuple[Finding, ...]
    """What was noticed: missing and ignored queries, duplicates, unjudged documents."""
    origin: Later[Provenance]
    """The provenance, put together when it is asked for: digests take as long as a small evaluation."""
    known_intervals: dict[Resampling, tuple[Interval, ...]] = field(
        default_factory=dict[Resampling, tuple[Interval, ...]]
    )
    """The intervals that were asked for so far."""

    @property
    def provenance(self) -> Provenance:
        """Version, definitions, policies, dialect and digests of the inputs."""
        return self.origin.value

    @property
    def queries(self) -> int:
        """How many queries count."""
        return self.values.shape[0]

    @property
    def rel(self) -> float:
        """The lowest grade that counts as relevant, where a measure does not say its own."""
        return cast("Policies", self.provenance["policies"])["rel"]

    @property
    def per_query(self) -> pl.DataFrame:
        """One row a query: `query` and a column for each measure under its canonical name."""
        columns = {str(measure): self.values[:, i] for i, measure in enumerate(self.measures)}
        return pl.DataFrame({"query": self.aligned.queries["query"], **columns})

    def as_dict(self) -> dict[str, float]:
        """Return the mean of each measure by its canonical name."""
        return {str(measure): mean for measure, mean in zip(self.measures, self.means, strict=True)}

    def __getitem__(self, measure: str | Measure) -> float:
        """Return the mean of a measure.

        Raises UsageError for a measure that was not evaluated.
        """
        return self.means[self.place(measure)]

    def place(self, measure: str | Measure) -> int:
        """Return which of the measures one is.

        Raises UsageError for a measure that was not evaluated.
        """
        wanted = parse(measure)
        if wanted not in self.measures:
            known = ", ".join(str(m) for m in self.measures)
            raise UsageError.of("E271", f"{wanted} was not evaluated", fix=f"ask for it, or use one of {known}")
        return self.measures.index(wanted)

    def interval(
        self,
        measure: str | Measure,
        *,
        level: float = LEVEL,
        cluster: str | None = None,
        samples: int | None = None,
        seed: int = 0,
    ) -> Interval:
        """Return how sure the mean of a measure is: a bootstrap interval, Wilson's for plain shares of queries.

        `level` is how often such an interval holds the true value. `cluster` names a column of the judged queries, such
        as a conversation: queries that share its value are drawn together. It is computed when it is first asked for.

        Raises UsageError for a measure that was not evaluated, a column that is not there or a level out of range.

        >>> import catchrate
        >>> judged = {f"q{i}": {"a": 1} for i in range(20)}
        >>> scores = catchrate.evaluate(judged, {f"q{i}": ["b"] * (i % 3) + ["a"] for i in range(20)}, "rr hit@1")
        >>> print(scores.interval("hit@1"))
        [0.1812, 0.5671]
        >>> scores.interval("hit@1").ends == scores.interval("hit@1", seed=7).ends, scores.interval("rr").method
        (True, 'bca')
        """
        how = Resampling(level=level, cluster=cluster, samples=samples, seed=seed)
        return self.intervals(how)[self.place(measure)]

    def intervals(self, how: Resampling = USUAL) -> tuple[Interval, ...]:
        """Return the interval of each measure."""
        if how not in self.known_intervals:
            (self.known_intervals[how],) = intervals_of([self], how)
        return self.known_intervals[how]

    def save(self, where: str | os.PathLike[str]) -> None:
        """Write the scores to a Parquet file, one row a query, that `load_scores` reads and later runs compare with.

        Raises UsageError when the name does not end with .parquet, and OutputError when it cannot be written.
        """
        from catchrate.evaluation.saved import save_scores

        save_scores(self, where)

    def __contains__(self, measure: object) -> bool:
        try:
            return isinstance(measure, str | Measure) and parse(measure) in self.measures
        except UsageError:
            return False

    def __iter__(self) -> Iterator[str]:
        return (str(measure) for measure in self.measures)

    def __len__(self) -> int:
        return len(self.measures)

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """Hand the per-query table to any library that speaks Arrow."""
        return self.per_query.__arrow_c_stream__(requested_schema)

    def __repr__(self) -> str:
        lines = [f"Scores over {self.queries:,} {'query' if self.queries == 1 else 'queries'}"]
        width = max(len(name) for name in self)
        known = USUAL in self.known_intervals or self.queries <= CHEAP
        intervals = self.intervals() if known else (Interval(),) * len(self)
        for (name, mean), interval in zip(self.as_dict().items(), intervals, strict=True):
            lines.append(f"  {name:<{width}}  {mean:.4f}" + (f"  {interval}" if interval.ends else ""))
        reasons = dict.fromkeys(f"no interval: {interval.reason}" for interval in intervals if interval.reason)
        return "\n".join([*lines, *(f"  {text}" for text in (*reasons, *self.notes))])


@dataclass(frozen=True, slots=True, eq=False, kw_only=True, repr=False)
class Leaderboard(Result, Mapping[str, Scores]):
    """The scores of several runs by name."""

    runs: Mapping[str, Scores]
    """One Scores a run, in the order that they were given."""

    def intervals(self, how: Resampling = USUAL) -> dict[str, tuple[Interval, ...]]:
        """Return the interval of each measure for each run; all runs are resampled together, which saves time."""
        new = [scores for scores in self.runs.values() if how not in scores.known_intervals]
        for scores, found in zip(new, intervals_of(new, how), strict=True):
            scores.known_intervals[how] = found
        return {name: scores.known_intervals[how] for name, scores in self.runs.items()}

    def best_first(self) -> list[tuple[str, Scores]]:
        """Return the runs ordered by the first measure, best first."""
        first = next(iter(self.runs.values())).measures[0]
        sign = 1 if first.row.higher_is_better is False else -1
        return sorted(self.runs.items(), key=lambda run: sign * run[1].means[0])

    @property
    def frame(self) -> pl.DataFrame:
        """One row a run, best first: `run`, `queries` and a column for each measure."""
        return pl.DataFrame([{"run": name, "queries": s.queries, **s.as_dict()} for name, s in self.best_first()])

    def __getitem__(self, name: str) -> Scores:
        if name not in self.runs:
            raise UsageError.of("E260", f"no run is called {shown(name)}", fix=f"use one of {', '.join(self.runs)}")
        return self.runs[name]

    def __contains__(self, name: object) -> bool:
        return name in self.runs

    def get(self, name: str, default: Scores | None = None) -> Scores | None:  # type: ignore[override]
        """Return the scores of a run, or a default when there is no such run."""
        return self.runs.get(name, default)

    def __iter__(self) -> Iterator[str]:
        return iter(self.runs)

    def __len__(self) -> int:
        return len(self.runs)

    def __repr__(self) -> str:
        width = max(len(visible(name)) for name in self.runs)
        lines = [
            f"  {visible(name):<{width}}  " + "  ".join(f"{m} {x:.4f}" for m, x in s.as_dict().items())
            for name, s in self.best_first()
        ]
        return "\n".join([f"Leaderboard of {len(self)} runs", *lines])

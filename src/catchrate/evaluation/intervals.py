"""How sure the means of an evaluation are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from numbers import Integral, Real
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from catchrate.alignment import Aligned
from catchrate.errors import UsageError, shown
from catchrate.evaluation.slices import slice_values
from catchrate.evaluation.totals import Totals, beside, totals, weights_of
from catchrate.statistics import LEVEL, Interval, bca, by_cluster, samples_for, too_few, wilson

if TYPE_CHECKING:
    from catchrate.evaluation.scores import Scores

Ints = npt.NDArray[np.int64]
MOST_SAMPLES = 1_000_000
"""More would take long and move no digit that is printed."""
SUREST = 0.9999
"""No sample says more: 10,000 draws have one beyond it."""
CHEAP = 1_000
"""So many queries are resampled before anyone notices."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Resampling:
    """How intervals are made. The same choices give the same intervals, on any machine and number of threads."""

    level: float = LEVEL
    """How often an interval should hold the true value."""
    cluster: str | None = None
    """A column of the judged queries; the queries that share its value are drawn together."""
    samples: int | None = None
    """How many samples a bootstrap draws; None takes 10,000, and fewer where there are very many queries."""
    seed: int = 0
    """Where the random numbers start."""

    def __post_init__(self) -> None:
        """Refuse numbers that no interval has."""
        refuse_other_numbers("level", self.level, 0.5, SUREST)
        refuse_other_numbers("samples", self.samples, 100, MOST_SAMPLES, whole=True)
        refuse_other_numbers("seed", self.seed, 0, 2**63 - 1, whole=True)

    def samples_of(self, n: int) -> int:
        """Return how many samples are drawn of n queries or clusters."""
        return self.samples or samples_for(n)

    def facts(self, n: int) -> dict[str, object]:
        """Return all that the intervals over n queries or clusters depend on, for provenance."""
        return {**asdict(self), "samples": self.samples_of(n)}


def refuse_other_numbers(name: str, value: object, least: float, most: float, *, whole: bool = False) -> None:
    """Refuse what is no number from `least` to `most`; None means that nothing was said."""
    if value is None:
        return
    fits = isinstance(value, Integral if whole else Real) and not isinstance(value, bool)
    if not fits or not least <= value <= most:  # type: ignore[operator]
        kind = "a whole number" if whole else "a number"
        raise UsageError.of("E310", f"{name} is {shown(value)}", fix=f"give {kind} from {least:,g} to {most:,g}")


USUAL = Resampling()
"""95 %, each query for itself."""


def intervals_of(runs: Sequence[Scores], how: Resampling) -> list[tuple[Interval, ...]]:
    """Return one interval a measure for each run. Runs over the same queries are resampled together, once."""
    found: list[tuple[Interval, ...]] = [()] * len(runs)
    for places in _over_the_same_queries(runs):
        several = [runs[place] for place in places]
        drawn = iter(_bootstrap(several, how))
        for place, scores in zip(places, several, strict=True):
            found[place] = tuple(_closed_form(scores, i, how) or next(drawn) for i in range(len(scores)))
    return found


def _over_the_same_queries(runs: Sequence[Scores]) -> list[list[int]]:
    groups: list[list[int]] = []
    for place, scores in enumerate(runs):
        queries = scores.aligned.queries
        group = next((g for g in groups if runs[g[0]].aligned.queries.equals(queries)), None)
        if group is None:
            groups.append([place])
        else:
            group.append(place)
    return groups


def _bootstrap(runs: Sequence[Scores], how: Resampling) -> tuple[Interval, ...]:
    """Return the intervals of all measures of all runs that have no closed form, one run after the other."""
    tables = [
        totals_of(scores, [i for i in range(len(scores)) if _closed_form(scores, i, how) is None]) for scores in runs
    ]
    wanted = [table for table in tables if table.columns.shape[1] > 1]
    if not wanted:
        return ()
    return interval_of(beside(wanted), clusters_of(runs[0].aligned, how.cluster), how)


def interval_of(table: Totals, clusters: Ints | None, how: Resampling) -> tuple[Interval, ...]:
    """Return the bootstrap interval of each measure of a table."""
    columns = by_cluster(table.columns, clusters)
    unit = "query" if clusters is None else "cluster"
    samples = how.samples_of(len(columns))
    return bca(columns, table.finish, level=how.level, samples=samples, seed=how.seed, unit=unit)


def totals_of(scores: Scores, places: Sequence[int]) -> Totals:
    """Return the sums behind some measures of a run."""
    chosen = [scores.computed[place] for place in places]
    return totals(chosen, scores.values[:, places], scores.aligned.arrays, weights_of(scores.aligned.queries))


def clusters_of(aligned: Aligned, column: str | None) -> Ints | None:
    """Return the number of each query's cluster; a query without a value is a cluster of its own.

    Raises UsageError when nothing is known of the queries under that name.
    """
    if column is None:
        return None
    known = slice_values(aligned)
    if column not in known:
        fix = f"use one of {', '.join(known)}" if known else "give records with a field that says it, such as `topic`"
        raise UsageError.of("E311", f"nothing named {shown(column)} says which queries belong together", fix=fix)
    number: dict[object, int] = {}
    values = (query if value is None else str(value) for query, value in enumerate(known[column]))
    return np.array([number.setdefault(value, len(number)) for value in values], np.int64)


def _closed_form(scores: Scores, place: int, how: Resampling) -> Interval | None:
    """Return the interval of a plain share of queries, which needs no resampling."""
    row = scores.computed[place].row
    weighted = weights_of(scores.aligned.queries) is not None
    if not row.binary or row.aggregate != "mean" or weighted or how.cluster is not None:
        return None
    n = scores.queries
    return too_few(n, how.level, "query") or wilson(float(scores.values[:, place].sum()), n, how.level)

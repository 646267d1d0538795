"""Runs beside scores that were saved earlier: only queries that are judged as they were then can be compared."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import polars as pl

from catchrate.errors import Finding, UsageError, shown
from catchrate.evaluation.evaluate import remeasured
from catchrate.evaluation.saved import LOADED, saved_scores
from catchrate.evaluation.scores import Scores
from catchrate.evaluation.subset import some_measures, some_queries
from catchrate.measures import Measure
from catchrate.measures.arrays import Mask
from catchrate.tables.checks import tell
from catchrate.tables.digest import query_digests

Runs = dict[str, Scores]


def is_loaded(scores: Scores) -> bool:
    """Tell whether scores come from a file."""
    return LOADED in scores.provenance


def ready_scores(run: object, measures: tuple[Measure, ...] | None) -> Scores | None:
    """Return a run that was measured before, with the measures that are asked for; None for one that was not.

    A file of saved scores can be asked for any measure. Raises UsageError when scores in memory do not have one.
    """
    scores = run if isinstance(run, Scores) else saved_scores(run)
    if scores is None or measures is None:
        return scores
    return remeasured(scores, measures) if is_loaded(scores) else some_measures(scores, measures)


def judged_as_then(runs: Runs) -> tuple[Runs, tuple[Finding, ...]]:
    """Leave out the queries that are not judged alike in all runs, where one of them was saved earlier.

    Raises UsageError when no query is left.
    """
    if not any(map(is_loaded, runs.values())):
        return runs, ()
    digests = {name: _digests(scores) for name, scores in runs.items()}
    alike = set.intersection(*(set(one.items()) for one in digests.values()))
    if not alike:
        fix = "save the baseline again, with the judgments of today"
        raise UsageError.of("E312", "no query is judged as it was when the scores were saved", fix=fix)
    kept = {query for query, _ in alike}
    left = {name: some_queries(scores, _marks(scores, kept)) for name, scores in runs.items()}
    return left, tuple(_told(runs, digests, kept))


def _digests(scores: Scores) -> Mapping[str, str]:
    queries = scores.aligned.queries
    return dict(zip(queries["query"].to_list(), query_digests(queries, scores.aligned.items).to_list(), strict=True))


def _marks(scores: Scores, kept: set[str]) -> Mask:
    return scores.aligned.queries["query"].is_in(pl.Series(sorted(kept)).implode()).to_numpy()


def _told(runs: Runs, digests: Mapping[str, Mapping[str, str]], kept: set[str]) -> Iterator[Finding]:
    """Yield what was left out beside each run that was saved."""
    now: dict[str, str] = {}
    for name, scores in runs.items():
        now |= {} if is_loaded(scores) else digests[name]
    for name, scores in runs.items():
        if is_loaded(scores):
            yield from _note(name, digests[name], now, kept)


def _note(name: str, then: Mapping[str, str], now: Mapping[str, str], kept: set[str]) -> list[Finding]:
    """Say how many queries of today were left out, and of those that were saved."""
    left_out = {
        "new": sorted(now.keys() - then.keys()),
        "judged otherwise": sorted(query for query in now.keys() & then.keys() if now[query] != then[query]),
        "no longer judged": sorted(then.keys() - now.keys()) if now else [],
    }
    parts = [f"{len(some):,} {what}" for what, some in left_out.items() if some]
    if not parts:
        return []
    queries = [query for some in left_out.values() for query in some]
    message = f"{len(queries):,} queries were left out of what is compared with {shown(name)}: {', '.join(parts)}"
    return [tell("N325", f"{message}; {len(kept):,} are left", pl.Series(queries))]

"""What all executors found, merged on the driver into the scores of each run."""

from __future__ import annotations

import pickle
from collections.abc import Iterable, Sequence

import numpy as np

from catchrate.alignment import JudgmentIndex, Policy, aligned, merged
from catchrate.engines.executor import Said
from catchrate.errors import CatchrateError, InputError
from catchrate.evaluation.evaluate import measured, values_of
from catchrate.evaluation.scores import Scores
from catchrate.measures import Measure
from catchrate.tables import Judgments


def scores_of(
    said: Iterable[tuple[str, bytes]], judgments: Judgments, measures: tuple[Measure, ...], policy: Policy
) -> dict[str, Scores]:
    """Return the scores of each run, in the order of their names, from what the partitions say of it.

    Raises the first error that any of them met, and what `aligned` refuses.
    """
    parts: dict[str, list[Said]] = {}
    errors: list[tuple[str, CatchrateError]] = []
    for run, pickled in said:
        one = pickle.loads(pickled)  # noqa: S301 - from executors, which run our code
        if isinstance(one, CatchrateError):
            errors.append((run, one))
        else:
            parts.setdefault(run, []).append(one)
    if errors:
        raise min(errors, key=lambda pair: (pair[0], str(pair[1])))[1]
    if not parts:
        raise InputError.of("E101", "no ranking")
    merge = _Merge(judgments, measures, policy)
    return {run: merge.scores(run, parts[run]) for run in sorted(parts)}


class _Merge:
    """What the runs have in common."""

    def __init__(self, judgments: Judgments, measures: tuple[Measure, ...], policy: Policy) -> None:
        self._judgments = judgments
        self._index = JudgmentIndex(judgments)
        self._measures = measures
        self._effective = tuple(measure.at_level(policy.rel) for measure in measures)
        self._policy = policy

    def scores(self, run: str, said: Sequence[Said]) -> Scores:
        hashes, rows = sum(one.hashes for one in said) % (1 << 64), sum(one.rows for one in said)
        joined = merged(self._index, [one.part for one in said], f"xxhash64:{hashes:016x}:{rows}")
        whole = aligned(self._judgments, self._index, joined, self._policy, run)
        values = np.empty((self._index.queries, len(self._measures)))
        for one in said:
            values[one.part.codes] = one.values
        missing = ~joined.in_run
        if self._policy.queries == "both":
            values = values[joined.in_run]
        elif missing.any():
            values[missing] = values_of(self._effective, whole.arrays.some_queries(missing))
        return measured(self._judgments, whole, self._measures, self._policy, run, values)

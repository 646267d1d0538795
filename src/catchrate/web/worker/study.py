"""An opened set: its runs and everything that was worked out about them so far, each thing once."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar, cast

import polars as pl

from catchrate.alignment.policy import QueryPolicy
from catchrate.errors import UsageError, shown
from catchrate.evaluation.comparison import Choices, Comparison, compare_scores
from catchrate.evaluation.comparison.sides import comparable
from catchrate.evaluation.curve import Curve, DifferenceCurve, curve, difference_curve, usual_cutoffs
from catchrate.evaluation.diagnosis import Miss, first_documents, misses, worklist
from catchrate.evaluation.evaluate import remeasured
from catchrate.evaluation.explain import explained_scores
from catchrate.evaluation.explanation import Explanation
from catchrate.evaluation.intervals import CHEAP, USUAL, Resampling
from catchrate.evaluation.kept import KeptRanking
from catchrate.evaluation.moved import depth_of
from catchrate.evaluation.one_list import ranked_rows
from catchrate.evaluation.scores import Leaderboard, Scores
from catchrate.measures import Measure, parse
from catchrate.reports.views.runs import CUT_OFFS
from catchrate.tables import Judgments
from catchrate.web.order import Order
from catchrate.web.worker.files import Looked
from catchrate.web.worker.texts import Texts

T = TypeVar("T")
BAND_SAMPLES = 1_000
"""Samples of the band of a curve over many queries: nobody sees the difference."""
MOST_KEPT = 400
"""So many results are kept."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Study:
    """The runs of one opened set."""

    order: Order
    files: tuple[Looked, ...]
    board: Leaderboard
    kept: Mapping[str, KeptRanking]
    judgments: Mapping[str, Judgments]
    """What each run is judged by."""
    texts: Texts = field(init=False)
    _known: dict[Hashable, Any] = field(default_factory=dict[Hashable, Any])

    def __post_init__(self) -> None:
        """Find where texts of documents are."""
        object.__setattr__(self, "texts", Texts.of(self.files, self.judgments))

    @property
    def runs(self) -> list[str]:
        """The names of the runs, best first."""
        return [name for name, _ in self.board.best_first()]

    @property
    def measures(self) -> tuple[Measure, ...]:
        """What was measured."""
        return next(iter(self.board.values())).measures

    @property
    def bands(self) -> Resampling:
        """How bands of curves are drawn: from fewer samples where there are many queries, so that a page is there."""
        queries = max(scores.queries for scores in self.board.values())
        return USUAL if queries <= CHEAP else replace(USUAL, samples=BAND_SAMPLES)

    @property
    def rel(self) -> float:
        """The lowest grade that counts as relevant."""
        return self.order.policy.rel

    def scores(self, run: str, measure: Measure) -> Scores:
        """Return one measure of a run; one that was not asked for is worked out from the same join."""
        return self.once(("scores", run, measure), lambda: remeasured(self.board[run], (measure,)))

    def curve(self, run: str, measure: Measure) -> Curve:
        """Return a measure of a run at the cut-offs that curves are looked at."""
        return self.once(("curve", run, measure.name), lambda: curve(self.board[run], measure, self._cutoffs()))

    def difference(self, a: str, b: str, measure: Measure) -> DifferenceCurve:
        """Return by how much one run is above another at every cut-off."""

        def make() -> DifferenceCurve:
            pair, _ = comparable({a: self.board[a], b: self.board[b]}, self._queries)
            return difference_curve(pair[a], pair[b], measure, self._cutoffs())

        return self.once(("difference", a, b, measure.name), make)

    def comparison(self, baseline: str, other: str | None, care: float | None) -> Comparison:
        """Return a run, or all of them, against a baseline."""
        names = list(self.board) if other is None else [baseline, other]
        board = {name: self.board[name] for name in names}

        def make() -> Comparison:
            return compare_scores(board, baseline=baseline, choices=Choices(care=care), queries=self._queries)

        return self.once(("comparison", baseline, other, care), make)

    def explanation(self, run: str, measure: Measure, query: str | None) -> Explanation:
        """Return one number taken apart."""
        scores = self.scores(run, measure)
        return explained_scores(scores, self.kept[run], query, self.order.policy)

    def ranked(self, run: str, query: str) -> pl.DataFrame:
        """Return what a run returned for a query, best first."""
        return ranked_rows(self.kept[run], query, self.order.policy)

    def first(self, run: str, k: int) -> pl.DataFrame:
        """Return what the first slots of a run hold."""
        return self.once(("first", run, k), lambda: first_documents(self.board[run], self.kept[run], k))

    def misses(self, run: str, k: int) -> tuple[Miss, ...]:
        """Return the relevant documents that the first slots of a run do not hold."""
        return self.once(("misses", run, k), lambda: misses(self.board[run], k, self.first(run, k)))

    def worklist(self, k: int) -> pl.DataFrame:
        """Return what nobody judged among the first slots of all runs, what matters most first."""
        runs = [(scores, self.first(run, k)) for run, scores in self.board.items()]
        return self.once(("worklist", k), lambda: worklist(runs, k))

    def run(self, name: str | None, default: int = 0) -> str:
        """Return a run by its name, or one of the best ones. Raises UsageError for one that is not there."""
        if name is None:
            return self.runs[min(default, len(self.runs) - 1)]
        self.board[name]
        return name

    def measure(self, text: str | None) -> Measure:
        """Return a measure by its spelling, or the first one. Raises UsageError for one that was not evaluated."""
        wanted = self.measures[0] if not text else parse(text)
        if wanted not in self.measures:
            fix = f"choose one of {', '.join(map(str, self.measures))}, or add it under Files"
            raise UsageError.of("E271", f"{shown(str(wanted))} was not evaluated", fix=fix)
        return wanted

    def once(self, key: Hashable, make: Callable[[], T]) -> T:
        """Return what is known under a key; what nobody asked for in a long time is forgotten."""
        if key in self._known:
            self._known[key] = self._known.pop(key)
        else:
            self._known[key] = make()
            if len(self._known) > MOST_KEPT:
                del self._known[next(iter(self._known))]
        return cast("T", self._known[key])

    def _cutoffs(self) -> tuple[int, ...]:
        """Return every k that is usual, that of each measure, and the length of the longest list."""
        deepest = max(usual_cutoffs(scores)[-1] for scores in self.board.values())
        named = {k for measure in self.measures if (k := depth_of(measure))}
        return tuple(sorted({deepest, *(k for k in (*CUT_OFFS, *named) if k <= deepest)}))

    @property
    def _queries(self) -> QueryPolicy:
        return "both" if self.order.policy.queries == "both" else "judged"


def cutoff_of(study: Study, measure: Measure) -> int:
    """Return the cut-off of a measure, or the first one that any measure of the set has."""
    return next((k for m in (measure, *study.measures) if (k := depth_of(m))), USUAL_K)


USUAL_K = 10

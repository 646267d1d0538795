"""Which queries a list shows, and in which order: filters that all live in the address."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt
import polars as pl

from catchrate.errors import CatchrateError, UsageError, shown
from catchrate.evaluation.comparison.result import level_of
from catchrate.evaluation.scores import Scores
from catchrate.evaluation.slices import DERIVED, Slices, slice_values, slices_by
from catchrate.measures import Measure
from catchrate.web.worker.pages.shown import Asked
from catchrate.web.worker.study import Study

Outcome = Literal["better", "worse", "same"]
Mask = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float64]
SAME = 1e-9
"""Differences below this are rounding."""
BETWEEN = "="
"""Stands between the name of a slicing and that of a slice."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryList:
    """The filters and the order of a list of queries."""

    measure: Measure
    run: str
    baseline: str | None
    text: str
    slice: str
    low: float | None
    high: float | None
    outcome: str
    sort: str
    descending: bool
    page: int

    @classmethod
    def of(cls, study: Study, asked: Asked) -> QueryList:
        """Read the filters. Raises UsageError for runs, measures and numbers that are none."""
        baseline = asked.chosen("baseline")
        outcome = asked.text("outcome")
        if outcome and not baseline:
            raise UsageError.of("E272", f"outcome is {shown(outcome)}", fix="choose a baseline, too")
        return cls(
            measure=study.measure(asked.chosen("measure")),
            run=study.run(asked.chosen("run")),
            baseline=study.run(baseline) if baseline else None,
            text=asked.text("text"),
            slice=asked.text("slice"),
            low=asked.number("low"),
            high=asked.number("high"),
            outcome=outcome,
            sort=asked.text("sort"),
            descending=asked.text("order") == "down",
            page=asked.place("page"),
        )

    def arguments(self, **changes: object) -> dict[str, object]:
        """Return what makes up the address, with some changes."""
        return {
            "measure": str(self.measure),
            "run": self.run,
            "baseline": self.baseline,
            "text": self.text,
            "slice": self.slice,
            "low": self.low if self.low is None else f"{self.low:g}",
            "high": self.high if self.high is None else f"{self.high:g}",
            "outcome": self.outcome,
            "sort": self.sort,
            "order": "down" if self.descending else "",
            "page": self.page if self.page > 1 else "",
        } | changes

    @property
    def filtered(self) -> bool:
        """Whether anything is left out."""
        return bool(self.text or self.slice or self.outcome or self.low is not None or self.high is not None)

    # -- what it shows ----------------------------------------------------------------------------------------------

    def places(self, study: Study) -> npt.NDArray[np.int64]:
        """Return the queries of the run, by their places, in the order of the list."""
        key = ("places", tuple(self.arguments(page="").items()))
        return study.once(key, lambda: self._ordered(study, np.flatnonzero(self._kept(study))))

    def values(self, study: Study, run: str) -> Floats:
        """Return the value of each query of the list's run in another run; NaN where that run does not have it."""
        mine, other = study.board[self.run], study.board[run]
        column = other.values[:, other.place(self.measure)]
        if mine.aligned.queries["query"].equals(other.aligned.queries["query"]):
            return column
        theirs = other.aligned.queries.select("query").with_columns(value=pl.Series(column))
        joined = mine.aligned.queries.select("query").join(theirs, on="query", how="left", maintain_order="left")
        return joined["value"].cast(pl.Float64).fill_null(np.nan).to_numpy()

    def differences(self, study: Study) -> Floats | None:
        """Return by how much the run is above the baseline at each query."""
        return None if self.baseline is None else self.values(study, self.run) - self.values(study, self.baseline)

    def relevant(self, scores: Scores) -> Floats:
        """Return how many relevant documents each query has."""
        return scores.aligned.arrays.relevant(level_of(scores.computed[scores.place(self.measure)]))

    def _kept(self, study: Study) -> Mask:
        scores = study.board[self.run]
        values = self.values(study, self.run)
        kept = np.ones(scores.queries, bool)
        if self.text:
            kept &= _mentions(scores.aligned.queries, self.text)
        if self.slice:
            kept &= _slice_mask(study, self.run, self.slice)
        if self.low is not None:
            kept &= values >= self.low - SAME
        if self.high is not None:
            kept &= values <= self.high + SAME
        if self.outcome:
            kept &= self._outcomes(study)
        return kept

    def _outcomes(self, study: Study) -> Mask:
        difference = self.differences(study)
        assert difference is not None  # noqa: S101 - refused when it was read
        if self.measure.row.higher_is_better is False:
            difference = -difference
        known: dict[str, Mask] = {
            "better": difference > SAME,
            "worse": difference < -SAME,
            "same": np.abs(difference) <= SAME,
        }
        if self.outcome not in known:
            raise UsageError.of("E272", f"outcome is {shown(self.outcome)}", fix=f"it is one of {', '.join(known)}")
        return known[self.outcome]

    def _ordered(self, study: Study, places: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        keys = self._keys(study)[places]
        order = np.argsort(-keys if self.descending else keys, kind="stable")
        return places[order]

    def _keys(self, study: Study) -> Floats:
        """Return one number a query to sort by; the worst come first where nobody says."""
        scores = study.board[self.run]
        if self.sort == "query":
            return np.arange(scores.queries, dtype=np.float64)
        if self.sort == "relevant":
            return self.relevant(scores)
        if self.sort.startswith(RUN) and self.sort.removeprefix(RUN) in study.board:
            return self.values(study, self.sort.removeprefix(RUN))
        difference = self.differences(study)
        if self.sort == "difference" and difference is not None:
            return difference
        if difference is not None and not self.sort:
            return -np.abs(difference)
        values = self.values(study, self.run)
        return -values if self.measure.row.higher_is_better is False else values


RUN = "run:"
"""Comes before the name of a run in what is sorted by."""


def _mentions(queries: pl.DataFrame, text: str) -> Mask:
    """Tell which queries have a text in their id or in what was asked, whatever its case."""
    wanted = text.lower()
    found = queries["query"].str.to_lowercase().str.contains(wanted, literal=True)
    if "text" in queries.columns:
        found |= queries["text"].str.to_lowercase().str.contains(wanted, literal=True).fill_null(value=False)
    return found.to_numpy()


def _slice_mask(study: Study, run: str, wanted: str) -> Mask:
    by, _, name = wanted.partition(BETWEEN)
    slices = _slices(study, run, by)
    if name not in slices.names:
        raise UsageError.of("E323", f"no slice is called {shown(name)}", fix=f"choose one of {', '.join(slices.names)}")
    return slices.number == slices.names.index(name)


def _slices(study: Study, run: str, by: str) -> Slices:
    return study.once(("slices", run, by), lambda: slices_by(study.board[run].aligned, by, rel=study.rel))


def slicings(study: Study, run: str) -> list[Slices]:
    """Return every way to part the queries of a run that parts them into more than one slice."""

    def known() -> Iterator[Slices]:
        for by in dict.fromkeys((*slice_values(study.board[run].aligned), *DERIVED)):
            with suppress(CatchrateError):
                slices = _slices(study, run, by)
                if len(slices) > 1:
                    yield slices

    return study.once(("slicings", run), lambda: list(known()))

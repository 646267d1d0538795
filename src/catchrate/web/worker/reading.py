"""From files to measured runs, each kept so that the documents of a query are at hand."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from catchrate.errors import UsageError, shown
from catchrate.evaluation.evaluate import DEFAULT_MEASURES, score_all
from catchrate.evaluation.kept import KeptRanking
from catchrate.evaluation.matches import matched_sides
from catchrate.formats import Source, open_ranking, read_judgments, read_records
from catchrate.limits import MAX_PAGE_MEASURES
from catchrate.measures import Measure, parse_all
from catchrate.tables import Judgments, RankingSource
from catchrate.web.order import Order
from catchrate.web.worker.files import Looked
from catchrate.web.worker.study import Study

Tell = Callable[[dict[str, Any]], None]
"""Told how far reading is."""
OFTEN = 0.1
"""Seconds between two words on progress."""


def studied(order: Order, files: Sequence[Looked], tell: Tell) -> Study:
    """Read and measure. Raises CatchrateError for what cannot be read, or makes no set of judgments and runs."""
    measures = chosen_measures(order.measures)
    sides = Sides(order, files)
    progress = _Progress(files, tell)
    board = score_all(sides.opened(), measures, order.policy, each_block=progress.add)
    return Study(order=order, files=tuple(files), board=board, kept=sides.kept, judgments=sides.judgments)


def chosen_measures(text: str) -> tuple[Measure, ...]:
    """Return the measures that a text names, or the usual ones.

    Raises UsageError for unknown ones, and for more than a page can hold.
    """
    found = parse_all(text) if text.strip() else parse_all(DEFAULT_MEASURES)
    if len(found) > MAX_PAGE_MEASURES:
        fix = f"name at most {MAX_PAGE_MEASURES}"
        raise UsageError.of("E270", f"{len(found)} measures are more than a page can hold", fix=fix)
    return found


class Sides:
    """Judgments and runs by what the files hold."""

    def __init__(self, order: Order, files: Sequence[Looked]) -> None:
        self._order = order
        self._files = files
        self.kept: dict[str, KeptRanking] = {}
        self.judgments: dict[str, Judgments] = {}
        """What each run is judged by."""
        self._refuse()

    def opened(self) -> Iterator[tuple[str, Judgments, RankingSource]]:
        """Yield name, judgments and ranking of each run, as they are opened."""
        shared = next((self._read(one) for one in self._of("judgments")), None)
        for one in self._files:
            if one.kind == "judgments":
                continue
            judged, ranking = self._side(one, shared)
            shared = shared or judged
            self.kept[one.run], self.judgments[one.run] = KeptRanking(ranking), judged
            yield one.run, *matched_sides(judged, self.kept[one.run], self._order.match or None)

    def _side(self, one: Looked, shared: Judgments | None) -> tuple[Judgments, RankingSource]:
        """Return what a run is judged by: its own records where nothing else was opened."""
        options = self._order.options_of(one.order)
        if one.kind == "records" and not self._of("judgments"):
            return read_records(one.source, options)
        return shared or self._read(self._of("records")[0]), open_ranking(one.source, options)

    def _read(self, one: Looked) -> Judgments:
        options = self._order.options_of(one.order)
        return read_records(one.source, options)[0] if one.kind == "records" else read_judgments(one.source, options)

    def _of(self, kind: str) -> list[Looked]:
        return [one for one in self._files if one.kind == kind]

    def _refuse(self) -> None:
        """Refuse files that make no set, and say what is missing."""
        unknown = next((one for one in self._files if one.problem), None)
        if unknown:
            raise UsageError.of("E260", f"{shown(unknown.order.name)} is not understood", fix=unknown.problem)
        judgments, records = self._of("judgments"), self._of("records")
        if len(judgments) > 1:
            names = " and ".join(shown(one.order.name, 40) for one in judgments[:2])
            fix = "say which of them is a run, or leave one out"
            raise UsageError.of("E260", f"{names} both hold judgments", fix=fix)
        if not judgments and not records:
            fix = "add a file that says what is relevant, or say which of these does"
            raise UsageError.of("E260", "there are runs but no judgments", fix=fix)
        if not records and not self._of("ranking"):
            raise UsageError.of("E260", "there are judgments but no run", fix="add a file with what was returned")
        runs = [one.run for one in self._files if one.kind != "judgments"]
        twice = next((run for run in runs if runs.count(run) > 1), None)
        if twice:
            raise UsageError.of("E262", f"two runs are called {shown(twice)}", fix="rename one of the files")


class _Progress:
    """Rows so far, of as many as the heads of the files let expect."""

    def __init__(self, files: Sequence[Looked], tell: Tell) -> None:
        runs = [one.source for one in files if one.kind != "judgments" and isinstance(one.source, Source)]
        self._total = sum(run.extent()[1] for run in runs)
        self._tell = tell
        self._rows = 0
        self._told = 0.0

    def add(self, rows: int) -> None:
        self._rows += rows
        now = time.monotonic()
        if now - self._told >= OFTEN:
            self._told = now
            self._tell({"rows": self._rows, "total": max(self._total, self._rows)})

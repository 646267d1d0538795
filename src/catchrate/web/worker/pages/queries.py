"""Every query: its value in each run, and where its relevant documents rank."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from catchrate.evaluation.comparison.result import level_of
from catchrate.evaluation.moved import depth_of
from catchrate.evaluation.scores import Scores
from catchrate.reports.view import Cell, Column, Grid, Kind, View
from catchrate.reports.views.comparison import side
from catchrate.web.worker.pages.query_list import BETWEEN, RUN, QueryList, slicings
from catchrate.web.worker.pages.shown import Asked, Shown
from catchrate.web.worker.study import Study

MAX_RUNS = 4
"""Runs whose values stand beside each other; the others are in the CSV."""
WIDTH = 160
"""Pixels of the line on which ranks stand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranks:
    """Where the relevant documents of a query rank, as places on a line."""

    found: tuple[int, ...]
    missed: int
    """Relevant documents that were not returned."""
    dots: tuple[float, ...]
    cut: float | None
    """Where the cut-off of the measure stands."""
    width: int = WIDTH

    @property
    def words(self) -> str:
        """The same in words."""
        at = ", ".join(f"{rank:,}" for rank in self.found[:12]) + (", ..." if len(self.found) > 12 else "")
        missing = f"{self.missed:,} not returned" if self.missed else ""
        return "; ".join(part for part in (f"relevant at {at}" if at else "", missing) if part) or "nothing relevant"


def queries(study: Study, asked: Asked) -> Shown:
    """Return the queries that the filters keep, a page of them at a time."""
    wanted = QueryList.of(study, asked)
    places = wanted.places(study)
    part = asked.part(places.size)
    some = places[part.rows]
    scores = study.board[wanted.run]
    return Shown(
        title="Queries",
        view=lambda: View(title="Queries", blocks=(queries_grid(study, wanted, places, all_runs=True),)),
        template="explorer/queries.html",
        values={
            "wanted": wanted,
            "grid": queries_grid(study, wanted, some),
            "ranks": [ranks_of(scores, place, wanted) for place in some.tolist()],
            "addresses": [_address(scores, place, wanted, asked) for place in some.tolist()],
            "sorts": _sorts(study, wanted),
            "found": places.size,
            "all": scores.queries,
            "part": part,
            "slicings": slicings(study, wanted.run),
            "between": BETWEEN,
        },
    )


def queries_grid(study: Study, wanted: QueryList, places: np.ndarray, *, all_runs: bool = False) -> Grid:
    """Return one row a query: what was asked, how many documents are relevant, and the value of each run."""
    scores, runs = study.board[wanted.run], _runs(study, wanted, all_runs=all_runs)
    asked, kind = scores.aligned.queries, _kind(wanted)
    texts = asked["text"].gather(places).to_list() if "text" in asked.columns else None
    columns = (
        Column(name="query", kind="id"),
        *((Column(name="text"),) if texts else ()),
        Column(name="relevant", kind="count", help="relevant documents of the query"),
        *(Column(name=run, kind=kind, help=f"{wanted.measure} of this run") for run in runs),
        *((Column(name="difference", kind="difference"),) if wanted.baseline else ()),
    )
    values = [wanted.values(study, run)[places].tolist() for run in runs]
    differences = wanted.differences(study)
    above = [] if differences is None else [[_difference(wanted, x) for x in differences[places].tolist()]]
    relevant = [Cell(int(count)) for count in wanted.relevant(scores)[places].tolist()]
    cells = [
        [Cell(name) for name in asked["query"].gather(places).to_list()],
        *([[Cell(text) for text in texts]] if texts else []),
        relevant,
        *([_value(value) for value in of_run] for of_run in values),
        *above,
    ]
    return Grid(name="queries", columns=columns, rows=tuple(zip(*cells, strict=True)))


def _runs(study: Study, wanted: QueryList, *, all_runs: bool) -> list[str]:
    """Return the runs to show: the one that is looked at, the baseline, then the others, best first."""
    runs = list(dict.fromkeys(run for run in (wanted.run, wanted.baseline, *study.runs) if run))
    return runs if all_runs else runs[:MAX_RUNS]


def _kind(wanted: QueryList) -> Kind:
    return "count" if wanted.measure.row.binary or wanted.measure.row.aggregate == "sum" else "score"


def _value(value: float) -> Cell:
    return Cell(reason="the run has no such query") if math.isnan(value) else Cell(value)


def _difference(wanted: QueryList, value: float) -> Cell:
    return _value(value) if math.isnan(value) else Cell(value, mark=side(wanted.measure, value))


def ranks_of(scores: Scores, place: int, wanted: QueryList) -> Ranks:
    """Return where the relevant documents of a query rank; each step to the right is longer, as the list is."""
    measure = scores.computed[scores.place(wanted.measure)]
    items = scores.aligned.arrays.items
    rows = slice(*np.searchsorted(items.query, [place, place + 1]).tolist())
    slots = items.slot[rows][items.grade[rows] >= level_of(measure)]
    found = np.sort(slots[slots > 0]).tolist()
    longest = max(int(scores.aligned.arrays.returned.max(initial=1)), 2)
    k = depth_of(measure)
    return Ranks(
        found=tuple(found),
        missed=int((slots == 0).sum()),
        dots=tuple(dict.fromkeys(_x(slot, longest) for slot in found)),
        cut=None if k is None or k >= longest else _x(k + 0.5, longest),
    )


def _x(slot: float, longest: int) -> float:
    return round(6 + (WIDTH - 12) * math.log(slot) / math.log(longest), 1)


def _address(scores: Scores, place: int, wanted: QueryList, asked: Asked) -> str:
    name = scores.aligned.queries["query"][place]
    return asked.to("query", query=name, **wanted.arguments(page=""))


def _sorts(study: Study, wanted: QueryList) -> Sequence[str | None]:
    """Return what each column of the table sorts by; None where it does not."""
    texts = "text" in study.board[wanted.run].aligned.queries.columns
    runs = [RUN + run for run in _runs(study, wanted, all_runs=False)]
    return ("query", *((None,) if texts else ()), "relevant", *runs, *(("difference",) if wanted.baseline else ()))

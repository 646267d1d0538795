"""One query: what a run returned for it, or two runs side by side, and what was missed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from catchrate.errors import UsageError, shown
from catchrate.evaluation.comparison.result import level_of
from catchrate.evaluation.explanation import Entry, Explanation
from catchrate.evaluation.moved import depth_of
from catchrate.measures import Measure, parse
from catchrate.reports.values import SIGNS, Sign
from catchrate.reports.view import Cell, Column, Grid, Mark, View
from catchrate.reports.views.explanation import MARKS
from catchrate.web.worker.pages.queries import ranks_of
from catchrate.web.worker.pages.query_list import QueryList
from catchrate.web.worker.pages.shown import Asked, Shown
from catchrate.web.worker.study import Study

TOP = 25
"""Places that are shown at first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """One place of a list, or a relevant document that is in none."""

    rank: int | None
    doc: str
    text: str
    holds: str
    """The judged text that it holds, where texts were matched."""
    score: float | None
    grade: float | None
    state: str
    mark: Mark | None
    elsewhere: int | None
    """Its rank in the other run; None where that does not have it."""

    @property
    def sign(self) -> Sign | None:
        """How the mark is shown."""
        return SIGNS[self.mark] if self.mark else None

    @property
    def moved(self) -> int | None:
        """How many places further up it stands than in the other run."""
        return None if self.elsewhere is None or self.rank is None else self.elsewhere - self.rank


@dataclass(frozen=True, slots=True, kw_only=True)
class Listed:
    """What one run returned for the query."""

    run: str
    value: float
    returned: int
    found: tuple[Place, ...]
    """The places that are shown."""
    missed: tuple[Place, ...]
    """Relevant documents that are not among these, with where they rank."""
    explain: str
    """Where the number is taken apart."""


def query(study: Study, asked: Asked) -> Shown:
    """Return a query in one run or two."""
    wanted = QueryList.of(study, asked)
    name = asked.chosen("query") or _first(study, wanted)
    other = asked.chosen("other") or wanted.baseline
    runs = [wanted.run, *([study.run(other)] if other and other != wanted.run else [])]
    depth = None if asked.text("depth") == "all" else max(TOP, depth_of(wanted.measure) or 0)
    explained = {run: study.explanation(run, _whole(study, run, wanted.measure), name) for run in runs}
    lists = [_listed(study, run, explained, wanted.measure, asked, depth) for run in runs]
    first = explained[wanted.run]
    place = _place(study, wanted.run, name)
    return Shown(
        title=f"Query {name}",
        view=lambda: query_view(study, explained),
        template="explorer/query.html",
        values={
            "wanted": wanted,
            "query": name,
            "text": first.text,
            "relevant": first.relevant,
            "lists": lists,
            "other": runs[1] if len(runs) > 1 else "",
            "k": depth_of(wanted.measure),
            "all_shown": depth is None,
            "longest": max(one.returned for one in lists),
            "ranks": ranks_of(study.board[wanted.run], place, wanted),
            "around": _around(study, wanted, name),
        },
    )


def query_view(study: Study, explained: Mapping[str, Explanation]) -> View:
    """Return every place of the runs as one table."""
    rows: list[tuple[Cell, ...]] = []
    for run, one in explained.items():
        scores = _scores_of(study, run, one.query)
        rows += [
            (Cell(run), Cell(e.rank), Cell(e.doc), Cell(e.grade), Cell(scores.get(e.rank or 0)), Cell(e.state))
            for e in one.entries
        ]
    columns = (
        Column(name="run", kind="id"),
        Column(name="rank", kind="rank"),
        Column(name="document", kind="id"),
        Column(name="grade", kind="grade"),
        Column(name="score", kind="number"),
        Column(name="state"),
    )
    name = next(iter(explained.values())).query
    return View(title=f"Query {name}", blocks=(Grid(name="documents", columns=columns, rows=tuple(rows), labels=3),))


def _whole(study: Study, run: str, measure: Measure) -> Measure:
    """Return recall over the whole list, at the level of relevance of a measure: its explanation knows every place."""
    scores = study.board[run]
    level = level_of(scores.computed[scores.place(measure)])
    return parse(f"recall(rel={level:g})")


def _first(study: Study, wanted: QueryList) -> str:
    places = wanted.places(study)
    if not places.size:
        raise UsageError.of("E360", "no query fits these filters", fix="take one away")
    return str(study.board[wanted.run].aligned.queries["query"][int(places[0])])


def _listed(
    study: Study, run: str, explained: Mapping[str, Explanation], measure: Measure, asked: Asked, depth: int | None
) -> Listed:
    one, scores = explained[run], study.board[run]
    elsewhere = next((_ranks(e) for name, e in explained.items() if name != run), {})
    known = _scores_of(study, run, one.query)
    shown_entries = [*one.ranking[:depth], *_missed(one, depth)]
    rows = study.ranked(run, one.query)
    texts = study.texts.of_docs((entry.doc for entry in shown_entries), rows)
    places = [_entry(entry, texts, known, elsewhere) for entry in shown_entries]
    count = len(one.ranking[:depth])
    return Listed(
        run=run,
        value=float(scores.values[_place(study, run, one.query), scores.place(measure)]),
        returned=one.returned,
        found=tuple(places[:count]),
        missed=tuple(places[count:]),
        explain=asked.to("explain", query=one.query, run=run, measure=measure),
    )


def _missed(one: Explanation, depth: int | None) -> Iterator[Entry]:
    """Yield the relevant documents further down, then those that were not returned."""
    yield from (entry for entry in one.ranking[depth or len(one.ranking) :] if entry.state == "relevant")
    yield from one.missed


def _entry(entry: Entry, texts: Mapping[str, str], scores: Mapping[int, float], elsewhere: Mapping[str, int]) -> Place:
    return Place(
        rank=entry.rank,
        doc=entry.doc,
        text=texts.get(entry.doc, ""),
        holds=entry.item if entry.item not in (None, entry.doc) else "",
        score=scores.get(entry.rank) if entry.rank else None,
        grade=entry.grade,
        state=entry.state,
        mark=MARKS.get(entry.state),
        elsewhere=elsewhere.get(entry.doc),
    )


def _ranks(one: Explanation) -> dict[str, int]:
    """Return the first place of each document."""
    return {entry.doc: entry.rank for entry in reversed(one.ranking) if entry.rank}


def _scores_of(study: Study, run: str, query: str) -> Mapping[int, float]:
    """Return the score at each place, where the run has scores and its list is shown as it is."""
    rows, policy = study.ranked(run, query), study.order.policy
    if "score" not in rows.columns or policy.judged_only:
        return {}
    return dict(enumerate(rows["score"].to_list(), start=1))


def _place(study: Study, run: str, query: str) -> int:
    """Return which of the queries of a run one is. Raises UsageError for one that does not count."""
    number = study.once(
        ("number", run), lambda: {name: i for i, name in enumerate(study.board[run].aligned.queries["query"])}
    )
    if query not in number:
        fix = "choose it from the list of queries"
        raise UsageError.of("E360", f"{shown(query, 40)} is not one of the {len(number):,} queries that count", fix=fix)
    return number[query]


def _around(study: Study, wanted: QueryList, query: str) -> Sequence[str | None]:
    """Return the queries before and behind one in the list."""
    places, here = wanted.places(study), _place(study, wanted.run, query)
    at = np.flatnonzero(places == here)
    if not at.size:
        return (None, None)
    names = study.board[wanted.run].aligned.queries["query"]
    around = (int(at[0]) - 1, int(at[0]) + 1)
    return tuple(str(names[int(places[i])]) if 0 <= i < places.size else None for i in around)

"""What the scores of one run or several say."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from catchrate.errors import Finding, shown
from catchrate.evaluation.coverage import unjudged_share
from catchrate.evaluation.intervals import USUAL, Resampling
from catchrate.evaluation.scores import Leaderboard, Scores
from catchrate.measures import Measure
from catchrate.reports.view import Block, Cell, Column, Grid, Kind, Text, View
from catchrate.reports.views.unjudged import unjudged_content, unjudged_grid, unjudged_note
from catchrate.statistics import Interval

COUNTS = (
    Column(name="queries", kind="count", help="how many queries count"),
    Column(name="missing", kind="count", help="judged queries that the run has no results for"),
    Column(name="unjudged", kind="share", help="share of the slots looked at that hold documents nobody judged"),
)


Intervals = Mapping[str, Sequence[Interval]]
"""The interval of each measure by the name of the run."""


def scores_view(scores: Scores, *, name: str = "run", per_query: bool = False, how: Resampling | None = USUAL) -> View:
    """Return the scores of one run."""
    return leaderboard_view(Leaderboard(runs={name: scores}), per_query=per_query, how=how)


def leaderboard_view(
    board: Leaderboard, *, per_query: bool = False, how: Resampling | None = USUAL, if_relevant: float | None = None
) -> View:
    """Return the runs, best first, with the best value of each measure marked; each query before them if asked for.

    `how` says how the intervals of the means are made; None leaves them out. `if_relevant` is a grade: with it, every
    measure is shown as if all unjudged documents had that grade.
    """
    intervals = board.intervals(how) if how else None
    blocks: list[Block] = [*([per_query_grid(board)] if per_query else []), leaderboard_grid(board, intervals)]
    if how and intervals:
        blocks += legend(how, intervals)
    if if_relevant is not None:
        blocks += unjudged_grid(board, if_relevant)
    notes = (*notes_of(board), *unjudged_note(board))
    return View(title="Evaluation", blocks=tuple(blocks), notes=notes, provenance=provenance_of(board, how))


def leaderboard_grid(board: Leaderboard, intervals: Intervals | None = None) -> Grid:
    """Return one row a run, best first."""
    runs = board.best_first()
    measures = runs[0][1].measures
    best = [_best(measure, [scores.means[i] for _, scores in runs]) for i, measure in enumerate(measures)]
    return Grid(
        name="leaderboard",
        columns=(Column(name="run", kind="id"), *map(_column, measures), *COUNTS),
        rows=tuple(
            (Cell(name), *_means(scores, best, intervals[name] if intervals else ()), *_counts(scores))
            for name, scores in runs
        ),
    )


def per_query_grid(board: Leaderboard) -> Grid:
    """Return one row a query; with several runs one row a query and run, the runs of a query together."""
    first = next(iter(board.values()))
    labels = (Column(name="query", kind="id"), *([Column(name="run", kind="id")] if len(board) > 1 else []))
    rows = sorted(_query_rows(board, len(labels)), key=lambda row: str(row[0].value).encode())
    return Grid(
        name="per-query",
        columns=(*labels, *(_column(measure, binary="count") for measure in first.measures)),
        rows=tuple(rows),
        labels=len(labels),
    )


def notes_of(board: Leaderboard) -> tuple[Finding, ...]:
    """Return the notes of all runs, each once."""
    return tuple(dict.fromkeys(note for scores in board.values() for note in scores.notes))


def provenance_of(board: Leaderboard, how: Resampling | None = None) -> dict[str, object]:
    """Return what all runs share once, how intervals were made, and the inputs of each run by its name."""
    first = next(iter(board.values()))
    shared = dict(first.provenance)
    shared["inputs"] = {name: scores.provenance["inputs"] for name, scores in board.items()}
    if how:
        shared["intervals"] = how.facts(first.intervals(how)[0].n)
    return shared


def scores_content(
    board: Leaderboard, *, per_query: bool = False, how: Resampling | None = USUAL, if_relevant: float | None = None
) -> dict[str, object]:
    """Return the runs in the order given, with their notes and provenance, as plain data: what `--json` prints."""
    intervals = board.intervals(how) if how else None
    return {
        "runs": {
            name: _run(scores, intervals[name] if intervals else None, if_relevant, per_query=per_query)
            for name, scores in board.items()
        },
        "notes": [note.as_dict() for note in (*notes_of(board), *unjudged_note(board))],
        "provenance": provenance_of(board, how),
    }


def _run(
    scores: Scores, intervals: Sequence[Interval] | None, if_relevant: float | None, *, per_query: bool
) -> dict[str, object]:
    means: dict[str, dict[str, object]] = {name: {"mean": mean} for name, mean in scores.as_dict().items()}
    for mean, interval in zip(means.values(), intervals or (), strict=False):
        mean |= {"ci": interval.ends, "n": interval.n} | ({"reason": interval.reason} if interval.reason else {})
    if if_relevant is not None:
        for name, scenario in unjudged_content(scores, if_relevant).items():
            means[name]["unjudged"] = scenario
    run: dict[str, object] = {"measures": means, "queries": scores.queries}
    if per_query:
        names = [str(measure) for measure in scores.measures]
        queries = scores.aligned.queries["query"].to_list()
        values = scores.values.tolist()
        run["per_query"] = {q: dict(zip(names, row, strict=True)) for q, row in zip(queries, values, strict=True)}
    return run


def _column(measure: Measure, binary: Kind = "score") -> Column:
    """Return the column of a measure: sums are counts, and so is what is 0 or 1 for each query."""
    kind = "count" if measure.row.aggregate == "sum" else binary if measure.row.binary else "score"
    return Column(name=str(measure), kind=kind, help=measure.row.meaning)


def _best(measure: Measure, means: Sequence[float]) -> float | None:
    """Return the value to mark; nothing where the runs do not differ or no direction is better."""
    if measure.row.higher_is_better is None or len(set(means)) < 2:
        return None
    return max(means) if measure.row.higher_is_better else min(means)


def _means(scores: Scores, best: Sequence[float | None], intervals: Sequence[Interval]) -> Iterator[Cell]:
    for i, (mean, top) in enumerate(zip(scores.means, best, strict=True)):
        interval = intervals[i] if intervals else Interval()
        reason = interval.reason and f"no interval: {interval.reason}"
        yield Cell(mean, interval.low, interval.high, mark="best" if mean == top else None, reason=reason)


def legend(how: Resampling, intervals: Intervals) -> Iterator[Text]:
    """Say what the brackets mean, where there are any."""
    found = [interval for of_run in intervals.values() for interval in of_run if interval.ends]
    if found:
        together = f", with the queries of each {shown(how.cluster)} drawn together" if how.cluster else ""
        yield Text(text=f"[low, high] is the {how.level * 100:g}% interval of a mean{together}.", style="quiet")


def _counts(scores: Scores) -> tuple[Cell, ...]:
    return Cell(scores.queries), Cell(scores.aligned.missing), Cell(unjudged_share(scores))


def _query_rows(board: Leaderboard, labels: int) -> Iterator[tuple[Cell, ...]]:
    for name, scores in board.items():
        run = (Cell(name),) if labels > 1 else ()
        for query, values in zip(scores.aligned.queries["query"].to_list(), scores.values.tolist(), strict=True):
            yield (Cell(query), *run, *map(Cell, values))

"""Which run is better: the verdict in words, the numbers behind it, and the queries that decide it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from catchrate.evaluation.comparison import Comparison, Difference
from catchrate.evaluation.moved import depth_of
from catchrate.measures import Measure
from catchrate.reports.view import Block, Heading, Text, View
from catchrate.reports.views.comparison import comparison_view, finds_grid, moved_grid, numbers_grid, queries_grid
from catchrate.reports.views.comparison_words import MARKS, sentence, verdicts
from catchrate.reports.views.curves import difference_figure
from catchrate.web.worker.pages.shown import Asked, Shown
from catchrate.web.worker.study import Study


class Chip(NamedTuple):
    """So many queries on one side, and where they are listed."""

    text: str
    outcome: str
    address: str


def compare(study: Study, asked: Asked) -> Shown:
    """Return one run against a baseline, or what is needed for that."""
    if len(study.board) < 2:
        return Shown(title="Compare", view=_nothing, template="explorer/alone.html", values={"run": study.runs[0]})
    measure, care = study.measure(asked.chosen("measure")), asked.number("care")
    baseline = study.run(asked.chosen("baseline"), default=1)
    run = study.run(asked.chosen("run") or next(name for name in study.runs if name != baseline))
    if run == baseline:
        run = next(name for name in study.runs if name != baseline)
    comparison = study.comparison(baseline, run, care)
    one = comparison[measure]
    moved = moved_grid(comparison.moved(one), one.measure)
    return Shown(
        title=f"{run} against {baseline}",
        view=lambda: comparison_view(comparison),
        template="explorer/compare.html",
        values={
            "baseline": baseline,
            "run": run,
            "measure": measure,
            "care": asked.text("care"),
            "verdict": Text(text=sentence([one], care), style="verdict", mark=MARKS.get(one.verdict)),
            "chips": tuple(_chips(one, measure, asked)),
            "blocks": tuple(_blocks(study, comparison, one, measure)),
            "moved": moved,
            "addresses": [
                asked.to("query", query=m.query, run=run, other=baseline, baseline=baseline, measure=measure)
                for m in comparison.moved(one)
            ],
            "found": tuple(_found(comparison, one)),
            "all_verdicts": tuple(verdicts(comparison)),
            "notes": comparison.notes,
        },
        table="numbers",
    )


def _nothing() -> View:
    return View(title="Compare", blocks=(Text(text="One run alone has nothing to be compared with."),))


def _chips(one: Difference, measure: Measure, asked: Asked) -> Iterator[Chip]:
    """Yield how many queries are better, worse and the same; the list shows the same ones."""
    known = measure.row.higher_is_better is not None
    better, worse = ("better", "worse") if known else ("higher", "lower")
    counts = ((one.wins, better, "better"), (one.losses, worse, "worse"), (one.ties, "same", "same"))
    for count, word, outcome in counts:
        address = asked.to("queries", measure=measure, run=one.b, baseline=one.a, outcome=outcome)
        yield Chip(f"{count:,} {word}", outcome, address)


def _blocks(study: Study, comparison: Comparison, one: Difference, measure: Measure) -> Iterator[Block]:
    """Yield the difference over all cut-offs, and the numbers of all measures."""
    if measure.row.at == "k" and depth_of(measure):
        yield difference_figure(study.difference(one.a, one.b, measure), study.bands)
    yield Heading(text="All measures")
    yield numbers_grid(comparison)
    yield Heading(text="How many queries decide it", level=3)
    yield queries_grid(comparison)


def _found(comparison: Comparison, one: Difference) -> Iterator[Block]:
    """Yield which relevant documents only one of the runs finds."""
    found = comparison.finds(one.a, one.b)
    if found.only_a or found.only_b:
        where = "in their lists" if found.depth is None else f"in the first {found.depth:,} slots"
        yield Heading(text=f"What the two find {where}")
        yield finds_grid(found, one.a, one.b)

"""What a diagnosis says: the numbers, what kind of mistakes there are, and where the relevant documents are."""

from __future__ import annotations

from collections.abc import Iterator

from catchrate.evaluation.diagnosis import Diagnosis, Mode
from catchrate.evaluation.scores import Leaderboard
from catchrate.reports.view import Block, Cell, Column, Grid, Mark, Text, View
from catchrate.reports.views.choosing import choice_figure, reached_texts
from catchrate.reports.views.curves import interval_cell
from catchrate.reports.views.loss import advice, deeper_grids, loss_figure
from catchrate.reports.views.missed import crowd_blocks, judging_blocks, missed_blocks
from catchrate.reports.views.queries import beside_blocks, position_blocks, slice_blocks, worse_texts

MODE_MARKS: dict[str, Mark] = {"sound": "better", "weak": "worse"}


def diagnosis_view(diagnosis: Diagnosis, *, full: bool = True) -> View:
    """Return what is wrong first, then what it rests on; long tables are thinned out unless `full`."""
    k, choice, recall = diagnosis.k, diagnosis.choice, diagnosis.loss.recall
    Leaderboard(runs={"here": diagnosis.scores, "curve": choice.curves["recall"].scores}).intervals()  # drawn once
    blocks: list[Block] = [*_mode(diagnosis), *reached_texts(choice), *worse_texts(diagnosis.slices)]
    blocks += [numbers_grid(diagnosis), loss_figure({"run": diagnosis.loss})]
    blocks += [*deeper_grids(diagnosis.loss), *advice(diagnosis.loss), choice_figure(choice, k=k, full=full)]
    blocks += position_blocks(diagnosis.positions)
    blocks += slice_blocks(diagnosis.slices, k, recall, full=full)
    blocks += beside_blocks(diagnosis.beside, k)
    blocks += missed_blocks(diagnosis.misses, diagnosis.nothing_found, diagnosis.missed_often, full=full)
    blocks += crowd_blocks(diagnosis.crowd)
    blocks += judging_blocks(diagnosis.worklist, diagnosis.scores.means[-1], k)
    return View(title="Diagnosis", blocks=tuple(blocks), notes=diagnosis.notes, provenance=diagnosis.provenance)


def numbers_grid(diagnosis: Diagnosis) -> Grid:
    """Return the means that the diagnosis rests on, with their intervals."""
    scores = diagnosis.scores
    columns = (Column(name="measure"), Column(name="mean", kind="score", help="with its 95% interval"))
    rows = (
        (Cell(str(measure)), interval_cell(mean, interval))
        for measure, mean, interval in zip(scores.measures, scores.means, scores.intervals(), strict=True)
    )
    return Grid(name="numbers", columns=columns, rows=tuple(rows))


def _mode(diagnosis: Diagnosis) -> Iterator[Block]:
    mode = diagnosis.mode
    words, mark = _words(mode, diagnosis.k), MODE_MARKS.get(mode.name, "unsure")
    yield Text(text=_SAID[mode.name].format(**words), style="verdict", mark=mark)
    yield Text(text=_ADVICE[mode.name].format(**words), style="advice")
    counts = ", ".join(f"{count:,} {name}" for name, count in mode.queries.items() if count)
    if counts:
        yield Text(text=f"Query by query: {counts}.", style="quiet")


_SAID = {
    "sound": "Sound: it finds {recall} of what is relevant, and {filled}.",
    "selective": "Selective: {filled}, but {missed} of what is relevant is missed.",
    "wide net": "A wide net: it finds {recall} of what is relevant, but only {filled}.",
    "weak": "Misses and junk: {missed} of what is relevant is missed, and only {filled}.",
}
_ADVICE = {
    "sound": "Look at the slices and at single queries for what is left.",
    "selective": "Return more: a larger k, a lower threshold on scores, or a second retriever beside this one.",
    "wide net": "{junk} A smaller k, or a reranker in front of the reader, removes junk.",
    "weak": "{junk} Work on what is found first; the account below says where it is lost.",
}


def _words(mode: Mode, k: int) -> dict[str, str]:
    """Return what the sentences about a mode are filled with."""
    junk = f"At most {mode.ceiling * k:.1f} could, since there are no more relevant documents."
    if mode.unjudged:
        junk += f" {mode.unjudged:.0%} of the slots were judged by nobody and count as junk."
    return {
        "recall": f"{mode.recall:.0%}",
        "missed": f"{1 - mode.recall:.0%}",
        "filled": f"{mode.precision * k:.1f} of {k:,} slots hold a relevant document",
        "junk": junk,
    }

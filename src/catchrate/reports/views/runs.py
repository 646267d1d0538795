"""One view of runs that holds all there is to say of them: what a report is made of, part by part."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from catchrate.errors import UsageError
from catchrate.evaluation.comparison import Choices, Comparison, Difference, compare_scores
from catchrate.evaluation.curve import Curve, curve, difference_curve, usual_cutoffs
from catchrate.evaluation.diagnosis import Slice, loss_account, positions, slice_kinds
from catchrate.evaluation.intervals import CHEAP, USUAL, Resampling
from catchrate.evaluation.moved import depth_of
from catchrate.evaluation.scores import Leaderboard, Scores
from catchrate.measures import Measure
from catchrate.reports.view import Block, Figure, Heading, Text, View
from catchrate.reports.views.comparison import finds_blocks, moved_blocks, numbers_grid, queries_grid
from catchrate.reports.views.comparison_words import verdicts
from catchrate.reports.views.curves import curve_figure, difference_figure
from catchrate.reports.views.figures import differences_figure, distribution_figure, precision_recall_figure
from catchrate.reports.views.loss import advice, loss_figure
from catchrate.reports.views.queries import ranks_figure, slices_figure, worse_texts
from catchrate.reports.views.scores import leaderboard_grid, legend, notes_of, provenance_of
from catchrate.reports.views.significance import Marks, with_marks
from catchrate.reports.views.unjudged import unjudged_note

USUAL_K = 10
"""The cut-off that is looked at where no measure has one."""
CUT_OFFS = (*range(1, 11), 15, 20, 30, 50, 70, 100, 150, 200, 300, 500, 700, 1000, 2000, 5000, 10_000)
"""Where curves are looked at: each point is resampled."""
DETAILED = 2
"""So many pairs of runs are looked at query by query."""
MANY_SIGNS = 200_000
"""Differences times queries beyond which 10,000 random signs must do, a tenth of the usual: p moves by a hundredth."""
BAND_SAMPLES = 1_000
"""Samples behind each point of a band over very many queries: no eye sees more."""
FEW_RUNS = 3
"""Of more runs, verdicts are on the best one against each other."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Runs:
    """The runs of a report, and what is looked at in them."""

    board: Leaderboard
    """The runs, best first."""
    comparison: Comparison | None = None
    """They compared, where they can be."""
    not_compared: str = ""
    """Why they cannot."""
    by: tuple[str, ...] = ()
    """What parts their queries into slices; nothing takes all that is known of them."""
    how: Resampling = USUAL
    """How intervals are made."""
    _curves: dict[str, Mapping[str, Curve]] = field(default_factory=dict[str, Mapping[str, Curve]])
    _kinds: list[tuple[Slice, ...]] = field(default_factory=list[tuple[Slice, ...]])

    @classmethod
    def of(cls, result: Scores | Leaderboard | Comparison, *, by: tuple[str, ...] = ()) -> Runs:
        """Return what a report is on; runs that are not compared are now, each with each, as far as they can be."""
        if isinstance(result, Comparison):
            return cls(board=_sorted(result.scores), comparison=result, how=result.choices.resampling, by=by)
        board = result if isinstance(result, Leaderboard) else Leaderboard(runs={"run": result})
        comparison, why = _compared(board)
        return cls(board=_sorted(board), comparison=comparison, not_compared=why, by=by)

    @property
    def bands(self) -> Resampling:
        """How the intervals in charts are made: from fewer samples where queries are many, and each steadier."""
        many = self.board[self.best].queries > CHEAP and self.how.samples is None
        return replace(self.how, samples=BAND_SAMPLES) if many else self.how

    @property
    def best(self) -> str:
        """The name of the best run at the first measure."""
        return next(iter(self.board))

    @property
    def measure(self) -> Measure:
        """The measure that is looked at query by query: the first."""
        return self.board[self.best].measures[0]

    @property
    def k(self) -> int:
        """The cut-off that is looked at: the deepest that a measure has."""
        return max(filter(None, map(depth_of, self.board[self.best].measures)), default=USUAL_K)

    @property
    def pairs(self) -> list[Difference]:
        """The first difference of each pair that is worth a look: with the baseline, or with the best run."""
        if self.comparison is None:
            return []
        firsts = [first for first, *_ in self.comparison.pairs.values()]
        few = self.comparison.baseline or len(self.board) <= FEW_RUNS
        return firsts if few else [one for one in firsts if self.best in (one.a, one.b)]

    def curves(self, name: str) -> Mapping[str, Curve]:
        """Return a measure at every cut-off that is looked at, for each run."""
        if name not in self._curves:
            deepest = max(usual_cutoffs(scores)[-1] for scores in self.board.values())
            ks = sorted({*(k for k in CUT_OFFS if k <= deepest), min(self.k, deepest), deepest})
            self._curves[name] = {run: curve(scores, name, ks) for run, scores in self.board.items()}
        return self._curves[name]

    def kinds(self) -> tuple[Slice, ...]:
        """Return the slices of the queries as the best run answers them."""
        if not self._kinds:
            self._kinds.append(slice_kinds(self.board[self.best], self.by or None, self.k))
        return self._kinds[0]


def choices_for(board: Leaderboard, baseline: str | None = None) -> Choices:
    """Return how the runs of a report are compared: as usual, with fewer random signs where that would take long."""
    first = next(iter(board.values()))
    pairs = len(board) - 1 if baseline is not None else len(board) * (len(board) - 1) // 2
    return Choices(flips=10_000 if pairs * len(first) * first.queries > MANY_SIGNS else None)


def _sorted(board: Leaderboard) -> Leaderboard:
    return Leaderboard(runs=dict(board.best_first()))


def _compared(board: Leaderboard) -> tuple[Comparison | None, str]:
    if len(board) < 2:
        return None, ""
    try:
        return compare_scores(board, baseline=None, choices=choices_for(board)), ""
    except UsageError as error:
        return None, f"The runs are not compared: {error.findings[0].message}."


def runs_view(runs: Runs, *, title: str = "", marks: Marks | None = None, brief: bool = False) -> View:
    """Return all that is to be said of runs: the verdict first, where the numbers come from last.

    `brief` leaves out what does not fit on a page. Raises UsageError for marks that the comparison cannot give.
    """
    blocks = [*_verdict(runs), *_results(runs, marks)]
    if brief:
        blocks += [*_drawn(runs, "recall_curve", "loss_account")]
    else:
        blocks += [*_numbers(runs), *_cut_offs(runs), *_losses(runs), *_queries(runs), *_slices(runs)]
    compared = runs.comparison
    return View(
        title=title or _title(runs),
        blocks=tuple(blocks),
        notes=compared.notes if compared else (*notes_of(runs.board), *unjudged_note(runs.board)),
        provenance=provenance_of(runs.board, runs.how) | dict(_choices(runs)),
        brief=brief,
    )


def essence_view(runs: Runs) -> View:
    """Return what a person wants to know at once: the verdict, the means, and where the relevant documents are."""
    return View(title=_title(runs), blocks=(*_verdict(runs), *_means(runs), *_drawn(runs, "loss_account")))


def runs_figure(runs: Runs, name: str) -> Figure | None:
    """Return one figure by the name of its chart; None where these runs have none of that name."""
    return next(_drawn(runs, name), None) if name in FIGURES else None


def _recall_curve(runs: Runs) -> Iterator[Figure]:
    deepest = runs.curves("recall")[runs.best].ks[-1]
    yield curve_figure(runs.curves("recall"), k=min(runs.k, deepest), how=runs.bands)


def _difference_band(runs: Runs) -> Iterator[Figure]:
    for one in runs.pairs[:DETAILED]:
        ks = runs.curves("recall")[runs.best].ks
        yield difference_figure(difference_curve(runs.board[one.a], runs.board[one.b], "recall", ks), runs.bands)


def _precision_recall(runs: Runs) -> Iterator[Figure]:
    yield precision_recall_figure(runs.curves("recall"), runs.curves("precision"))


def _loss_account(runs: Runs) -> Iterator[Figure]:
    yield loss_figure({name: loss_account(scores, runs.k) for name, scores in runs.board.items()})


def _rank_positions(runs: Runs) -> Iterator[Figure]:
    yield ranks_figure({name: positions(scores, runs.k) for name, scores in runs.board.items()})


def _distribution(runs: Runs) -> Iterator[Figure]:
    yield distribution_figure(runs.board, runs.measure)


def _differences(runs: Runs) -> Iterator[Figure]:
    if runs.comparison is not None:
        yield from (differences_figure(runs.comparison, one) for one in runs.pairs[:DETAILED])


def _sliced(runs: Runs) -> Iterator[Figure]:
    kinds = runs.kinds()
    if kinds:
        figure = slices_figure(kinds, runs.k, loss_account(runs.board[runs.best], runs.k).recall)
        whose = f"{runs.best}: " if len(runs.board) > 1 else ""
        yield replace(figure, title=f"{whose}{figure.title}")


FIGURES: dict[str, Callable[[Runs], Iterator[Figure]]] = {
    "recall_curve": _recall_curve,
    "difference_band": _difference_band,
    "precision_recall": _precision_recall,
    "loss_account": _loss_account,
    "rank_positions": _rank_positions,
    "distribution": _distribution,
    "differences": _differences,
    "slices": _sliced,
}
"""Every figure of runs by the name of its chart, made when it is wanted."""


def _drawn(runs: Runs, *names: str) -> Iterator[Figure]:
    """Yield figures; the tables of several with one name are told apart."""
    for name in names:
        for number, figure in enumerate(FIGURES[name](runs)):
            behind = f"-{number + 1}" if number else ""
            yield replace(figure, data=replace(figure.data, name=f"{figure.data.name}{behind}"))


def _title(runs: Runs) -> str:
    names = list(runs.board)
    if len(names) == 1:
        return f"What {names[0]} finds"
    return f"{' and '.join(names)} compared" if len(names) == 2 else f"{len(names)} runs compared"


def _verdict(runs: Runs) -> Iterator[Block]:
    if runs.comparison is not None:
        wanted = {(one.a, one.b) for one in runs.pairs}
        yield from verdicts(runs.comparison, wanted)
        return
    yield Text(text=_found(runs), style="verdict")
    if runs.not_compared:
        yield Text(text=runs.not_compared, style="quiet")


def _found(runs: Runs) -> str:
    """Say in words what the best run finds."""
    found = runs.curves("recall")[runs.best]
    k = min(runs.k, found.ks[-1])  # no list goes on beyond the last
    low, high = found.interval(k, runs.bands).ends or (None, None)
    sure = "" if low is None else f" ({runs.how.level * 100:g}% interval {low:.1%} to {high:.1%})"
    slots = "slot" if runs.k == 1 else f"{runs.k:,} slots"
    return (
        f"{runs.best} finds {found[k]:.1%} of what is relevant in its first {slots}{sure}, each query counting alike."
    )


def _results(runs: Runs, marks: Marks | None) -> Iterator[Block]:
    yield Heading(text="Results")
    yield from _means(runs, marks)


def _means(runs: Runs, marks: Marks | None = None) -> Iterator[Block]:
    intervals = runs.board.intervals(runs.how)
    grid = leaderboard_grid(runs.board, intervals)
    if marks and runs.comparison is not None:
        grid = with_marks(grid, runs.comparison, marks)
    yield grid
    yield from legend(runs.how, intervals)


def _numbers(runs: Runs) -> Iterator[Block]:
    if runs.comparison is None:
        return
    yield Heading(text="Differences")
    few = 2 * len(runs.comparison.measures) * FEW_RUNS
    for grid in (numbers_grid(runs.comparison), queries_grid(runs.comparison)):
        yield replace(grid, shown=few) if len(grid.rows) > few else grid


def _cut_offs(runs: Runs) -> Iterator[Block]:
    yield Heading(text="By cut-off")
    yield from _drawn(runs, "recall_curve", "difference_band", "precision_recall")


def _losses(runs: Runs) -> Iterator[Block]:
    yield Heading(text="Where the relevant documents are")
    yield from _drawn(runs, "loss_account")
    if len(runs.board) == 1:
        yield from advice(loss_account(runs.board[runs.best], runs.k))
    yield from _drawn(runs, "rank_positions")
    if runs.comparison is not None:
        for number, one in enumerate(runs.pairs[:DETAILED], start=1):
            yield from map(_below, finds_blocks(runs.comparison, one, number))


def _queries(runs: Runs) -> Iterator[Block]:
    yield Heading(text="Query by query")
    yield from _drawn(runs, "distribution", "differences")
    if runs.comparison is not None:
        for number, one in enumerate(runs.pairs[:DETAILED], start=1):
            yield from map(_below, moved_blocks(runs.comparison, one, number))


def _slices(runs: Runs) -> Iterator[Block]:
    if not runs.kinds():
        return
    yield Heading(text="By kind of query")
    yield from worse_texts(runs.kinds())
    yield from _drawn(runs, "slices")


def _below(block: Block) -> Block:
    """Return a block with its heading one level down."""
    return replace(block, level=3) if isinstance(block, Heading) else block


def _choices(runs: Runs) -> Iterator[tuple[str, object]]:
    """Yield what else the numbers depend on."""
    if runs.bands != runs.how:
        yield "bands", runs.bands.facts(runs.board[runs.best].queries)
    if runs.comparison is not None:
        yield "comparison", runs.comparison.provenance["comparison"]

"""One figure for each chart, with a text of one's choice wherever a figure holds foreign text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from catchrate.reports.view import Cell, Column, Figure, Grid, Kind

CUT_OFFS = (1, 2, 5, 10, 20)


def figure(
    chart: str, columns: Sequence[tuple[str, Kind]], rows: Iterable[Sequence[object]], text: str, **options: object
) -> Figure:
    """Return a figure whose rows hold cells or plain values."""
    grid = Grid(
        name=chart.replace("_", "-"),
        columns=tuple(Column(name=name, kind=kind) for name, kind in columns),
        rows=tuple(tuple(cell if isinstance(cell, Cell) else Cell(cell) for cell in row) for row in rows),
    )
    return Figure(chart=chart, title=f"Title {text}", summary=f"Summary {text}", data=grid, options=options)


def curve(runs: Sequence[str], text: str = "", cut_offs: Sequence[int] = CUT_OFFS) -> Figure:
    """Return a curve for each run; the last one has no intervals."""
    rows = [
        (run, k, Cell(k / (k + 3 + i), *((k / (k + 9 + i), k / (k + 2 + i)) if run != runs[-1] else (None, None))))
        for i, run in enumerate(runs)
        for k in cut_offs
    ]
    columns = (("run", "id"), ("cut-off", "rank"), ("recall", "score"))
    return figure("recall_curve", columns, rows, text, measure="recall", k=10, target=0.8)


def differences(count: int, text: str = "") -> Figure:
    """Return a difference for each query."""
    rows = [(f"q{i}{text}", Cell(0.5 - i / count, mark="better" if i < count / 2 else "worse")) for i in range(count)]
    return figure("differences", (("query", "id"), ("difference", "difference")), rows, text)


def figures(text: str = "x") -> list[Figure]:
    """Return one figure for each chart."""
    runs, run = (f"{text}1", f"{text}2"), ("run", "id")
    parts = (("found", 0.7), (f"lost {text}", 0.05), ("never returned", 0.25))
    bins = [(run, i / 4, (i + 1) / 4, 3 * i) for run in runs for i in range(4)]
    return [
        curve(runs, text),
        curve([f"{text}{i}" for i in range(9)], text, range(1, 31)),
        figure(
            "difference_band",
            (run, ("cut-off", "rank"), ("difference", "difference")),
            [(text, k, Cell(k / 20, k / 20 - 0.3, k / 20 + 0.3)) for k in CUT_OFFS],
            text,
        ),
        figure(
            "precision_recall",
            (run, ("cut-off", "rank"), ("recall", "share"), ("precision", "share")),
            [(run, k, k / (k + 3 + i), 1 / (k + i)) for i, run in enumerate(runs) for k in CUT_OFFS],
            text,
        ),
        figure(
            "distribution", (run, ("from", "score"), ("to", "score"), ("queries", "count")), bins, text, measure=text
        ),
        differences(7, text),
        differences(1000, text),
        figure(
            "loss_account",
            (run, ("part", "text"), ("documents", "count"), ("share", "share")),
            [(run, part, int(100 * share), share) for run in runs for part, share in parts],
            text,
        ),
        figure(
            "slices",
            (("slice", "text"), ("queries", "count"), ("recall@10", "score")),
            [(f"a {text}", 12, Cell(0.5, 0.3, 0.7)), (f"b {text}", 1, Cell(0.4)), ("c", 0, Cell(reason=text))],
            text,
            measure="recall@10",
            overall=0.45,
        ),
        figure(
            "rank_positions",
            (run, ("ranks", "text"), ("documents", "count")),
            [(run, ranks, 5) for run in runs for ranks in ("1", f"2-3 {text}", "not returned")],
            text,
        ),
    ]

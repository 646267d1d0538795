"""The table behind a figure as rows with plain names, which is what specifications speak of."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Any

from catchrate.errors import visible
from catchrate.reports.escape import shortened
from catchrate.reports.view import Cell, Column, Figure, Kind

MAX_LABEL = 40
"""Characters of a label in a chart."""
MAX_RUNS = 6
"""So many lines can be told apart."""

Rows = list[dict[str, Any]]


def rows_of(figure: Figure, **names: str) -> Rows:
    """Return the rows of a figure: their `run`, and what `names` calls by names of ours, with the interval of `y`.

    Rows without a value that is drawn are left out, and so are all runs but the first few.
    """
    places = {ours: _place(figure, theirs) for ours, theirs in names.items()}
    if "run" in _names(figure):
        places["run"] = _place(figure, "run")
    labels = {ours: labels_of(cells[place].value for cells in figure.data.rows) for ours, place in places.items()}
    kept = list(labels.get("run", {}))[:MAX_RUNS]
    rows: Rows = []
    for cells in figure.data.rows:
        if "run" in places and cells[places["run"]].value not in kept:
            continue
        row = {"run": ""} | {ours: labels[ours][cells[place].value] for ours, place in places.items()}
        if None not in row.values():
            rows.append(row | (_interval(cells[places["y"]]) if "y" in places else {}))
    return rows


def labels_of(values: Iterable[Any]) -> dict[Hashable, Any]:
    """Return what stands in a chart for each value: numbers stay, and different texts stay different."""
    labels: dict[Hashable, Any] = {}
    taken: set[str] = set()
    for value in dict.fromkeys(values):
        labels[value] = _new_label(value, taken) if isinstance(value, str) else value
    return labels


def runs_of(rows: Rows) -> list[str]:
    """Return the runs in their order."""
    return list(dict.fromkeys(row["run"] for row in rows))


def runs_left_out(figure: Figure) -> int:
    """Return how many runs a chart does not show."""
    if "run" not in _names(figure):
        return 0
    place = _place(figure, "run")
    return max(len({cells[place].value for cells in figure.data.rows}) - MAX_RUNS, 0)


def column_of(figure: Figure, name: str) -> Column:
    """Return a column by its name."""
    return figure.data.columns[_place(figure, name)]


def measure_of(figure: Figure) -> str:
    """Return the name of the column that holds the measure."""
    return figure.options.get("measure") or "recall"


def format_of(kind: Kind) -> str:
    """Return how an axis prints numbers of a kind."""
    return {"share": ".0%", "count": ",d", "rank": ",d", "difference": "+.2f"}.get(kind, ".2f")


def _names(figure: Figure) -> list[str]:
    return [column.name for column in figure.data.columns]


def _place(figure: Figure, name: str) -> int:
    return _names(figure).index(name)


def _interval(cell: Cell) -> dict[str, Any]:
    return {"low": cell.low, "high": cell.high, "mark": cell.mark or ""}


def _new_label(text: str, taken: set[str]) -> str:
    wanted = label = shortened(visible(text), MAX_LABEL)
    while label in taken:
        label = f"{wanted} ({len(taken) + 1})"
    taken.add(label)
    return label

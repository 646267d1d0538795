"""catchrate compare --no-judgments: two runs of which nothing is judged."""

from __future__ import annotations

from collections.abc import Sequence

from catchrate.cli.inputs import open_input, refuse_same_names
from catchrate.cli.messages import say
from catchrate.cli.options import Output, Reading
from catchrate.cli.show import show
from catchrate.errors import UsageError
from catchrate.evaluation.rankings import DEPTH, compare_rankings
from catchrate.formats import write_labels
from catchrate.reports.views.rankings import all_changed_view, rankings_content, rankings_view


def compare_unjudged(
    runs: Sequence[str], cutoff: int | None, label: str | None, output: Output, reading: Reading
) -> None:
    """Say how alike two runs are, and write what to judge first where a file for it is named."""
    if len(runs) != 2:
        message = f"--no-judgments compares two runs, and there {'is one' if len(runs) == 1 else f'are {len(runs)}'}"
        raise UsageError.of("E315", message, fix="give two runs and nothing else")
    inputs = [open_input(text) for text in runs]
    refuse_same_names(inputs)
    a, b = inputs
    k = DEPTH if cutoff is None else cutoff
    found = compare_rankings(a.where, b.where, k=k, names=(a.name, b.name), options=reading.read_options())
    if label is not None:
        rows = found.to_label()
        write_labels(rows, label, inputs=[one.path for one in inputs])
        say(f"{rows.height:,} documents to judge are in {label}: fill in the grades")
    one_table = output.form() in ("csv", "tsv")
    view = all_changed_view(found) if one_table else rankings_view(found)
    show(view, output, inputs, content=rankings_content(found))

"""How every command hands over its result: to a terminal, as data, or to a file."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping

from catchrate.cli.inputs import Input
from catchrate.cli.messages import leave_a_line, print_findings
from catchrate.cli.options import Output
from catchrate.reports.json_report import as_json
from catchrate.reports.output import deliver
from catchrate.reports.render import render
from catchrate.reports.terminal import columns_of, view_lines, write_lines
from catchrate.reports.view import View


def show(
    view: View,
    output: Output,
    inputs: Iterable[Input] = (),
    *,
    content: Mapping[str, object] | None = None,
    table: str | None = None,
) -> None:
    """Print a view, or write it in the form that was asked for; its notes go to standard error.

    `content` is what JSON holds where that is not simply the tables of the view, and `table` the one that CSV holds
    where that is not the first.
    """
    form = output.form()
    if form == "text" and output.output is None:
        write_lines(view_lines(view, columns_of(sys.stdout)), sys.stdout)
    else:
        report = as_json(content) if form == "json" and content is not None else render(view, form, table=table)
        deliver(report, output.output, inputs=[one.path for one in inputs])
    if view.notes:
        leave_a_line()
        print_findings(view.notes)

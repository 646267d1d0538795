"""catchrate measures: the table of measures, or the whole of some rows."""

from __future__ import annotations

import sys
from typing import Annotated

from cyclopts import Parameter

from catchrate.cli.options import FLAG, Load
from catchrate.evaluation.plugins import load_entry_points, load_measures
from catchrate.measures import TABLE, parse
from catchrate.reports.json_report import as_json
from catchrate.reports.measure_help import explanation, listing, row_content
from catchrate.reports.output import deliver
from catchrate.reports.terminal import columns_of, write_lines

WIDTH = 100
"""Where text for people is wrapped when there is no terminal."""


def measures(
    *names: Annotated[str, Parameter(help="Measures to explain, in any spelling.")],
    json: Annotated[bool, FLAG, Parameter(help="Print JSON.")] = False,
    load: Load = (),
) -> None:
    """List the measures, or explain some."""
    load_entry_points()
    for file in load:
        load_measures(file)
    chosen = [parse(name) for name in names]
    if json:
        rows = [measure.row for measure in chosen] or list(TABLE.values())
        deliver(as_json([row_content(row) for row in dict.fromkeys(rows)]), None)
        return
    columns = columns_of(sys.stdout) or WIDTH
    write_lines(explanation(chosen, columns) if chosen else listing(columns), sys.stdout)

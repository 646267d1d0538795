"""Results show themselves in a notebook: their view as HTML, drawn when a notebook asks for it.

Results live below this room and know nothing of it: `showing.py` has the one method that a notebook looks for.
"""

from __future__ import annotations

import hashlib
from dataclasses import replace

from catchrate.errors import MissingExtra
from catchrate.evaluation.intervals import CHEAP, USUAL
from catchrate.evaluation.scores import Leaderboard, Scores
from catchrate.reports.view import View
from catchrate.reports.views import view_of
from catchrate.reports.views.scores import leaderboard_view


def notebook_html(result: object) -> str | None:
    """Return a result as HTML for a cell of a notebook, or nothing where the library for it is not installed.

    Nothing is computed that would take long: intervals over very many queries are shown where they are known.
    """
    try:
        from catchrate.reports.html import notebook_fragment
    except MissingExtra:
        return None
    view = replace(_quick_view(result), brief=True)
    name = hashlib.sha256(repr(view.blocks).encode("utf-8", "backslashreplace")).hexdigest()[:8]
    return notebook_fragment(view, f"c{name}-")


def _quick_view(result: object) -> View:
    board = Leaderboard(runs={"run": result}) if isinstance(result, Scores) else result
    if not isinstance(board, Leaderboard):
        return view_of(result)
    known = all(USUAL in scores.known_intervals or scores.queries <= CHEAP for scores in board.values())
    return leaderboard_view(board, how=USUAL if known else None)

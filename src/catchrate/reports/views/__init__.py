"""What each result says: one function a result, which returns a view."""

from __future__ import annotations

from catchrate.errors import UsageError
from catchrate.importing import ONE_AT_A_TIME
from catchrate.reports.view import View


def view_of(result: object) -> View:
    """Return what a result shows; a view is one already.

    Raises UsageError for anything that is no result of ours.
    """
    if isinstance(result, View):
        return result
    with ONE_AT_A_TIME:
        from catchrate.reports.views.table import VIEWS  # every view: a command imports its own alone

    if type(result) not in VIEWS:
        known = ", ".join(sorted(kind.__name__ for kind in VIEWS))
        raise UsageError.of("E260", f"a {type(result).__name__} is no result", fix=f"give one of {known}")
    return VIEWS[type(result)](result)

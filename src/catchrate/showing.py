"""What makes a result show itself in a notebook.

Results live below the reports and know nothing of them. So they have this method in common, and the package says, when
it is imported, who draws: no result and no report is imported for that.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar


class Result:
    """A result that has a view."""

    __slots__ = ()
    drawn_by: ClassVar[Callable[[object], str | None]]
    """Returns a result as HTML for a cell of a notebook; None where the library for it is not installed."""

    def _repr_html_(self) -> str | None:
        return Result.drawn_by(self)

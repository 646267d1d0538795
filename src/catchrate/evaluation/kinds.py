"""What an input holds, told by trying the readers on its first rows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from catchrate.errors import CatchrateError, InputError
from catchrate.formats import ReadOptions, Source, holds_both, read_judgments, read_ranking
from catchrate.formats.sniff import format_of

Kind = Literal["judgments", "ranking", "records"]
WRONG_SHAPE = frozenset(("E201", "E219", "E236", "E250", "E260"))
"""What readers say of an input that is another kind of thing altogether."""
BY_LINES = ("trec", "csv", "tsv", "jsonl")
"""Formats whose first rows can be read without the rest."""


def kind_of(source: Source, options: ReadOptions) -> Kind | None:
    """Return what an input holds; None when it could be judgments as well as a ranking.

    An input that both readers refuse is what the more forgiving one would have read.

    Raises InputError when its format cannot be told.
    """
    if holds_both(source, options):
        return "records"
    sample = _first_rows(source, options)
    judgments = _objections(read_judgments, sample, options)
    ranking = _objections(read_ranking, sample, options)
    if judgments == ranking:
        return None
    return "judgments" if judgments < ranking else "ranking"


def _first_rows(source: Source, options: ReadOptions) -> Source | bytes:
    """Return the whole lines at the head of an input, or the input where it has to be read whole."""
    head = source.head()
    end = head.rfind(b"\n") + 1
    return head[:end] if end and format_of(source, options) in BY_LINES else source


def _objections(
    read: Callable[[object, ReadOptions], object], sample: Source | bytes, options: ReadOptions
) -> tuple[bool, int]:
    """Return how strongly a reader objects: whether the shape is wrong, and to how many rows."""
    try:
        read(sample, options)
    except InputError as error:
        return error.code in WRONG_SHAPE, error.total
    except CatchrateError:
        return True, 1
    return False, 0

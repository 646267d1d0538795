"""What other tools would print for one query and for all of them, beside a number of ours."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from catchrate.alignment import Aligned
from catchrate.alignment.policy import Dialect
from catchrate.evaluation.elsewhere.definitions import Definition, Tool
from catchrate.evaluation.elsewhere.quirks import NEVER_JUDGED
from catchrate.evaluation.elsewhere.tools import definitions_like
from catchrate.evaluation.one_query import align_one
from catchrate.measures import Alignment, Measure


@dataclass(frozen=True, slots=True, kw_only=True)
class Elsewhere:
    """What another tool makes of the same lists."""

    tool: str
    """What the tool calls itself."""
    version: str
    """The version whose definitions these are."""
    called: str
    """What it calls the measure; empty where it has none."""
    value: float | None
    """What it prints for the query; None where it prints nothing."""
    whole: float | None
    """What it prints for all queries."""
    queries: int
    """Over how many queries that is."""
    same: bool
    """Whether its value of the query is ours."""
    why: str
    """What differs, in words; empty where nothing does."""
    says: str
    """What to know of all measures of the tool."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lists:
    """The same lists as a tool reads them: the query that is looked at, and all queries."""

    aligned: Aligned
    """All queries."""
    query: Alignment
    """The one query as a measure of ours reads it."""
    listed: Alignment
    """The one query with every document known, so that each repeat is."""
    place: int
    """Which of all queries it is."""


LoadLists = Callable[[Dialect], Lists]
"""Returns the lists in the order of a dialect."""


def every_place(docs: Sequence[str], grades: Mapping[str, float]) -> Alignment:
    """Join one list with its judgments so that documents that nobody judged are known, too."""
    return align_one(docs, {**dict.fromkeys(docs, NEVER_JUDGED), **grades})


def elsewhere(
    tools: Iterable[Tool], measure: Measure, value: float, rel: float, lists: LoadLists
) -> Iterator[Elsewhere]:
    """Yield what each tool has for a measure of ours, whose value of the query is given."""
    k = measure.get("k")
    cutoff = k if isinstance(k, int) else None
    for tool in tools:
        known = definitions_like(tool, measure.name)
        if not known:
            nothing = f"has no measure like {measure.name}"
            yield _row(tool, "", None, None, 0, same=False, why=nothing)
            continue
        for definition in known:
            yield _beside(tool, definition, cutoff, rel, value, lists(tool.dialect))


def _beside(tool: Tool, definition: Definition, k: int | None, rel: float, value: float, lists: Lists) -> Elsewhere:
    k = None if definition.whole_only else k
    counted = definition.counted(lists.aligned, k, rel, only_in_run=tool.only_in_run)
    found = definition.per_query(lists.listed if definition.quirk else lists.query, k, rel)[0]
    theirs = float(found) if counted[lists.place] else None
    same = theirs is not None and abs(theirs - value) < TINY
    values = definition.per_query(lists.aligned.arrays, k, rel)
    whole = definition.together(lists.aligned.arrays, values, counted, k, rel) if counted.any() else None
    why = definition.said(k)
    if theirs is None:
        why = f"prints nothing here: {definition.silence(lists.aligned, lists.place, k, rel)}"
    return _row(tool, definition.name_at(k), theirs, whole, int(np.count_nonzero(counted)), same=same, why=why)


TINY = 1e-12


def _row(
    tool: Tool, called: str, value: float | None, whole: float | None, queries: int, *, same: bool, why: str
) -> Elsewhere:
    return Elsewhere(
        tool=tool.title,
        version=tool.version,
        called=called,
        value=value,
        whole=whole,
        queries=queries,
        same=same,
        why=why,
        says=tool.says,
    )

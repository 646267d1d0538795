"""Measures of preferences (`-R prefs`, `-R qrels_prefs`), outside the public table: they need pairs, not grades.

Every pair of a topic's judged documents is a cell of a matrix: who prefers which, and which stands above the other.
A measure is a share of cells: those that are fulfilled among those that are possible.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt
import polars as pl

from catchrate.compat.trec_eval.columns import Column
from catchrate.compat.trec_eval.grouped_files import Grouped
from catchrate.compat.trec_eval.rows import PREFERENCE_MEASURES
from catchrate.errors import InputError, shown
from catchrate.limits import MAX_PREFERENCE_DOCS

Mask = npt.NDArray[np.bool_]
Scope = Literal["any", "either", "both"]
"""Which pairs count: all, those of which at least one was returned, those of which both were."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Group:
    """What one judgment group thinks of a topic's documents."""

    prefers: Mask
    """Whether the document of the row is preferred to that of the column."""
    relevant: Mask
    """Documents of a level above 0."""
    nonrelevant: Mask
    """Documents of level 0."""
    joined: bool
    """Whether the preferences come from several subgroups."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Topic:
    """The judged documents of one topic, those that were returned first, in their order."""

    groups: tuple[Group, ...]
    returned: Mask
    above: Mask
    """Whether the document of the row was returned, and that of the column later or not at all."""

    def inside(self, scope: Scope) -> Mask:
        """Return which pairs count."""
        if scope == "both":
            return self.returned[:, None] & self.returned
        return self.returned[:, None] | self.returned | (scope == "any")


def _possible(topic: Topic, scope: Scope) -> list[int]:
    inside = topic.inside(scope)
    return [int(np.count_nonzero(group.prefers & inside)) for group in topic.groups]


def _fulfilled(topic: Topic, scope: Scope) -> list[int]:
    inside = topic.inside(scope) & topic.above
    return [int(np.count_nonzero(group.prefers & inside)) for group in topic.groups]


def _share(part: float, whole: float) -> float:
    return part / whole if whole else 0.0


def _simple(topic: Topic, scope: Scope) -> float:
    """Return the share of all preferences that are fulfilled."""
    return _share(sum(_fulfilled(topic, scope)), sum(_possible(topic, scope)))


def _by_pair(topic: Topic, scope: Scope) -> float:
    """Return the mean over pairs of documents of the share that is fulfilled."""
    votes = np.zeros(topic.above.shape, np.int32)
    for group in topic.groups:
        votes += group.prefers
    good = votes * topic.above
    held, met = votes + votes.T, good + good.T
    pairs = np.triu((held > 0) & topic.inside(scope), 1)
    return _share(float(np.sum(met[pairs] / held[pairs])), int(np.count_nonzero(pairs)))


def _by_group(topic: Topic, scope: Scope) -> float:
    """Return the mean over groups of the share that is fulfilled."""
    shares = map(_share, _fulfilled(topic, scope), _possible(topic, scope))
    return sum(shares) / len(topic.groups)


def _balanced(topic: Topic, scope: Scope) -> float:
    """Return the mean over groups, each with as many documents of level 0 as it has relevant ones."""
    return sum(_balanced_share(topic, group, scope) for group in topic.groups) / len(topic.groups)


def _balanced_share(topic: Topic, group: Group, scope: Scope) -> float:
    counted = topic.returned if scope == "both" else np.ones_like(topic.returned)
    nonrelevant = np.flatnonzero(group.nonrelevant & counted)
    relevant = int(np.count_nonzero(group.relevant))
    wanted = int(np.count_nonzero(group.relevant & counted))
    lacking = max(wanted - nonrelevant.size, 0)
    # the original keeps more of a surplus where subgroups were joined
    surplus = nonrelevant[relevant if group.joined else wanted :]
    possible = group.prefers & topic.inside(scope)
    possible[surplus] = False
    possible[:, surplus] = False
    met = np.count_nonzero(possible & topic.above) + lacking * np.count_nonzero(group.relevant & topic.returned)
    return _share(int(met), int(np.count_nonzero(possible)) + lacking * relevant)


_COUNTS: dict[str, Callable[[Topic], float]] = {
    "prefs_num_prefs_poss": lambda topic: sum(_possible(topic, "any")),
    "prefs_num_prefs_ful": lambda topic: sum(_fulfilled(topic, "any")),
    "prefs_num_prefs_ful_ret": lambda topic: sum(_fulfilled(topic, "both")),
}
_SHARES: dict[str, Callable[[Topic, Scope], float]] = {
    "prefs_simp": _simple,
    "prefs_pair": _by_pair,
    "prefs_avgjg": _by_group,
    "prefs_avgjg_Rnonrel": _balanced,
}
_SCOPES: dict[str, Scope] = {"": "any", "_imp": "either", "_ret": "both"}


class Preferences:
    """The preference measures of a run, computed topic by topic: the pairs of one topic are many enough."""

    def __init__(self, grouped: Grouped) -> None:
        topics = grouped.rows.partition_by("topic", maintain_order=True)
        self._values = np.array([_measured(_topic(rows)) for rows in topics])

    def column(self, name: str) -> Column:
        """Return the column of a measure."""
        values = self._values[:, PREFERENCE_MEASURES.index(name)]
        return Column(name=name, values=values, aggregate="sum" if name in _COUNTS else "mean")


def _measured(topic: Topic) -> list[float]:
    """Return the values of all preference measures."""
    return [_value(name, topic) for name in PREFERENCE_MEASURES]


def _value(name: str, topic: Topic) -> float:
    if name in _COUNTS:
        return _COUNTS[name](topic)
    suffix = name[-4:] if name[-4:] in _SCOPES else ""
    return _SHARES[name.removesuffix(suffix)](topic, _SCOPES[suffix])


def _topic(rows: pl.DataFrame) -> Topic:
    docs = rows.select("doc", "slot").unique().sort(pl.col("slot") == 0, "slot", "doc").with_row_index("place")
    if docs.height > MAX_PREFERENCE_DOCS:
        message = f"topic {shown(rows['query'][0])} has preferences between {docs.height:,} documents"
        raise InputError.of("E501", message, fix=f"judge at most {MAX_PREFERENCE_DOCS:,} documents of a topic")
    placed = rows.join(docs.select("doc", "place"), on="doc", maintain_order="left")
    returned = docs["slot"].to_numpy() > 0
    earlier = np.triu(np.ones((docs.height, docs.height), bool), 1)
    groups = tuple(_group(part, docs.height) for part in placed.partition_by("group", maintain_order=True))
    return Topic(groups=groups, returned=returned, above=earlier & returned[:, None])


def _group(rows: pl.DataFrame, size: int) -> Group:
    prefers = np.zeros((size, size), bool)
    best = np.full(size, -np.inf)
    parts = rows.partition_by("subgroup")
    for part in parts:
        place, level = part["place"].to_numpy(), part["level"].to_numpy()
        prefers[np.ix_(place, place)] |= level[:, None] > level
        best[place] = np.maximum(best[place], level)
    if len(parts) > 1:
        prefers = _closed(prefers)
    return Group(prefers=prefers, relevant=best > 0, nonrelevant=best == 0, joined=len(parts) > 1)


def _closed(prefers: Mask) -> Mask:
    """Add what follows: who prefers a to b and b to c prefers a to c."""
    reached = prefers.copy()
    for middle in np.flatnonzero(prefers.any(axis=0) & prefers.any(axis=1)).tolist():
        reached |= reached[:, middle, None] & reached[middle]
    return reached

"""Documents that crowd the first slots: hubs that come back for many queries, and the same text twice."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

import polars as pl

from catchrate.evaluation.diagnosis.first import NUMBER, returned_within
from catchrate.evaluation.scores import Scores

FEWEST = 3
"""A document that fewer queries get is no hub."""
TIMES = 2.0
"""A hub comes back at least so many times as often as the mean document that is returned at all."""
ALIKE = 0.8
"""Texts that share so many of their runs of words say the same."""
RUN = 3
"""Words in a row that are compared."""
LOOKED_AT = 20
"""So many slots of a query are compared with each other; the number of pairs grows with their square."""
_WORDS = re.compile(r"\w+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Hub:
    """A document that is returned for many queries and relevant to few of them."""

    doc: str
    returned: int
    """For how many queries the first k slots hold it."""
    relevant: int
    """To how many of these it is relevant."""
    judged: int
    """For how many of these somebody judged it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Alike:
    """Two documents among the first k of a query that say the same."""

    query: str
    doc: str
    """The one that stands first."""
    again: str
    """The one further down, whose slot is wasted."""
    slots: tuple[int, int]
    similarity: float
    """Share of the runs of words that both have, of those that either has; 1 for the same words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Crowd:
    """What takes slots without adding anything."""

    hubs: tuple[Hub, ...]
    """The most frequent first."""
    repeats: int
    """Slots among the first k whose document the query had before."""
    alike: tuple[Alike, ...] | None
    """Texts that say the same; None where the texts are not known."""
    slots: int
    """How many slots were looked at."""


def crowd(scores: Scores, first: pl.DataFrame, k: int) -> Crowd:
    """Find hubs, repeats and near-duplicates in what the first k slots hold."""
    slots = returned_within(scores, k)
    texts = "text" in first.columns and first["text"].null_count() < first.height
    return Crowd(
        hubs=_hubs(first, scores.rel),
        repeats=slots - first.height,
        alike=tuple(_alike(first)) if texts else None,
        slots=slots,
    )


def _hubs(first: pl.DataFrame, rel: float) -> tuple[Hub, ...]:
    """Return the documents that come back often, and are relevant less often than half of what is returned."""
    relevant = (pl.col("grade") >= rel).fill_null(value=False)
    counted = first.group_by("doc", maintain_order=True).agg(
        returned=pl.len(), relevant=relevant.sum(), judged=pl.col("grade").count()
    )
    if counted.is_empty():
        return ()
    often = max(FEWEST, TIMES * first.height / counted.height)
    usual = counted["relevant"].sum() / first.height
    few = pl.col("relevant") <= usual / 2 * pl.col("returned")
    hubs = counted.filter((pl.col("returned") >= often) & few).sort("returned", "doc", descending=[True, False])
    return tuple(Hub(**row) for row in hubs.iter_rows(named=True))


def _alike(first: pl.DataFrame) -> Iterator[Alike]:
    """Yield each document that says what one before it in the same list says, with the nearest of these."""
    rows = first.filter((pl.col("slot") <= LOOKED_AT) & pl.col("text").is_not_null())
    known: dict[str, frozenset[tuple[str, ...]]] = {}
    for _, query, docs, slots, texts in (
        rows.group_by(NUMBER, maintain_order=True).agg(pl.col("query").first(), "doc", "slot", "text").iter_rows()
    ):
        runs = [known.setdefault(text, _runs(text)) for text in texts]
        best: dict[int, tuple[float, int]] = {}
        for a, b in combinations(range(len(docs)), 2):
            similarity = _similarity(runs[a], runs[b])
            if similarity >= ALIKE and similarity > best.get(b, (0.0, 0))[0]:
                best[b] = similarity, a
        for b, (similarity, a) in best.items():
            yield Alike(query=query, doc=docs[a], again=docs[b], slots=(slots[a], slots[b]), similarity=similarity)


def _runs(text: str) -> frozenset[tuple[str, ...]]:
    words = _WORDS.findall(text.casefold())
    if len(words) < RUN:
        return frozenset([tuple(words)]) if words else frozenset()
    return frozenset(zip(*(words[i:] for i in range(RUN)), strict=False))


def _similarity(a: frozenset[tuple[str, ...]], b: frozenset[tuple[str, ...]]) -> float:
    """Return the share of runs that both have; sizes that differ too much are not compared."""
    if min(len(a), len(b)) < ALIKE * max(len(a), len(b)) or not a:
        return 0.0
    return len(a & b) / len(a | b)

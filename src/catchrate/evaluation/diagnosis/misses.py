"""What was missed: every relevant document that the first k slots do not hold, and what stands there instead."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl

from catchrate.evaluation.diagnosis.first import NUMBER
from catchrate.evaluation.diagnosis.loss import FATES, FOUND, IRRELEVANT, Fate, checked_k, fates
from catchrate.evaluation.scores import Scores


@dataclass(frozen=True, slots=True, kw_only=True)
class Miss:
    """One relevant document that was missed."""

    query: str
    text: str | None
    """What was asked, where that is known."""
    doc: str
    grade: float
    rank: int | None
    """Where it stands; None when it was never returned."""
    fate: Fate
    """What it was lost to."""
    instead: tuple[str, ...]
    """The documents among the first k that are not relevant; empty where the ranking is not at hand."""
    near: str | None
    """The chunk that came nearest to it, where texts were matched and the rule has degrees."""
    strength: float | None
    """How strongly that one matched."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NothingFound:
    """A query with relevant documents of which the first k slots hold none."""

    query: str
    text: str | None
    relevant: int
    best: int | None
    """The best rank of any; None when none was returned."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MissedOften:
    """A document that is missed by several queries."""

    doc: str
    missed: int
    """By how many queries it is missed."""
    relevant: int
    """To how many it is relevant."""
    never: int
    """How many of these never got it at all."""


def misses(scores: Scores, k: int = 10, first: pl.DataFrame | None = None) -> tuple[Miss, ...]:
    """Return every relevant document that was missed: the highest grades first, and of one grade the best ranks.

    `first` is what the first k slots hold, from `first_documents`.
    """
    arrays, aligned = scores.aligned.arrays, scores.aligned
    fate = fates(arrays, checked_k(k), scores.rel)
    lost = np.flatnonzero(fate > FOUND)
    slot = arrays.items.slot[lost]
    order = lost[np.lexsort((np.where(slot == 0, np.iinfo(np.int64).max, slot), -arrays.items.grade[lost]))]
    names, texts = aligned.queries["query"].to_list(), _texts(scores)
    docs = aligned.items["doc"].gather(pl.Series(order)).to_list()
    instead, near = _instead(scores, first), _near(aligned.matches)
    found: list[Miss] = []
    for item, doc in zip(order.tolist(), docs, strict=True):
        query = int(arrays.items.query[item])
        chunk, strength = near.get((names[query], doc), (None, None))
        found.append(
            Miss(
                query=names[query],
                text=texts[query],
                doc=doc,
                grade=float(arrays.items.grade[item]),
                rank=int(arrays.items.slot[item]) or None,
                fate=FATES[int(fate[item])],
                instead=instead.get(query, ()),
                near=chunk,
                strength=strength,
            )
        )
    return tuple(found)


def nothing_found(scores: Scores, k: int = 10) -> tuple[NothingFound, ...]:
    """Return the queries of whose relevant documents the first k slots hold none, those with most to find first."""
    arrays = scores.aligned.arrays
    items = arrays.items
    relevant = items.grade >= scores.rel
    wanted = arrays.relevant(scores.rel)
    held = arrays.count(relevant & items.found_within(checked_k(k)))
    best = np.full(arrays.queries, np.iinfo(np.int64).max)
    deeper = relevant & (items.slot > 0)
    np.minimum.at(best, items.query[deeper], items.slot[deeper])
    empty = np.flatnonzero((wanted > 0) & (held == 0))
    names, texts = scores.aligned.queries["query"].to_list(), _texts(scores)
    return tuple(
        NothingFound(
            query=names[query],
            text=texts[query],
            relevant=int(wanted[query]),
            best=int(best[query]) if best[query] < np.iinfo(np.int64).max else None,
        )
        for query in empty[np.argsort(-wanted[empty], kind="stable")].tolist()
    )


def missed_often(scores: Scores, k: int = 10) -> tuple[MissedOften, ...]:
    """Return the documents that two queries or more miss, those that most miss first."""
    fate = fates(scores.aligned.arrays, checked_k(k), scores.rel)
    rows = scores.aligned.items.select("doc").with_columns(
        pl.Series("fate", fate), pl.Series("returned", scores.aligned.arrays.items.slot > 0)
    )
    rows = rows.filter(pl.col("fate") != IRRELEVANT).group_by("doc", maintain_order=True)
    counted = rows.agg(
        missed=(pl.col("fate") > FOUND).sum(), relevant=pl.len(), never=(~pl.col("returned")).sum()
    ).filter(pl.col("missed") > 1)
    counted = counted.sort("missed", "doc", descending=[True, False])
    return tuple(MissedOften(**row) for row in counted.iter_rows(named=True))


def _texts(scores: Scores) -> list[str | None]:
    queries = scores.aligned.queries
    return queries["text"].to_list() if "text" in queries.columns else [None] * queries.height


def _instead(scores: Scores, first: pl.DataFrame | None) -> dict[int, tuple[str, ...]]:
    """Return the documents of each query that stand where relevant ones could."""
    if first is None:
        return {}
    junk = first.filter(~(pl.col("grade") >= scores.rel).fill_null(value=False))
    rows = junk.group_by(NUMBER, maintain_order=True).agg("doc")
    return {number: tuple(docs) for number, docs in rows.iter_rows()}


def _near(matches: pl.DataFrame | None) -> dict[tuple[str, str], tuple[str, float]]:
    """Return the nearest chunk of each gold text that nothing matched."""
    if matches is None:
        return {}
    rows = matches.filter(~pl.col("matched")).sort("strength", maintain_order=True)
    return {
        (query, item): (doc, strength)
        for query, item, doc, strength in rows.select("query", "item", "doc", "strength").iter_rows()
    }

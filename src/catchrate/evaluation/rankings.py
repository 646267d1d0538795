"""Two runs without any judgments: how alike they are, and which queries changed most."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast

import polars as pl

from catchrate.errors import Finding, UsageError, shown
from catchrate.evaluation.intervals import refuse_other_numbers
from catchrate.evaluation.provenance import Provenance
from catchrate.evaluation.top import top_documents
from catchrate.formats import ReadOptions, open_ranking
from catchrate.showing import Result
from catchrate.statistics.overlap import PERSISTENCE, overlap, rank_biased_overlap
from catchrate.tables import RankingSource
from catchrate.tables.checks import tell
from catchrate.version import __version__

DEPTH = 10
READ = 100
"""How deep lists are read: what lies below moves no digit that is printed."""
SHOWN = 10
MOST = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Changed:
    """How one query changed."""

    query: str
    """Its id."""
    overlap: float
    """The share of the first k documents that both runs hold."""
    rbo: float
    """How alike both lists are, early ranks counting more."""
    gone: tuple[str, ...]
    """Documents among the first k of the first run alone."""
    new: tuple[str, ...]
    """Documents among the first k of the second run alone."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True, repr=False)
class RankingComparison(Result):
    """Two runs beside each other, without judgments."""

    a: str
    """The name of the first run."""
    b: str
    """The name of the second run."""
    k: int
    """How many slots were compared."""
    p: float
    """The persistence of rank-biased overlap."""
    changed: tuple[Changed, ...]
    """Every query that both runs have, the one that changed most first."""
    only_a: int
    """How many queries only the first run has."""
    only_b: int
    """How many queries only the second run has."""
    texts: Mapping[str, str]
    """The text of documents, where the runs carry it."""
    notes: tuple[Finding, ...]
    """What was noticed."""
    provenance: Provenance
    """What the numbers depend on."""

    @property
    def queries(self) -> int:
        """How many queries both runs have."""
        return len(self.changed)

    @property
    def overlap(self) -> float:
        """Mean share of the first k documents that both runs hold."""
        return sum(one.overlap for one in self.changed) / len(self.changed)

    @property
    def rbo(self) -> float:
        """Mean rank-biased overlap."""
        return sum(one.rbo for one in self.changed) / len(self.changed)

    @property
    def same(self) -> int:
        """Queries of which both runs have the same first k documents, in whatever order."""
        return sum(not one.gone and not one.new for one in self.changed)

    @property
    def frame(self) -> pl.DataFrame:
        """One row a query, the one that changed most first."""
        names = ("query", "overlap", "rbo", "gone", "new")
        return pl.DataFrame([{name: getattr(one, name) for name in names} for one in self.changed])

    def to_label(self, queries: int = SHOWN) -> pl.DataFrame:
        """Return what to judge first: the documents in which the queries that changed most differ.

        Nothing says which run returned which, so that nobody judges the run. `catchrate.write_labels` makes a sheet of
        it, `catchrate.read_labels` reads it back as judgments when it is filled in.
        """
        rows = [(one.query, doc) for one in self.changed[:queries] for doc in sorted((*one.gone, *one.new))]
        frame = pl.DataFrame(rows, schema={"query": pl.String, "doc": pl.String}, orient="row")
        if not self.texts:
            return frame
        return frame.with_columns(pl.Series("text", [self.texts.get(doc) for _, doc in rows], dtype=pl.String))

    def __repr__(self) -> str:
        alike = f"overlap@{self.k} {self.overlap:.4f}, RBO {self.rbo:.4f}"
        return f"RankingComparison of {self.a} and {self.b} over {self.queries:,} queries: {alike}"


def compare_rankings(
    a: object,
    b: object,
    *,
    k: int = DEPTH,
    p: float = PERSISTENCE,
    names: tuple[str, str] = ("a", "b"),
    options: ReadOptions | None = None,
) -> RankingComparison:
    """Say how alike two runs are when nothing is judged, and which queries changed most.

    Overlap is the share of the first `k` documents that both return; rank-biased overlap weighs early ranks more, each
    rank `p` times the one before. Neither says which run is better: the queries that changed most are what to judge
    first, see `to_label`.

    Raises UsageError when no query is in both, and what reading a ranking raises.

    >>> import catchrate
    >>> old, new = {"q1": ["a", "b"], "q2": ["c", "d"]}, {"q1": ["a", "b"], "q2": ["d", "e"]}
    >>> found = catchrate.compare_rankings(old, new, k=2)
    >>> found
    RankingComparison of a and b over 2 queries: overlap@2 0.7500, RBO 0.7250
    >>> found.changed[0].query, found.changed[0].gone, found.changed[0].new
    ('q2', ('c',), ('e',))
    """
    refuse_other_numbers("k", k, 1, MOST, whole=True)
    refuse_other_numbers("p", p, 0.01, 0.999)
    options = options or ReadOptions()
    return compared_rankings(open_ranking(a, options), open_ranking(b, options), k=k, p=p, names=names)


Lists = Mapping[str, list[str]]


def compared_rankings(
    a: RankingSource, b: RankingSource, *, k: int = DEPTH, p: float = PERSISTENCE, names: tuple[str, str] = ("a", "b")
) -> RankingComparison:
    """Compare two rankings that are open."""
    tops = [top_documents(source, max(k, READ)) for source in (a, b)]
    first, second = (_lists(top, source) for top, source in zip(tops, (a, b), strict=True))
    common = [query for query in first if query in second]
    if not common:
        sample = ", ".join(shown(query, 30) for query in [*list(first)[:2], *list(second)[:2]])
        fix = "give runs of the same queries"
        raise UsageError.of("E312", f"no query is in both runs: there are {sample}", fix=fix)
    changed = sorted((_changed(query, first[query], second[query], k, p) for query in common), key=lambda one: one.rbo)
    return RankingComparison(
        a=names[0],
        b=names[1],
        k=k,
        p=p,
        changed=tuple(changed),
        only_a=len(first) - len(common),
        only_b=len(second) - len(common),
        texts=_texts(tops),
        notes=(*a.notes(), *b.notes(), *_others(first, second, names)),
        provenance={
            "catchrate": __version__,
            "rankings": {"k": k, "p": p, "depth": max(k, READ)},
            "inputs": {name: source.digest() for name, source in zip(names, (a, b), strict=True)},
        },
    )


def _lists(top: pl.DataFrame, source: RankingSource) -> Lists:
    grouped = top.group_by("query", maintain_order=True).agg("doc").iter_rows()
    return {**dict(grouped), **{query: [] for query in source.empty_queries()}}


def _changed(query: str, a: list[str], b: list[str], k: int, p: float) -> Changed:
    """Compare two lists; two empty ones are the same."""
    share, alike = overlap(a, b, k), rank_biased_overlap(a, b, p)
    first, second = a[:k], b[:k]
    return Changed(
        query=query,
        overlap=1.0 if share is None else share,
        rbo=1.0 if alike is None else alike,
        gone=tuple(doc for doc in first if doc not in second),
        new=tuple(doc for doc in second if doc not in first),
    )


def _texts(tops: list[pl.DataFrame]) -> dict[str, str]:
    known: dict[str, str] = {}
    for top in tops:
        if "text" in top.columns:
            rows = top.select("doc", "text").drop_nulls().iter_rows()
            known |= dict(cast("list[tuple[str, str]]", list(rows)))
    return known


def _others(first: Lists, second: Lists, names: tuple[str, str]) -> tuple[Finding, ...]:
    found = [(names[0], [q for q in first if q not in second]), (names[1], [q for q in second if q not in first])]
    return tuple(
        tell("N316", f"{len(queries):,} queries that only {name} has were left out", pl.Series(queries))
        for name, queries in found
        if queries
    )

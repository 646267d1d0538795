"""Take one number apart: what was divided by what, and which document added how much."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache

import numpy as np
import polars as pl

from catchrate.alignment import EachBlock, Policy, align
from catchrate.alignment.policy import Dialect, Duplicates, QueryPolicy
from catchrate.errors import UsageError, shown
from catchrate.evaluation.elsewhere import Elsewhere, Lists, Tool, chosen_tools, elsewhere, every_place
from catchrate.evaluation.evaluate import both_sides, measured
from catchrate.evaluation.explanation import MISSED, Entry, Explanation, Part, QueryValue, Quotient, State, Whole
from catchrate.evaluation.matches import matched_sides, matching_options
from catchrate.evaluation.moved import depth_of
from catchrate.evaluation.one_list import documents_of
from catchrate.evaluation.scores import Scores
from catchrate.evaluation.totals import weights_of
from catchrate.formats import ReadOptions
from catchrate.matching.rules import Match
from catchrate.measures import Alignment, Combined, Measure, Terms, parse
from catchrate.measures.arrays import Floats
from catchrate.measures.chosen import GEOMETRIC_FLOOR
from catchrate.measures.terms import in_order
from catchrate.tables import Judgments, RankingSource

WORST = 5
"""How many of the worst queries are named."""


def explain(
    judgments: object,
    ranking: object = None,
    measure: str | Measure = "recall@10",
    query: str | None = None,
    *,
    rel: float = 1,
    queries: QueryPolicy = "judged",
    duplicates: Duplicates | None = None,
    judged_only: bool = False,
    max_rank: int | None = None,
    dialect: Dialect = "catchrate",
    match: Match | None = None,
    options: ReadOptions | None = None,
    tools: str | Iterable[str] = (),
) -> Explanation:
    """Take the value of one query apart: formula, numerator, denominator, and what every document adds.

    Inputs and policies are those of `evaluate`. Without `query` it is the worst query that has a relevant document.
    The number over all queries is taken apart beside it. `tools` are names such as "haystack": what they call the
    measure, and what they would print.

    Raises UsageError for a query that nobody judged or a tool that is not known, and whatever `evaluate` raises.

    >>> import catchrate
    >>> catchrate.explain({"q1": {"a": 1, "b": 1}}, {"q1": ["a", "c", "b"]}, "recall@2", "q1")
    recall@2 of q1: 0.5000 (recall@2 1 / 2)
        1  a: relevant, grade 1
        2  c: not judged
        3  b: below the cut-off, grade 1
    """
    policy = Policy(
        rel=rel, queries=queries, duplicates=duplicates, judged_only=judged_only, max_rank=max_rank, dialect=dialect
    )
    asked = chosen_tools(tools)
    sides = matched_sides(*both_sides(judgments, ranking, matching_options(options, match)), match)
    return explained(*sides, parse(measure), query, policy, asked)


def explained(
    judgments: Judgments,
    ranking: RankingSource,
    measure: Measure,
    query: str | None,
    policy: Policy,
    tools: Iterable[Tool] = (),
    *,
    each_block: EachBlock = lambda _: None,
) -> Explanation:
    """Explain what was read; `each_block` is told the rows of each block that was joined."""
    joined = align(judgments, ranking, policy, each_block=each_block)
    scores = measured(judgments, joined, (measure,), policy, ranking.name)
    place, name = _chosen(scores, query, policy)
    look = _Look(scores, place, documents_of(ranking, name, policy), policy)

    @cache
    def lists(dialect: Dialect) -> Lists:
        if dialect in (policy.dialect, "catchrate"):
            return look.lists()
        other = replace(policy, dialect=dialect)
        again = measured(judgments, align(judgments, ranking, other), scores.measures, other, ranking.name)
        return _Look(again, place, documents_of(ranking, name, other), other).lists()

    level = _level(scores.computed[0], policy.rel)
    beside = elsewhere(tools, measure, float(scores.values[place, 0]), level, lists)
    return look.explanation(picked=query is None, beside=tuple(beside))


def explained_scores(scores: Scores, ranking: RankingSource, query: str | None, policy: Policy) -> Explanation:
    """Explain what was evaluated: scores of one measure."""
    place, name = _chosen(scores, query, policy)
    return _Look(scores, place, documents_of(ranking, name, policy), policy).explanation(picked=query is None)


def _chosen(scores: Scores, query: str | None, policy: Policy) -> tuple[int, str]:
    """Return place and name of a query, or of the worst one."""
    place = _worst(scores, policy.rel) if query is None else _place_of(query, scores)
    return place, str(scores.aligned.queries["query"][place])


def _place_of(query: str, scores: Scores) -> int:
    names = scores.aligned.queries["query"].to_list()
    if query in names:
        return names.index(query)
    near = difflib.get_close_matches(str(query), names, n=1)
    fix = f"did you mean {shown(near[0], 40)}?" if near else f"the first one is {shown(names[0], 40)}" if names else ""
    raise UsageError.of("E360", f"{shown(query, 40)} is not one of the {len(names):,} queries that count", fix=fix)


def _badness(scores: Scores) -> Floats:
    """Return one number a query, the larger the worse."""
    lower_is_better = scores.computed[0].row.higher_is_better is False
    return scores.values[:, 0] if lower_is_better else -scores.values[:, 0]


def _worst(scores: Scores, rel: float) -> int:
    """Return the worst query with a relevant document; of equally bad ones the one with the most of them."""
    relevant = scores.aligned.arrays.relevant(_level(scores.computed[0], rel))
    bad = np.where((relevant > 0) | (relevant.max(initial=0) == 0), _badness(scores), -np.inf)
    if not bad.size:
        raise UsageError.of("E360", "there is no query to explain", fix="use queries='judged'")
    return int(np.lexsort((-relevant, -bad))[0])


def _level(measure: Measure, rel: float) -> float:
    """Return the lowest grade that counts as relevant for a measure, or for a reader where it knows no levels."""
    level = measure.get("rel")
    return level if isinstance(level, int | float) else rel


class _Look:
    """One query: what the measure saw of it, with the documents that belong to the places."""

    def __init__(self, scores: Scores, place: int, docs: list[str], policy: Policy) -> None:
        self._scores = scores
        self._place = place
        self._measure = scores.computed[0]
        self._level = _level(self._measure, policy.rel)
        aligned = scores.aligned
        only = np.arange(aligned.arrays.queries) == place
        self._arrays = aligned.arrays.some_queries(only)
        self._seen = self._measure.seen(self._arrays)
        self._items: list[str] = aligned.items["doc"].filter(pl.Series(aligned.arrays.items.query == place)).to_list()
        self._returned = self._kept_docs(docs, policy)
        self._docs = self._seen_docs(self._returned)
        self._depth = min(depth_of(self._measure) or len(self._docs), len(self._docs))
        self._terms = self._measure.terms(self._arrays)

    def lists(self) -> Lists:
        """Return what other tools read: this query with every document known, and all queries."""
        aligned, grades = self._scores.aligned, self._arrays.items.grade.tolist()
        by_id = aligned.match is None  # a text that holds another has no id in common with it
        return Lists(
            aligned=aligned,
            query=self._arrays,
            listed=every_place(self._returned, dict(zip(self._items, grades, strict=True))) if by_id else self._arrays,
            place=self._place,
        )

    def explanation(self, *, picked: bool, beside: tuple[Elsewhere, ...] = ()) -> Explanation:
        scores, values = self._scores, self._scores.values[:, 0]
        queries = scores.aligned.queries
        parts = self._parts()
        empty = [part.name for part in parts if part.denominator == 0]
        return Explanation(
            measure=self._measure,
            query=queries["query"][self._place],
            text=queries["text"][self._place] if "text" in queries.columns else None,
            picked=picked,
            ties=int(np.count_nonzero(values == values[self._place])) - 1,
            value=float(values[self._place]),
            parts=parts,
            reason=f"{empty[0]} has nothing to divide by" if empty else "",
            rel=self._level,
            returned=len(self._docs),
            relevant=int(self._arrays.relevant(self._level)[0]),
            ranking=tuple(self._ranking()),
            missed=tuple(self._missed()),
            whole=whole_of(scores),
            elsewhere=beside,
            notes=scores.notes,
            provenance=scores.provenance,
        )

    def _kept_docs(self, docs: list[str], policy: Policy) -> list[str]:
        """Return the documents that the policy leaves in the list."""
        docs = docs[: policy.max_rank]
        if policy.judged_only:
            known = {doc for doc, grade in zip(self._items, self._arrays.items.grade, strict=True) if grade >= 0}
            docs = [doc for doc in docs if doc in known]
        return docs

    def _seen_docs(self, docs: list[str]) -> list[str]:
        """Return the documents at the places that the measure sees: it may leave out some."""
        budget = self._measure.budget
        within = self._arrays if budget is None else self._arrays.within_budget(budget)
        docs = docs[: int(within.returned[0])]
        return [docs[slot - 1] for slot in within.judged_slots(None)[1]] if self._measure.judged_only else docs

    # -- the parts of the number ------------------------------------------------------------------------------------

    def _parts(self) -> tuple[Part, ...]:
        if isinstance(self._terms, Terms):
            return (_part(str(self._measure), self._terms, self._measure.row.empty),)
        return tuple(_part(name, terms, 0.0) for name, terms in named_parts(self._terms))

    def _all_terms(self) -> tuple[Terms, ...]:
        return (self._terms,) if isinstance(self._terms, Terms) else self._terms.parts

    # -- the documents ----------------------------------------------------------------------------------------------

    def _ranking(self) -> Iterator[Entry]:
        """Yield an entry for each place down to the cut-off; several where a place holds several judged items."""
        hits, before = self._seen.hits, set[str]()
        at: dict[int, list[int]] = {}
        for row, slot in enumerate(hits.slot.tolist()):
            at.setdefault(slot, []).append(row)
        slot_row = {slot: row for row, slot in enumerate(self._seen.slots.slot.tolist())}
        for slot, doc in enumerate(self._docs[: self._depth], start=1):
            rows = at.get(slot, [])
            if not rows:
                state: State = "repeat" if doc in before else "not judged"
                adds = tuple(None if terms.rows == "queries" else 0.0 for terms in self._all_terms())
                yield Entry(rank=slot, doc=doc, item=None, grade=None, state=state, adds=adds)
            fresh = [row for row in rows if not hits.repeat[row]]
            for row in rows:
                first = slot_row.get(slot) if fresh and row == fresh[0] else None
                yield self._hit(row, slot, doc, first)
            before.add(doc)

    def _hit(self, row: int, slot: int, doc: str, slot_row: int | None) -> Entry:
        hits, item = self._seen.hits, int(self._seen.hits.item[row])
        repeat, grade = bool(hits.repeat[row]), float(hits.grade[row])
        return Entry(
            rank=slot,
            doc=doc,
            item=self._items[item],
            grade=grade,
            state="repeat" if repeat else self._state(grade),
            adds=tuple(_added(terms, None if repeat else item, slot_row) for terms in self._all_terms()),
        )

    def _state(self, grade: float) -> State:
        if grade >= self._level:
            return "relevant"
        return "not relevant" if grade >= 0 else "not judged"

    def _missed(self) -> Iterator[Entry]:
        """Yield the relevant items below the cut-off, then those that were not returned; and any other that counts."""
        items = self._seen.items
        for item in np.lexsort((items.slot, items.slot == 0)).tolist():
            slot, grade = int(items.slot[item]), float(items.grade[item])
            adds = tuple(_added(terms, item, None) for terms in self._all_terms())
            outside = slot == 0 or slot > self._depth
            if outside and (grade >= self._level or any(adds)):
                state = MISSED[slot == 0]
                doc = self._docs[slot - 1] if slot else self._items[item]
                yield Entry(rank=slot or None, doc=doc, item=self._items[item], grade=grade, state=state, adds=adds)


def _added(terms: Terms, item: int | None, slot_row: int | None) -> float | None:
    """Return what one hit adds to a part; an item counts once, and a slot counts once."""
    if terms.rows == "queries":
        return None
    row = item if terms.rows == "items" else slot_row
    return 0.0 if row is None else float(terms.values[row])


def _part(name: str, terms: Terms, empty: float) -> Part:
    return Part(
        name=name,
        numerator=float(terms.sums()[0]),
        denominator=float(terms.over[0]),
        value=float(terms.per_query(empty)[0]),
        terms=tuple(terms.values.tolist()),
        rows=terms.rows,
    )


def named_parts(combined: Combined) -> list[tuple[str, Terms]]:
    """Return the parts of a combined measure by name."""
    names = combined.names or tuple(f"part {n}" for n in range(1, len(combined.parts) + 1))
    return list(zip(names, combined.parts, strict=True))


# -- all queries ------------------------------------------------------------------------------------------------------


def whole_of(scores: Scores) -> Whole:
    """Take the number over all queries apart."""
    measure, values, bad = scores.computed[0], scores.values[:, 0], _badness(scores)
    order = np.argsort(-bad, kind="stable")[:WORST].tolist()
    names = scores.aligned.queries["query"]
    return Whole(
        how=measure.row.aggregate,
        value=scores.means[0],
        parts=tuple(_quotients(measure, scores.aligned.arrays, values, weights_of(scores.aligned.queries))),
        queries=scores.queries,
        missing=scores.aligned.missing,
        worst=tuple(QueryValue(query=names[row], value=float(values[row])) for row in order),
        as_bad=int(np.count_nonzero(bad == bad.max())),
        best=float(values[bad.argmin()]),
        as_good=int(np.count_nonzero(bad == bad.min())),
    )


def _quotients(measure: Measure, arrays: Alignment, values: Floats, weights: Floats | None) -> Iterator[Quotient]:
    how = measure.row.aggregate
    if how == "pooled":
        yield from _pooled(str(measure), measure.terms(arrays), weights)
        return
    if how == "geometric":
        values = np.log(np.maximum(values, GEOMETRIC_FLOOR))
    weighted = values if weights is None or how == "sum" else values * weights
    count = 1.0 if how == "sum" else values.size if weights is None else in_order(weights)
    yield _quotient(str(measure), in_order(weighted), count)


def _pooled(name: str, terms: Terms | Combined, weights: Floats | None) -> Sequence[Quotient]:
    named = named_parts(terms) if isinstance(terms, Combined) else [(name, terms)]
    return [_quotient(name, *part.pooled(weights)) for name, part in named]


def _quotient(name: str, numerator: float, denominator: float) -> Quotient:
    value = numerator / denominator if denominator else 0.0
    return Quotient(name=name, numerator=numerator, denominator=float(denominator), value=value)

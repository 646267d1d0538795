"""The join: which returned slot holds which judged item.

A ranking comes block by block, so memory is bounded by the judgments and one block, however long the run is.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from catchrate.alignment.index import JudgmentIndex
from catchrate.alignment.join import EachBlock, Join, Joined
from catchrate.alignment.policy import Policy
from catchrate.alignment.ties import arranged, tied_hits
from catchrate.errors import Finding, InputError, shown
from catchrate.later import Later
from catchrate.measures.arrays import Alignment, Floats, Hits, Ints, Lengths, Mask, repeated
from catchrate.measures.spans import SpanTable
from catchrate.tables import Judgments, RankingSource
from catchrate.tables.checks import tell


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Aligned:
    """A run joined with its judgments: arrays for the measures, and the ids that belong to their rows."""

    arrays: Alignment
    """What the measures read."""
    queries: pl.DataFrame
    """One row a query of the arrays, in their order: `query` and what is known of it."""
    items: pl.DataFrame
    """One row an item of the arrays, in their order: `query`, `doc`, `grade`."""
    in_run: Mask
    """Which of these queries the run has, were it with nothing returned."""
    missing: int
    """How many judged queries the run does not have."""
    ignored: int
    """How many queries of the run nobody judged."""
    notes: tuple[Finding, ...]
    """What was noticed on the way."""
    digest: Later[str]
    """A digest of the ranking's content."""
    match: str | None = None
    """The rule by which texts were matched; None where ids were compared."""
    matches: pl.DataFrame | None = None
    """Where texts were matched: one row for each match, and for the nearest chunk of each gold text that was missed."""
    orders: TieOrders | None = None
    """What ties of scores leave open, where a judged document stands in one."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class TieOrders:
    """The worst and the best order of all documents whose scores are equal; ids decide which is evaluated."""

    joined: Joined
    hits: Ints
    """Which of the hits are tied."""
    item_query: Ints
    item_grade: Floats
    policy: Policy

    @property
    def queries(self) -> int:
        """How many queries have any."""
        return np.unique(self.joined.query[self.hits]).size

    def arranged(self, *, best: bool) -> Alignment:
        """Return the arrays with every tie in its best order, or in its worst."""
        joined = arranged(self.joined, self.hits, self.item_grade, best=best)
        return _arrays(self.item_query, self.item_grade, joined, self.policy)


def align(
    judgments: Judgments,
    source: RankingSource,
    policy: Policy,
    *,
    index: JudgmentIndex | None = None,
    each_block: EachBlock = lambda _: None,
) -> Aligned:
    """Join a ranking with its judgments; `index` spares a second run the work on its judgments.

    Raises InputError when no query is in both, when a scored ranking returns a document twice for a query (unless the
    policy accepts that), and under `strict` when the queries differ.
    """
    index = index or JudgmentIndex(judgments)
    return aligned(judgments, index, Join(index, source, policy).joined(each_block), policy, source.name)


def aligned(judgments: Judgments, index: JudgmentIndex, joined: Joined, policy: Policy, name: str) -> Aligned:
    """Return what the measures read, once all queries are joined.

    Raises InputError when no query is in both, and under `strict` when the queries differ.
    """
    _refuse_strangers(index, joined, policy, name)
    in_run = joined.in_run
    queries, items = judgments.queries, judgments.items
    if policy.queries == "both":
        items = items.filter(pl.Series(in_run[index.item_query]))
        queries = queries.filter(pl.Series(in_run))
    return Aligned(
        arrays=_arrays(index.item_query, index.item_grade, joined, policy),
        queries=queries,
        items=items,
        in_run=in_run[in_run] if policy.queries == "both" else in_run,
        missing=int(np.count_nonzero(~in_run)),
        ignored=joined.strangers,
        notes=(*joined.notes, *_query_notes(index, joined, policy, name)),
        digest=joined.digest,
        match=joined.match,
        matches=joined.matches,
        orders=_orders(index, joined, policy),
    )


def _arrays(item_query: Ints, item_grade: Floats, joined: Joined, policy: Policy) -> Alignment:
    arrays = cut(_alignment_of(item_query, item_grade, joined), policy)
    return arrays.some_queries(joined.in_run) if policy.queries == "both" else arrays


def _orders(index: JudgmentIndex, joined: Joined, policy: Policy) -> TieOrders | None:
    hits = tied_hits(joined)
    if not hits.size:
        return None
    policy = replace(policy, length=None)  # a function may not travel with the results, and nothing is measured again
    return TieOrders(joined=joined, hits=hits, item_query=index.item_query, item_grade=index.item_grade, policy=policy)


def _alignment_of(item_query: Ints, item_grade: Floats, joined: Joined) -> Alignment:
    """Put the hits in order and mark the repeats."""
    return alignment_of_hits(
        query=joined.query,
        slot=joined.slot,
        item=joined.item,
        item_query=item_query,
        item_grade=item_grade,
        returned=joined.returned,
        lengths=joined.lengths,
        spans=joined.spans,
    )


def alignment_of_hits(
    *,
    query: Ints,
    slot: Ints,
    item: Ints,
    item_query: Ints,
    item_grade: Floats,
    returned: Ints,
    lengths: Lengths | None = None,
    spans: SpanTable | None = None,
) -> Alignment:
    """Return what measures read, from hits in any order."""
    # hits come by rows of sorted lists, which a stable sort of one key finds nearly in order
    order = np.argsort(query * (1 << 40) + slot, kind="stable")
    query, slot, item = query[order], slot[order], item[order]
    hits = Hits(query, slot, item, item_grade[item], repeated(item, item_grade.size))
    return Alignment.of(
        hits=hits, item_query=item_query, item_grade=item_grade, returned=returned, lengths=lengths, spans=spans
    )


def cut(arrays: Alignment, policy: Policy) -> Alignment:
    """Apply -M, then -J, in trec_eval's order."""
    if policy.max_rank is not None:
        arrays = arrays.first_slots(policy.max_rank)
    return arrays.only_judged() if policy.judged_only else arrays


def _refuse_strangers(index: JudgmentIndex, joined: Joined, policy: Policy, name: str) -> None:
    if not joined.in_run.any():
        judged, run = index.names.head(3).to_list(), list(joined.strange[:3])
        message = f"no query is in both: judged are {_list(judged)}, the run has {_list(run)}"
        raise InputError.of("E221", message, fix=_guess(judged, run), file=name, sample=run)
    if policy.queries == "strict" and (joined.strangers or not joined.in_run.all()):
        missing = index.names.filter(pl.Series(~joined.in_run))
        message = f"{missing.len():,} judged queries are not in the run, {joined.strangers:,} of the run are not judged"
        sample = (*missing.head(3).to_list(), *joined.strange[:3])
        raise InputError.of("E227", f"{message}: {_list(sample)}", fix="use queries='judged' or 'both'", file=name)


def _guess(judged: list[str], run: list[str]) -> str:
    """Say what the ids of both sides might have in common."""
    plain = {name.strip().lower().lstrip("q0").lstrip("0") for name in judged}
    alike = [name for name in run if name.strip().lower().lstrip("q0").lstrip("0") in plain]
    if alike:
        return f"they look alike but for case, blanks, zeros or a prefix, such as {shown(alike[0])}: rename one side"
    return "check that both belong to the same query set"


def _list(names: tuple[str, ...] | list[str]) -> str:
    return ", ".join(shown(name, 30) for name in names) or "nothing"


def _strangers_note(joined: Joined, name: str) -> Finding:
    """Tell how many queries were ignored; warn, and name the first, where these are most of the run."""
    ignored, all_queries = joined.strangers, joined.strangers + int(np.count_nonzero(joined.in_run))
    if 2 * ignored <= all_queries:
        many = f"{ignored:,} queries of the run are not judged and were ignored"
        message = "1 query of the run is not judged and was ignored" if ignored == 1 else many
        code, fix = "N226", ""
    else:
        message = f"{ignored:,} of {all_queries:,} queries of the run are not judged and were ignored"
        message, code = f"{message}, such as {_list(joined.strange)}", "W226"
        fix = "check that judgments and run belong to the same query set"
    return Finding(code=code, message=message, fix=fix, file=name, count=ignored, sample=joined.strange)


def _missing(count: int, judged: int, policy: Policy) -> str:
    are, were, empty = ("is", "was", "an empty ranking") if count == 1 else ("are", "were", "empty rankings")
    what = "left out" if policy.queries == "both" else f"counted as {empty}"
    return f"{count:,} of {judged:,} judged queries {are} not in the run and {were} {what}"


def _query_notes(index: JudgmentIndex, joined: Joined, policy: Policy, name: str) -> list[Finding]:
    notes: list[Finding] = []
    in_run = joined.in_run
    missing = index.names.filter(pl.Series(~in_run))
    if missing.len():
        notes.append(tell("N225", _missing(missing.len(), index.queries, policy), missing, file=name))
    if joined.strangers:
        notes.append(_strangers_note(joined, name))
    relevant = np.bincount(index.item_query[index.item_grade >= policy.rel], minlength=index.queries)
    barren = (relevant == 0) & (in_run | (policy.queries != "both"))
    if barren.any():
        names = index.names.filter(pl.Series(barren))
        who, them = ("1 query has", "it") if names.len() == 1 else (f"{names.len():,} queries have", "them")
        message = f"{who} no relevant document; each measure gives {them} its value for that"
        notes.append(tell("N228", message, names, file=name))
    return notes

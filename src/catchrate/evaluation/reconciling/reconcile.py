"""Find out what a number is that another tool printed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np
import polars as pl

from catchrate.alignment import Aligned, EachBlock, JudgmentIndex, Policy, align
from catchrate.alignment.policy import Dialect, Duplicates, QueryPolicy
from catchrate.evaluation.elsewhere import Tool, chosen_tools
from catchrate.evaluation.evaluate import both_sides, measured
from catchrate.evaluation.matches import matched_sides, matching_options
from catchrate.evaluation.reconciling.number import printed
from catchrate.evaluation.reconciling.result import Reconciliation
from catchrate.evaluation.reconciling.search import Base, Search
from catchrate.evaluation.reconciling.settings import Join, settings
from catchrate.formats import ReadOptions
from catchrate.matching.rules import Match
from catchrate.measures import Measure, parse
from catchrate.tables import Judgments, RankingSource

FEW_LEVELS = 4
"""How many levels of relevance are tried."""


def reconcile(
    judgments: object,
    ranking: object = None,
    got: str | float = "",
    measure: str | Measure = "recall@10",
    *,
    tools: str | Iterable[str] = (),
    rel: float = 1,
    queries: QueryPolicy = "judged",
    duplicates: Duplicates | None = None,
    judged_only: bool = False,
    max_rank: int | None = None,
    dialect: Dialect = "catchrate",
    options: ReadOptions | None = None,
    match: Match | None = None,
) -> Reconciliation:
    """Find out what a number is that another tool printed for the same lists.

    `got` is the number as it was printed, such as "0.731" or "73.1%", and `measure` what it should have been. It is
    looked for among the definitions of other tools, at other cut-offs, levels of relevance, sets of queries and
    ways to put queries together; `tools` names those that it may come from. What needs the fewest changes comes first.

    Raises UsageError for what is no number or a tool that is not known, and whatever `evaluate` raises.

    >>> import catchrate
    >>> judged = {"q1": {"a": 1, "b": 1}, "q2": {"c": 1, "d": 1}, "q3": {"e": 1}}
    >>> catchrate.reconcile(judged, {"q1": ["a", "x"], "q2": ["c", "d"]}, "0.75", "recall@2", tools="haystack")
    0.75: recall@2 is 0.5000 over 3 queries
      = recall@2 with the 1 missing query dropped (0.7500)
    """
    policy = Policy(
        rel=rel, queries=queries, duplicates=duplicates, judged_only=judged_only, max_rank=max_rank, dialect=dialect
    )
    asked = chosen_tools(tools)
    chosen = parse(measure)
    printed(got, most=chosen.row.range[1])  # a slip is told before anything is read
    sides = matched_sides(*both_sides(judgments, ranking, matching_options(options, match)), match)
    return reconciled(*sides, got, chosen, policy, asked)


def reconciled(
    judgments: Judgments,
    ranking: RankingSource,
    got: str | float,
    measure: Measure,
    policy: Policy,
    tools: Iterable[Tool] = (),
    *,
    each_block: EachBlock = lambda _: None,
) -> Reconciliation:
    """Find out what a number is, from what was read; `each_block` is told the rows of each block that was joined."""
    joined = _Joins(judgments, ranking, policy, each_block)
    aligned = joined("")
    counted = aligned.in_run if policy.queries == "both" else np.ones(aligned.in_run.size, bool)
    arrays = (aligned.arrays.only_judged() if policy.judged_only else aligned.arrays).some_queries(counted)
    queries, items = aligned.queries, aligned.items
    same = replace(
        aligned,
        arrays=arrays,
        queries=queries.filter(pl.Series(counted)),
        items=items.filter(pl.Series(counted[aligned.arrays.items.query])),
        in_run=aligned.in_run[counted],
    )
    scores = measured(judgments, same, (measure,), policy, ranking.name)
    values = np.zeros(counted.size)
    values[counted] = scores.values[:, 0]
    number = printed(got, most=measure.row.range[1])
    search = Search(number, policy, joined, Base(values=values, counted=counted))
    depth, levels = int(aligned.arrays.returned.max(initial=0)), _levels(aligned)
    names = [tool.name for tool in tools]
    search.run(settings(measure, policy, depth=depth, levels=levels, joins=joined.known(), tools=names))
    found = search.found()
    return Reconciliation(
        got=number,
        measure=measure,
        value=scores.means[0],
        queries=scores.queries,
        found=found,
        nearest=() if found else search.nearest(),
        tried=search.tried,
        by_chance=search.by_chance(),
        notes=scores.notes,
        provenance=scores.provenance,
    )


def _levels(aligned: Aligned) -> list[float]:
    grades = np.unique(aligned.arrays.items.grade)
    return grades[grades > 0][:FEW_LEVELS].tolist()


class _Joins:
    """The run joined with its judgments, as usual and otherwise, each once."""

    def __init__(self, judgments: Judgments, ranking: RankingSource, policy: Policy, each_block: EachBlock) -> None:
        self._judgments = judgments
        self._ranking = ranking
        self._usual = replace(policy, queries="judged", judged_only=False)
        self._index = JudgmentIndex(judgments)
        self._each_block = each_block
        self._done: dict[Join, Aligned] = {}

    def __call__(self, join: Join) -> Aligned:
        """Return the run joined in some way, over all judged queries."""
        if join not in self._done:
            policy = self._usual
            if join == "trec_eval-9":
                policy = replace(policy, dialect="trec_eval-9")
            if join == "collapse":
                policy = replace(policy, duplicates="collapse")
            self._done[join] = align(
                self._judgments, self._ranking, policy, index=self._index, each_block=self._each_block
            )
        return self._done[join]

    def known(self) -> list[Join]:
        """Return the ways in which joining makes a difference."""
        ways: list[Join] = [""]
        if any(note.code == "N222" for note in self("").notes) and self._usual.duplicates != "collapse":
            ways.append("collapse")
        if not self._ranking.ordered and self._usual.dialect == "catchrate":
            usual, other = self("").arrays.hits, self("trec_eval-9").arrays.hits
            if not np.array_equal(usual.slot, other.slot) or not np.array_equal(usual.item, other.item):
                ways.append("trec_eval-9")
        return ways

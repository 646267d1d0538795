"""The join: which returned slot holds which judged item.

A ranking comes block by block, so memory is bounded by the judgments and one block, however long the run is.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import compress, repeat

import numpy as np
import polars as pl

from catchrate.alignment.block import Block
from catchrate.alignment.duplicates import Repeats, without_repeats
from catchrate.alignment.index import JudgmentIndex
from catchrate.alignment.lookup import look_up
from catchrate.alignment.order import slots_by_score
from catchrate.alignment.policy import Policy
from catchrate.errors import Finding, InputError, shown
from catchrate.measures.arrays import Alignment, Hits, Ints, repeated
from catchrate.tables import InterleavedError, Judgments, RankingSource
from catchrate.tables.checks import tell
from catchrate.tables.mapped import MappedRanking


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Aligned:
    """A run joined with its judgments: arrays for the measures, and the ids that belong to their rows."""

    arrays: Alignment
    """What the measures read."""
    queries: pl.DataFrame
    """One row a query of the arrays, in their order: `query` and what is known of it."""
    items: pl.DataFrame
    """One row an item of the arrays, in their order: `query`, `doc`, `grade`."""
    missing: int
    """How many judged queries the run does not have."""
    ignored: int
    """How many queries of the run nobody judged."""
    notes: tuple[Finding, ...]
    """What was noticed on the way."""
    digest: str
    """A digest of the ranking's content."""


def align(judgments: Judgments, source: RankingSource, policy: Policy) -> Aligned:
    """Join a ranking with its judgments.

    Raises InputError when no query is in both, when a scored ranking returns a document twice for a query (unless the
    policy accepts that), and under `strict` when the queries differ.
    """
    index = JudgmentIndex(judgments)
    join = _Join(index, source, policy)
    join.run()
    in_run = join.in_run(source.empty_queries())
    _refuse_strangers(index, source, policy, join, in_run)
    arrays = _cut(join.alignment(), policy)
    queries, items = judgments.queries, judgments.items
    if policy.queries == "both":
        keep = pl.Series(in_run)
        arrays = arrays.some_queries(in_run)
        items = items.filter(pl.Series(in_run[index.item_query]))
        queries = queries.filter(keep)
    return Aligned(
        arrays=arrays,
        queries=queries,
        items=items,
        missing=int(np.count_nonzero(~in_run)),
        ignored=len(join.strangers),
        notes=(*source.notes(), *join.notes(), *_query_notes(index, join, in_run, policy, source.name)),
        digest=source.digest(),
    )


def _cut(arrays: Alignment, policy: Policy) -> Alignment:
    """Apply -M, then -J, in trec_eval's order."""
    if policy.max_rank is not None:
        arrays = arrays.first_slots(policy.max_rank)
    return arrays.only_judged() if policy.judged_only else arrays


class _Join:
    """The blocks of one run, joined and collected."""

    def __init__(self, index: JudgmentIndex, source: RankingSource, policy: Policy) -> None:
        self._index = index
        self._source = source
        self._policy = policy
        self._start()

    def _start(self) -> None:
        self._returned = np.zeros(self._index.queries, np.int64)
        self._found: list[tuple[Ints, Ints, Ints]] = []
        self._repeats = Repeats(self._source, self._policy)
        self.strangers: list[str] = []

    def run(self) -> None:
        """Read every block; a run whose queries come in pieces is gathered first."""
        if isinstance(self._source, MappedRanking):
            self._look_up(self._source)
            return
        try:
            for block in self._source.blocks():
                self._add(block)
        except InterleavedError:
            self._start()
            for block in self._source.blocks(gather=True):
                self._add(block)

    def _look_up(self, ranking: MappedRanking) -> None:
        codes = np.fromiter(map(self._index.number.get, ranking.queries, repeat(-1)), np.int64, len(ranking.queries))
        known = codes >= 0
        sizes = np.fromiter(map(len, ranking.queries.values()), np.int64, codes.size)
        self._returned[codes[known]] = sizes[known]
        self.strangers += compress(ranking.queries, ~known & (sizes > 0))
        self._found.append(look_up(self._index, ranking, float32=self._policy.dialect == "trec_eval-9"))

    def _add(self, frame: pl.DataFrame) -> None:
        block = Block(frame)
        if self._repeats.found_in(block) and self._repeats.collapse:
            block = Block(without_repeats(frame, by_score=not self._source.ordered))
        codes = self._index.codes(block.names)
        known = codes >= 0
        self._returned[codes[known]] = block.sizes[known]
        self.strangers += block.names.filter(pl.Series(~known)).to_list()
        rows, items = self._index.find(block, codes)
        if rows.size:
            self._found.append((codes[block.query[rows]], self._slots(block, rows), items))

    def _slots(self, block: Block, rows: Ints) -> Ints:
        if self._source.ordered:
            return rows - block.starts[block.query[rows]] + 1
        scores = block.frame["score"].to_numpy()
        if self._policy.dialect == "trec_eval-9":
            with np.errstate(over="ignore"):
                scores = scores.astype(np.float32)
        return slots_by_score(rows, scores, block.docs, block.starts, block.query)

    def in_run(self, empty: tuple[str, ...]) -> np.ndarray:
        """Mark the judged queries that the run has, were it with nothing returned."""
        seen = self._returned > 0
        codes = self._index.codes(pl.Series(empty, dtype=pl.String))
        seen[codes[codes >= 0]] = True
        self.strangers += [name for name, code in zip(empty, codes.tolist(), strict=True) if code < 0]
        return seen

    def notes(self) -> tuple[Finding, ...]:
        """Return what was noticed while joining."""
        return self._repeats.notes()

    def alignment(self) -> Alignment:
        """Put the hits of all blocks in order and mark the repeats."""
        empty = np.zeros(0, np.int64)
        query, slot, item = (np.concatenate(parts) for parts in zip((empty, empty, empty), *self._found, strict=True))
        # hits come by rows of sorted lists, which a stable sort of one key finds nearly in order
        order = np.argsort(query * (1 << 40) + slot, kind="stable")
        query, slot, item = query[order], slot[order], item[order]
        return Alignment.of(
            hits=Hits(query, slot, item, self._index.item_grade[item], repeated(item, self._index.item_grade.size)),
            item_query=self._index.item_query,
            item_grade=self._index.item_grade,
            returned=self._returned,
        )


def _refuse_strangers(
    index: JudgmentIndex, source: RankingSource, policy: Policy, join: _Join, in_run: np.ndarray
) -> None:
    if not in_run.any():
        judged, run = index.names.head(3).to_list(), join.strangers[:3]
        message = f"no query is in both: judged are {_list(judged)}, the run has {_list(run)}"
        raise InputError.of("E221", message, fix=_guess(judged, run), file=source.name, sample=run)
    if policy.queries == "strict" and (join.strangers or not in_run.all()):
        missing = index.names.filter(pl.Series(~in_run))
        message = (
            f"{missing.len():,} judged queries are not in the run, {len(join.strangers):,} of the run are not judged"
        )
        sample = (*missing.head(3).to_list(), *join.strangers[:3])
        raise InputError.of(
            "E227", f"{message}: {_list(sample)}", fix="use queries='judged' or 'both'", file=source.name
        )


def _guess(judged: list[str], run: list[str]) -> str:
    """Say what the ids of both sides might have in common."""
    plain = {name.strip().lower().lstrip("q0").lstrip("0") for name in judged}
    alike = [name for name in run if name.strip().lower().lstrip("q0").lstrip("0") in plain]
    if alike:
        return f"they look alike but for case, blanks, zeros or a prefix, such as {shown(alike[0])}: rename one side"
    return "check that both belong to the same query set"


def _list(names: tuple[str, ...] | list[str]) -> str:
    return ", ".join(shown(name, 30) for name in names) or "nothing"


def _query_notes(index: JudgmentIndex, join: _Join, in_run: np.ndarray, policy: Policy, name: str) -> list[Finding]:
    notes: list[Finding] = []
    missing = index.names.filter(pl.Series(~in_run))
    if missing.len():
        what = "left out" if policy.queries == "both" else "counted as empty rankings"
        message = f"{missing.len():,} of {index.queries:,} judged queries are not in the run and were {what}"
        notes.append(tell("N225", message, missing, file=name))
    if join.strangers:
        message = f"{len(join.strangers):,} queries of the run are not judged and were ignored"
        notes.append(tell("N226", message, pl.Series(join.strangers), file=name))
    relevant = np.bincount(index.item_query, weights=index.item_grade >= policy.rel, minlength=index.queries)
    barren = (relevant == 0) & (in_run | (policy.queries != "both"))
    if barren.any():
        names = index.names.filter(pl.Series(barren))
        message = f"{names.len():,} queries have no relevant document; each measure gives them its value for that"
        notes.append(tell("N228", message, names, file=name))
    return notes

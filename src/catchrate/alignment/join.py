"""The join, block by block: which slots of a run hold judged items, and how many slots each query returned."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import compress, repeat

import numpy as np
import polars as pl

from catchrate.alignment.block import Block
from catchrate.alignment.duplicates import Repeats, without_repeats
from catchrate.alignment.index import JudgmentIndex
from catchrate.alignment.lengths import SlotLengths
from catchrate.alignment.lookup import look_up
from catchrate.alignment.order import Places, places_by_score
from catchrate.alignment.policy import Policy
from catchrate.alignment.texts import TextJoin
from catchrate.errors import Finding
from catchrate.later import Later
from catchrate.matching.parent import ParentRanking
from catchrate.matching.ranking import MatchedRanking
from catchrate.measures.arrays import Ints, Lengths, Mask
from catchrate.measures.spans import SpanTable
from catchrate.tables import InterleavedError, RankingSource
from catchrate.tables.mapped import MappedRanking
from catchrate.tables.plain import sizes_of

EachBlock = Callable[[int], None]
"""What is told the rows of each block that was joined: to show progress, or to stop."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Joined:
    """What joining a run, or some queries of it, has found."""

    query: Ints
    """The query of each hit, by number."""
    slot: Ints
    item: Ints
    first: Ints
    """The first slot of the tie in which each hit stands: its own where no score is equal."""
    last: Ints
    returned: Ints
    """How many slots each query returned."""
    in_run: Mask
    """The queries that the run has, were it with nothing returned."""
    strangers: int
    """How many queries of the run nobody judged."""
    strange: tuple[str, ...]
    """The first few of them."""
    notes: tuple[Finding, ...]
    """What was noticed in the run and on the way."""
    digest: Later[str]
    """A digest of the run's content."""
    lengths: Lengths | None = None
    """How long each slot is, where that is asked for and known."""
    spans: SpanTable | None = None
    """Where gold spans and returned spans stand, where these were matched."""
    match: str | None = None
    """The rule by which texts were matched."""
    matches: pl.DataFrame | None = None
    """Which chunk matched which gold text, where texts were matched."""


class Join:
    """The blocks of one run, joined and collected."""

    def __init__(self, index: JudgmentIndex, source: RankingSource, policy: Policy) -> None:
        self._index = index
        self._source = source
        self._policy = policy
        self._start()

    def _start(self) -> None:
        self._returned = np.zeros(self._index.queries, np.int64)
        self._found: list[tuple[Ints, Ints, Places]] = []
        self._repeats = Repeats(self._source, self._policy)
        self._strangers: list[str] = []
        self._texts = TextJoin(self._index, self._source) if isinstance(self._source, MatchedRanking) else None
        has_texts = self._texts is None or not self._texts.of_spans
        self._lengths = SlotLengths(self._policy.length) if self._policy.length and has_texts else None

    def joined(self, each_block: EachBlock = lambda _: None) -> Joined:
        """Read every block; a run whose queries come in pieces is gathered first."""
        if isinstance(self._source, MappedRanking):
            self._look_up(self._source)
        else:
            self._read(each_block)
        in_run = self._in_run(self._source.empty_queries())
        query, item, places = self._all_found()
        return Joined(
            query=query,
            slot=places.slot,
            item=item,
            first=places.first,
            last=places.last,
            returned=self._returned,
            in_run=in_run,
            strangers=len(self._strangers),
            strange=tuple(self._strangers[:SAMPLE]),
            notes=(*self._source.notes(), *self._repeats.notes(), *(self._texts.notes() if self._texts else ())),
            digest=self._digest(),
            lengths=self._lengths and self._lengths.lengths(),
            spans=self._texts and self._texts.spans(),
            match=str(self._source.rule) if isinstance(self._source, MatchedRanking | ParentRanking) else None,
            matches=self._texts and self._texts.frame(),
        )

    def _digest(self) -> Later[str]:
        source = self._source
        return source.content if isinstance(source, MappedRanking) else Later.known(source.digest())

    def _all_found(self) -> tuple[Ints, Ints, Places]:
        """Return the hits of all blocks: query, item and places."""
        if len(self._found) == 1:
            return self._found[0]
        none = np.zeros(0, np.int64)
        query, item, places = zip((none, none, Places.certain(none)), *self._found, strict=True)
        slot, first, last = (np.concatenate(parts) for parts in zip(*places, strict=True))
        return np.concatenate(query), np.concatenate(item), Places(slot, first, last)

    def _read(self, each_block: EachBlock) -> None:
        try:
            for block in self._source.blocks():
                self._add(block)
                each_block(block.height)
        except InterleavedError:
            self._start()
            for block in self._source.blocks(gather=True):
                self._add(block)
                each_block(block.height)

    def _look_up(self, ranking: MappedRanking) -> None:
        codes = np.fromiter(map(self._index.number.get, ranking.queries, repeat(-1)), np.int64, len(ranking.queries))
        known = codes >= 0
        sizes = sizes_of(ranking.queries.values())
        self._returned[codes[known]] = sizes[known]
        self._strangers += compress(ranking.queries, ~known & (sizes > 0))
        self._found.append(look_up(self._index, ranking, codes, float32=self._policy.dialect == "trec_eval-9"))

    def _add(self, frame: pl.DataFrame) -> None:
        block = Block(frame)
        if self._repeats.found_in(block) and self._repeats.collapse:
            block = Block(without_repeats(frame, by_score=not self._source.ordered))
        codes = self._index.codes(block.names)
        known = codes >= 0
        self._returned[codes[known]] = block.sizes[known]
        self._strangers += block.names.filter(pl.Series(~known)).to_list()
        if self._lengths is not None and self._lengths.known_in(block):
            self._lengths.add(block, codes, self._slots(block))
        rows, items = self._held(block, codes)
        if rows.size:
            self._found.append((codes[block.query[rows]], items, self._places(block, rows)))

    def _held(self, block: Block, codes: Ints) -> tuple[Ints, Ints]:
        """Return rows of a block and the items that they hold: by their ids, or by their texts."""
        if self._texts is None:
            return self._index.find(block, codes)
        return self._texts.find(block, codes, self._slots(block))

    def _slots(self, block: Block) -> Ints:
        return self._places(block, np.arange(block.frame.height)).slot

    def _places(self, block: Block, rows: Ints) -> Places:
        if self._source.ordered:
            return Places.certain(rows - block.starts[block.query[rows]] + 1)
        scores = block.frame["score"].to_numpy()
        if self._policy.dialect == "trec_eval-9":
            with np.errstate(over="ignore"):
                scores = scores.astype(np.float32)
        return places_by_score(rows, scores, block.docs, block.starts, block.query)

    def _in_run(self, empty: tuple[str, ...]) -> Mask:
        """Mark the judged queries that the run has, were it with nothing returned."""
        seen = self._returned > 0
        codes = self._index.codes(pl.Series(empty, dtype=pl.String))
        seen[codes[codes >= 0]] = True
        self._strangers += [name for name, code in zip(empty, codes.tolist(), strict=True) if code < 0]
        return seen


SAMPLE = 5
"""How many ids a note names."""

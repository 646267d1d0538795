"""A ranking of texts that is to be matched with gold texts while it is joined."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np
import polars as pl

from catchrate.errors import Finding, InputError
from catchrate.matching.pairs import Mask, Pairs
from catchrate.matching.rules import Rule
from catchrate.matching.spans import Spans
from catchrate.tables import Judgments, RankingSource
from catchrate.tables.spans import refuse_odd_spans

TEXT = "text"


class Found(NamedTuple):
    """What matching has found for one query."""

    pairs: Pairs
    """The matches, and the nearest pair of each gold text that was missed where the rule has degrees."""
    matches: Mask
    """Which of them are matches."""


@dataclass(frozen=True, slots=True, eq=False)
class MatchedRanking:
    """A ranking whose slots hold the gold texts that a rule finds in them, whatever the ids say."""

    ranking: RankingSource
    """What was returned, with its texts."""
    rule: Rule
    """How texts are matched."""
    gold: Sequence[str]
    """The texts of the judged items, in their order."""
    near: Rule | None = None
    """A rule with degrees, which says what came nearest to a text where the rule itself has none."""
    levels: tuple[float, ...] = ()
    """Thresholds that will be asked for, so that texts are compared once for all of them."""
    known: dict[int, Pairs] = field(default_factory=dict[int, Pairs])
    """What matters at these thresholds, by the first item of each query."""

    @classmethod
    def of(cls, judgments: Judgments, ranking: RankingSource, rule: Rule) -> MatchedRanking:
        """Return the ranking with the texts that it is to be matched with.

        Raises InputError where the judged items have no texts, or where spans are asked for and are none.
        """
        if TEXT not in judgments.items.columns:
            fix = "give them as gold_texts, as a column text, or as the ground truth itself"
            raise InputError.of("E291", "the judgments have no texts to match", fix=fix, file=judgments.name)
        items = _filled(judgments.items, rule, judgments.name)
        return cls(ranking, rule, items[TEXT].to_list())

    def found(self, chunks: Sequence[str], first: int, end: int) -> Found:
        """Match the chunks of one query with the items that belong to it."""
        gold = self.gold[first:end]
        pairs = self._pairs(chunks, gold, first)
        matches = pairs.matches(self.rule.level)
        if self.near is not None and not self.rule.graded:
            return _with_nearest(pairs.where(matches), self.near.pairs(chunks, gold), len(gold))
        kept = matches | pairs.nearest(matches, len(gold))
        return Found(pairs.where(kept), matches[kept])

    def _pairs(self, chunks: Sequence[str], gold: Sequence[str], first: int) -> Pairs:
        if first in self.known and gold:
            return self.known[first]
        pairs = self.rule.pairs(chunks, gold)
        if self.levels and gold:
            self.known[first] = pairs.where(np.any([pairs.matches(level) for level in self.levels], axis=0))
        return pairs

    def at(self, level: float) -> MatchedRanking:
        """Return the ranking matched at another threshold; raises UsageError for a rule that has none."""
        return replace(self, rule=self.rule.at(level))

    @property
    def name(self) -> str:
        """The input, as the caller named it."""
        return self.ranking.name

    @property
    def ordered(self) -> bool:
        """True when the order of the rows ranks; False when scores do."""
        return self.ranking.ordered

    def blocks(self, *, gather: bool = False) -> Iterator[pl.DataFrame]:
        """Yield the rows with their texts.

        Raises InputError where there are none, or where spans are asked for and are none.
        """
        for block in self.ranking.blocks(gather=gather):
            if TEXT not in block.columns:
                fix = "give them as texts, as a column text, or in place of the ids"
                raise InputError.of("E291", "what was retrieved has no texts to match", fix=fix, file=self.name)
            yield _filled(block, self.rule, self.name)

    def empty_queries(self) -> tuple[str, ...]:
        """Return the queries for which nothing was returned."""
        return self.ranking.empty_queries()

    def notes(self) -> tuple[Finding, ...]:
        """Return what was noticed while reading."""
        return self.ranking.notes()

    def digest(self) -> str:
        """Return the digest of the content."""
        return self.ranking.digest()

    def lines_of(self, query: str, doc: str) -> tuple[int, ...]:
        """Return the lines on which a pair stands."""
        return self.ranking.lines_of(query, doc)


def _filled(rows: pl.DataFrame, rule: Rule, name: str) -> pl.DataFrame:
    """Return rows with an empty text for each that is missing."""
    filled = rows.with_columns(pl.col(TEXT).fill_null(""))
    if isinstance(rule, Spans):
        refuse_odd_spans(filled, name)
    return filled


def _with_nearest(found: Pairs, others: Pairs, items: int) -> Found:
    """Return the matches of a rule without degrees, and what another rule says came nearest to the missed texts."""
    missed = ~np.isin(others.item, found.item)
    near = others.where(others.nearest(~missed, items))
    return Found(found.and_also(near), np.repeat([True, False], [found.slot.size, near.slot.size]))

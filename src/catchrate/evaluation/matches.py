"""Texts in place of ids: what evaluations with `match=` read and join."""

from __future__ import annotations

from dataclasses import dataclass, replace

import polars as pl

from catchrate.alignment import Aligned, Policy
from catchrate.errors import Finding, UsageError, shown
from catchrate.evaluation.one_list import documents_of
from catchrate.formats import ReadOptions
from catchrate.matching.parent import Parent, ParentRanking
from catchrate.matching.ranking import MatchedRanking
from catchrate.matching.rules import Match, Rule
from catchrate.matching.spans import Spans
from catchrate.showing import Result
from catchrate.tables import Judgments, RankingSource


@dataclass(frozen=True, slots=True, eq=False, kw_only=True, repr=False)
class Matches(Result):
    """Texts matched with gold texts. `catchrate.evaluate(matches, ...)` and all that takes both sides take it."""

    judgments: Judgments
    """The gold texts, with their queries and grades."""
    ranking: MatchedRanking
    """What was retrieved, and the rule."""
    aligned: Aligned
    """The join of both."""

    @property
    def rule(self) -> str:
        """The rule by which texts were matched."""
        return str(self.ranking.rule)

    @property
    def notes(self) -> tuple[Finding, ...]:
        """What was noticed."""
        return (*self.judgments.notes, *self.aligned.notes)

    @property
    def table(self) -> pl.DataFrame:
        """One row a match: `query, slot, chunk, gold, strength, together`.

        `strength` is how much of the gold text the chunk holds by itself, `together` what all chunks down to it hold.
        """
        return self._rows(matched=True)

    @property
    def near_misses(self) -> pl.DataFrame:
        """One row a gold text that was missed: the chunk that came nearest to it, where one has anything of it."""
        wanted = self.aligned.items.select("query", gold="doc")
        missed = wanted.join(self.table, on=["query", "gold"], how="anti", maintain_order="left")
        near = self._rows(matched=False).drop("together")
        return missed.join(near, on=["query", "gold"], how="left", maintain_order="left")

    def documents(self, query: str) -> list[str]:
        """Return the ids of what was retrieved for a query, best first."""
        return documents_of(self.ranking, query, Policy())

    def texts(self) -> dict[str, str]:
        """Return the texts of the chunks and gold texts that matched, or nearly did, by their ids."""
        known = dict(zip(self.judgments.items["doc"].to_list(), self.ranking.gold, strict=True))
        for block in self.ranking.blocks(gather=True):
            known |= dict(block.select("doc", "text").iter_rows())
        return known

    def _rows(self, *, matched: bool) -> pl.DataFrame:
        found = self.aligned.matches
        assert found is not None  # noqa: S101 - texts were matched
        rows = found.filter(pl.col("matched") == matched).drop("matched")
        return rows.rename({"doc": "chunk", "item": "gold"}).sort("query", "slot", maintain_order=True)

    def __repr__(self) -> str:
        gold, found = self.aligned.items.height, self.table.select("query", "gold").n_unique()
        return f"Matches by {self.rule}: {found:,} of {gold:,} gold texts found"


def matching_options(options: ReadOptions | None, match: Match | None) -> ReadOptions:
    """Return how inputs are read: entries are texts where these are matched.

    Raises UsageError for what are no options, and for a rule of matching that does not exist.
    """
    if options is not None and not isinstance(options, ReadOptions):
        raise UsageError.of("E260", f"options is {shown(options)}", fix="pass catchrate.ReadOptions(...)")
    options = options or ReadOptions()
    if match is None:
        return options
    rule = _rule_of(match)
    columns = {**options.columns, "doc": rule.column} if isinstance(rule, Parent) and rule.column else options.columns
    return replace(options, texts=rule.texts, spans=isinstance(rule, Spans), columns=columns)


def matched_sides(judgments: Judgments, ranking: RankingSource, match: Match | None) -> tuple[Judgments, RankingSource]:
    """Return both sides as they are joined: by ids, or by the texts that a rule matches."""
    if match is None:
        return judgments, ranking
    rule = _rule_of(match)
    if isinstance(rule, Parent):
        return judgments, ParentRanking(ranking, rule)
    return judgments, MatchedRanking.of(judgments, ranking, rule)


def _rule_of(match: Match) -> Rule:
    from catchrate.matching.grammar import parse_rule  # every rule: not needed where ids are joined

    return parse_rule(match)

"""Texts in place of ids: what evaluations with `match=` read and join."""

from __future__ import annotations

from dataclasses import replace

from catchrate.errors import UsageError, shown
from catchrate.formats import ReadOptions
from catchrate.matching import Match, MatchedRanking, parse_rule
from catchrate.tables import Judgments, RankingSource


def matching_options(options: ReadOptions | None, match: Match | None) -> ReadOptions:
    """Return how inputs are read: entries are texts where these are matched.

    Raises UsageError for what are no options, and for a rule of matching that does not exist.
    """
    if options is not None and not isinstance(options, ReadOptions):
        raise UsageError.of("E260", f"options is {shown(options)}", fix="pass catchrate.ReadOptions(...)")
    options = options or ReadOptions()
    if match is None:
        return options
    parse_rule(match)
    return replace(options, texts=True)


def matched_sides(judgments: Judgments, ranking: RankingSource, match: Match | None) -> tuple[Judgments, RankingSource]:
    """Return both sides as they are joined: by ids, or by the texts that a rule matches."""
    if match is None:
        return judgments, ranking
    return judgments, MatchedRanking.of(judgments, ranking, parse_rule(match))

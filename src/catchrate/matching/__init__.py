"""Texts to items: which chunk holds which gold text."""

from catchrate.matching.grammar import RULES, Match, parse_rule
from catchrate.matching.parent import Parent, ParentRanking
from catchrate.matching.ranking import MatchedRanking
from catchrate.matching.rules import Rule
from catchrate.matching.spans import Spans

__all__ = ["RULES", "Match", "MatchedRanking", "Parent", "ParentRanking", "Rule", "Spans", "parse_rule"]

"""Frames with a meaning: what was judged, and what was returned."""

from catchrate.tables.judgments import Judgments
from catchrate.tables.ranking import InterleavedError, Ranking, RankingSource

__all__ = ["InterleavedError", "Judgments", "Ranking", "RankingSource"]

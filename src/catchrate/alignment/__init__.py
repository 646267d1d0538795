"""The join of what was judged with what was returned."""

from catchrate.alignment.align import Aligned, align
from catchrate.alignment.index import JudgmentIndex
from catchrate.alignment.join import EachBlock
from catchrate.alignment.policy import Duplicates, Policy, QueryPolicy

__all__ = ["Aligned", "Duplicates", "EachBlock", "JudgmentIndex", "Policy", "QueryPolicy", "align"]

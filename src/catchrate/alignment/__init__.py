"""The join of what was judged with what was returned."""

from catchrate.alignment.align import Aligned, TieOrders, align, aligned, cut
from catchrate.alignment.index import JudgmentIndex
from catchrate.alignment.join import EachBlock, Join
from catchrate.alignment.parts import Part, merged
from catchrate.alignment.policy import Duplicates, Policy, QueryPolicy

__all__ = [
    "Aligned",
    "Duplicates",
    "EachBlock",
    "Join",
    "JudgmentIndex",
    "Part",
    "Policy",
    "QueryPolicy",
    "TieOrders",
    "align",
    "aligned",
    "cut",
    "merged",
]

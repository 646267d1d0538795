"""The join of what was judged with what was returned."""

from catchrate.alignment.align import Aligned, align
from catchrate.alignment.policy import Duplicates, Policy, QueryPolicy

__all__ = ["Aligned", "Duplicates", "Policy", "QueryPolicy", "align"]

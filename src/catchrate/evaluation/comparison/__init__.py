"""Comparisons: which run is better, by how much, and how sure that is."""

from catchrate.evaluation.comparison.choices import Choices
from catchrate.evaluation.comparison.compare import compare, compare_scores
from catchrate.evaluation.comparison.flips import Flip, flips
from catchrate.evaluation.comparison.result import Comparison, Difference
from catchrate.evaluation.comparison.verdicts import Verdict

__all__ = ["Choices", "Comparison", "Difference", "Flip", "Verdict", "compare", "compare_scores", "flips"]

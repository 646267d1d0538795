"""Intervals, paired tests, corrections and power: arrays in, numbers out."""

from catchrate.statistics.corrections import CORRECTIONS, benjamini_hochberg, holm
from catchrate.statistics.groups import group_test, shuffles_for
from catchrate.statistics.intervals import (
    FEWEST,
    LEVEL,
    SAMPLES,
    Interval,
    bca,
    samples_for,
    standard_errors,
    too_few,
    wilson,
)
from catchrate.statistics.paired import (
    FLIPS,
    PERMUTATIONS,
    PValue,
    effect_size,
    flips_for,
    max_t_test,
    sign_flip_test,
    sign_test,
    t_test,
    wilcoxon_test,
    wins_ties_losses,
)
from catchrate.statistics.power import (
    POWER,
    detectable,
    largest_spread,
    power_of,
    queries_needed,
    spread_of_differences,
)
from catchrate.statistics.sums import Statistic, by_cluster, on_grid

__all__ = [
    "CORRECTIONS",
    "FEWEST",
    "FLIPS",
    "LEVEL",
    "PERMUTATIONS",
    "POWER",
    "SAMPLES",
    "Interval",
    "PValue",
    "Statistic",
    "bca",
    "benjamini_hochberg",
    "by_cluster",
    "detectable",
    "effect_size",
    "flips_for",
    "group_test",
    "holm",
    "largest_spread",
    "max_t_test",
    "on_grid",
    "power_of",
    "queries_needed",
    "samples_for",
    "shuffles_for",
    "sign_flip_test",
    "sign_test",
    "spread_of_differences",
    "standard_errors",
    "t_test",
    "too_few",
    "wilcoxon_test",
    "wilson",
    "wins_ties_losses",
]

"""Intervals, paired tests, corrections and power: arrays in, numbers out."""

from catchrate.statistics.corrections import CORRECTIONS, benjamini_hochberg, holm
from catchrate.statistics.intervals import LEVEL, SAMPLES, Interval, bca, samples_for, standard_errors, too_few, wilson
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
from catchrate.statistics.power import detectable, power_of, queries_needed
from catchrate.statistics.sums import Statistic, by_cluster, on_grid

__all__ = [
    "CORRECTIONS",
    "FLIPS",
    "LEVEL",
    "PERMUTATIONS",
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
    "holm",
    "max_t_test",
    "on_grid",
    "power_of",
    "queries_needed",
    "samples_for",
    "sign_flip_test",
    "sign_test",
    "standard_errors",
    "t_test",
    "too_few",
    "wilcoxon_test",
    "wilson",
    "wins_ties_losses",
]

"""Recall from totals, for people who counted and have no run: what the numbers mean, and how sure one can be."""

from catchrate.calculation.calculator import Calculation, Metric, Point, Target, calculate, calculator
from catchrate.calculation.entries import EXAMPLE, FIELDS, Field, Problem, Totals
from catchrate.calculation.rules import read_totals

__all__ = [
    "EXAMPLE",
    "FIELDS",
    "Calculation",
    "Field",
    "Metric",
    "Point",
    "Problem",
    "Target",
    "Totals",
    "calculate",
    "calculator",
    "read_totals",
]

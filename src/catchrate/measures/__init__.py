"""The measures: arrays in, numbers out."""

# The order of these imports is the order of the table.
# ruff: isort: off
from catchrate.measures import sets
from catchrate.measures import ranks
from catchrate.measures import gains
from catchrate.measures import characters
from catchrate.measures import counts
from catchrate.measures import trec
# ruff: isort: on

from catchrate.measures.arrays import Alignment, Hits, Items, Lengths, Slots
from catchrate.measures.chosen import Measure, aggregate, choose, example
from catchrate.measures.names import parse, parse_all
from catchrate.measures.parameters import Cutoff, Gains, Grade, Level, Persistence, Positive
from catchrate.measures.registry import TABLE, Row, families, measure
from catchrate.measures.terms import Combined, Terms

__all__ = [
    "TABLE",
    "Alignment",
    "Combined",
    "Cutoff",
    "Gains",
    "Grade",
    "Hits",
    "Items",
    "Lengths",
    "Level",
    "Measure",
    "Persistence",
    "Positive",
    "Row",
    "Slots",
    "Terms",
    "aggregate",
    "characters",
    "choose",
    "counts",
    "example",
    "families",
    "gains",
    "measure",
    "parse",
    "parse_all",
    "ranks",
    "sets",
    "trec",
]

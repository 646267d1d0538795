"""A measure with its parameters chosen, and how the values of many queries become one."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast

import numpy as np
import numpy.typing as npt

from catchrate.errors import InputError, UsageError, shown
from catchrate.measures.arrays import Alignment
from catchrate.measures.parameters import WHOLE, Value, printed
from catchrate.measures.registry import TABLE, Aggregate, Row
from catchrate.measures.terms import Combined, Terms, in_order, ratio

Floats = npt.NDArray[np.float64]


LEVEL = "rel"
"""The parameter that a policy sets where a measure does not: written out it is kept, even with the usual value."""


@dataclass(frozen=True, slots=True)
class Measure:
    """A row of the table with its parameters chosen. Prints as its canonical spelling; equal when that is equal."""

    name: str
    """The canonical name of the row."""
    parameters: tuple[tuple[str, Value], ...] = ()
    """Parameters that differ from the row's defaults, by name, and the level of relevance if it was written."""
    judged_only: bool = False
    """Whether slots without a judged item are dropped first."""
    budget: int | None = None
    """How long the slots that count may be together; those behind them are cut off before anything else."""
    spelling: str = ""
    """The canonical spelling."""

    @property
    def row(self) -> Row:
        """The row of the table."""
        return TABLE[self.name]

    def get(self, name: str) -> Value:
        """Return a parameter's value, chosen or default."""
        parameter = self.row.parameter(name)
        return dict(self.parameters).get(name, parameter.default if parameter else None)

    def at_level(self, rel: float) -> Measure:
        """Return the measure with the level of relevance of a policy, unless the measure says its own."""
        parameter = self.row.parameter(LEVEL)
        if parameter is None or parameter.default != 1 or LEVEL in dict(self.parameters) or rel == 1:
            return self
        parameters = {**dict(self.parameters), LEVEL: rel}
        return choose(self.row, parameters, judged_only=self.judged_only, budget=self.budget)

    def terms(self, alignment: Alignment) -> Terms | Combined:
        """Return the terms of the measure.

        Raises InputError when a function of your own returns something else.
        """
        terms = self.row.function(self.seen(alignment), **dict(self.parameters))
        if not isinstance(terms, Terms | Combined):
            fix = "return a.slot_terms(...), a.item_terms(...) or a.query_terms(...), or declare it with per_query=True"
            raise InputError.of("E273", f"measure {self.name} returned a {type(terms).__name__}", fix=fix)
        return terms

    def seen(self, alignment: Alignment) -> Alignment:
        """Return what is left within the budget, and without unjudged slots if only judged ones count."""
        if self.budget is not None:
            alignment = alignment.within_budget(self.budget)
        return alignment.only_judged() if self.judged_only else alignment

    def per_query(self, alignment: Alignment) -> Floats:
        """Return one value a query, all of them finite."""
        values = self.terms(alignment).per_query(self.row.empty)
        if not np.isfinite(values).all():
            found = values[~np.isfinite(values)][0]
            raise InputError.of("E273", f"measure {self} is {found} for some query", fix="return finite numbers")
        return values

    def mean(self, alignment: Alignment, per_query: Floats, weights: Floats | None = None) -> float:
        """Return the one value of all queries, as the row aggregates them."""
        if self.row.aggregate == "pooled":
            return _pooled(self.terms(alignment), weights)
        return aggregate(self.row.aggregate, per_query, weights)

    def __str__(self) -> str:
        return self.spelling


GEOMETRIC_FLOOR = 1e-5
"""trec_eval's least value in a geometric mean, where one zero would make all zero."""


def aggregate(how: Aggregate, values: Floats, weights: Floats | None = None) -> float:
    """Return the one value of many queries, added from the first to the last."""
    if how == "sum":
        return in_order(values)
    if how == "geometric":
        return float(np.exp(aggregate("mean", np.log(np.maximum(values, GEOMETRIC_FLOOR)), weights)))
    if values.size == 0:
        return 0.0
    return in_order(values) / values.size if weights is None else in_order(values * weights) / in_order(weights)


def _pooled(terms: Terms | Combined, weights: Floats | None) -> float:
    if isinstance(terms, Combined):
        return float(terms.combine(*(np.float64(_pooled(part, weights)) for part in terms.parts)))
    upper, lower = terms.pooled(weights)
    return float(ratio(np.array(upper), np.array(lower), 0.0))


def choose(row: Row, parameters: Mapping[str, Value], *, judged_only: bool = False, budget: object = None) -> Measure:
    """Return a row's measure with checked parameters and its canonical spelling."""
    chosen: dict[str, Value] = {}
    for name, value in parameters.items():
        parameter = row.parameter(name)
        if parameter is None:
            raise _unknown_parameter(row, name)
        checked = parameter.kind.checked(name, value)
        if checked != parameter.default or parameter.required or name == LEVEL:
            chosen[name] = checked
    missing = [p.name for p in row.parameters if p.required and p.name not in chosen]
    if missing:
        raise UsageError.of("E272", f"measure {row.name} needs {missing[0]}", fix=f"write {example(row)}")
    inside = [f"{p.name}={printed(chosen[p.name])}" for p in row.parameters if p.name in chosen and p.name != row.at]
    if judged_only:
        inside.append("judged_only=true")
    if budget is not None:
        budget = WHOLE.checked("budget", budget)
        inside.append(f"budget={budget}")
    brackets = f"({','.join(inside)})" if inside else ""
    at = f"@{printed(chosen[row.at])}" if row.at in chosen and row.at else ""
    spelling = f"{row.name}{brackets}{at}"
    return Measure(row.name, tuple(sorted(chosen.items())), judged_only, cast("int | None", budget), spelling)


def example(row: Row) -> str:
    """Return a spelling of the row that works."""
    return f"{row.name}@{0.5 if row.at == 'level' else 10}" if row.at else row.name


def _unknown_parameter(row: Row, name: str) -> UsageError:
    names = [p.name for p in row.parameters] + ["judged_only", "budget"]
    near = difflib.get_close_matches(name, names, n=1, cutoff=0.5)
    fix = f"did you mean {near[0]}?" if near else f"it takes {', '.join(names)}"
    return UsageError.of("E272", f"measure {row.name} has no parameter {shown(name)}", fix=fix)

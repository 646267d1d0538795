"""The one table of measures. A decorated function is its row; everything that lists measures reads this table."""

from __future__ import annotations

import inspect
import re
import sys
import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Literal, get_type_hints

import numpy as np

from catchrate.errors import CatchrateError, InputError, UsageError, shown
from catchrate.measures.arrays import Alignment
from catchrate.measures.parameters import Kind, Value
from catchrate.measures.terms import Combined, Terms

Function = Callable[..., Terms | Combined]
Aggregate = Literal["mean", "sum", "geometric", "pooled"]
Alias = str | tuple[str, Mapping[str, Value]]
Trend = Literal["up", "down", "none"]


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of a measure."""

    name: str
    kind: Kind
    default: Value
    required: bool


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Row:
    """One row of the table: a measure's function and all that is known of it."""

    name: str
    """The canonical name."""
    function: Function
    """Takes an alignment and parameters, returns terms."""
    parameters: tuple[Parameter, ...]
    """What it takes."""
    at: str | None
    """The parameter that is written behind `@`."""
    aliases: tuple[Alias, ...]
    """Other spellings, `{k}` standing for a parameter; some fix a parameter."""
    meaning: str
    """One line."""
    advice: str
    """When to use it and when not."""
    formula: str
    """In one line of text."""
    range: tuple[float, float]
    """Smallest and largest value; infinite where there is no bound."""
    higher_is_better: bool | None
    """None for plain counts."""
    aggregate: Aggregate
    """How the values of queries become one."""
    empty: float
    """The value of a query without anything to divide by, such as one without relevant items."""
    trend: Trend
    """What the value does as k grows."""
    perfect: bool
    """Whether the ideal ranking, best grades first and one item a slot, is the best among rankings of as many slots."""
    binary: bool
    """Whether each query's value is 0 or 1."""
    bounded_by_unjudged: bool
    """Whether the value, however unjudged slots are judged, lies between all of them irrelevant and all relevant."""
    reference: str
    """Where the definition comes from."""

    def checked(self, name: str, value: Value) -> Value:
        """Return a value of a parameter, or say what is allowed; what is no parameter stays as it is."""
        parameter = self.parameter(name)
        return parameter.kind.checked(name, value) if parameter else value

    def parameter(self, name: str) -> Parameter | None:
        """Return the parameter of that name."""
        return next((p for p in self.parameters if p.name == name), None)


TABLE: dict[str, Row] = {}
"""Every measure by its canonical name."""
FORGET: list[Callable[[], None]] = []
"""What to call when the table changes: whoever remembers something of it."""


def measure(
    function: Function | None = None,
    /,
    *,
    name: str | None = None,
    aliases: tuple[Alias, ...] = (),
    formula: str = "",
    range: tuple[float, float] = (0.0, 1.0),
    higher_is_better: bool | None = True,
    aggregate: Aggregate = "mean",
    empty: float = 0.0,
    trend: Trend = "none",
    perfect: bool = False,
    binary: bool = False,
    bounded_by_unjudged: bool = False,
    reference: str = "",
    per_query: bool = False,
) -> Any:
    """Declare a measure: the decorated function becomes a row of the table.

    The function takes an `Alignment` and keyword parameters annotated with kinds such as `Cutoff` and `Grade`, and
    returns terms. With `per_query=True` it takes one query's `slots, grades, returned, relevant` instead (and any
    keyword parameters) and returns one number, which is slower and easier to write. Its docstring is its help: the
    first line says what it means, the rest when to use it and when not. The other arguments are the fields of `Row`;
    the laws that `check_measure` tests follow from them.

    >>> import catchrate
    >>> @catchrate.measure(per_query=True, name="first_half_doc_example")
    ... def first_half(slots, grades, returned, relevant):
    ...     "Share of the relevant items in the first half of the list."
    ...     return sum(slots <= returned / 2) / relevant if relevant else 0.0
    >>> catchrate.evaluate({"q": {"a": 1}}, {"q": ["a", "b"]}, ["first_half_doc_example"])["first_half_doc_example"]
    1.0
    """

    def declare(function: Function) -> Function:
        spelled = name or function.__name__
        vectorised = over_queries(function, spelled) if per_query else function
        doc = inspect.cleandoc(function.__doc__ or "")
        if per_query:
            _refuse_other_inputs(function, spelled)
        parameters = _parameters(function, first=4 if per_query else 1)
        meaning, _, advice = doc.partition("\n\n")
        _register(
            Row(
                name=spelled,
                function=vectorised,
                parameters=parameters,
                at=next((p.name for p in parameters if p.name in ("k", "level")), None),
                aliases=aliases,
                meaning=" ".join(meaning.split()),
                advice=advice.strip(),
                formula=formula,
                range=range,
                higher_is_better=higher_is_better,
                aggregate=aggregate,
                empty=empty,
                trend=trend,
                perfect=perfect,
                binary=binary,
                bounded_by_unjudged=bounded_by_unjudged,
                reference=reference,
            )
        )
        return function

    return declare if function is None else declare(function)


def families() -> dict[str, list[Row]]:
    """Return the rows of the table under the heading of the file that declares them."""
    grouped: dict[str, list[Row]] = {}
    for row in TABLE.values():
        doc = sys.modules[row.function.__module__].__doc__ or "Your own measures"
        grouped.setdefault(doc.strip().splitlines()[0].rstrip("."), []).append(row)
    return grouped


def _parameters(function: Function, first: int) -> tuple[Parameter, ...]:
    hints = get_type_hints(function, include_extras=True)
    found: list[Parameter] = []
    for parameter in list(inspect.signature(function).parameters.values())[first:]:
        kind = next((m for m in getattr(hints.get(parameter.name), "__metadata__", ()) if isinstance(m, Kind)), None)
        if kind is None:
            message = f"parameter {shown(parameter.name)} of measure {shown(function.__name__)} has no kind"
            raise UsageError.of(
                "E274", message, fix="annotate it with catchrate.measures.Cutoff, Grade or another kind"
            )
        required = parameter.default is inspect.Parameter.empty
        found.append(Parameter(parameter.name, kind, None if required else parameter.default, required))
    return tuple(found)


def _refuse_other_inputs(function: Function, name: str) -> None:
    try:
        inspect.signature(function).bind(*PER_QUERY_INPUTS)
    except TypeError as error:
        fix = f"write def {name}({', '.join(PER_QUERY_INPUTS)}), then keyword parameters"
        raise UsageError.of("E274", f"measure {name} does not take what one query has", fix=fix) from error


PER_QUERY_INPUTS = ("slots", "grades", "returned", "relevant")
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.\-]{0,63}")


def _register(row: Row) -> None:
    if not NAME.fullmatch(row.name):
        raise UsageError.of("E274", f"{shown(row.name)} cannot name a measure", fix="use letters, digits and _")
    if not row.meaning:
        raise UsageError.of("E274", f"measure {row.name} says nothing of itself", fix="give the function a docstring")
    known = TABLE.get(row.name)
    if known is not None and known.function.__module__ != row.function.__module__:
        raise UsageError.of("E274", f"measure {row.name} is declared twice", fix="choose another name")
    TABLE[row.name] = row
    for forget in FORGET:
        forget()


def over_queries(function: Callable[..., Any], name: str) -> Function:
    """Turn a function of one query into a measure over all of them."""
    own = inspect.signature(function).parameters.get("rel")
    default = own.default if own else 1

    def measured(alignment: Alignment, **parameters: Value) -> Terms:
        ends = np.searchsorted(alignment.slots.query, np.arange(alignment.queries + 1))
        rel = parameters.get("rel", default)
        relevant = alignment.relevant(rel if isinstance(rel, int | float) else 1)
        values = np.empty(alignment.queries)
        for query, (start, end) in enumerate(zip(ends[:-1].tolist(), ends[1:].tolist(), strict=True)):
            mine = slice(start, end)
            numbers = int(alignment.returned[query]), int(relevant[query])
            one = partial(function, alignment.slots.slot[mine], alignment.slots.grade[mine], *numbers, **parameters)
            values[query] = _one_value(name, one)
        return alignment.query_terms(values)

    measured.__module__ = function.__module__
    return measured


def _one_value(name: str, function: Callable[[], object]) -> float:
    """Return the value of one query, or say what is wrong with it."""
    try:
        value = function()
    except Exception as error:
        if isinstance(error, CatchrateError):
            raise
        place = traceback.extract_tb(error.__traceback__)[-1]
        where = f"line {place.lineno} of {Path(place.filename).name}"
        message = f"measure {name} failed in {where}: {type(error).__name__}: {error}"
        raise InputError.of("E273", message, fix="return a number for any query") from error
    try:
        number = float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        number = np.nan
    if not np.isfinite(number):
        raise InputError.of("E273", f"measure {name} returned {shown(value)}", fix="return one finite number a query")
    return number

"""What may stand behind the dot of `-m name.parameters`: how each kind is read and how it shows in the printed name."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from itertools import pairwise

from catchrate.errors import UsageError, shown
from catchrate.measures.parameters import Value

Choice = tuple[str, Mapping[str, Value]]
"""A printed name, and the parameters of the measure behind it."""
Form = Callable[[str, str | None], list[Choice]]
"""Takes a measure's name and its text behind the dot, None without one."""

_WHOLE = re.compile(r"[0-9]{1,9}")
_NUMBER = re.compile(r"[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?")


def none(name: str, _text: str | None) -> list[Choice]:
    """Take nothing."""
    return [(name, {})]


def length(name: str, text: str | None) -> list[Choice]:
    """Take one whole number."""
    return [(name, {})] if text is None else [(f"{name}_{text}", {"length": _whole(name, text)})]


def cutoffs(default: str) -> Form:
    """Return a form of sorted ranks, one printed row each."""

    def read(name: str, text: str | None) -> list[Choice]:
        values = sorted(_whole(name, part) for part in (text or default).split(","))
        _refuse_repeats(name, values)
        return [(f"{name}_{k}", {"k": k}) for k in values]

    return read


def levels(default: str, parameter: str) -> Form:
    """Return a form of sorted fractions, one printed row each."""

    def read(name: str, text: str | None) -> list[Choice]:
        values = sorted(_number(name, part) for part in (text or default).split(","))
        _refuse_repeats(name, values)
        return [(f"{name}_{x:3.2f}", {parameter: x}) for x in values]

    return read


def numbers(*parameters: str, convert: Callable[[float], float] = float) -> Form:
    """Return a form of a fixed number of values in their order, all in one printed row."""

    def read(name: str, text: str | None) -> list[Choice]:
        if text is None:
            return [(name, {})]
        values = [convert(_number(name, part)) for part in text.split(",")]
        if len(values) != len(parameters):
            raise _refused(name, text, f"it takes {len(parameters)} numbers")
        return [(f"{name}_{text}", dict(zip(parameters, values, strict=True)))]

    return read


def gains(*words: str) -> Form:
    """Return a form of `grade=gain` pairs; each word may stand in place of a grade and is a parameter of its own."""

    def read(name: str, text: str | None) -> list[Choice]:
        if text is None:
            return [(name, {})]
        chosen: dict[str, Value] = {}
        table: dict[int, float] = {}
        for left, number in _pairs(name, text):
            if left in words:
                chosen[left] = number
            else:
                table[_grade(name, left)] = number
        return [(f"{name}_{text}", {**chosen, "gains": tuple(sorted(table.items()))} if table else chosen)]

    return read


def _pairs(name: str, text: str) -> list[tuple[str, float]]:
    pairs = [part.partition("=") for part in text.split(",")]
    if any(not equals for _, equals, _ in pairs) or len({left for left, _, _ in pairs}) < len(pairs):
        raise _refused(name, text, "write each grade once with its gain, such as 1=3,2=9")
    return [(left, _number(name, right)) for left, _, right in pairs]


def _whole(name: str, text: str) -> int:
    if not _WHOLE.fullmatch(text) or not int(text):
        raise _refused(name, text, "write a whole number from 1 upwards")
    return int(text)


def _grade(name: str, text: str) -> int:
    if not _WHOLE.fullmatch(text):
        raise _refused(name, text, "a grade is a whole number from 0 upwards")
    return int(text)


def _number(name: str, text: str) -> float:
    if not _NUMBER.fullmatch(text):
        raise _refused(name, text, "it is a number such as 0.5")
    return float(text)


def _refuse_repeats(name: str, values: list[int] | list[float]) -> None:
    twice = [value for value, following in pairwise(values) if value == following]
    if twice:
        raise _refused(name, f"{twice[0]:g}", "give each cut-off once")


def _refused(name: str, text: str, fix: str) -> UsageError:
    return UsageError.of("E272", f"a parameter of {name} is {shown(text)}", fix=fix)

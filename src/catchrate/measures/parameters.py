"""The kinds of parameters that measures take: each knows how to read, check, print and describe a value."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, Literal

from catchrate.errors import UsageError, shown
from catchrate.limits import MAX_NUMBER

Value = float | int | str | bool | tuple[tuple[float, float], ...] | None


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of parameter."""

    meaning: str
    """What is allowed, in words."""
    read: Callable[[object], Value]
    """Turn text or a Python value into the parameter; ValueError when it is not allowed."""

    def checked(self, name: str, value: object) -> Value:
        """Return the value as this kind, or say what is allowed."""
        try:
            return self.read(value)
        except (ValueError, TypeError, OverflowError):
            message = f"parameter {name} is {shown(value)}"
            raise UsageError.of("E272", message, fix=f"it is {self.meaning}") from None


def whole(value: object) -> int:
    """Read a whole number from 1 upwards; text holds digits only."""
    if isinstance(value, str) and not (value.isascii() and value.isdigit()):
        raise ValueError
    number = _number(value)
    if number < 1 or number != int(number):
        raise ValueError
    return int(number)


def _number(value: object) -> float:
    if isinstance(value, bool) or value is None:
        raise ValueError
    if isinstance(value, str) and not (value.isascii() and set(value) <= set("0123456789.-+e")):
        raise ValueError
    number = float(value)  # type: ignore[arg-type]
    if not abs(number) <= MAX_NUMBER:
        raise ValueError
    return number


def _tidy(number: float) -> float | int:
    return int(number) if number == int(number) else number


def between(low: float, high: float) -> Callable[[object], Value]:
    """Return a reader of numbers in a closed range."""

    def read(value: object) -> Value:
        number = _number(value)
        if not low <= number <= high:
            raise ValueError
        return _tidy(number)

    return read


def _positive(value: object) -> Value:
    number = _number(value)
    if number <= 0:
        raise ValueError
    return _tidy(number)


def _inside(value: object) -> Value:
    number = _number(value)
    if not 0 < number < 1:
        raise ValueError
    return number


def _size(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int | str) or (isinstance(value, str) and len(value) > 19):
        raise ValueError
    if isinstance(value, str) and not (value.isascii() and value.isdigit()):
        raise ValueError
    size = int(value)
    if not 0 <= size <= _LARGEST_SIZE:
        raise ValueError
    return size


_LARGEST_SIZE = 2**63 - 1
"""What trec_eval takes for the number of documents when nobody says it."""


def _yes_or_no(value: object) -> bool:
    known = {"true": True, "yes": True, "false": False, "no": False}
    if isinstance(value, bool):
        return value
    if isinstance(value, str) and value.lower() in known:
        return known[value.lower()]
    raise ValueError


def _gains(value: object) -> Value:
    """Read `1:3;2:9`, `{1: 3, 2: 9}` or a mapping of grades to gains."""
    if isinstance(value, str):
        pairs = [part.split(":") for part in value.strip("{}").replace(";", ",").split(",")]
    elif isinstance(value, Mapping):
        pairs = list(value.items())
    elif isinstance(value, tuple):
        pairs = list(value)
    else:
        raise ValueError
    table = {_tidy(_number(_stripped(grade))): _tidy(_number(_stripped(gain))) for grade, gain in pairs}
    if len(table) != len(pairs) or any(gain < 0 for gain in table.values()):
        raise ValueError
    return tuple(sorted(table.items()))


def _stripped(value: object) -> object:
    return value.strip() if isinstance(value, str) else value


def one_of(*words: str) -> Kind:
    """Return a kind that takes one of a few words."""

    def read(value: object) -> Value:
        if not isinstance(value, str) or value not in words:
            raise ValueError
        return value

    return Kind(f"one of {', '.join(words)}", read)


def optional(kind: Kind) -> Kind:
    """Return the same kind, which may also be left out."""
    return Kind(kind.meaning, lambda value: None if value is None else kind.read(value))


WHOLE = Kind(f"a whole number from 1 to {MAX_NUMBER:,}", whole)

Cutoff = Annotated[int | None, optional(WHOLE)]
"""The first k slots; None is the whole list."""
Grade = Annotated[float, Kind(f"a number of at most {MAX_NUMBER:,} either way", lambda value: _tidy(_number(value)))]
"""The lowest grade that counts as relevant."""
Level = Annotated[float, Kind("a number from 0 to 1", between(0, 1))]
Positive = Annotated[float, Kind(f"a number above 0, at most {MAX_NUMBER:,}", _positive)]
Persistence = Annotated[float, Kind("a number between 0 and 1", _inside)]
MaxGrade = Annotated[int, Kind("a whole number from 1 to 1,023", lambda value: between(1, 1023)(whole(value)))]
Number = Annotated[float, Kind(f"a number of at most {MAX_NUMBER:,} either way", lambda value: _tidy(_number(value)))]
Size = Annotated[int, Kind("a whole number from 0 to 2^63 - 1", _size)]
Gains = Annotated[
    tuple[tuple[float, float], ...] | None,
    optional(Kind("a list of grade:gain such as 1:3;2:9, no gain below 0", _gains)),
]
Flag = Annotated[bool, Kind("true or false", _yes_or_no)]
GainForm = Annotated[Literal["linear", "exponential"], one_of("linear", "exponential")]
Discount = Annotated[Literal["log2", "jarvelin"], one_of("log2", "jarvelin")]
Ideal = Annotated[Literal["judged", "returned"], one_of("judged", "returned")]
Rounding = Annotated[Literal["up", "nearest"], one_of("up", "nearest")]
Pairs = Annotated[Literal["judged", "returned"], one_of("judged", "returned")]


def printed(value: Value) -> str:
    """Spell a value as the grammar reads it."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        return ";".join(f"{grade}:{gain}" for grade, gain in value)
    return str(value)

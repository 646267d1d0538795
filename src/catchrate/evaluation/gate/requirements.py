"""What a gate may require, and how that is written: `recall@10 >= 0.8`, `lower(recall@10) >= 0.8`, `ap by 0.01`."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, TypeVar

from catchrate.errors import UsageError, shown
from catchrate.limits import MAX_MEASURE_BYTES, MAX_NUMBER
from catchrate.measures import Measure, parse

End = Literal["mean", "lower", "upper"]
Sign = Literal[">=", "<="]
NUMBER = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?", re.ASCII | re.IGNORECASE)
SIGN = re.compile(r">=|<=|≥|≤|=>|=<|==?|<|>")
SIGNS: dict[str, Sign] = {">=": ">=", "≥": ">=", "<=": "<=", "≤": "<="}
ENDS: tuple[End, ...] = ("lower", "upper")
BY = re.compile(r"\sby\s", re.IGNORECASE)
FLOOR_FORM = "write recall@10 >= 0.8, or lower(recall@10) >= 0.8 for the lower end of its interval"
MARGIN_FORM = "write ndcg@10 by 0.01"


@dataclass(frozen=True, slots=True, kw_only=True)
class Floor:
    """What the value of a measure has to reach, or must not pass."""

    measure: Measure
    """What is measured."""
    end: End
    """The mean itself, or an end of its interval."""
    sign: Sign
    """On which side of the bound the value has to be; the bound itself is allowed."""
    bound: float
    """The number that is required."""

    @property
    def subject(self) -> str:
        """What is looked at."""
        return str(self.measure) if self.end == "mean" else f"{self.end}({self.measure})"

    def slack(self, value: float) -> float:
        """Return how far a value is on the right side of the bound; less than 0 on the wrong one."""
        return value - self.bound if self.sign == ">=" else self.bound - value

    def __str__(self) -> str:
        return f"{self.subject} {self.sign} {self.bound:g}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Margin:
    """How much worse than the baseline a measure may be."""

    measure: Measure
    """What is measured."""
    by: float
    """The largest loss that is accepted, in the units of the measure."""

    def __str__(self) -> str:
        return f"{self.measure} no worse by {self.by:g}"


def floor_of(text: object) -> Floor:
    """Return what a text requires.

    Raises UsageError with the place that cannot be read, or with the nearest name of a measure.

    >>> floor_of("lower(R@10) >= 80%")
    Floor(measure=..., end='lower', sign='>=', bound=0.8)
    """
    if isinstance(text, Floor):
        return text
    said = _checked(text, FLOOR_FORM)
    found = SIGN.search(_outside_brackets(said))
    if found is None:
        raise _wrong(said, len(said), "a sign is missing", FLOOR_FORM)
    sign = SIGNS.get(found[0])
    if sign is None:
        instead = "<=" if "<" in found[0] else ">="
        raise _wrong(said, found.start(), f"the sign {shown(found[0])} is none of >= and <=", f"write {instead}")
    measure, end = _measure_or_end(said, said[: found.start()])
    bound = _number(said, found.end(), FLOOR_FORM)
    _refuse_other_side(measure, sign)
    _refuse_out_of_range(measure, bound)
    return Floor(measure=measure, end=end, sign=sign, bound=bound)


def margin_of(text: object) -> Margin:
    """Return how much worse a text allows a measure to be.

    Raises UsageError with the place that cannot be read, or with the nearest name of a measure.

    >>> str(margin_of("nDCG@10 by 0.01"))
    'ndcg@10 no worse by 0.01'
    """
    if isinstance(text, Margin):
        return text
    said = _checked(text, MARGIN_FORM)
    found = BY.search(said)
    if found is None:
        raise _wrong(said, len(said), "the margin is missing", MARGIN_FORM)
    measure = _measure(said, said[: found.start()], 0)
    if measure.row.higher_is_better is None:
        raise _wrong(said, 0, f"{measure} has no better side", "name a measure that is better when higher, or lower")
    if said.rstrip().endswith("%"):
        fix = "a margin is a difference in the units of the measure: write by 0.01"
        raise _wrong(said, said.index("%"), "a share of what is not said", fix)
    by = _number(said, found.end(), MARGIN_FORM)
    if by <= 0:
        fix = "give the largest loss that does not matter, such as 0.01"
        raise _wrong(said, found.end(), f"a margin of {by:g} can never be shown to hold", fix)
    return Margin(measure=measure, by=by)


def _checked(text: object, form: str) -> str:
    if not isinstance(text, str):
        raise UsageError.of("E320", f"a requirement is {shown(text)}", fix=f"{form}, as text")
    if len(text.encode("utf-8", "replace")) > MAX_MEASURE_BYTES:
        raise UsageError.of("E320", f"{shown(text)} is too long", fix=f"use at most {MAX_MEASURE_BYTES} bytes")
    return text


def _outside_brackets(text: str) -> str:
    """Return a text of the same length in which what stands in brackets is blank."""
    depth, out = 0, ""
    for char in text:
        depth += char == "("
        out += " " if depth > 0 else char
        depth -= char == ")" and depth > 0
    return out


def _measure_or_end(said: str, part: str) -> tuple[Measure, End]:
    """Return the measure of `recall@10` or `lower(recall@10)`, and which end of its interval is meant."""
    plain = part.strip()
    for end in ENDS:
        if plain.lower().startswith(f"{end}(") and plain.endswith(")"):
            return _measure(said, plain[len(end) + 1 : -1], said.index("(") + 1), end
    return _measure(said, part, 0), "mean"


def _measure(said: str, part: str, position: int) -> Measure:
    if not part.strip():
        raise _wrong(said, position, "a measure is missing", "name one, such as recall@10")
    try:
        return parse(part)
    except UsageError as error:
        found = error.findings[0]
        raise _wrong(said, position, found.message, found.fix) from error


def _number(said: str, position: int, form: str) -> float:
    text = said[position:].strip()
    plain = text.removesuffix("%").rstrip()
    value = float(plain) if NUMBER.fullmatch(plain) else math.nan
    if not abs(value) <= MAX_NUMBER:
        position += len(said[position:]) - len(said[position:].lstrip())
        raise _wrong(said, position, f"{shown(text, 40)} is no number" if text else "a number is missing", form)
    return value / 100 if text.endswith("%") else value


def _refuse_other_side(measure: Measure, sign: Sign) -> None:
    better = measure.row.higher_is_better
    if better is not None and better is (sign == "<="):
        side, other = ("higher", ">=") if better else ("lower", "<=")
        raise UsageError.of("E320", f"{measure} is better when {side}, and {sign} asks for less", fix=f"write {other}")


def _refuse_out_of_range(measure: Measure, bound: float) -> None:
    low, high = measure.row.range
    if measure.row.aggregate != "sum" and not low <= bound <= high:
        fix = f"did you mean {bound:g}%?" if low <= bound / 100 <= high else "give a number that it can have"
        raise UsageError.of("E320", f"{measure} lies between {low:g} and {high:g}, never at {bound:g}", fix=fix)


def _wrong(said: str, position: int, message: str, fix: str) -> UsageError:
    return UsageError.of("E320", f"{shown(said)}, at character {position + 1}: {message}", fix=fix)


T = TypeVar("T")


def several(said: str | T | Iterable[str | T] | None) -> tuple[str | T, ...]:
    """Return one thing, or many, as many."""
    if said is None:
        return ()
    return tuple(said) if isinstance(said, Iterable) and not isinstance(said, str) else (said,)

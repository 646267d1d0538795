"""A number as another tool printed it, with everything that it may have been before it was rounded."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

from catchrate.errors import UsageError, shown

MAX_DIGITS = 40
"""Longest number: a 64-bit float has 17 digits that mean something."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Printed:
    """A printed number."""

    text: str
    """As it was given."""
    value: float
    """What it says; percent are a share."""
    half: float
    """Half of its last digit: the number lay between `value - half` and `value + half`."""

    def holds(self, number: float) -> bool:
        """Tell whether a number is printed like this."""
        return abs(number - self.value) <= self.half + TINY


TINY = 1e-12
"""The room that sums of floats need: the tools add in different orders."""


def printed(got: str | float, *, most: float) -> Printed:
    """Read a number such as 0.731, "73.1%" or 73.1; above `most`, the largest value of the measure, it is in percent.

    A whole number stands for itself, any other one for all that are rounded to it.

    Raises UsageError for anything that is no number.

    >>> printed("0.731", most=1), printed(73.1, most=1).value
    (Printed(text='0.731', value=0.731, half=0.0005), 0.731)
    """
    text = str(got).strip()
    number = _decimal(text.removesuffix("%"))
    percent = text.endswith("%") or (abs(number) > most and abs(number) <= 100)
    exponent = number.as_tuple().exponent
    places = -exponent if isinstance(exponent, int) else 0
    whole = places <= 0 and not percent
    half = Decimal(0) if whole else Decimal(5).scaleb(-places - 1)
    scale = 100 if percent else 1
    return Printed(text=text, value=float(number / scale), half=float(half / scale))


def _decimal(text: str) -> Decimal:
    try:
        number = Decimal(text) if len(text) <= MAX_DIGITS and text.isascii() and "_" not in text else Decimal("nan")
    except InvalidOperation:
        number = Decimal("nan")
    if not number.is_finite() or abs(number) > 10**9:
        fix = "write it as it was printed, such as 0.731 or 73.1%"
        raise UsageError.of("E361", f"{shown(text)} is no number", fix=fix)
    return number

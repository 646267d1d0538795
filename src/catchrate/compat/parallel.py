"""Two parallel lists, one entry a question on both sides, as evaluators of other systems take them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, cast

from catchrate.errors import InputError, shown

Lists = Sequence[Sequence[Any]]


def paired(
    relevant: object, retrieved: object, *, names: tuple[str, str], of: str, fits: Callable[[object], bool]
) -> list[tuple[Sequence[Any], Sequence[Any]]]:
    """Return both lists of each question; `of` names what they hold, and `fits` knows it.

    Raises InputError when there is no question, when one side has more, or when something else stands there.
    """
    sides = [_checked(side, name, of, fits) for side, name in zip((relevant, retrieved), names, strict=True)]
    one, other = map(len, sides)
    if one != other:
        message = f"{names[0]} has {one:,} lists and {names[1]} {other:,}"
        raise InputError.of("E261", message, fix="give one list of each for every question")
    if not one:
        raise InputError.of("E101", "there are no questions", fix=f"give one list of {of} for every question")
    return list(zip(*sides, strict=True))


def _checked(side: object, name: str, of: str, fits: Callable[[object], bool]) -> Lists:
    if not isinstance(side, list | tuple):
        raise InputError.of("E260", f"{name} is {shown(repr(side), 40)}", fix=f"give a list of lists of {of}")
    for number, entries in enumerate(side, start=1):
        is_list = isinstance(entries, list | tuple)
        odd = [entry for entry in entries if not fits(entry)] if is_list else [entries]
        if odd:
            message = f"{name} holds {shown(repr(odd[0]), 40)} for question {number}"
            raise InputError.of("E260", message, fix=f"give each question a list of {of}")
    return cast("Lists", side)

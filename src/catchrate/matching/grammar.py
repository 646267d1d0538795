"""How rules are written: `covered`, `covered(0.7)`, `contained(either=true)`."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import Field, fields
from difflib import get_close_matches
from typing import Any

from catchrate.errors import UsageError, shown
from catchrate.limits import MAX_MEASURE_BYTES
from catchrate.matching.fuzzy import Fuzzy
from catchrate.matching.parent import Parent
from catchrate.matching.rules import Match, OwnRule, Rule
from catchrate.matching.spans import Spans
from catchrate.matching.strings import Contained, Exact, Normalised, Remem
from catchrate.matching.tokens import Containment, Covered, Overlap

RULES: Mapping[str, type[Rule]] = {
    rule.name: rule
    for rule in (Covered, Contained, Normalised, Exact, Containment, Overlap, Fuzzy, Spans, Remem, Parent)
}
"""Every rule by its name."""
OTHER_NAMES: Mapping[str, str] = {
    "coverage": "covered",
    "contains": "contained",
    "substring": "contained",
    "normalized": "normalised",
    "jaccard": "overlap",
    "span": "spans",
}
"""What people call them, too."""

_SPELLING = re.compile(r"\s*([A-Za-z_]+)\s*(?:\((.*)\))?\s*", re.DOTALL)


def parse_rule(match: Match) -> Rule:
    """Return the rule that a spelling names.

    Raises UsageError with the nearest name, or with what a parameter may be.

    >>> str(parse_rule("covered(0.70)")), str(parse_rule("contained( either = TRUE )"))
    ('covered(0.7)', 'contained(either=true)')
    """
    if isinstance(match, Rule):
        return match
    if not isinstance(match, str) and callable(match):
        return OwnRule(match)
    if not isinstance(match, str) or len(match) > MAX_MEASURE_BYTES:
        raise UsageError.of("E290", f"match is {shown(match)}", fix=f"name a rule: {', '.join(RULES)}")
    spelled = _SPELLING.fullmatch(match)
    if spelled is None:
        fix = "write name(parameter=value), such as covered(0.7) or contained(either=true)"
        raise UsageError.of("E290", f"{shown(match)} is not the name of a rule", fix=fix)
    rule = _find(spelled[1])
    if issubclass(rule, Parent):
        return rule.spelled((spelled[2] or "").strip())
    return rule(**_arguments(rule, (spelled[2] or "").strip()))


def _find(name: str) -> type[Rule]:
    folded = name.lower()
    known = RULES.get(OTHER_NAMES.get(folded, folded))
    if known is None:
        near = get_close_matches(folded, [*RULES, *OTHER_NAMES], n=1, cutoff=0.6)
        fix = f"did you mean {near[0]}?" if near else f"use one of {', '.join(RULES)}"
        raise UsageError.of("E290", f"no rule of matching is called {shown(name)}", fix=fix)
    return known


def _arguments(rule: type[Rule], inside: str) -> dict[str, Any]:
    known = {field.name: field for field in fields(rule)}
    given: dict[str, Any] = {}
    for place, part in enumerate(inside.split(",") if inside else ()):
        name, equals, value = (text.strip() for text in part.partition("="))
        if not equals and place == 0 and known:
            name, value = next(iter(known)), name
        if name not in known:
            near = get_close_matches(name, known, n=1, cutoff=0.5)
            allowed = f"did you mean {near[0]}?" if near else f"it takes {', '.join(known) or 'nothing'}"
            raise UsageError.of("E290", f"{rule.name} takes no {shown(name)}", fix=allowed)
        if name in given:
            raise UsageError.of("E290", f"{name} stands twice", fix="give it once")
        given[name] = _value(rule, known[name], value)
    return given


def _value(rule: type[Rule], field: Field[Any], text: str) -> object:
    read, allowed = _KINDS[type(field.default)]
    try:
        return read(text)
    except (ValueError, KeyError):
        message = f"{field.name} of {rule.name} is {shown(text)}"
        raise UsageError.of("E290", message, fix=f"give {allowed}") from None


def _number(text: str) -> float:
    if not re.fullmatch(r"[0-9]{0,9}\.?[0-9]{0,9}", text):
        raise ValueError(text)
    return float(text)


_KINDS: Mapping[type, tuple[Callable[[str], object], str]] = {
    float: (_number, "a number"),
    int: (lambda text: int(_number(text)) if text.isdigit() else int(""), "a whole number"),
    bool: (lambda text: {"true": True, "false": False}[text.lower()], "true or false"),
}
"""How a value is read, by the kind of its default."""

"""The spellings of measures: `name(parameter=value)@k`, and those of trec_eval, ir_measures and ranx."""

from __future__ import annotations

import difflib
import math
import re
from collections.abc import Iterable, Mapping
from functools import lru_cache

from catchrate.errors import UsageError, shown
from catchrate.limits import MAX_MEASURE_BYTES
from catchrate.measures.chosen import Measure, choose, example
from catchrate.measures.parameters import Flag, Kind, Value
from catchrate.measures.registry import FORGET, TABLE, Row

GRAMMAR = re.compile(
    r"(?P<name>[A-Za-z0-9][A-Za-z0-9_.\-]*?)"
    r"(?:\((?P<inside>[^()]*)\))?"
    r"(?:@(?P<at>[0-9.]+|[A-Za-z0-9_.\-+]+))?"
    r"(?:-l(?P<rel>[0-9]+))?"
)
ARGUMENT = re.compile(r"\s*(\w+)\s*(?:=|(?<=budget)@)\s*('[^']*'|\"[^\"]*\"|\{[^{}]*\}|[^,{}'\"]+?)\s*(?:,|$)")
HOLE = {"k": r"(?P<k>\d+)", "level": r"(?P<level>\d*\.?\d+)", "p": r"(?P<p>\d*\.\d+)", "times": r"(?P<times>\d*\.?\d+)"}
OTHERS_WORDS: Mapping[str, Mapping[str, Mapping[str, Value]]] = {
    "dcg": {"log2": {}, "exp-log2": {"gain": "exponential"}},
}
"""Parameters of ir_measures that we spell otherwise."""
RELATIVE = re.compile(r"\brelative\s*=\s*(true|false)\s*(,|$)", re.IGNORECASE)
COUNTED = re.compile(r"\brel\s*=")
"""Parameters of ir_measures that choose another measure: SetP(relative=True), NumRet(rel=1)."""

BETA_IS_SQUARED = "setf"
"""ir_measures' SetF(beta=x) is trec_eval's set_F, whose x is the square of what everybody else calls beta."""


def parse(text: str | Measure) -> Measure:
    """Return the measure that a spelling names.

    Raises UsageError with the position, or with the nearest name.

    >>> str(parse("nDCG(dcg='exp-log2')@10"))
    'ndcg(gain=exponential)@10'
    >>> parse("recall_10") == parse("R@10") == parse("recall@10")
    True
    """
    if isinstance(text, Measure):
        return text
    if not isinstance(text, str):
        raise UsageError.of("E270", f"{shown(text)} is not the name of a measure", fix="write it as text")
    if len(text.encode("utf-8", "replace")) > MAX_MEASURE_BYTES:
        raise UsageError.of("E270", f"{shown(text)} is too long", fix=f"use at most {MAX_MEASURE_BYTES} bytes")
    return _parse(text.strip())


@lru_cache(maxsize=4096)
def _parse(text: str) -> Measure:
    match = GRAMMAR.fullmatch(text)
    if match is None:
        raise _malformed(text)
    row, parameters = _find(match["name"])
    row, inside = _chosen_by_parameter(row, match["inside"] or "")
    given = _arguments(row, inside, text)
    judged_only, budget = bool(given.pop("judged_only", False)), given.pop("budget", None)
    if match["name"].lower() == BETA_IS_SQUARED and "beta" in given:
        given["beta"] = math.sqrt(float(row.checked("beta", given["beta"])))  # type: ignore[arg-type]
    behind: dict[str, Value] = {} if match["rel"] is None else {"rel": match["rel"]}
    if match["at"] is not None:
        if row.at is None:
            raise UsageError.of("E272", f"measure {row.name} takes nothing behind @", fix=f"write {row.name}")
        behind[row.at] = match["at"]
    for more in (given, behind):
        _refuse_contradictions(parameters, more, text)
        parameters |= more
    return choose(row, parameters, judged_only=judged_only, budget=budget)


def _refuse_contradictions(parameters: Mapping[str, Value], more: Mapping[str, Value], text: str) -> None:
    """Refuse a parameter that the spelling gives two values."""
    for name in sorted(parameters.keys() & more.keys()):
        if str(parameters[name]) != str(more[name]):
            message = f"parameter {name} is {parameters[name]} and {more[name]} in {shown(text)}"
            raise UsageError.of("E272", message, fix="give it once")


def parse_all(measures: str | Measure | Iterable[str | Measure]) -> tuple[Measure, ...]:
    """Return the measures of one text separated by blanks or commas, or of many texts; repeats count once."""
    if isinstance(measures, str | Measure):
        measures = _split(measures) if isinstance(measures, str) else [measures]
    if not isinstance(measures, Iterable):
        raise UsageError.of("E270", f"measures is {shown(measures)}", fix='name them, such as "recall@10 ndcg@10"')
    found = tuple(dict.fromkeys(parse(m) for m in measures))
    if not found:
        raise UsageError.of("E270", "no measure is named", fix="name one, such as recall@10")
    return found


def _split(text: str) -> list[str]:
    """Split at blanks and commas outside brackets."""
    return re.findall(r"(?:[^\s,(]|\([^()]*\)?)+", text)


def _find(name: str) -> tuple[Row, dict[str, Value]]:
    exact, patterns = _spellings()
    folded = name.lower().replace("-", "_")
    if name in exact or folded in exact:
        row, fixed = exact.get(name) or exact[folded]
        return TABLE[row], dict(fixed)
    for pattern, row, fixed in patterns:
        match = pattern.fullmatch(folded)
        if match:
            return TABLE[row], dict(fixed) | {k: v for k, v in match.groupdict().items() if v is not None}
    raise _unknown(name)


@lru_cache(maxsize=1)
def _spellings() -> tuple[
    dict[str, tuple[str, Mapping[str, Value]]], list[tuple[re.Pattern[str], str, Mapping[str, Value]]]
]:
    """Return all spellings: the plain ones, and patterns for those that carry a number."""
    exact: dict[str, tuple[str, Mapping[str, Value]]] = {}
    patterns: list[tuple[re.Pattern[str], str, Mapping[str, Value]]] = []
    for row in TABLE.values():
        exact[row.name.lower()] = (row.name, {})
        for alias in row.aliases:
            text, fixed = (alias, {}) if isinstance(alias, str) else alias
            folded = text.lower().replace("-", "_")
            if "{" in text:
                pattern = re.sub(r"\\{(\w+)\\}", lambda hole: HOLE[hole[1]], re.escape(folded))
                patterns.append((re.compile(pattern), row.name, fixed))
            else:
                exact.setdefault(text if fixed else folded, (row.name, fixed))
                exact.setdefault(folded, (row.name, fixed))
    return exact, patterns


def _chosen_by_parameter(row: Row, inside: str) -> tuple[Row, str]:
    """Return the row that a parameter of ir_measures chooses, and the parameters that are left."""
    if row.name == "num_ret" and COUNTED.search(inside):
        return TABLE["num_rel_ret"], inside
    relative = RELATIVE.search(inside) if row.name == "precision" else None
    if relative is None:
        return row, inside
    left = (inside[: relative.start()] + inside[relative.end() :]).rstrip(" ,")
    return TABLE["relative_precision" if relative[1].lower() == "true" else "precision"], left


FORGET += [_parse.cache_clear, _spellings.cache_clear]


def _arguments(row: Row, inside: str, text: str) -> dict[str, Value]:
    given: dict[str, Value] = {}
    position = 0
    while position < len(inside):
        match = ARGUMENT.match(inside, position)
        if match is None:
            raise _malformed(text, text.index("(") + 2 + position)
        position = match.end()
        name, value = match[1], match[2].strip("'\"")
        if name == "cutoff" and row.at == "k":
            name = "k"
        if name in given:
            raise UsageError.of("E272", f"parameter {name} stands twice in {shown(text)}", fix="give it once")
        if name == "judged_only":
            given[name] = _FLAG.checked(name, value)
        elif row.parameter(name) is None and value.lower() in OTHERS_WORDS.get(name, {}):
            given |= OTHERS_WORDS[name][value.lower()]
        else:
            given[name] = value
    return given


_FLAG: Kind = Flag.__metadata__[0]  # type: ignore[attr-defined]


def _unknown(name: str) -> UsageError:
    exact, _ = _spellings()
    stem = re.sub(r"[_.@]?\d+$", "", name.lower())
    near = difflib.get_close_matches(stem, exact, n=1, cutoff=0.6)
    fix = f"did you mean {example(TABLE[exact[near[0]][0]])}?" if near else "`catchrate measures` lists them all"
    return UsageError.of("E271", f"no measure is called {shown(name)}", fix=fix)


def _malformed(text: str, position: int | None = None) -> UsageError:
    where = position or _first_bad(text)
    message = f"{shown(text)} is not the name of a measure (character {where})"
    return UsageError.of(
        "E270", message, fix="write name(parameter=value)@k, such as recall@10 or ndcg(gain=exponential)@10"
    )


def _first_bad(text: str) -> int:
    """Return the position, from 1, of the first character that the grammar cannot take."""
    good = re.match(r"[A-Za-z0-9][A-Za-z0-9_.\-]*(?:\([^()]*\))?(?:@[A-Za-z0-9_.\-+]*)?", text)
    return (good.end() if good else 0) + 1

"""Strict JSON: Python's parser, without what it lets pass: NaN, 1e999, repeated keys, half characters, deep nesting."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from typing import NoReturn

import numpy as np

from catchrate.errors import InputError, shown
from catchrate.formats.text import line_at
from catchrate.limits import MAX_JSON_DEPTH, MAX_RECORD_BYTES
from catchrate.tables.checks import first_repeated

_SPACE = re.compile(r"[ \t\r\n]*")
_BUT_BRACKETS = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"?|[^][{}"]+', re.DOTALL)
_HALF_CHARACTER = re.compile(r"\\u[dD][89a-fA-F]")
_CLOSING = re.compile(r",[ \t\r\n]*[]}]")
_OPENING = (ord("["), ord("{"))


class _Refused(Exception):
    """What a hook of the parser refuses; the line is known one level up."""

    def __init__(self, code: str, message: str, fix: str) -> None:
        super().__init__(code, message, fix)


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) < len(pairs):
        twice = first_repeated(key for key, _ in pairs)
        raise _Refused("E231", f"the key {shown(twice)} stands twice in one object", "keep one of them")
    return found


def _finite(literal: str) -> float:
    value = float(literal)
    if math.isinf(value):
        raise _Refused("E233", f"the number {shown(literal, 40)} is too large", "write a smaller number")
    return value


def _no_constant(literal: str) -> NoReturn:
    raise _Refused("E233", f"{literal} is not JSON", "write a number, or leave the field out")


_DECODER = json.JSONDecoder(object_pairs_hook=_unique, parse_float=_finite, parse_constant=_no_constant)


def parse_at(text: str, start: int, name: str, first_line: int) -> tuple[object, int]:
    """Return the JSON value at a position of a text, and the position behind it."""
    try:
        value, end = _DECODER.raw_decode(text, start)
    except _Refused as error:
        code, message, fix = error.args
        raise InputError.of(code, message, fix=fix, file=name, line=first_line) from error
    except json.JSONDecodeError as error:
        line = first_line + text.count("\n", start, error.pos)
        if _is_behind_comma(text, error.pos):
            message = "a comma behind the last element"
            raise InputError.of("E230", message, fix="remove it", file=name, line=line) from error
        message = f"this is not JSON: {error.msg} at {shown(text[error.pos : error.pos + 30])}"
        raise InputError.of("E230", message, fix="correct the line", file=name, line=line) from error
    except ValueError as error:
        message = "a number has thousands of digits"
        raise InputError.of("E233", message, fix="write a smaller number", file=name, line=first_line) from error
    _refuse_half_characters(text, start, end, value, name, first_line)
    return value, end


def _is_behind_comma(text: str, position: int) -> bool:
    """Tell whether the parser stopped at a comma that nothing follows, or at what stands behind it."""
    comma = text.rfind(",", 0, position + 1)
    closing = _CLOSING.match(text, comma) if comma >= 0 else None
    return closing is not None and closing.end() > position


def _refuse_half_characters(text: str, start: int, end: int, value: object, name: str, line: int) -> None:
    if not _HALF_CHARACTER.search(text, start, end):
        return
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError as error:
        message = "text holds half of a character, such as \\ud800 alone"
        raise InputError.of("E104", message, fix="write both halves, or the character", file=name, line=line) from error


def refuse_deep(text: str, name: str, line: int) -> None:
    """Refuse deep nesting before the parser, which recurses, sees it."""
    if text.count("[") + text.count("{") <= MAX_JSON_DEPTH:
        return
    brackets = np.frombuffer(_BUT_BRACKETS.sub("", text).encode("ascii", "replace"), np.uint8)
    depth = np.cumsum(np.where(np.isin(brackets, _OPENING), 1, -1)).max(initial=0)
    if depth > MAX_JSON_DEPTH:
        message = f"JSON nested {depth:,} levels deep"
        raise InputError.of("E232", message, fix=f"nest at most {MAX_JSON_DEPTH} levels", file=name, line=line)


def parse_lines(text: str, name: str) -> Iterator[tuple[int, object]]:
    """Yield the number of each line and the one JSON value on it."""
    for number, line in enumerate(text.rstrip("\r\n\t ").split("\n"), start=1):
        if len(line) > MAX_RECORD_BYTES:
            fix = f"a record has at most {MAX_RECORD_BYTES >> 20} MiB"
            raise InputError.of("E108", f"a line of {len(line):,} characters", fix=fix, file=name, line=number)
        start = _behind_space(line, 0)
        if start == len(line):
            raise InputError.of("E230", "the line is blank", fix="remove the line", file=name, line=number)
        refuse_deep(line, name, number)
        try:
            value, end = parse_at(line, start, name, number)
        except InputError as error:
            raise _hinted(error, line, name, number) from error
        _refuse_rest(line, end, name, number)
        yield number, value


def _hinted(error: InputError, line: str, name: str, number: int) -> InputError:
    """Say what the whole file may be, when a line is only the beginning of a value."""
    if error.code != "E230" or line.rstrip()[-1:] not in "{[,":
        return error
    message = "the line ends within a JSON value"
    fix = "write one object on each line, or read one JSON value over several lines with format='json'"
    return InputError.of("E230", message, fix=fix, file=name, line=number)


def _refuse_rest(line: str, end: int, name: str, number: int) -> None:
    start = _behind_space(line, end)
    if start == len(line):
        return
    fix = {"{": "write each object on a line of its own", ",": "remove the comma; JSONL has none between lines"}
    message = f"more text behind the object: {shown(line[start : start + 30])}"
    hint = fix.get(line[start], "write one object on each line")
    raise InputError.of("E230", message, fix=hint, file=name, line=number)


def parse_array(text: str, name: str) -> Iterator[tuple[int, object]]:
    """Yield the line and the value of each element of the one JSON array that a text is."""
    refuse_deep(text, name, 1)
    position = _behind_space(text, _behind_space(text, 0) + 1)
    closed, line, counted = text.startswith("]", position), 1, 0
    while not closed:
        line, counted = line + text.count("\n", counted, position), position
        value, end = parse_at(text, position, name, line)
        yield line, value
        position, closed = _behind_element(text, end, name)
    _refuse_more(text, position + 1, name)


def _behind_element(text: str, end: int, name: str) -> tuple[int, bool]:
    """Return where the next element begins, or where the array ends, and which of them it is."""
    position = _behind_space(text, end)
    if text.startswith("]", position):
        return position, True
    if not text.startswith(",", position):
        message = f"a comma or ] is missing at {shown(text[position : position + 30])}"
        raise InputError.of("E230", message, fix="is the file whole?", file=name, line=line_at(text, position))
    following = _behind_space(text, position + 1)
    if text.startswith("]", following):
        message = "a comma behind the last element"
        raise InputError.of("E230", message, fix="remove it", file=name, line=line_at(text, position))
    return following, False


def parse_whole(text: str, name: str) -> object:
    """Return the one JSON value that a text is."""
    refuse_deep(text, name, 1)
    value, end = parse_at(text, _behind_space(text, 0), name, 1)
    _refuse_more(text, end, name)
    return value


def _refuse_more(text: str, end: int, name: str) -> None:
    position = _behind_space(text, end)
    if position < len(text):
        message = f"more text behind the JSON value: {shown(text[position : position + 30])}"
        fix = "keep one value, or read one object a line with format='jsonl'"
        raise InputError.of("E230", message, fix=fix, file=name, line=line_at(text, position))


def _behind_space(text: str, start: int) -> int:
    found = _SPACE.match(text, start)
    return found.end() if found else start

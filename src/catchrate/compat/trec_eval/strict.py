"""`--strict-compat`: numbers read as C reads them, from the left until it makes no sense. And what to do without it.

The rest of the library refuses such numbers. Here the bytes are rewritten to what the original took them for, and then
read as usual; what the original's reading leaves undefined (a score that is NaN, a NUL byte) stays refused.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from math import isinf

from catchrate.errors import Finding, InputError, shown
from catchrate.formats import Source

_WHOLE = re.compile(rb"[-+]?[0-9]+")
_HEX = re.compile(rb"[-+]?0[xX]([0-9a-fA-F]+\.?[0-9a-fA-F]*|\.[0-9a-fA-F]+)([pP][-+]?[0-9]+)?")
_DECIMAL = re.compile(rb"[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?")
_INFINITE = re.compile(rb"[-+]?inf", re.IGNORECASE)
_NAN = re.compile(rb"[-+]?nan", re.IGNORECASE)

_FIXES = {
    "E201": "judgments are TREC files here; `catchrate evaluate` reads other formats",
    "E202": "write a whole number; --strict-compat reads the whole number in front",
    "E206": "keep one of the judgments",
    "E214": "write it with a decimal point; --strict-compat reads the number in front",
    "E216": "keep one of the rows",
    "E219": "runs are TREC files here; `catchrate evaluate` reads other formats",
}
"""What to do in this command, where the library's own advice names options that it does not have."""


def with_own_fixes(error: InputError) -> InputError:
    """Return the error with advice that fits this command."""
    findings = [replace(f, fix=_FIXES.get(f.code, f.fix)) for f in error.findings]
    return InputError(findings, total=error.total)


@dataclass(frozen=True, slots=True)
class Lenient:
    """How the numbers of one column may be read, once they are refused."""

    column: int
    number: Callable[[bytes], bytes]
    """Returns what the original takes a text for."""
    codes: frozenset[str]
    """The refusals that this answers."""

    def rewritten(self, source: Source) -> tuple[bytes, Finding]:
        """Return the bytes of a source with the numbers as the original takes them, and a note."""
        lines: list[bytes] = []
        changes: list[tuple[int, bytes, bytes]] = []
        for place, line in enumerate(b"".join(source.chunks()).split(b"\n"), start=1):
            columns = line.split()
            text = columns[self.column] if len(columns) > self.column else b""
            taken = self.number(text) if text else text
            if taken != text:
                changes.append((place, text, taken))
                columns[self.column] = taken
                line = b" ".join(columns)
            lines.append(line)
        return b"\n".join(lines), _told(changes, source.name)


def _told(changes: list[tuple[int, bytes, bytes]], name: str) -> Finding:
    if not changes:
        return Finding(code="W282", message="no number had to be read otherwise", file=name, count=0)
    place, text, taken = changes[0]
    message = f"{shown(text.decode(errors='replace'))} was read as {taken.decode()}"
    return Finding(code="W282", message=message, fix="correct the file", file=name, line=place, count=len(changes))


def _c_whole(text: bytes) -> bytes:
    match = _WHOLE.match(text)
    return match[0] if match else b"0"


def _c_float(text: bytes) -> bytes:
    if _NAN.match(text):
        return text
    if _INFINITE.match(text):
        return _infinite(text)
    if match := _HEX.match(text):
        return _from_hex(match[0])
    match = _DECIMAL.match(text)
    if match is None:
        return b"0"
    return _infinite(text) if isinf(float(match[0])) else match[0]


def _from_hex(text: bytes) -> bytes:
    try:
        return repr(float.fromhex(text.decode())).encode()
    except OverflowError:
        return _infinite(text)


def _infinite(text: bytes) -> bytes:
    return b"-inf" if text.startswith(b"-") else b"inf"


GRADES = Lenient(column=3, number=_c_whole, codes=frozenset({"E202", "E204"}))
SCORES = Lenient(column=4, number=_c_float, codes=frozenset({"E213", "E214"}))

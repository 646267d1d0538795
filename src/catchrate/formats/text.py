"""Bytes to text, for the formats that are read whole."""

from __future__ import annotations

from catchrate.errors import Finding, InputError, shown
from catchrate.formats.source import Source

UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")


def text_of(source: Source, encoding: str = "utf-8") -> tuple[str, tuple[Finding, ...]]:
    """Return the whole text without its byte order mark, and what was noticed.

    Raises InputError for other encodings, bytes that do not decode, NUL bytes and empty inputs.
    """
    data = source.read()
    if encoding == "utf-8" and data.startswith(UTF16_MARKS):
        raise InputError.of("E102", "the text is UTF-16", fix="read it with encoding='utf-16'", file=source.name)
    text = _decoded(data, encoding, source.name)
    if "\0" in text:
        position = text.index("\0")
        message = f"a NUL byte at character {position:,}"
        raise InputError.of("E105", message, fix="remove it", file=source.name, line=line_at(text, position))
    if not text or text.isspace():
        raise InputError.of("E101", "the input is empty", fix="check how it was written", file=source.name)
    if not text.startswith("\ufeff"):
        return text, source.notes()
    note = Finding(code="N115", message="the text begins with a byte order mark, which was left out", file=source.name)
    return text[1:], (*source.notes(), note)


def _decoded(data: bytes, encoding: str, name: str) -> str:
    try:
        return data.decode(encoding)
    except UnicodeError as error:
        start = getattr(error, "start", 0)
        message = f"byte {start:,} is not {encoding}: {shown(data[start : start + 8])}"
        fix = "save the file as UTF-8, or name its encoding with encoding=..."
        line = data.count(b"\n", 0, start) + 1
        raise InputError.of("E104", message, fix=fix, file=name, line=line) from error


def line_at(text: str, position: int) -> int:
    """Return the line, counted from 1, on which a character stands."""
    return text.count("\n", 0, position) + 1

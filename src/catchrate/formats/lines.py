"""Blocks of whole lines in UTF-8, and quick looks at them that spare the readers a look at every line."""

from __future__ import annotations

import codecs
import re
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from functools import reduce
from typing import TypeVar

import numpy as np
import polars as pl

from catchrate.errors import Finding, InputError, shown
from catchrate.formats.source import Source
from catchrate.limits import BLOCK_BYTES, MAX_LINE_BYTES

T = TypeVar("T")
R = TypeVar("R")
STEP_BYTES = 1 << 18
"""Bytes looked at together: small enough to stay in the cache."""

_BLANKS = int.from_bytes(b"  ", "little")
_COMMENT = re.compile(rb"^[ ]*#.*\n?", re.MULTILINE)


def line_blocks(source: Source, encoding: str = "utf-8", size: int = BLOCK_BYTES) -> Iterator[bytes]:
    """Yield the text in UTF-8 without its byte order mark, in blocks that end where a line ends.

    Raises InputError for text that is UTF-16 without saying so and for bytes that do not decode.
    """
    chunks = source.chunks(size)
    if not is_utf8_name(encoding):
        chunks = _recoded(chunks, encoding, source.name)
    return _whole_lines(_unmarked(chunks, source.name))


def mark_note(source: Source) -> tuple[Finding, ...]:
    """Return a note when the text begins with a byte order mark."""
    if not source.head(3).startswith(codecs.BOM_UTF8):
        return ()
    return (Finding(code="N115", message="the text begins with a byte order mark; it was left out", file=source.name),)


def is_utf8_name(encoding: str) -> bool:
    """Tell whether an encoding is UTF-8, by whatever name."""
    return codecs.lookup(encoding).name == "utf-8"


def _recoded(chunks: Iterator[bytes], encoding: str, name: str) -> Iterator[bytes]:
    decoder = codecs.getincrementaldecoder(encoding)()
    try:
        for chunk in chunks:
            yield decoder.decode(chunk).encode()
        yield decoder.decode(b"", final=True).encode()
    except UnicodeError as error:
        fix = "name the encoding it has with encoding=..."
        raise InputError.of("E104", f"the text is not {encoding} ({shown(error)})", fix=fix, file=name) from error


def _unmarked(chunks: Iterator[bytes], name: str) -> Iterator[bytes]:
    first = b""
    while len(first) < len(codecs.BOM_UTF8) and (chunk := next(chunks, b"")):
        first += chunk
    if first.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise InputError.of("E102", "the text is UTF-16", fix="read it with encoding='utf-16'", file=name)
    yield first.removeprefix(codecs.BOM_UTF8)
    yield from chunks


def _whole_lines(chunks: Iterator[bytes]) -> Iterator[bytes]:
    """Move what stands behind the last line end to the next block, but let go of a line that never ends."""
    held = b""
    for chunk in filter(None, chunks):
        cut = chunk.rfind(b"\n") + 1
        if cut == len(chunk) and not held:
            yield chunk
        elif cut or len(held) + len(chunk) > MAX_LINE_BYTES:
            end = cut or len(chunk)
            yield b"".join((held, memoryview(chunk)[:end]))
            held = chunk[end:]
        else:
            held += chunk
    if held:
        yield held


def in_threads(work: Callable[[T], R], items: Iterator[T], workers: int = 2) -> Iterator[R]:
    """Yield the results of `work` in the order of the items, computed a few items ahead."""
    with ThreadPoolExecutor(workers) as pool:
        waiting: deque[Future[R]] = deque()
        for item in items:
            waiting.append(pool.submit(work, item))
            del item
            if len(waiting) > workers:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()


def is_tidy(block: bytes) -> bool:
    """Tell whether a sound block parts its columns by single blanks, as far as a quick look can tell."""
    return b"\t" not in block and b"\r" not in block and not _double_blank(block)


def _double_blank(block: bytes) -> bool:
    """Look for two blanks in a row, as 16-bit words: several times as fast as a search in bytes."""
    for start in range(0, len(block) - 1, STEP_BYTES):
        for shift in (start, start + 1):
            words = min(STEP_BYTES, len(block) - shift) // 2
            if (np.frombuffer(block, np.uint16, words, shift) == _BLANKS).any():
                return True
    return False


def blanks(block: bytes) -> int:
    """Count the blanks of a block, several times as fast as bytes do."""
    text = np.frombuffer(block, np.uint8)
    steps = range(0, text.size, STEP_BYTES)
    return sum(int(np.count_nonzero(text[start : start + STEP_BYTES] == ord(" "))) for start in steps)


def lines_ending_in(block: bytes, ending: bytes) -> int:
    """Count the lines that end in some bytes, of which there should be few: each costs a look at the whole block."""
    text = np.frombuffer(block if block.endswith(b"\n") else block + b"\n", np.uint8)
    wanted, count = ending + b"\n", 0
    step = STEP_BYTES // 2  # several looks are kept at the same time
    for start in range(0, text.size, step):
        size = min(step, text.size - start - len(ending))
        looks = (text[start + i : start + i + size] == byte for i, byte in enumerate(wanted))
        count += int(np.count_nonzero(reduce(np.logical_and, looks))) if size > 0 else 0
    return count


def has_long_line(block: bytes) -> bool:
    """Tell whether a line may be longer than is allowed: somewhere no line ends for a while."""
    return any(block.find(b"\n", i, i + STEP_BYTES) < 0 for i in range(0, len(block) - STEP_BYTES, STEP_BYTES))


def is_sound(block: bytes) -> bool:
    """Tell whether a block is UTF-8 without NUL bytes."""
    if b"\0" in block:
        return False
    try:
        return block.isascii() or pl.Series([block], dtype=pl.Binary).cast(pl.String).len() == 1
    except pl.exceptions.PolarsError:
        return False


def tidied(block: bytes, *, comments: bool, blank_lines: bool) -> bytes:
    """Return a block with single blanks between columns, LF line ends and nothing to skip."""
    block = block.replace(b"\r\n", b"\n").replace(b"\t", b" ")
    block = _COMMENT.sub(b"", block) if comments else block
    block = _squeezed(block, b"  ", b" ").replace(b"\n ", b"\n").replace(b" \n", b"\n").removeprefix(b" ")
    return _squeezed(block, b"\n\n", b"\n").removeprefix(b"\n") if blank_lines else block


def _squeezed(block: bytes, run: bytes, single: bytes) -> bytes:
    while run in block:
        block = block.replace(run, single)
    return block

"""Where bytes come from: a path, a pipe, standard input or memory, packed or not; each may be read again."""

from __future__ import annotations

import errno
import hashlib
import os
import select
import stat
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from io import BytesIO, FileIO, RawIOBase
from pathlib import Path
from tempfile import SpooledTemporaryFile
from threading import Lock
from typing import BinaryIO, Self, TypeVar, cast
from weakref import finalize

from catchrate.errors import CatchrateError, Finding, InputError, UsageError, shown
from catchrate.formats.compression import HEAD_BYTES, SUFFIXES, Packing, packing_of, refuse_nested, unpacked
from catchrate.limits import BLOCK_BYTES

T = TypeVar("T")
SPOOL_BYTES = 64 << 20
"""Bytes of a pipe that are kept in memory; what is longer moves to a temporary file."""

PROBE_BYTES = 1 << 16
"""Bytes before the end of a chunk that are searched for a line end."""

STEP_MILLISECONDS = 200
"""How long to wait for a pipe before looking for signals."""

MAX_NAME_CHARS = 500
"""Longest name of a missing file that is shown whole."""


def open_source(
    where: str | os.PathLike[str] | bytes | BinaryIO, *, name: str = "", stdin: BinaryIO | None = None
) -> Source:
    """Return a source for a path (`-` is standard input), bytes in memory or an open binary file.

    Raises InputError for what is missing, a folder, a device or not allowed, before anything is read.
    """
    if isinstance(where, bytes | bytearray | memoryview):
        data = bytes(where)
        return Source(name or "<bytes>", lambda: BytesIO(data))
    if isinstance(where, str) and where == "-":
        return _of_stream(stdin or sys.stdin.buffer, name or "<stdin>")
    if isinstance(where, str | os.PathLike):
        return _of_path(os.fsdecode(where), name)
    called = getattr(where, "name", "")
    return _of_stream(where, name or (called if isinstance(called, str) else "") or "<stream>")


def _of_stream(stream: BinaryIO, name: str) -> Source:
    try:
        status = os.fstat(stream.fileno())
    except (OSError, AttributeError, ValueError):
        status = None
    if status is not None and not stat.S_ISREG(status.st_mode):
        _refuse_odd(status.st_mode, name, terminals=True)
    spool = _Spool(stream, name)
    return Source(name, spool.reader, status=status)


def _of_path(path: str, name: str) -> Source:
    name = name or path or "''"
    with _explained(name):
        status = os.stat(path)  # noqa: PTH116 - Path("") would be the current folder
    if stat.S_ISREG(status.st_mode):
        return Source(name, partial(open, path, "rb", buffering=0), path=Path(path), status=status)
    _refuse_odd(status.st_mode, name)
    spool = _Spool(partial(open, path, "rb", buffering=0), name)
    return Source(name, spool.reader, status=status)


def _refuse_odd(mode: int, name: str, *, terminals: bool = False) -> None:
    if stat.S_ISDIR(mode):
        raise InputError.of("E111", "this is a folder", fix="name a file in it", file=name)
    if not stat.S_ISFIFO(mode) and not stat.S_ISSOCK(mode) and not terminals:
        raise InputError.of("E113", "this is a device", fix="name a file, or use - for standard input", file=name)


@contextmanager
def _explained(name: str) -> Iterator[None]:
    """Turn what the operating system says into our errors."""
    try:
        yield
    except CatchrateError:
        raise
    except PermissionError as error:
        raise InputError.of("E112", "no permission to read", fix="check the owner and mode", file=name) from error
    except OSError as error:
        missing = error.errno in (errno.ENOENT, errno.ENOTDIR, errno.ENAMETOOLONG, errno.ELOOP, errno.EINVAL)
        code = "E110" if missing else "E111" if error.errno == errno.EISDIR else "E112"
        message, fix = error.strerror or str(error), _path_fix(name)
        raise InputError.of(code, message, fix=fix, file=_short(name) if missing else name) from error
    except ValueError as error:
        raise InputError.of("E110", f"no such path ({error})", fix=_path_fix(name), file=_short(name)) from error


def _path_fix(name: str) -> str:
    return "text in memory is passed as bytes" if "\n" in name or "\r" in name else "check the path"


def _short(name: str) -> str:
    """Return a name as it is, unless it is a text that somebody took for a path."""
    return name if len(name) <= MAX_NAME_CHARS and name.isprintable() else shown(name)


class Source:
    """The bytes of one input, unpacked, as often as they are needed."""

    name: str
    """The input, as the caller named it; `<stdin>` or `<bytes>` when it has no name."""
    path: Path | None
    """A regular file that is not packed, so that others may read it directly; else None."""

    def __init__(
        self,
        name: str,
        opener: Callable[[], BinaryIO],
        *,
        path: Path | None = None,
        status: os.stat_result | None = None,
    ) -> None:
        self.name = name
        self._opener = opener
        self._file = path
        self._status = status
        self._head = b""
        self._digest = ""
        self._hashed = True
        self._kind: Packing | None = None
        self._kind_known = False
        self.path = None if path is None or self._packing() else path

    def __repr__(self) -> str:
        return f"Source({self.name!r})"

    def head(self, size: int = 65_536) -> bytes:
        """Return the first `size` unpacked bytes, or all when there are fewer; nothing is consumed."""
        if len(self._head) < size:
            self._head = next(self._pieces(size, whole_lines=False), b"")
        return self._head[:size]

    def chunks(self, size: int = BLOCK_BYTES) -> Iterator[bytes]:
        """Yield the unpacked bytes from the start in chunks of about `size`; the next one is read while you work."""
        pieces = self._checked(size)
        return pieces if self.waits else ahead(pieces)

    def read(self) -> bytes:
        """Return all unpacked bytes."""
        return b"".join(self.chunks())

    def notes(self) -> tuple[Finding, ...]:
        """Return a note when the suffix of a file says something else than its bytes."""
        suffix = Path(self.name).suffix.lower() if self._file is None else self._file.suffix.lower()
        packing, said = self._packing(), SUFFIXES.get(suffix)
        if packing == said or (self._file is None and not said):
            return ()
        message = f"the suffix {shown(suffix)} does not fit: the file is {packing or 'not compressed'}"
        return (Finding(code="N116", message=message, fix="rename it", file=self.name),)

    def unhashed(self) -> Self:
        """Return the source itself, without a digest from now on: that spares a large file a tenth of its time."""
        self._hashed = False
        return self

    def digest(self) -> str:
        """Return `sha256:` and the digest of the unpacked bytes; what was not read to its end is read now."""
        if not self._hashed:
            return ""
        if not self._digest:
            for _ in self.chunks():
                pass
        return f"sha256:{self._digest}"

    def refuse_changed(self) -> None:
        """Refuse a file that is not the one that was opened any more."""
        if self._file is None or self._status is None:
            return
        with _explained(self.name):
            now = self._file.stat()
        if _signature(now) != _signature(self._status):
            fix = "wait until it is written, then read it again"
            raise InputError.of("E114", "the file changed while it was read", fix=fix, file=self.name)

    def extent(self) -> tuple[int, int]:
        """Return the bytes of a plain file, and its rows as estimated from its head; 0 for anything else."""
        if self.path is None:
            return 0, 0
        size, head = self.path.stat().st_size, self.head()
        return size, size * head.count(b"\n") // max(len(head), 1)

    @property
    def waits(self) -> bool:
        """Whether reading may wait for another program: a thread that waits cannot be stopped."""
        return self._file is None

    def _packing(self) -> Packing | None:
        if not self._kind_known:
            with _explained(self.name), self._opener() as raw:
                self._kind = packing_of(raw.read(HEAD_BYTES), self.name)
            self._kind_known = True
        return self._kind

    def _checked(self, size: int) -> Iterator[bytes]:
        """Yield chunks, hash them on the way, and check at the end that the file stood still."""
        hasher = hashlib.sha256() if self._hashed and not self._digest else None
        for chunk in self._pieces(size):
            yield chunk
            if hasher:  # only now: the consumer works on the chunk at the same time
                hasher.update(chunk)
        self.refuse_changed()
        if hasher:
            self._digest = hasher.hexdigest()

    def _pieces(self, size: int, *, whole_lines: bool = True) -> Iterator[bytes]:
        packing = self._packing()
        with _explained(self.name), self._opener() as raw:
            if packing is None:
                whole_lines = whole_lines and not self.waits
                while chunk := raw.read(_to_line_end(raw, size) if whole_lines else size):
                    yield chunk
                return
            chunks = _joined(unpacked(raw, packing, self.name), size)
            first = next(chunks, b"")
            refuse_nested(first[:HEAD_BYTES], self.name)
            yield first
            yield from chunks


def _signature(status: os.stat_result) -> tuple[int, ...]:
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns


def _to_line_end(raw: BinaryIO, size: int) -> int:
    """Return how much of the next `size` bytes to read so that a line end is the last, which spares a copy later."""
    here = raw.tell()
    raw.seek(here + max(size - PROBE_BYTES, 0))
    probe = raw.read(min(size, PROBE_BYTES))
    raw.seek(here)
    cut = probe.rfind(b"\n") + 1
    return size - len(probe) + cut if cut and len(probe) == PROBE_BYTES else size


def _joined(pieces: Iterator[bytes], size: int) -> Iterator[bytes]:
    """Join small pieces to chunks of at least `size`, except the last."""
    held: list[bytes] = []
    length = 0
    for piece in pieces:
        held.append(piece)
        length += len(piece)
        if length >= size:
            yield b"".join(held)
            held, length = [], 0
    if held:
        yield b"".join(held)


def ahead(items: Iterator[T]) -> Iterator[T]:
    """Yield the items; each next one is made in a thread while the consumer works on this one."""
    end = object()
    with ThreadPoolExecutor(max_workers=1) as pool:
        following = pool.submit(next, items, end)
        while (item := following.result()) is not end:
            following = pool.submit(next, items, end)
            yield cast("T", item)


class _Spool:
    """A pipe that can be read again: what came out of it is kept as long as the source is."""

    def __init__(self, pipe: BinaryIO | Callable[[], BinaryIO], name: str) -> None:
        self._pipe = pipe
        self._name = name
        self._kept = SpooledTemporaryFile(max_size=SPOOL_BYTES)  # noqa: SIM115 - closed with the spool
        self._length = 0
        self._lock = Lock()
        finalize(self, self._kept.close)

    def reader(self) -> BinaryIO:
        return cast("BinaryIO", _Replay(self))

    def read_at(self, offset: int, size: int) -> bytes:
        with self._lock:
            if offset < self._length:
                self._kept.seek(offset)
                return self._kept.read(size)
            data = self._next(size)
            self._kept.seek(0, os.SEEK_END)
            self._kept.write(data)
            self._length += len(data)
            return data

    def _next(self, size: int) -> bytes:
        """Read until there are `size` bytes or no more: a pipe gives what it happens to have."""
        parts: list[bytes] = []
        while size and (part := _ready(self._opened()).read(size)):
            if isinstance(part, str):
                raise UsageError.of("E260", "the file is open as text", fix="open it with mode 'rb'", file=self._name)
            parts.append(part)
            size -= len(part)
        return b"".join(parts)

    def _opened(self) -> BinaryIO:
        """Open a named pipe when the first bytes are asked for: opening may wait for its writer."""
        if callable(self._pipe):
            self._pipe = self._pipe()
            finalize(self, self._pipe.close)
        return self._pipe


def _ready(pipe: BinaryIO) -> BinaryIO:
    """Wait for a named pipe in steps: a signal that comes right before a read would be seen only behind it."""
    if isinstance(pipe, FileIO) and hasattr(select, "poll"):
        waiting = select.poll()
        waiting.register(pipe, select.POLLIN)
        while not waiting.poll(STEP_MILLISECONDS):
            pass
    return pipe


class _Replay(RawIOBase):
    """One pass over a spool."""

    def __init__(self, spool: _Spool) -> None:
        self._spool = spool
        self._offset = 0

    def read(self, size: int = -1, /) -> bytes:
        data = self._spool.read_at(self._offset, size)
        self._offset += len(data)
        return data

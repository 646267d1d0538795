"""Unpacking gzip and zstd in bounded memory, whatever the bytes claim to be."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator
from typing import BinaryIO, Literal, NamedTuple, Protocol

import zstandard

from catchrate.errors import InputError
from catchrate.limits import MAX_DECODED_BYTES, MAX_RATIO, MAX_ZSTD_WINDOW, RATIO_GRACE_BYTES

Packing = Literal["gzip", "zstd"]
PIECE_BYTES = 1 << 20
SUFFIXES: dict[str, Packing] = {".gz": "gzip", ".gzip": "gzip", ".zst": "zstd", ".zstd": "zstd"}
HEAD_BYTES = 512
"""Bytes that tell how an input is packed: a tar archive says so at its byte 257."""

_GZIP = b"\x1f\x8b"
_ZSTD = b"\x28\xb5\x2f\xfd"
_ZSTD_SKIPPABLE = b"\x2a\x4d\x18"
_OTHERS: tuple[tuple[int, bytes, str], ...] = (
    (0, b"\xfd7zXZ\x00", "an xz file"),
    (0, b"PK\x03\x04", "a zip archive"),
    (0, b"PK\x05\x06", "a zip archive"),
    (0, b"7z\xbc\xaf\x27\x1c", "a 7z archive"),
    (0, b"\x04\x22\x4d\x18", "an lz4 file"),
    (0, b"\x1f\x9d", "a compress (.Z) file"),
    (4, b"1AY&SY", "a bzip2 file"),
    (4, b"\x17\x72\x45\x38\x50\x90", "an empty bzip2 file"),
    (257, b"ustar", "a tar archive"),
)


class _Member(Protocol):
    """One gzip member or zstd frame on its way out."""

    @property
    def eof(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    @property
    def unconsumed_tail(self) -> bytes: ...
    def decompress(self, data: bytes, max_length: int = ..., /) -> bytes: ...


class _Codec(NamedTuple):
    member: Callable[[], _Member]
    feed: int
    """Packed bytes given at once: small where the library cannot bound what comes out."""
    padding: bytes
    """What may stand behind a member without being data."""


class _ZstdFrame:
    """A frame with the interface of zlib's; 1 KiB of zstd unpacks to 32 MiB at most, so that its feed bounds it."""

    unconsumed_tail = b""

    def __init__(self) -> None:
        self._frame = zstandard.ZstdDecompressor(max_window_size=MAX_ZSTD_WINDOW).decompressobj()

    @property
    def eof(self) -> bool:
        return self._frame.eof

    @property
    def unused_data(self) -> bytes:
        return self._frame.unused_data

    def decompress(self, data: bytes, _max_length: int = 0, /) -> bytes:
        return self._frame.decompress(data)


_CODECS: dict[Packing, _Codec] = {
    "gzip": _Codec(lambda: zlib.decompressobj(wbits=31), 1 << 16, b"\0"),
    "zstd": _Codec(_ZstdFrame, 1 << 10, b""),
}


def packing_of(head: bytes, name: str) -> Packing | None:
    """Return how bytes that begin with `head` are packed; refuse packings that are not read."""
    if head.startswith(_GZIP):
        return "gzip"
    if head.startswith(_ZSTD) or (head[1:4] == _ZSTD_SKIPPABLE and head[0] >> 4 == 5):
        return "zstd"
    for offset, magic, what in _OTHERS:
        if head.startswith(magic, offset):
            raise InputError.of("E243", f"this is {what}", fix="unpack it, or pack it with gzip or zstd", file=name)
    return None


def refuse_nested(head: bytes, name: str) -> None:
    """Refuse unpacked bytes that are packed again."""
    inner = packing_of(head, name)
    if inner:
        raise InputError.of("E243", f"{inner} inside a compressed file", fix="unpack it once", file=name)


def unpacked(raw: BinaryIO, packing: Packing, name: str) -> Iterator[bytes]:
    """Yield the unpacked bytes of every member in pieces of about a megabyte, and refuse damage and bombs."""
    codec = _CODECS[packing]
    member, fresh, first = codec.member(), True, True
    taken = made = 0
    while packed := raw.read(codec.feed):
        taken += len(packed)
        while packed:
            if member.eof:
                packed = packed.lstrip(codec.padding) if codec.padding else packed
                if not packed:
                    break
                member, fresh, first = codec.member(), True, False
            try:
                piece = member.decompress(packed, PIECE_BYTES)
            except (zlib.error, zstandard.ZstdError) as error:
                raise _damage(str(error), name, behind=fresh and not first) from error
            packed = member.unused_data if member.eof else member.unconsumed_tail
            made += len(piece)
            fresh = fresh and not piece
            _refuse_bomb(made, taken - len(packed), name)
            if piece:
                yield piece
    if not member.eof:
        raise InputError.of("E241", f"the {packing} data ends too early", fix="fetch the file again", file=name)


def _damage(reason: str, name: str, *, behind: bool) -> InputError:
    if behind:
        return InputError.of("E242", "other bytes stand behind the compressed data", fix="remove them", file=name)
    if "too much memory" in reason:
        fix = f"pack it again with a window of at most {MAX_ZSTD_WINDOW >> 20} MiB (zstd without --long)"
        return InputError.of("E240", "the zstd window is too large", fix=fix, file=name)
    return InputError.of("E241", f"the compressed data is damaged ({reason})", fix="fetch the file again", file=name)


def _refuse_bomb(made: int, taken: int, name: str) -> None:
    if made > MAX_DECODED_BYTES:
        found = f"more than {MAX_DECODED_BYTES >> 30} GiB of unpacked data"
    elif made > RATIO_GRACE_BYTES and made > MAX_RATIO * taken:
        found = f"{taken:,} bytes unpack to more than {made:,}, {MAX_RATIO} times as much"
    else:
        return
    raise InputError.of("E240", found, fix="if the file is honest, unpack it first", file=name)

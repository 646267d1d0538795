from __future__ import annotations

import bz2
import gzip
import hashlib
import io
import lzma
import os
import sys
import tarfile
import threading
import tracemalloc
import zipfile
from collections.abc import Callable
from pathlib import Path

import hypothesis.strategies as st
import pytest
import zstandard
from hypothesis import given

from catchrate.errors import InputError, UsageError
from catchrate.formats import compression, source
from catchrate.formats.source import ahead, open_source
from catchrate.limits import RATIO_GRACE_BYTES

TEXT = b"".join(b"q%d Q0 d%d %d %f t\n" % (i // 100, i * 7919 % 5003, i, i / 7) for i in range(20_000))
POSIX = pytest.mark.skipif(sys.platform == "win32", reason="there are no such files on Windows")


def zstd(data: bytes, **options: object) -> bytes:
    return zstandard.ZstdCompressor(**options).compress(data)


def code_of(action: Callable[[], object]) -> str:
    with pytest.raises(InputError) as caught:
        action()
    return caught.value.code


def read_code(data: bytes) -> str:
    return code_of(lambda: open_source(data).read())


# reading


@pytest.fixture(params=["bytes", "path", "stdin", "stream", "gzip", "zstd", "members", "frames"])
def opened(request: pytest.FixtureRequest, tmp_path: Path) -> source.Source:
    """The same text behind every kind of source."""
    path = tmp_path / "run.trec"
    path.write_bytes(TEXT)
    half = len(TEXT) // 2
    ways: dict[str, Callable[[], source.Source]] = {
        "bytes": lambda: open_source(TEXT),
        "path": lambda: open_source(path),
        "stdin": lambda: open_source("-", stdin=io.BytesIO(TEXT)),
        "stream": lambda: open_source(io.BytesIO(TEXT)),
        "gzip": lambda: open_source(gzip.compress(TEXT)),
        "zstd": lambda: open_source(zstd(TEXT, write_checksum=True)),
        "members": lambda: open_source(gzip.compress(TEXT[:half]) + gzip.compress(b"") + gzip.compress(TEXT[half:])),
        "frames": lambda: open_source(zstd(TEXT[:half]) + b"\x50\x2a\x4d\x18\x01\0\0\0x" + zstd(TEXT[half:])),
    }
    return ways[request.param]()


def test_every_kind_of_source_reads_the_same_as_often_as_it_is_asked(opened: source.Source) -> None:
    assert opened.head(10) == TEXT[:10]
    assert opened.read() == TEXT
    assert opened.head(100) == TEXT[:100]
    assert opened.head() == TEXT[:65_536]
    assert opened.head(len(TEXT) + 1) == TEXT
    assert b"".join(opened.chunks(1_000)) == TEXT
    assert opened.digest() == "sha256:" + hashlib.sha256(TEXT).hexdigest()


def test_a_source_left_in_the_middle_starts_again_at_the_beginning(opened: source.Source) -> None:
    assert TEXT.startswith(next(opened.chunks(1_000)))
    assert opened.read() == TEXT


def test_the_digest_needs_no_reading_before(opened: source.Source) -> None:
    assert opened.digest() == "sha256:" + hashlib.sha256(TEXT).hexdigest()


def test_a_source_that_is_not_hashed_reads_the_same_and_has_no_digest() -> None:
    opened = source.open_source(TEXT).unhashed()
    assert opened.read() == TEXT
    assert opened.digest() == ""


@given(st.lists(st.binary(max_size=50), max_size=5), st.integers(1, 64), st.sampled_from([gzip.compress, zstd]))
def test_members_join_to_the_whole(parts: list[bytes], size: int, pack: Callable[[bytes], bytes]) -> None:
    packed = b"".join(pack(part) for part in [b"x", *parts])
    assert b"".join(open_source(packed).chunks(size)) == b"x" + b"".join(parts)


def test_chunks_of_a_file_end_at_line_ends_where_there_are_any(tmp_path: Path) -> None:
    path = tmp_path / "run.trec"
    path.write_bytes(TEXT)
    chunks = list(open_source(path).chunks(100_000))
    assert b"".join(chunks) == TEXT
    assert len(chunks) > 3
    assert all(chunk.endswith(b"\n") and len(chunk) <= 100_000 for chunk in chunks)
    path.write_bytes(b"x" * 300_000)
    assert [len(chunk) for chunk in open_source(path).chunks(100_000)] == [100_000] * 3


def test_a_long_pipe_is_kept_on_disk_and_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source, "SPOOL_BYTES", 10)
    opened = open_source("-", stdin=io.BytesIO(gzip.compress(TEXT)))
    assert opened.read() == opened.read() == TEXT


class Drip(io.BytesIO):
    """A pipe that gives one byte at a time."""

    def read(self, size: int | None = -1, /) -> bytes:
        return super().read(min(size, 1) if size else size)


def test_a_pipe_that_gives_a_byte_at_a_time_is_read_whole() -> None:
    opened = open_source(Drip(gzip.compress(TEXT[:1_000])))
    assert opened.head(20) == TEXT[:20]
    assert list(opened.chunks()) == [TEXT[:1_000]]


@POSIX
def test_a_fifo_can_be_read_twice(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    writer = threading.Thread(target=path.write_bytes, args=(TEXT,))
    writer.start()
    opened = open_source(path)
    assert opened.head(5) == TEXT[:5]
    assert opened.read() == opened.read() == TEXT
    writer.join()


def test_names_and_paths_tell_where_bytes_come_from(tmp_path: Path) -> None:
    path = tmp_path / "run.trec"
    path.write_bytes(TEXT)
    assert open_source(str(path)).name == str(path)
    assert open_source(path, name="run A").name == "run A"
    assert open_source(path).path == path
    assert open_source(TEXT).name == "<bytes>"
    assert open_source(TEXT).path is None
    assert open_source("-", stdin=io.BytesIO(b"x")).name == "<stdin>"
    with path.open("rb") as stream:
        assert open_source(stream).name == str(path)


def test_a_packed_file_has_no_path_to_be_read_directly(tmp_path: Path) -> None:
    path = tmp_path / "run.trec.gz"
    path.write_bytes(gzip.compress(TEXT))
    assert open_source(path).path is None
    assert open_source(path).notes() == ()


@pytest.mark.parametrize(
    ("name", "data"),
    [("a.txt", gzip.compress(TEXT)), ("a.gz", TEXT), ("a.gz", zstd(TEXT)), ("a.zst", TEXT), ("A.GZ", TEXT)],
    ids=["gzip as txt", "text as gz", "zstd as gz", "text as zst", "text as GZ"],
)
def test_a_suffix_that_does_not_fit_is_noted_and_changes_nothing(name: str, data: bytes, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(data)
    assert open_source(path).read() == TEXT
    assert [note.code for note in open_source(path).notes()] == ["N116"]


def test_a_file_open_as_text_is_a_usage_error() -> None:
    with pytest.raises(UsageError, match="open it with mode 'rb'"):
        open_source(io.StringIO("q 0 d 1")).read()  # pyright: ignore[reportArgumentType]


# paths


@POSIX
def test_what_is_no_readable_file_is_refused_before_reading(tmp_path: Path) -> None:
    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    assert code_of(lambda: open_source(tmp_path / "none")) == "E110"
    assert code_of(lambda: open_source("")) == "E110"
    assert code_of(lambda: open_source("a\0b")) == "E110"
    assert code_of(lambda: open_source("x" * 5_000)) == "E110"
    assert code_of(lambda: open_source(loop)) == "E110"
    assert code_of(lambda: open_source(tmp_path)) == "E111"
    assert code_of(lambda: open_source("/dev/zero")) == "E113"


@POSIX
def test_a_file_without_permission_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "secret"
    path.write_bytes(TEXT)
    path.chmod(0)
    root = os.geteuid() == 0
    try:
        if root:  # who may read everything
            os.seteuid(65_534)
        assert code_of(lambda: open_source(path)) == "E112"
    finally:
        if root:
            os.seteuid(0)


def test_permission_denied_is_explained(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "secret"
    path.write_bytes(TEXT)

    def denied(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "stat", denied)
    assert code_of(lambda: open_source(path)) == "E112"


@pytest.mark.parametrize("change", ["grow", "cut", "replace", "touch"])
def test_a_file_that_changes_while_it_is_read_is_refused(change: str, tmp_path: Path) -> None:
    path = tmp_path / "run.trec"
    path.write_bytes(TEXT)
    chunks = open_source(path).chunks(50_000)
    next(chunks)
    changes: dict[str, Callable[[], object]] = {
        "grow": lambda: path.write_bytes(TEXT + b"x"),
        "cut": lambda: path.write_bytes(TEXT[:60_000]),
        "replace": lambda: (tmp_path / "new").write_bytes(TEXT) and (tmp_path / "new").replace(path),
        "touch": lambda: os.utime(path, (1, 1)),
    }
    changes[change]()
    assert code_of(lambda: list(chunks)) == "E114"


# packed bytes


@pytest.mark.parametrize("pack", [gzip.compress, lambda data: zstd(data, write_checksum=True)])
def test_a_packed_file_cut_anywhere_is_refused(pack: Callable[[bytes], bytes]) -> None:
    packed = pack(TEXT[:200])
    for cut in range(8, len(packed)):
        assert read_code(packed[:cut]) == "E241"


@pytest.mark.parametrize("pack", [gzip.compress, lambda data: zstd(data, write_checksum=True)])
def test_a_wrong_checksum_is_refused(pack: Callable[[bytes], bytes]) -> None:
    packed = bytearray(pack(TEXT))
    packed[-8 if packed[0] == 0x1F else -2] ^= 1
    assert read_code(bytes(packed)) == "E241"


def test_what_stands_behind_packed_data_is_refused_but_zero_padding_of_gzip_is_not() -> None:
    assert read_code(gzip.compress(TEXT) + b"garbage") == "E242"
    assert read_code(zstd(TEXT) + b"garbage") == "E242"
    assert read_code(gzip.compress(TEXT) * 2 + b"garbage") == "E242"
    assert open_source(gzip.compress(TEXT) + b"\0" * 100_000).read() == TEXT


def archive(write: Callable[[io.BytesIO], object]) -> bytes:
    stream = io.BytesIO()
    write(stream)
    return stream.getvalue()


def a_zip(stream: io.BytesIO) -> None:
    with zipfile.ZipFile(stream, "w") as packed:
        packed.writestr("../x", TEXT)


def a_tar(stream: io.BytesIO) -> None:
    with tarfile.open(fileobj=stream, mode="w") as packed:
        packed.addfile(tarfile.TarInfo("../x"))


@pytest.mark.parametrize(
    "data",
    [
        lzma.compress(TEXT),
        bz2.compress(TEXT),
        bz2.compress(b""),
        archive(a_zip),
        archive(a_tar),
        gzip.compress(archive(a_tar)),
        gzip.compress(gzip.compress(TEXT)),
        zstd(gzip.compress(TEXT)),
        gzip.compress(zstd(TEXT)),
    ],
    ids=["xz", "bz2", "empty bz2", "zip", "tar", "tar.gz", "gz.gz", "gz.zst", "zst.gz"],
)
def test_other_packings_and_packings_in_packings_are_refused(data: bytes) -> None:
    assert read_code(data) == "E243"
    assert code_of(lambda: open_source(data).head()) == "E243"


def test_a_query_that_looks_like_a_magic_number_is_text() -> None:
    for data in (b"BZh1 0 d 1\n", b"PK 0 d 1\n", b"7z 0 d 1\n", b"("):
        assert open_source(data).read() == data


def peak_of(action: Callable[[], object]) -> int:
    tracemalloc.start()
    try:
        action()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("pack", [gzip.compress, zstd])
def test_a_bomb_stops_in_bounded_memory(pack: Callable[[bytes], bytes]) -> None:
    bomb = pack(b"\0" * (64 << 20))
    assert peak_of(lambda: read_code(bomb) == "E240" or pytest.fail("not stopped")) < 80 << 20


def test_a_zstd_frame_with_a_forged_size_stops_in_bounded_memory() -> None:
    frame = bytearray(zstandard.ZstdCompressor(write_content_size=True).compress(b"x" * (1 << 33 >> 10)))
    forged = frame[:4] + bytes([0xE0]) + (1 << 60).to_bytes(8, "little") + bytes(frame[9:])
    assert peak_of(lambda: read_code(bytes(forged)) in ("E240", "E241") or pytest.fail("not stopped")) < 80 << 20


def test_a_zstd_window_that_needs_too_much_memory_is_refused() -> None:
    parameters = zstandard.ZstdCompressionParameters(window_log=30, write_content_size=False)
    packer = zstandard.ZstdCompressor(compression_params=parameters).compressobj()
    data = packer.compress(TEXT) + packer.flush()
    assert read_code(data) == "E240"


def test_a_small_file_of_one_repeated_line_is_honest() -> None:
    data = b"q Q0 d 1 1.0 t\n" * (RATIO_GRACE_BYTES // 15)
    assert open_source(zstd(data)).read() == data


def test_unpacked_data_has_a_cap_at_any_ratio(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compression, "MAX_DECODED_BYTES", len(TEXT) - 1)
    assert read_code(gzip.compress(TEXT)) == "E240"


# reading ahead


def test_reading_ahead_keeps_the_order_and_passes_errors_on() -> None:
    def numbers() -> object:
        yield 1
        yield None
        raise InputError.of("E101", "no rows")

    items = ahead(iter(numbers()))  # pyright: ignore[reportArgumentType, reportCallIssue]
    assert (next(items), next(items)) == (1, None)
    with pytest.raises(InputError, match="no rows"):
        next(items)


def test_a_source_left_in_the_middle_leaves_no_thread_behind(tmp_path: Path) -> None:
    path = tmp_path / "run.trec"
    path.write_bytes(TEXT)
    before = threading.active_count()
    chunks = open_source(path).chunks(1_000)
    next(chunks)
    del chunks
    assert threading.active_count() == before

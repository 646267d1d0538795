"""Inputs that are too large, too odd or too binary for the table: each takes an empty folder, gives bytes or a path."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import polars as pl
import zstandard

Made = bytes | Path
RUN = b"q1 Q0 d1 1 2 t\nq1 Q0 d2 2 1 t\n"
HALF = len(RUN) // 2
GENERATORS: dict[str, Callable[[Path], Made]] = {}


def generator(make: Callable[[Path], Made]) -> Callable[[Path], Made]:
    GENERATORS[make.__name__] = make
    return make


# long lines


@generator
def line_of_20_megabytes(_: Path) -> Made:
    return RUN + b"q1 Q0 " + b"d" * (20 << 20) + b" 3 0.5 t\n"


@generator
def no_line_end_in_64_megabytes(_: Path) -> Made:
    return b"q1 Q0 d1 1 2 " * (64 << 20 >> 4)


@generator
def carriage_returns_in_two_megabytes(_: Path) -> Made:
    return RUN.replace(b"\n", b"\r") * (2 << 20 >> 5)


@generator
def id_of_100_kilobytes(_: Path) -> Made:
    return b"q1 Q0 " + b"d" * 100_000 + b" 1 2 t\n"


@generator
def ten_thousand_columns(_: Path) -> Made:
    return b"q1 0 d1 1" + b" x" * 10_000 + b"\n"


@generator
def grade_of_5000_digits(_: Path) -> Made:
    return b"q1 0 d1 " + b"9" * 5_000 + b"\n"


# paths


@generator
def a_folder(folder: Path) -> Made:
    return folder


@generator
def nothing_there(folder: Path) -> Made:
    return folder / "none"


@generator
def a_link_to_itself(folder: Path) -> Made:
    link = folder / "link"
    link.symlink_to(link)
    return link


@generator
def dev_zero(_: Path) -> Made:
    return Path(os.devnull).with_name("zero")


@generator
def gzip_named_txt(folder: Path) -> Made:
    path = folder / "run.txt"
    path.write_bytes(gzip.compress(RUN))
    return path


@generator
def text_named_gz(folder: Path) -> Made:
    path = folder / "run.gz"
    path.write_bytes(RUN)
    return path


# containers


@generator
def gzip_bomb(_: Path) -> Made:
    return gzip.compress(b"\0" * (64 << 20))


@generator
def gzip_bomb_of_lines(_: Path) -> Made:
    return gzip.compress(b"q1 Q0 d1 1 2 t\n" * (64 << 20 >> 4))


@generator
def zstd_bomb(_: Path) -> Made:
    return zstandard.ZstdCompressor().compress(b"\0" * (256 << 20))


@generator
def zstd_with_a_forged_size(_: Path) -> Made:
    frame = zstandard.ZstdCompressor().compress(RUN)
    magic, rest = frame[:4], frame[6:]
    single_segment_with_8_byte_size = b"\xe0"
    return magic + single_segment_with_8_byte_size + (1 << 50).to_bytes(8, "little") + rest


@generator
def zstd_with_a_window_of_a_gigabyte(_: Path) -> Made:
    parameters = zstandard.ZstdCompressionParameters(window_log=30, write_content_size=False)
    packer = zstandard.ZstdCompressor(compression_params=parameters).compressobj()
    return packer.compress(RUN) + packer.flush()


@generator
def gzip_in_gzip(_: Path) -> Made:
    return gzip.compress(gzip.compress(RUN))


@generator
def gzip_of_two_members(_: Path) -> Made:
    return gzip.compress(RUN[:HALF]) + gzip.compress(RUN[HALF:])


@generator
def zstd_of_two_frames(_: Path) -> Made:
    return zstandard.compress(RUN[:HALF]) + zstandard.compress(RUN[HALF:])


@generator
def gzip_with_zero_padding(_: Path) -> Made:
    return gzip.compress(RUN) + b"\0" * 512


@generator
def gzip_cut_short(_: Path) -> Made:
    return gzip.compress(RUN)[:-9]


@generator
def gzip_without_its_checksum(_: Path) -> Made:
    return gzip.compress(RUN)[:-8]


@generator
def gzip_with_a_wrong_checksum(_: Path) -> Made:
    packed = gzip.compress(RUN)
    return packed[:-8] + bytes(4) + packed[-4:]


@generator
def gzip_with_garbage(_: Path) -> Made:
    return gzip.compress(RUN) + b"garbage"


@generator
def zstd_cut_short(_: Path) -> Made:
    return zstandard.compress(RUN)[:-3]


@generator
def zstd_with_garbage(_: Path) -> Made:
    return zstandard.compress(RUN) + b"garbage"


@generator
def an_xz_file(_: Path) -> Made:
    return lzma.compress(RUN)


@generator
def a_bzip2_file(_: Path) -> Made:
    return bz2.compress(RUN)


@generator
def a_zip_archive(_: Path) -> Made:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("../run.trec", RUN)
    return stream.getvalue()


@generator
def a_tar_archive(_: Path) -> Made:
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w") as archive:
        archive.addfile(tarfile.TarInfo("/etc/run.trec"))
    return stream.getvalue()


@generator
def a_packed_tar_archive(folder: Path) -> Made:
    archive = a_tar_archive(folder)
    return gzip.compress(archive) if isinstance(archive, bytes) else archive


# JSON and tables


@generator
def deep_lists(_: Path) -> Made:
    return b'{"query": "q", "ground_truth": ' + b"[" * 100_000 + b"]" * 100_000 + b"}"


@generator
def deep_objects(_: Path) -> Made:
    return b'{"x":' * 100_000 + b"1" + b"}" * 100_000


@generator
def cell_of_200_kilobytes(_: Path) -> Made:
    return b"query,doc,grade,text\nq,a,1," + b"x" * 200_000 + b"\n"


TABLE = pl.DataFrame({"query": ["q", "q", "r"], "doc": ["a", "b", "c"], "score": [3.0, 2.0, 1.0]})


def parquet(table: pl.DataFrame, row_group_size: int | None = None) -> bytes:
    stream = io.BytesIO()
    table.write_parquet(stream, row_group_size=row_group_size)
    return stream.getvalue()


@generator
def parquet_without_documents(_: Path) -> Made:
    return parquet(TABLE.drop("doc"))


@generator
def parquet_with_times_as_ids(_: Path) -> Made:
    return parquet(TABLE.with_columns(doc=pl.datetime(2020, 1, 1)))


@generator
def parquet_with_a_null_id(_: Path) -> Made:
    return parquet(TABLE.with_columns(doc=pl.Series(["a", None, "c"])))


@generator
def parquet_with_nan(_: Path) -> Made:
    return parquet(TABLE.with_columns(score=pl.lit(float("nan"))))


@generator
def parquet_cut_short(_: Path) -> Made:
    return parquet(TABLE)[:-20]


@generator
def parquet_with_a_forged_footer_size(_: Path) -> Made:
    return parquet(TABLE)[:-8] + b"\xff\xff\xff\x7f" + b"PAR1"


@generator
def parquet_without_rows(_: Path) -> Made:
    return parquet(TABLE.clear())


@generator
def parquet_of_too_many_columns(_: Path) -> Made:
    return parquet(TABLE.with_columns(pl.lit(1).alias(f"c{i}") for i in range(10_000)))


@generator
def parquet_of_1000_row_groups(_: Path) -> Made:
    ids = [str(i) for i in range(1_000)]
    return parquet(pl.DataFrame({"query": ids, "doc": ids, "score": [1.0] * 1_000}), row_group_size=1)

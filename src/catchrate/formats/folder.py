"""Folders of Parquet files as one input: `part-*.parquet`, or partitions in folders such as `day=1/`."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO

from catchrate.errors import Finding, InputError
from catchrate.formats.source import Source
from catchrate.formats.source import open_source as open_single
from catchrate.limits import BLOCK_BYTES

SUFFIX = ".parquet"


class ParquetFolder(Source):
    """All Parquet files of a folder, in the order of their names."""

    def __init__(self, name: str, folder: Path, files: Sequence[Path]) -> None:
        super().__init__(name, partial(open, files[0], "rb", buffering=0))
        self.files = tuple(files)
        self._folder = folder
        self._parts = [open_single(file) for file in files]

    @property
    def waits(self) -> bool:
        """False: files are there."""
        return False

    def chunks(self, size: int = BLOCK_BYTES) -> Iterator[bytes]:
        """Refuse: the bytes of a folder are no text."""
        raise InputError.of("E111", "this is a folder of Parquet files", fix="name a file in it", file=self.name)

    def notes(self) -> tuple[Finding, ...]:
        """Return nothing: a folder has no suffix that could be wrong."""
        return ()

    def digest(self) -> str:
        """Return `sha256:` and the digest of the names and bytes of all files."""
        content = hashlib.sha256()
        for file, part in zip(self.files, self._parts, strict=True):
            content.update(f"{file.relative_to(self._folder).as_posix()}\0{part.digest()}\n".encode(errors="replace"))
        return f"sha256:{content.hexdigest()}"

    def refuse_changed(self) -> None:
        """Refuse files that are not what was opened any more."""
        for part in self._parts:
            part.refuse_changed()


def open_source(
    where: str | os.PathLike[str] | bytes | BinaryIO, *, name: str = "", stdin: BinaryIO | None = None
) -> Source:
    """Return a source for a path (`-` is standard input), bytes, an open binary file or a folder of Parquet files.

    Raises InputError for what is missing, another folder, a device or not allowed, before anything is read.
    """
    files = parquet_files(where)
    if not files:
        return open_single(where, name=name, stdin=stdin)
    folder = os.fsdecode(where)  # type: ignore[arg-type]
    return ParquetFolder(name or folder, Path(folder), files)


def parquet_files(where: Any) -> list[Path]:
    """Return the Parquet files of a folder and of its partitions; none for anything else."""
    if not isinstance(where, str | os.PathLike) or not os.path.isdir(where):  # noqa: PTH112 - never raises
        return []
    return sorted(_files_in(Path(os.fsdecode(where))))


def _files_in(folder: Path) -> Iterator[Path]:
    """Yield the files, without those that other programs hide beside them."""
    for entry in folder.iterdir():
        if entry.name.startswith((".", "_")):
            continue
        if entry.suffix.lower() == SUFFIX and entry.is_file():
            yield entry
        elif "=" in entry.name and entry.is_dir():
            yield from _files_in(entry)


def partition_keys(files: Sequence[Path]) -> list[str]:
    """Return the columns that the names of partitions hold."""
    return list(dict.fromkeys(part.partition("=")[0] for file in files for part in file.parts[:-1] if "=" in part))

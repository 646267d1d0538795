"""Tables to files, whole or not at all: what was there before stays until the new file is complete."""

from __future__ import annotations

import gzip
import os
import secrets
import shutil
import stat
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import get_args

import zstandard

from catchrate.errors import OutputError, UsageError, shown
from catchrate.formats.encode import encoded_judgments, encoded_ranking, encoded_records
from catchrate.formats.options import LONGMEMEVAL_TURNS, Format
from catchrate.tables import Judgments, Ranking

PathLike = str | os.PathLike[str]
PACKED = (".gz", ".zst")
NOT_WRITTEN = ("beir", LONGMEMEVAL_TURNS)
_SUFFIXES: dict[str, Format] = {
    ".trec": "trec",
    ".run": "trec",
    ".qrels": "trec",
    ".txt": "trec",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".json": "json",
    ".csv": "csv",
    ".tsv": "tsv",
    ".parquet": "parquet",
}


def write_judgments(judgments: Judgments, where: PathLike, format: Format | None = None) -> None:
    """Write judgments to a file; the format is told by the suffix, and `.gz` or `.zst` behind it packs the file.

    JSONL and JSON hold everything. The other formats hold queries, documents and grades. Raises OutputError for what
    a format cannot hold, for a path that cannot be written, and for one that is the input of the judgments.
    """
    kind = _format(where, format)
    store(where, encoded_judgments(judgments, kind), inputs=[judgments.name])


def write_ranking(ranking: Ranking, where: PathLike, format: Format | None = None) -> None:
    """Write a ranking to a file; formats, packing and errors are those of `write_judgments`.

    JSONL and JSON hold everything. The others leave out queries that returned nothing, and hold the score where scores
    rank and the rank where the order does. TREC has no lists: there a list gets scores that keep its order.
    """
    kind = _format(where, format)
    store(where, encoded_ranking(ranking, kind), inputs=[ranking.name])


def write_records(judgments: Judgments, ranking: Ranking, where: PathLike, format: Format | None = None) -> None:
    """Write judgments and ranking as one file of evaluation records, in JSONL or JSON."""
    kind = _format(where, format)
    store(where, encoded_records(judgments, ranking, kind), inputs=[judgments.name, ranking.name])


def _format(where: PathLike, format: Format | None) -> Format:
    path = Path(where)
    suffix = path.with_suffix("").suffix if path.suffix in PACKED else path.suffix
    kind = format or _SUFFIXES.get(suffix.lower())
    if kind is not None and kind in get_args(Format) and kind not in NOT_WRITTEN:
        return kind
    found = f"the format {shown(kind)} is not written" if kind else f"the suffix {shown(suffix)} names no format"
    fix = f"end the name with {', '.join(sorted(_SUFFIXES))}, or choose format='csv' and the like"
    raise UsageError.of("E117", found, fix=fix, file=str(where))


def store(where: PathLike, data: bytes, *, inputs: Iterable[str] = ()) -> None:
    """Write bytes to a file in one step, packed as its suffix says.

    Raises OutputError when the path is one of the inputs, is no regular file, or cannot be written.
    """
    try:
        target = Path(os.path.realpath(where))
        _refuse_odd_targets(target, inputs, str(where))
        _replace(target, _packed(data, Path(where).suffix))
    except OutputError:
        raise
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        fix = "check the folder, its permissions and the space that is left"
        raise OutputError.of("E302", f"it cannot be written: {reason}", fix=fix, file=str(where)) from error


def _refuse_odd_targets(target: Path, inputs: Iterable[str], name: str) -> None:
    if not target.exists():
        return
    if not stat.S_ISREG(target.stat().st_mode):
        raise OutputError.of("E302", "this is not a regular file", fix="name a file", file=name)
    if any(_is_same(target, path) for path in inputs):
        raise OutputError.of("E301", "this file is the input", fix="write to another file", file=name)


def _is_same(target: Path, path: str) -> bool:
    try:
        return target.samefile(path)
    except (OSError, ValueError):  # the name of an input need not be a path
        return False


def _replace(target: Path, data: bytes) -> None:
    temporary = target.with_name(f".{secrets.token_hex(8)}.part")
    try:
        with open(temporary, "xb") as file:
            file.write(data)
        if target.exists():
            shutil.copymode(target, temporary)
        temporary.replace(target)
    finally:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)


def _packed(data: bytes, suffix: str) -> bytes:
    if suffix == ".gz":
        return gzip.compress(data, mtime=0)
    return zstandard.compress(data) if suffix == ".zst" else data

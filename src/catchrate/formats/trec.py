"""TREC judgments and runs.

Each block of lines goes through polars, which takes it or has a doubt; a doubtful block goes through the careful
reader, which decides. What only looks odd (tabs, runs of blanks, CRLF, comments) is tidied and stays fast.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from itertools import chain
from typing import NamedTuple

import numpy as np
import polars as pl

from catchrate.errors import Finding, InputError
from catchrate.formats.grouping import gathered_queries, whole_queries
from catchrate.formats.lines import (
    STEP_BYTES,
    blanks,
    has_long_line,
    in_threads,
    is_sound,
    is_tidy,
    line_blocks,
    lines_ending_in,
    mark_note,
    tidied,
)
from catchrate.formats.options import ReadOptions
from catchrate.formats.source import Source
from catchrate.formats.trec_careful import CarefulReader, Findings
from catchrate.limits import BLOCK_BYTES, MAX_GRADE, MAX_ID_BYTES
from catchrate.tables.judgments import Judgments
from catchrate.tables.ranking import InterleavedError

_NO_NUMBER = re.compile(rb"[^-+.0-9eE ][-+.0-9eE]*[ ]*$")
"""The end of a line whose last word is no number, from its last character that no number has."""
_NOT_ZERO = "^[-+.0]*[1-9]"
_SHORT_GRADE = 9
"""Characters that hold no grade too large."""
_FRACTION = r"^[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?$"


class _Kind(NamedTuple):
    """One of the two TREC files: its columns, and who takes or explains a block."""

    columns: dict[str, type[pl.DataType]]
    fractions: dict[str, type[pl.DataType]]
    """What is read otherwise where grades may have fractions."""
    used: list[int]
    blank_lines: bool
    accept: Callable[[pl.DataFrame, bytes, ReadOptions], pl.DataFrame | None]
    explain: Callable[[CarefulReader, bytes], pl.DataFrame]


class _Look(NamedTuple):
    """What the fast reader made of a block."""

    frame: pl.DataFrame | None
    """Its rows, or None for a doubt."""
    block: bytes
    """The block itself, kept only for a doubt."""
    lines: int
    size: int
    ends: bool
    """Whether its last line ends with a line end."""


def read_trec_judgments(source: Source, options: ReadOptions) -> Judgments:
    """Read judgments: a query, an ignored iteration, a document and a grade on each line.

    Raises InputError with every line that cannot be taken, and for what `Judgments.of` refuses.
    """
    found = Findings(source.name)
    items = pl.concat(list(_frames(source, options, found, _JUDGMENTS)))
    notes = (*source.notes(), *found.notes())
    try:
        return Judgments.of(items, duplicates=options.duplicates, notes=notes, name=source.name)
    except InputError as error:
        if error.code != "E206":
            raise
        raise _with_lines(error, items, source, options) from None


class TrecRun:
    """A TREC run, read block by block: query, an ignored column, document, rank, score and tag on each line."""

    ordered: bool = False
    """The scores rank; the rank column is ignored, as the reference tools do."""

    def __init__(self, source: Source, options: ReadOptions) -> None:
        self._source = source
        self._options = options
        self._found = Findings(source.name)
        self._begun: Iterator[pl.DataFrame] | None = None

    def begin(self) -> None:
        """Read the first block now, so that another thread may read judgments at the same time."""
        blocks = self.blocks()
        is_short = 0 < self._source.extent()[0] <= BLOCK_BYTES
        with suppress(InterleavedError):  # the next call of blocks finds the same
            # the last query of a short run is joined with all others, not alone
            self._begun = iter([pl.concat(list(blocks))]) if is_short else chain([next(blocks)], blocks)

    @property
    def name(self) -> str:
        """The input, as the caller named it."""
        return self._source.name

    @property
    def waits(self) -> bool:
        """Whether reading may wait for another program."""
        return self._source.waits

    def blocks(self, *, gather: bool = False) -> Iterator[pl.DataFrame]:
        """Yield frames of `query, doc, score` in which each query stands whole.

        Raises InterleavedError when a query comes back later, unless `gather` sorts everything first; InputError with
        every line that cannot be taken.
        """
        if self._begun is not None and not gather:
            begun, self._begun = self._begun, None
            return begun
        self._found = Findings(self.name)
        frames = _frames(self._source, self._options, self._found, _RUN)
        if self._options.ascending:
            frames = (frame.with_columns(-pl.col("score")) for frame in frames)
        return gathered_queries(frames) if gather else whole_queries(frames)

    def empty_queries(self) -> tuple[str, ...]:
        """Return nothing: a TREC file cannot name a query without documents."""
        return ()

    def notes(self) -> tuple[Finding, ...]:
        """Return what was noticed while reading; known once the blocks are read."""
        return (*self._source.notes(), *self._found.notes())

    def digest(self) -> str:
        """Return the digest of the unpacked bytes."""
        return self._source.digest()

    def lines_of(self, query: str, doc: str) -> tuple[int, ...]:
        """Return the lines on which a query and document stand."""
        return _lines_of(self._source, self._options, query, doc)

    def __repr__(self) -> str:
        return f"TrecRun({self.name!r})"


def _frames(source: Source, options: ReadOptions, found: Findings, kind: _Kind) -> Iterator[pl.DataFrame]:
    """Yield the rows of each block; after the first refused line only look for more of them, then raise."""
    marks = mark_note(source)
    found.keep(marks)
    careful = CarefulReader(found, options, offset=len(codecs.BOM_UTF8) if marks else 0)
    rows, hashes, ends = 0, True, True
    for look in in_threads(partial(_look, kind=kind, options=options), line_blocks(source, options.encoding)):
        if look.frame is None:
            frame = kind.explain(careful, look.block)
        else:
            careful.skip(look.lines, look.size)
            frame = look.frame
        ends = look.ends
        rows += frame.height
        hashes = hashes and _all_hashes(frame["query"])
        if not found.total and frame.height:
            yield frame
    if not rows and careful.saw_nothing:
        raise InputError.of("E101", "no rows", fix="check how the file was written", file=source.name)
    found.raise_errors()
    if not ends:
        found.note("W109", "the last line has no line end: the file may be cut off", careful.line)
    if hashes:
        found.note("W118", "every line begins with '#'", None, "if these are comments, read it with comments=True")


def _all_hashes(queries: pl.Series) -> bool:
    return queries.is_empty() or (queries[0].startswith("#") and queries.str.starts_with("#").all())


def _look(block: bytes, kind: _Kind, options: ReadOptions) -> _Look:
    frame, lines = (None, 0) if has_long_line(block) else _fast(block, kind, options)
    return _Look(frame, block if frame is None else b"", lines, len(block), block.endswith(b"\n"))


def _fast(block: bytes, kind: _Kind, options: ReadOptions) -> tuple[pl.DataFrame | None, int]:
    """Return the rows of a block and its number of lines; no rows for a doubt."""
    if not is_sound(block):
        return None, 0
    if is_tidy(block) and not (options.comments and b"#" in block):
        frame = _parsed(block, kind, options)
        if frame is not None:
            return frame, frame.height
    again = tidied(block, comments=options.comments, blank_lines=kind.blank_lines)
    if not again or b"\r" in again:
        return None, 0
    if not kind.blank_lines and again.endswith(b"\n") != block.endswith(b"\n"):
        return None, 0  # a last line of blanks is gone
    return _parsed(again, kind, options), block.count(b"\n") + (not block.endswith(b"\n"))


def _csv(block: bytes, kind: _Kind) -> pl.DataFrame:
    return pl.read_csv(
        block,
        has_header=False,
        separator=" ",
        quote_char=None,
        schema=kind.columns,
        columns=kind.used,
        extra_columns="ignore",
        infer_schema=False,
    )


def _parsed(block: bytes, kind: _Kind, options: ReadOptions) -> pl.DataFrame | None:
    if block.startswith(codecs.BOM_UTF8):
        return None  # polars takes it for the mark of a file, and it is part of an id
    if options.fractions:
        kind = kind._replace(columns=kind.columns | kind.fractions)
    try:
        frame = _csv(block, kind)
    except pl.exceptions.PolarsError:
        return None
    if any(frame.null_count().row(0)) or not _short_ids(frame):
        return None
    return kind.accept(frame, block, options)


def _short_ids(frame: pl.DataFrame) -> bool:
    longest = frame.select(pl.col("query", "doc").str.len_bytes().max()).row(0)
    return all(length is None or length <= MAX_ID_BYTES for length in longest)


def _accepted_run(frame: pl.DataFrame, block: bytes, _options: ReadOptions) -> pl.DataFrame | None:
    """Take six columns, and scores that are finite; polars reads 1e400 as inf and 1e-400 as 0."""
    if not _has_tags(block, frame.height):
        return None
    zero = frame["score"] == 0
    if not frame["score"].is_finite().all() or (zero.any() and _underflows(block, zero)):
        return None
    return frame.select("query", "doc", "score")


def _has_tags(block: bytes, lines: int) -> bool:
    """Tell whether something stands behind the score on every line.

    Nearly all runs say the same there on all lines, so that these end in what no number ends in. That is seen several
    times as fast as the column is read.
    """
    ending = _NO_NUMBER.search(block[: block.find(b"\n")])
    if ending and lines_ending_in(block, ending[0]) == lines:
        return True
    return not _csv(block, _RUN._replace(used=[5]))["tag"].null_count()


def _underflows(block: bytes, zero: pl.Series) -> bool:
    """Tell whether one of the scores that were read as 0 is written as something else."""
    ends = np.flatnonzero(np.frombuffer(block, np.uint8) == ord("\n"))
    rows = zero.arg_true().to_numpy()
    starts, ends = np.append(0, ends + 1)[rows], np.append(ends, len(block))[rows]
    lines = b"\n".join(block[start:end] for start, end in zip(starts.tolist(), ends.tolist(), strict=True))
    texts = _csv(lines, _RUN._replace(columns=_RUN.columns | {"score": pl.String}, used=[4]))["score"]
    return texts.str.contains(_NOT_ZERO).any()


def _accepted_judgments(frame: pl.DataFrame, block: bytes, options: ReadOptions) -> pl.DataFrame | None:
    """Take four columns, of which polars has seen that there are no fewer; it reads whole numbers of any length."""
    if blanks(block) != 3 * frame.height:
        return None
    if options.fractions:
        return _with_fractions(frame)
    return frame.with_columns(pl.col("grade").cast(pl.Float64)) if _short_grades(block) else None


def _short_grades(block: bytes) -> bool:
    """Tell whether the last column of every line is short: a blank stands close to its end."""
    text = np.frombuffer(block, np.uint8)
    for start in range(0, text.size, STEP_BYTES):
        ends = start + np.flatnonzero(text[start : start + STEP_BYTES] == ord("\n"))
        for length in range(1, _SHORT_GRADE + 1):
            ends = ends[text[ends - length - 1] != ord(" ")]
        if ends.size:
            return False
    return not block or block.endswith(b"\n") or b" " in block[-_SHORT_GRADE - 1 :]


def _with_fractions(frame: pl.DataFrame) -> pl.DataFrame | None:
    grades = frame["grade"]
    if not grades.str.contains(_FRACTION).all():
        return None
    frame = frame.with_columns(grades.cast(pl.Float64, strict=False))
    return frame if not frame["grade"].null_count() and (frame["grade"].abs() <= MAX_GRADE).all() else None


def _with_lines(error: InputError, items: pl.DataFrame, source: Source, options: ReadOptions) -> InputError:
    """Return the refusal of a pair that was judged twice together with the lines on which it stands."""
    pair = ["query", "doc"]
    grades = pl.col("grade").n_unique().over(pair)
    query, doc, _ = items.filter(grades > 1).row(0)
    lines = _lines_of(source, options, query, doc)
    first = error.findings[0]
    message = f"{first.message}, on lines {' and '.join(map(str, lines[:5]))}"
    finding = Finding(code="E206", message=message, fix=first.fix, file=first.file, line=lines[-1])
    return InputError(finding, total=error.total)


def _lines_of(source: Source, options: ReadOptions, query: str, doc: str) -> tuple[int, ...]:
    careful = CarefulReader(Findings(source.name), options)
    blocks = line_blocks(source, options.encoding)
    return tuple(line for block in blocks for line in careful.lines_of(block, query, doc))


_RUN = _Kind(
    columns={
        "query": pl.String,
        "iteration": pl.String,
        "doc": pl.String,
        "rank": pl.String,
        "score": pl.Float64,
        "tag": pl.String,
    },
    fractions={},
    used=[0, 2, 4],
    blank_lines=True,
    accept=_accepted_run,
    explain=CarefulReader.run_rows,
)
_JUDGMENTS = _Kind(
    columns={"query": pl.String, "iteration": pl.String, "doc": pl.String, "grade": pl.Int32},
    fractions={"grade": pl.String},
    used=[0, 2, 3],
    blank_lines=False,
    accept=_accepted_judgments,
    explain=CarefulReader.judgment_rows,
)

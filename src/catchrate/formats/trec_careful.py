"""The unhurried reader of TREC lines: it explains what is wrong, or accepts what the fast reader was unsure of.

Plain Python and line by line on purpose. It defines what a TREC file is; the fast reader has to agree with it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace

import polars as pl

from catchrate.errors import Finding, InputError, shown
from catchrate.formats.options import ReadOptions
from catchrate.formats.score_notes import FINITE, INFINITE
from catchrate.limits import MAX_FINDINGS_SHOWN, MAX_GRADE, MAX_ID_BYTES, MAX_LINE_BYTES

_NUMBER = re.compile(r"[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?")
_NAN = re.compile(r"[-+]?nan(\(.*\))?", re.IGNORECASE)
_INFINITE = re.compile(r"[-+]?inf(inity)?", re.IGNORECASE)
_GRADE = re.compile(r"[-+]?[0-9]{1,9}")
_DIGITS = re.compile(r"[-+]?[0-9]+")
_DECIMAL_COMMA = re.compile(r"[-+]?[0-9]*,[0-9]+")
_NO_HINT = "check how the file was written"


_Row = tuple[str, str, float]


class _RefusedError(Exception):
    """A line that cannot be taken: its code, what was found and what to do."""

    def __init__(self, code: str, message: str, fix: str) -> None:
        super().__init__(code, message, fix)
        self.code = code
        self.message = message
        self.fix = fix


class Findings:
    """What was noticed in one input: the first errors in full, the number of all, and notes with their counts."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.errors: list[Finding] = []
        self.total = 0
        self._notes: dict[str, Finding] = {}

    def refuse(self, code: str, message: str, fix: str, line: int | None) -> None:
        """Count an error and keep it while there are few."""
        self.total += 1
        if len(self.errors) < MAX_FINDINGS_SHOWN:
            self.errors.append(Finding(code=code, message=message, fix=fix, file=self.name, line=line))

    def note(self, code: str, message: str, line: int | None, fix: str = "") -> None:
        """Note something, with the first line and the number of times it was seen."""
        seen = self._notes.get(code)
        self._notes[code] = (
            replace(seen, count=seen.count + 1)
            if seen
            else Finding(code=code, message=message, fix=fix, file=self.name, line=line)
        )

    def keep(self, notes: tuple[Finding, ...]) -> None:
        """Keep notes that others made."""
        self._notes |= {note.code: note for note in notes}

    def notes(self) -> tuple[Finding, ...]:
        """Return what was noted, in the order in which it was first seen."""
        return tuple(self._notes.values())

    def raise_errors(self) -> None:
        """Raise InputError if there was any error."""
        if self.errors:
            raise InputError(self.errors, total=self.total)


class CarefulReader:
    """Reads block after block of one input and knows on which line it is."""

    def __init__(self, found: Findings, options: ReadOptions, *, offset: int = 0) -> None:
        self._found = found
        self._options = options
        self._offset = offset
        self.line = 0
        """The line that was read last, counted from 1."""
        self.saw_nothing = True
        """Whether all lines were blank or comments so far."""

    def skip(self, lines: int, size: int) -> None:
        """Count a block that the fast reader took."""
        self.line += lines
        self._offset += size

    def run_rows(self, block: bytes) -> pl.DataFrame:
        """Return `query, doc, score` of the lines that can be taken."""
        schema = {"query": pl.String, "doc": pl.String, "score": pl.Float64}
        return pl.DataFrame(self._rows(block, self._run_row), schema=schema, orient="row")

    def judgment_rows(self, block: bytes) -> pl.DataFrame:
        """Return `query, doc, grade` of the lines that can be taken."""
        schema = {"query": pl.String, "doc": pl.String, "grade": pl.Float64}
        return pl.DataFrame(self._rows(block, self._judgment_row), schema=schema, orient="row")

    def lines_of(self, block: bytes, query: str, doc: str) -> Iterator[int]:
        """Yield the lines of a block on which a query and document stand."""
        wanted = (query.encode(), doc.encode())
        for line in _lines(block):
            self.line += 1
            columns = _columns(line)
            if len(columns) > 2 and (columns[0], columns[2]) == wanted:
                yield self.line

    def _rows(self, block: bytes, row_of: Callable[[list[str]], _Row | None]) -> list[_Row]:
        rows: list[_Row] = []
        for line in _lines(block):
            self.line += 1
            self._stop_at_endless(line)
            try:
                row = None if self._is_comment(line) else row_of(self._checked(line))
            except _RefusedError as refused:
                self._found.refuse(refused.code, refused.message, refused.fix, self.line)
                row = None
            if row:
                rows.append(row)
            self._offset += len(line) + 1
        return rows

    def _is_comment(self, line: bytes) -> bool:
        return self._options.comments and line.lstrip(b" \t").startswith(b"#")

    def _checked(self, line: bytes) -> list[str]:
        line = line.removesuffix(b"\r")
        self.saw_nothing = self.saw_nothing and not line.strip()
        if b"\r" in line:
            self._stop("E103", f"a carriage return inside {_beginning(line)}", "convert the line ends to LF")
        if b"\0" in line:
            raise _RefusedError("E105", f"a NUL byte in {_beginning(line)}", "remove it")
        try:
            return [column.decode() for column in _columns(line)]
        except UnicodeDecodeError:
            raise self._undecodable(line) from None

    def _stop_at_endless(self, line: bytes) -> None:
        if len(line) > MAX_LINE_BYTES:
            found = f"a line of more than {MAX_LINE_BYTES:,} bytes, {_beginning(line)}"
            lone = b"\r" in line[:MAX_LINE_BYTES]
            self._stop("E103" if lone else "E108", found, "convert the line ends to LF" if lone else _NO_HINT)

    def _stop(self, code: str, message: str, fix: str) -> None:
        """Refuse at once what makes all further lines meaningless."""
        self._found.refuse(code, message, fix, self.line)
        self._found.raise_errors()

    def _undecodable(self, line: bytes) -> _RefusedError:
        try:
            line.decode()
        except UnicodeDecodeError as error:
            found = f"byte {self._offset + error.start:,} is not UTF-8: {shown(line[error.start : error.start + 8])}"
            return _RefusedError("E104", found, "save the file as UTF-8, or name its encoding with encoding=...")
        return _RefusedError("E104", "the line is not UTF-8", "save the file as UTF-8")

    def _run_row(self, columns: list[str]) -> _Row | None:
        if not columns:
            return None
        if len(columns) < 6:
            raise _RefusedError("E219", f"{_counted(columns)}: {_sample(columns)}", _guess_run(columns))
        _refuse_long_ids(columns[0], columns[2])
        return columns[0], columns[2], self._score(columns[4])

    def _judgment_row(self, columns: list[str]) -> _Row | None:
        if len(columns) != 4:
            found = f"{_counted(columns)}: {_sample(columns)}" if columns else "a blank line"
            raise _RefusedError("E201", found, _guess_judgments(columns))
        _refuse_long_ids(columns[0], columns[2])
        return columns[0], columns[2], self._grade(columns[3])

    def _score(self, text: str) -> float:
        if _NUMBER.fullmatch(text):
            return self._finite(text)
        if _INFINITE.fullmatch(text):
            self._found.note("W212", INFINITE, self.line, FINITE)
            return float(text)
        if _NAN.fullmatch(text):
            raise _RefusedError("E211", f"score {shown(text)} is not a number", "drop the line or give it a score")
        fix = "write it with a decimal point" if _DECIMAL_COMMA.fullmatch(text) else "write it like 12.5 or 1.25e1"
        raise _RefusedError("E214", f"score {shown(text)} is not a number", fix)

    def _finite(self, text: str) -> float:
        score = float(text)
        if score in (float("inf"), float("-inf")):
            raise _RefusedError("E213", f"score {shown(text)} is too large", "scale the scores down")
        if score == 0 and re.search("[1-9]", re.split("[eE]", text)[0]):
            self._found.note("W213", f"score {shown(text)} is too small and became 0", self.line, "scale the scores up")
        return score

    def _grade(self, text: str) -> float:
        return _fraction(text) if self._options.fractions else _whole(text)


def _whole(text: str) -> float:
    if _GRADE.fullmatch(text):
        return float(text)
    if _DIGITS.fullmatch(text):
        raise _RefusedError("E204", f"grade {shown(text, 20)} has more than nine digits", "use small whole numbers")
    fix = "read it with fractions=True" if _NUMBER.fullmatch(text) else "use whole numbers such as 0, 1, 2"
    raise _RefusedError("E202", f"grade {shown(text)} is not a whole number", fix)


def _fraction(text: str) -> float:
    if not _NUMBER.fullmatch(text):
        raise _RefusedError("E202", f"grade {shown(text)} is not a number", "use numbers such as 0, 0.5, 1")
    if abs(float(text)) > MAX_GRADE:
        raise _RefusedError("E204", f"grade {shown(text, 20)} is too large", f"grades lie within ±{MAX_GRADE:,}")
    return float(text)


def _lines(block: bytes) -> list[bytes]:
    return block.removesuffix(b"\n").split(b"\n") if block else []


def _beginning(line: bytes) -> str:
    return shown(line[:50].decode(errors="replace"), 40)


def _columns(line: bytes) -> list[bytes]:
    """Part a line at blanks and tabs, and at nothing else: any other byte belongs to an id."""
    return [column for column in line.removesuffix(b"\r").replace(b"\t", b" ").split(b" ") if column]


def _refuse_long_ids(*ids: str) -> None:
    for text in ids:
        if len(text.encode()) > MAX_ID_BYTES:
            fix = f"ids have at most {MAX_ID_BYTES:,} bytes"
            raise _RefusedError("E108", f"an id of {len(text.encode()):,} bytes, {shown(text, 40)}", fix)


def _counted(columns: list[str]) -> str:
    return f"{len(columns)} columns" if len(columns) != 1 else "1 column"


def _sample(columns: list[str]) -> str:
    return shown(" ".join(columns[:8]))


def _guess_run(columns: list[str]) -> str:
    by_width = {
        3: _guess_table(columns, "score"),
        4: "this looks like TREC judgments; they come before the runs",
    }
    return _guess(columns) or by_width.get(len(columns), "a rank, score or tag may be missing")


def _guess_judgments(columns: list[str]) -> str:
    by_width = {
        3: _guess_table(columns, "grade"),
        6: "this looks like a TREC run; judgments come first",
    }
    return _guess(columns) or by_width.get(
        len(columns), "an id may hold a blank" if len(columns) > 4 else "remove the line"
    )


def _guess_table(columns: list[str], what: str) -> str:
    if columns and _NUMBER.fullmatch(columns[-1]):
        return f"this looks like a table of query, document and {what}; read it with format='tsv'"
    return f"the {what} is missing"


def _guess(columns: list[str]) -> str:
    """Guess from the first column what a line is that has no business here."""
    first = columns[0] if columns else ""
    if first.startswith("#"):
        return "if lines that begin with '#' are comments, read it with comments=True"
    if first.startswith(("{", "[")):
        return f"this looks like JSON; read it with format='{'jsonl' if first[0] == '{' else 'json'}'"
    return "this looks like a table; read it with format='csv'" if "," in first else ""

"""A collection on disk: one line an answer, written at once, so that an interrupted run goes on where it was."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, TextIO

from catchrate.collecting.questions import Question
from catchrate.errors import InputError, OutputError, UsageError, shown
from catchrate.formats import ReadOptions, question_rows
from catchrate.formats.write import store

Record = Mapping[str, Any]
FAILURE = "failure"
SUFFIX = ".jsonl"
_ESCAPED = "backslashreplace"
"""Half a character becomes its escape, which JSON spells alike."""


def line_of(record: Record) -> str:
    """Return a record as one line of strict JSON; what JSON has no word for becomes text."""
    try:
        return json.dumps(record, ensure_ascii=False, allow_nan=False, default=_plain) + "\n"
    except ValueError as error:
        message = f"question {shown(str(record.get('id', record.get('query'))), 40)} has a number that JSON cannot hold"
        raise InputError.of("E233", message, fix="give finite numbers, or null") from error


def _plain(value: object) -> object:
    """Return a scalar of NumPy as Python's, and anything else as text."""
    item = getattr(value, "item", None)
    return item() if callable(item) else str(value)


class Saved:
    """The file of a collection: what is in it already, and the lines that are added."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        """Refuse a path that is no JSONL file."""
        self.path = Path(path)
        if self.path.suffix != SUFFIX:
            fix = f"end its name with {SUFFIX}"
            raise UsageError.of("E298", "a collection is saved as JSONL", fix=fix, file=str(path))
        self._file: TextIO | None = None

    def answered(self, questions: Sequence[Question], k: int | None) -> dict[str, Record]:
        """Return the records that an earlier run saved, by question; what failed is asked again.

        Raises InputError when the file holds other questions, or longer lists than are asked for now.
        """
        if not self.path.exists() or not self.path.stat().st_size:
            return {}
        self._drop_half_a_line()
        asked = {question.id: question for question in questions}
        rows = question_rows(str(self.path), ReadOptions(format="jsonl")) or ()
        found = {str(row.get("id", row.get("query"))): row for row in rows}
        for name, row in found.items():
            self._refuse_other(asked.get(name), name, row, k)
        return {name: row for name, row in found.items() if not row.get(FAILURE)}

    def _drop_half_a_line(self) -> None:
        """Cut off what an interrupt left of a line."""
        content = self.path.read_bytes()
        whole = content.rfind(b"\n") + 1
        if whole < len(content):
            os.truncate(self.path, whole)

    def _refuse_other(self, question: Question | None, name: str, row: Record, k: int | None) -> None:
        message = None
        if question is None:
            message = f"it holds the question {shown(name)}, which is not asked now"
        elif row.get("query") != question.text:
            message = f"it holds another text for the question {shown(name)}"
        elif k is not None and len(row.get("retrieved") or ()) > k:
            message = f"it holds more than {k} results for the question {shown(name)}"
        if message:
            fix = "save to another file, or remove this one"
            raise InputError.of("E298", message, fix=fix, file=str(self.path))

    def add(self, record: Record) -> None:
        """Write one record and hand it to the operating system.

        Raises OutputError when the file cannot be written.
        """
        try:
            if self._file is None:
                self._file = open(self.path, "a", encoding="utf-8", errors=_ESCAPED)  # noqa: SIM115 - closed by close
            self._file.write(line_of(record))
            self._file.flush()
        except OSError as error:
            fix = "check the folder, its permissions and the space that is left"
            message = f"it cannot be written: {error.strerror or error}"
            raise OutputError.of("E302", message, fix=fix, file=str(self.path)) from error

    def close(self) -> None:
        """Close the file."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def finish(self, records: Iterable[Record]) -> None:
        """Write all records in the order of the questions, in one step."""
        self.close()
        store(self.path, "".join(map(line_of, records)).encode("utf-8", _ESCAPED))

"""Read one input and tell what came of it; run as a program, do so with little memory."""

from __future__ import annotations

import ast
import json
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Self

import polars as pl

from catchrate.errors import Finding, InputError
from catchrate.formats import ReadOptions, open_ranking, read_judgments, read_records

Row = tuple[object, ...]
Read = tuple[list[Row], tuple[Finding, ...]]


@dataclass
class Outcome:
    """The rows and notes that were read, or the first error."""

    code: str = ""
    line: int | None = None
    notes: list[str] = field(default_factory=list)
    rows: list[Row] = field(default_factory=list)

    @classmethod
    def parse(cls, text: str) -> Self:
        fields = json.loads(text)
        return cls(**{**fields, "rows": [tuple(row) for row in fields["rows"]]})


def judgments(data: object, options: ReadOptions) -> Read:
    judged = read_judgments(data, options)
    return judged.items.select("query", "doc", "grade").rows(), judged.notes


def ranking(data: object, options: ReadOptions) -> Read:
    returned = open_ranking(data, options)
    frame = pl.concat(list(returned.blocks(gather=True)))
    return frame.rows(), returned.notes()


def records(data: object, options: ReadOptions) -> Read:
    judged, returned = read_records(data, options)
    rows = judged.items.select("query", "doc", "grade").rows() + returned.frame.rows()
    return rows, tuple(dict.fromkeys((*judged.notes, *returned.notes())))


READERS: dict[str, Callable[[object, ReadOptions], Read]] = {
    "judgments": judgments,
    "ranking": ranking,
    "records": records,
}


def outcome_of(reader: str, data: object, options: ReadOptions) -> Outcome:
    """Read; errors that are not ours are not caught."""
    try:
        rows, notes = READERS[reader](data, options)
    except InputError as error:
        return Outcome(code=error.code, line=error.findings[0].line)
    return Outcome(notes=[note.code for note in notes], rows=rows)


def main(reader: str, path: str, options: str, megabytes: str, seconds: str) -> None:
    if sys.platform != "win32":
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (int(megabytes) << 20,) * 2)
        resource.setrlimit(resource.RLIMIT_CPU, (int(seconds),) * 2)
    print(json.dumps(asdict(outcome_of(reader, Path(path), ReadOptions(**ast.literal_eval(options))))))


if __name__ == "__main__":
    main(*sys.argv[1:])

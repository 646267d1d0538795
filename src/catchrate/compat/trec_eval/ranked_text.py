"""What trec_eval prints that is no measure: the run id, and the grades of the first documents as characters."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from catchrate.formats import Source
from catchrate.limits import MAX_LINE_BYTES
from catchrate.measures import Alignment


def run_id(source: Source, *, comments: bool) -> str:
    """Return the sixth column of the last line of a run."""
    for tail in _tails(source):
        for line in reversed(tail.split(b"\n")):
            columns = line.split()
            if len(columns) >= 6 and not (comments and columns[0].startswith(b"#")):
                return columns[5].decode(errors="replace")
    return ""


def _tails(source: Source) -> Iterator[bytes]:
    """Yield the end of a file, then everything for files that end in a long comment; pipes have no end to look at."""
    if source.path is not None:
        with source.path.open("rb") as file:
            size = file.seek(0, 2)
            file.seek(max(0, size - 2 * MAX_LINE_BYTES))
            yield file.read().partition(b"\n")[2] if size > 2 * MAX_LINE_BYTES else file.read()
    yield b"".join(source.chunks())


def relevance_strings(arrays: Alignment, length: int) -> list[str]:
    """Return one character for each of the first slots of every topic.

    A grade from 0 to 9 is its digit and a larger one `>`; `.` is pooled but not judged, `-` was never in the pool.
    """
    strings = ["-" * size for size in np.minimum(arrays.returned, length).tolist()]
    for topic, rows in _by_topic(arrays, length):
        characters = list(strings[topic])
        for row in rows:
            characters[int(arrays.slots.slot[row]) - 1] = _character(arrays.slots.grade[row])
        strings[topic] = "".join(characters)
    return strings


def _by_topic(arrays: Alignment, length: int) -> Iterator[tuple[int, list[int]]]:
    rows = np.flatnonzero(arrays.slots.slot <= length)
    topics = arrays.slots.query[rows]
    if rows.size:
        starts = np.flatnonzero(np.append(True, topics[1:] != topics[:-1]))
        for topic, part in zip(topics[starts].tolist(), np.split(rows, starts[1:]), strict=True):
            yield topic, part.tolist()


def _character(grade: float) -> str:
    if grade < 0:
        return "."
    return ">" if grade > 9 else str(int(grade))

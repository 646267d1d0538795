"""Where a report goes: standard output, or a file that is written whole or not at all."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterable
from typing import TextIO

from catchrate.errors import OutputError


def deliver(data: str | bytes, where: str | None, *, inputs: Iterable[str] = ()) -> None:
    """Write a report as UTF-8 to a file, or to standard output when no file is named.

    Raises OutputError when the file is one of the inputs or cannot be written.
    """
    encoded = data.encode("utf-8", "backslashreplace") if isinstance(data, str) else data
    if where is None:
        _to_stdout(encoded)
    else:
        from catchrate.formats.write import store  # the formats, which standard output does without

        store(where, encoded, inputs=inputs)


def _to_stdout(data: bytes) -> None:
    try:
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        sys.stdout.flush()
    except OSError as error:
        raise stdout_error(error) from error


def stdout_error(error: OSError) -> OSError:
    """Return what to raise for an error on standard output: a reader that has left is no error of ours."""
    if isinstance(error, BrokenPipeError) or error.errno == errno.EINVAL:
        return BrokenPipeError(errno.EPIPE, "the reader has left")
    reason = error.strerror or str(error)
    return OutputError.of("E302", f"it cannot be written: {reason}", fix="check the space left", file="<stdout>")


def abandon(stream: TextIO) -> None:
    """Send what is left in a stream nowhere, so that Python says nothing about a reader that has left."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)

"""The first moments of the program, while its libraries are imported: nobody could catch an interruption yet."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FrameType

INTERRUPTED = 130
"""What the program ends with when it is interrupted."""


@contextmanager
def quiet_start() -> Iterator[None]:
    """End the program without a traceback when it is interrupted; a program of somebody else is left alone."""
    before = None
    if _is_program():
        with suppress(ValueError):  # only the main thread may
            before = signal.signal(signal.SIGINT, _end)
    try:
        yield
    finally:
        if before is not None:
            signal.signal(signal.SIGINT, before)


def _is_program() -> bool:
    """Tell whether this is `catchrate` or `python -m catchrate`, whose first argument is `-m` until it is found."""
    first = Path(sys.argv[0] if sys.argv else "")
    given = sys.orig_argv
    if str(first) == "-m":
        return "-m" in given and given[given.index("-m") + 1 :][:1] == ["catchrate"]
    return first.name in ("catchrate", "catchrate.exe") or first == Path(__file__).with_name("__main__.py")


def _end(_signal: int, _frame: FrameType | None) -> None:
    """Nothing is open and nothing is written yet, so that the process may just end."""
    os.write(2, b"interrupted\n")
    os._exit(INTERRUPTED)

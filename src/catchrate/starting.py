"""The first moments of the program, while its libraries are imported: nobody could catch an interruption yet."""

from __future__ import annotations

import gc
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
    """Import what the program needs: without a traceback when interrupted, and without a search for garbage.

    What is imported stays to the end, so that neither the start nor the end need look through it, which takes a quarter
    of the time of a short command. A program of somebody else is left alone.
    """
    if not _is_program():
        yield
        return
    before = None
    with suppress(ValueError):  # only the main thread may
        before = signal.signal(signal.SIGINT, _end)
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()
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

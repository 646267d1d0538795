"""The program: calls the command, and turns whatever happens into a message and an exit code."""

from __future__ import annotations

import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from types import FrameType

from catchrate.cli.messages import print_error, say
from catchrate.errors import CatchrateError, InputError
from catchrate.reports.output import abandon, stdout_error
from catchrate.starting import INTERRUPTED, quiet_start

TERMINATED = 143


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code; what is not foreseen keeps its traceback."""
    _prepare_streams()
    _prepare_signals()
    try:
        return _finished(_run(sys.argv[1:] if arguments is None else arguments))
    except CatchrateError as error:
        print_error(error)
        return error.exit_code
    except MemoryError:
        fix = "evaluate fewer runs at a time, or use a machine with more"
        print_error(InputError.of("E501", "the memory is used up", fix=fix))
        return InputError.exit_code
    except BrokenPipeError:
        abandon(sys.stdout)
        return 0
    except KeyboardInterrupt:
        say("interrupted")
        return INTERRUPTED


def _run(arguments: Sequence[str]) -> int:
    """Call the command; trec_eval has a grammar of its own, and is not kept waiting by the parser of the others."""
    if arguments and arguments[0] == "trec_eval":
        with quiet_start():
            from catchrate.cli.trec_eval import trec_eval

        return trec_eval(*arguments[1:])
    with quiet_start():
        from catchrate.cli.app import call

    result = call(arguments)
    return result if isinstance(result, int) else 0


def _finished(code: int) -> int:
    """Flush now, so that a failure is still ours to tell."""
    try:
        sys.stdout.flush()
    except OSError as error:
        abandon(sys.stdout)
        raise stdout_error(error) from error
    return code


def _prepare_streams() -> None:
    """Show what a terminal's encoding cannot hold as escapes instead of failing on it."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(AttributeError):
            stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]


def _prepare_signals() -> None:
    """Let both signals that end a program end it tidily, also while it waits for a pipe: polars would wait on."""
    with suppress(ValueError, AttributeError):  # only the main thread may, and not every system has both
        signal.signal(signal.SIGTERM, _terminate)
        signal.siginterrupt(signal.SIGINT, True)


def _terminate(_signal: int, _frame: FrameType | None) -> None:
    raise SystemExit(TERMINATED)

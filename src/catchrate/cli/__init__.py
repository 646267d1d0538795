"""The command line: one file a command, thin - parse, call, print, exit code."""

from catchrate.starting import quiet_start

with quiet_start():
    from catchrate.cli.program import main

__all__ = ["main"]

"""The command line: one file a command, thin - parse, call, print, exit code."""

from catchrate.cli.app import main

__all__ = ["main"]

"""Measures that people bring along: in a Python file, or in a package that announces them."""

from __future__ import annotations

import hashlib
import importlib.util
import os
import sys
import traceback
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path

from catchrate.errors import CatchrateError, UsageError, shown
from catchrate.measures import TABLE

ENTRY_POINTS = "catchrate.measures"
"""The group under which packages announce modules that declare measures."""


def load_measures(path: str | os.PathLike[str]) -> tuple[str, ...]:
    """Run a Python file that declares measures with `@catchrate.measure`, and return their names.

    Only load files that you trust: they run with all your rights. Raises UsageError with the file and line when the
    file is missing, fails, or declares no measure.
    """
    file = Path(path)
    if not file.is_file():
        raise UsageError.of("E275", "there is no such file", fix="check the path", file=str(path))
    before = dict(TABLE)
    try:
        _run(file)
    except CatchrateError as error:
        raise _failure(error, file, error.findings[0].message, error.findings[0].fix) from error
    except (Exception, SystemExit) as error:
        raise _failure(error, file, f"{type(error).__name__}: {error}") from error
    declared = tuple(name for name, row in TABLE.items() if before.get(name) is not row)
    if not declared:
        fix = "declare one with @catchrate.measure"
        raise UsageError.of("E275", "the file declares no measure", fix=fix, file=str(path))
    return declared


def load_entry_points() -> tuple[str, ...]:
    """Import the modules that installed packages announce, and return the names of their measures.

    Raises UsageError naming the package when one fails.
    """
    before = set(TABLE)
    for point in entry_points(group=ENTRY_POINTS):
        _load(point)
    return tuple(name for name in TABLE if name not in before)


def _run(file: Path) -> None:
    name = f"catchrate_measures_{hashlib.sha256(str(file.resolve()).encode()).hexdigest()[:16]}"
    loader = importlib.util.spec_from_file_location(name, file)
    if loader is None or loader.loader is None:
        raise ImportError("not a Python file: its name has to end with .py")
    module = importlib.util.module_from_spec(loader)
    sys.modules[name] = module
    loader.loader.exec_module(module)


def _failure(error: BaseException, file: Path, found: str, fix: str = "") -> UsageError:
    """Return the error with the last line of the file that was running."""
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if _is(frame.filename, file)]
    line = error.lineno if isinstance(error, SyntaxError) and not lines else lines[-1] if lines else None
    message = shown(found)[1:-1]
    return UsageError.of("E275", message, fix=fix or "correct the file", file=str(file), line=line)


def _is(name: str, file: Path) -> bool:
    return Path(name).resolve() == file.resolve()


def _load(point: EntryPoint) -> None:
    try:
        point.load()
    except Exception as error:
        package = point.dist.name if point.dist else point.value
        message = f"the measures of {shown(package)} do not load: {shown(f'{type(error).__name__}: {error}')}"
        raise UsageError.of("E275", message, fix="update or remove the package") from error

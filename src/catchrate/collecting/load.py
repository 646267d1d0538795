"""A retriever by its name on the command line: `package.module:function` or `file.py:function`."""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
from difflib import get_close_matches
from pathlib import Path
from types import ModuleType

from catchrate.errors import UsageError, shown


def load_retriever(text: str) -> object:
    """Import a module, or run a Python file, and return the object that is named in it.

    Only load what you trust: it runs with all your rights. Raises UsageError when the module, the file or the object
    is not there, or fails.
    """
    where, colon, name = text.rpartition(":")
    if not (where and colon and name):
        fix = "write package.module:function or file.py:function"
        raise UsageError.of("E299", f"{shown(text)} names no retriever", fix=fix)
    try:
        module = _file(Path(where)) if where.endswith(".py") else _module(where)
    except Exception as error:
        message = f"{shown(where)} does not load: {shown(f'{type(error).__name__}: {error}')[1:-1]}"
        raise UsageError.of("E299", message, fix="check the name, and that it imports in Python") from error
    found: object = module
    for part in name.split("."):
        if not hasattr(found, part):
            near = get_close_matches(part, [name for name in dir(found) if not name.startswith("_")], n=1)
            fix = f"did you mean {near[0]}" if near else "name a function in it"
            raise UsageError.of("E299", f"{shown(where)} has no {shown(name)}", fix=fix)
        found = getattr(found, part)
    return found


def _module(name: str) -> ModuleType:
    folder = os.getcwd()  # noqa: PTH109 - what `python -m` puts there
    if folder not in sys.path:
        sys.path.insert(0, folder)
    return importlib.import_module(name)


def _file(path: Path) -> ModuleType:
    if not path.is_file():
        raise FileNotFoundError("there is no such file")
    loader = importlib.util.spec_from_file_location(path.stem, path)
    if loader is None or loader.loader is None:
        raise ImportError("not a Python file")
    module = importlib.util.module_from_spec(loader)
    sys.modules.setdefault(path.stem, module)
    loader.loader.exec_module(module)
    return module

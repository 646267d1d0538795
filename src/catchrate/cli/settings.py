"""catchrate.toml: defaults for the options of every command."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from cyclopts import App, ArgumentCollection
from cyclopts.argument import update_argument_collection

from catchrate.errors import Finding, UsageError, shown, visible
from catchrate.limits import MAX_SETTINGS_BYTES

FILE = "catchrate.toml"
OPTION = "--config"
ALL = "all"
"""The table whose defaults hold for every command that has such an option."""
NAMED_ONLY = frozenset(("load", "output", "save", "junit", "markdown"))
"""What runs code or writes files: a file that nobody named may lie in a folder of somebody else."""

Table = Mapping[str, Any]


def without_config(arguments: Sequence[str]) -> tuple[list[str], str | None]:
    """Return the arguments without `--config FILE`, and the file.

    Raises UsageError when no file is named.
    """
    left, named, rest = list[str](), None, iter(arguments)
    for argument in rest:
        option, equals, value = argument.partition("=")
        if argument == "--":
            left += [argument, *rest]
        elif option == OPTION:
            named = value if equals else next(rest, "")
            if not named:
                raise UsageError.of("E280", f"{OPTION} names no file", fix=f"write {OPTION} {FILE}")
        else:
            left.append(argument)
    return left, named


@dataclass(frozen=True, slots=True)
class Settings:
    """The defaults of one call: those of a file that was named, or of the one in this folder, where there is one."""

    named: str | None
    commands: Collection[str]
    """The commands that there are."""
    notes: list[Finding] = field(default_factory=list[Finding])
    """What somebody should know who did not name the file."""

    def __call__(self, app: App, commands: tuple[str, ...], arguments: ArgumentCollection) -> None:
        """Fill in what the command line does not say; the parser calls this."""
        path = self.named or (FILE if Path(FILE).is_file() else None)
        if path is None or not commands:
            return
        tables = _read(path)
        self._refuse_unknown_tables(tables, path)
        chosen = self._of_all(tables, arguments, path) | self._of(tables, commands[0], arguments, path)
        update_argument_collection(chosen, path, arguments, root_keys=(commands[0],), allow_unknown=False)
        if chosen and self.named is None:
            message = f"where the command line says nothing, this file does: {', '.join(sorted(chosen))}"
            self.notes.append(Finding(code="N324", message=message, file=path))

    def _refuse_unknown_tables(self, tables: Table, path: str) -> None:
        known = [ALL, *self.commands]
        for name, value in tables.items():
            if not isinstance(value, dict) and name not in known:
                fix = f"put it below [{ALL}], or below the name of a command in brackets"
                raise UsageError.of("E324", f"the key {shown(name)} stands in no table", fix=fix, file=path)
            if name not in known:
                raise _unknown(f"no command is called {shown(name)}", name, known, path)
            if not isinstance(value, dict):
                raise UsageError.of(
                    "E324", f"{shown(name)} is no table", fix=f"write [{name}] above its keys", file=path
                )

    def _of(self, tables: Table, command: str, arguments: ArgumentCollection, path: str) -> dict[str, Any]:
        """Return the defaults of the command itself. Raises UsageError for a key that is none of its options."""
        known = _options(arguments)
        found = _plain(tables.get(command, {}), command, path)
        for key in found:
            if key not in known:
                raise _unknown(f"[{command}] has the key {shown(key)}", key, known, path)
        self._refuse_risks(found, command, path)
        return found

    def _of_all(self, tables: Table, arguments: ArgumentCollection, path: str) -> dict[str, Any]:
        """Return the defaults of all commands that this one has. Raises UsageError for a key that no command has."""
        known, found = _options(arguments), _plain(tables.get(ALL, {}), ALL, path)
        self._refuse_risks(found, ALL, path)
        others = [key for key in found if key not in known]
        if others:
            anywhere = _options_anywhere(self.commands)
            for key in others:
                if anywhere is not None and key not in anywhere:
                    raise _unknown(f"[{ALL}] has the key {shown(key)}", key, sorted(anywhere), path)
        return {key: value for key, value in found.items() if key in known}

    def _refuse_risks(self, found: Iterable[str], table: str, path: str) -> None:
        risky = sorted(NAMED_ONLY.intersection(found))
        if risky and self.named is None:
            message = f"[{table}] has the key {shown(risky[0])}, which a file may not say that was found, not named"
            raise UsageError.of("E324", message, fix=f"if you trust the file, name it: {OPTION} {path}", file=path)


def _read(path: str) -> Table:
    import tomllib  # a file of defaults is rare

    from catchrate.formats import open_source

    source = open_source(path)
    try:
        data = source.head(MAX_SETTINGS_BYTES + 1)
        if len(data) > MAX_SETTINGS_BYTES:
            raise UsageError.of("E324", "the file is too long for settings", fix="name another", file=path)
        return tomllib.loads(data.decode())
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise UsageError.of("E324", f"this is no TOML: {visible(str(error))}", fix="correct it", file=path) from error


def _plain(table: Table, name: str, path: str) -> dict[str, Any]:
    """Return the keys as the options spell them. Raises UsageError for a table where a value is needed."""
    found: dict[str, Any] = {}
    for key, value in table.items():
        values = cast("list[object]", value) if isinstance(value, list) else [value]
        if any(isinstance(one, dict | list) for one in values) or not values:
            fix = "give a value, or a list of values"
            raise UsageError.of("E324", f"{shown(key)} of [{name}] is {shown(value, 40)}", fix=fix, file=path)
        found[key.replace("_", "-")] = value
    return found


def _options(arguments: ArgumentCollection) -> list[str]:
    return [name[2:] for argument in arguments for name in argument.names if name.startswith("--")]


def _options_anywhere(commands: Iterable[str]) -> set[str] | None:
    """Return the options of all commands; None where one cannot be asked, since what it needs is not installed."""
    from catchrate.cli.app import build

    app = build()
    try:
        return {option for name in commands for option in _options(app[name].assemble_argument_collection())}
    except ImportError:
        return None


def _unknown(message: str, name: str, known: Collection[str], path: str) -> UsageError:
    near = difflib.get_close_matches(name, known, n=1, cutoff=0.6)
    fix = f"did you mean {near[0]}?" if near else f"use one of {', '.join(known)}"
    return UsageError.of("E324", message, fix=fix, file=path)

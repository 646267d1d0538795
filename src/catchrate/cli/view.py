"""catchrate view: the local app."""

from __future__ import annotations

import webbrowser
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from catchrate.cli.inputs import named, open_input
from catchrate.cli.messages import say
from catchrate.cli.options import FLAG, MANY, Policies, Reading
from catchrate.cli.scoring import MEASURES
from catchrate.errors import UsageError, shown
from catchrate.evaluation.evaluate import DEFAULT_MEASURES
from catchrate.formats import Source
from catchrate.matching.grammar import parse_rule
from catchrate.measures import parse_all
from catchrate.web import FIRST_PORT, serve
from catchrate.web.order import FileOrder, Order

FILES = "Judgments, runs or records: PATH or NAME=PATH. What each one holds is told from its content."
HOST = "Address to listen on; any but this machine's own needs --token."
PORT = "Port, or the next one that is free; 0 for any."
ASK = "Let in only who knows a token, which is printed as part of the address."


def view(
    *files: Annotated[str, Parameter(help=FILES)],
    measures: Annotated[tuple[str, ...], MANY, Parameter(alias="-m", metavar="NAMES", help=MEASURES)] = (),
    host: Annotated[str, Parameter(metavar="ADDRESS", help=HOST)] = "127.0.0.1",
    port: Annotated[int, Parameter(metavar="N", help=PORT)] = FIRST_PORT,
    token: Annotated[bool, FLAG, Parameter(help=ASK)] = False,
    no_browser: Annotated[bool, FLAG, Parameter(help="Print the address and open no browser.")] = False,
    policies: Policies | None = None,
    reading: Reading | None = None,
) -> None:
    """Open the local app in the browser: the calculator, and an explorer for runs."""

    def ready(address: str) -> None:
        say(f"catchrate is at {address}")
        say("Ctrl-C ends it.")
        if not no_browser:
            webbrowser.open(address)

    order = _ordered(files, measures, policies or Policies(), reading or Reading()) if files else None
    serve(order, host=host, port=port, with_token=token, ready=ready)


def _ordered(files: Sequence[str], measures: Sequence[str], policies: Policies, reading: Reading) -> Order:
    """Return what is to be opened; what is not there is refused before the app starts."""
    ordered = tuple(map(_file, files))
    parse_all(" ".join(measures) or DEFAULT_MEASURES)
    if policies.match is not None:
        parse_rule(policies.match)
    return Order(
        files=ordered,
        title=ordered[0].name if len(ordered) == 1 else f"{ordered[0].name} and {len(ordered) - 1} more",
        measures=" ".join(measures),
        options=reading.read_options(),
        policy=policies.policy(reading),
        match=policies.match or "",
    )


def _file(text: str) -> FileOrder:
    """Return a file to open. A pipe is refused: the app reads its files in a process of its own."""
    name, path = named(text)
    where = open_input(text).where
    if isinstance(where, Source) and where.waits:
        fix = "write it to a file first, packed or not"
        raise UsageError.of("E280", f"{shown(where.name)} is no file, and the app opens files", fix=fix)
    return FileOrder(name=Path(path).name or path, path=str(Path(path).absolute()), run=name)

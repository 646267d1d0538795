"""catchrate view: the local app."""

from __future__ import annotations

import webbrowser
from typing import Annotated

from cyclopts import Parameter

from catchrate.cli.messages import say
from catchrate.cli.options import FLAG
from catchrate.web import FIRST_PORT, serve

HOST = "Address to listen on; any but this machine's own needs --token."
PORT = "Port, or the next one that is free; 0 for any."
ASK = "Let in only who knows a token, which is printed as part of the address."


def view(
    *,
    host: Annotated[str, Parameter(metavar="ADDRESS", help=HOST)] = "127.0.0.1",
    port: Annotated[int, Parameter(metavar="N", help=PORT)] = FIRST_PORT,
    token: Annotated[bool, FLAG, Parameter(help=ASK)] = False,
    no_browser: Annotated[bool, FLAG, Parameter(help="Print the address and open no browser.")] = False,
) -> None:
    """Open the local app in the browser: the calculator, and an explorer for runs."""

    def ready(address: str) -> None:
        say(f"catchrate is at {address}")
        say("Ctrl-C ends it.")
        if not no_browser:
            webbrowser.open(address)

    serve(host=host, port=port, with_token=token, ready=ready)

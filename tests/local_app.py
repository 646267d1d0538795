"""The local app as a process of its own, and raw requests to it."""

from __future__ import annotations

import socket
import subprocess
import sys
from contextlib import suppress
from typing import NamedTuple


class App(NamedTuple):
    process: subprocess.Popen
    port: int
    token: str

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def ask(self, raw: bytes) -> bytes:
        """Send bytes as they are and return all that comes back, also from an app that hangs up in the middle."""
        back = b""
        with socket.create_connection(("127.0.0.1", self.port), timeout=20) as wire, suppress(ConnectionError):
            wire.sendall(raw)
            while piece := wire.recv(65536):
                back += piece
        return back

    def get(self, target: str = "/calculator", *headers: str, method: str = "GET", body: bytes = b"") -> Answer:
        """Ask as a page of the app would, unless other headers are given."""
        given = {line.partition(":")[0].lower() for line in headers}
        usual = [f"Host: 127.0.0.1:{self.port}", "Sec-Fetch-Site: same-origin", "Connection: close"]
        if method == "POST":
            usual += [f"Origin: {self.address}", "Content-Type: application/x-www-form-urlencoded"]
            usual += [f"Content-Length: {len(body)}"] if "transfer-encoding" not in given else []
        lines = [line for line in usual if line.partition(":")[0].lower() not in given]
        lines += [line for line in headers if not line.endswith("!absent")]
        head = "\r\n".join([f"{method} {target} HTTP/1.1", *lines, "", ""])
        return Answer.of(self.ask(head.encode("latin-1") + body))


class Answer(NamedTuple):
    status: int
    headers: dict[str, str]
    body: str

    @classmethod
    def of(cls, raw: bytes) -> Answer:
        head, _, body = raw.partition(b"\r\n\r\n")
        first, *lines = head.decode("latin-1").split("\r\n")
        headers = {line.partition(":")[0].lower(): line.partition(":")[2].strip() for line in lines}
        return cls(int(first.split()[1]), headers, body.decode("utf-8", "replace"))


def started(*arguments: str) -> App:
    command = [sys.executable, "-m", "catchrate", "view", "--no-browser", "--port", "0", *arguments]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True)
    address = process.stderr.readline().strip().removeprefix("catchrate is at ")
    assert address.startswith("http://"), address
    authority, _, token = address.removeprefix("http://").partition("#")
    return App(process, int(authority.partition("/")[0].rpartition(":")[2]), token)


def stopped(app: App) -> None:
    app.process.terminate()
    app.process.communicate(timeout=20)

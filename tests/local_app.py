"""The local app as a process of its own, and raw requests to it."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from tempfile import mkdtemp
from typing import NamedTuple


class App(NamedTuple):
    process: subprocess.Popen
    port: int
    token: str
    temporary: Path
    """Its own folder for temporary files, so that what it leaves there can be told."""

    @property
    def left(self) -> list[str]:
        return sorted(entry.name for entry in self.temporary.iterdir())

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

    def send(self, target: str, *headers: str, files: dict[str, bytes] | None = None, **fields: str) -> Answer:
        """Send a form as a page of the app would, with files where there are any."""
        parts = [f'name="{name}"\r\n\r\n{value}'.encode() for name, value in fields.items()]
        parts += [f'name="files"; filename="{name}"\r\n\r\n'.encode() + body for name, body in (files or {}).items()]
        body = (
            b"".join(b"--edge\r\nContent-Disposition: form-data; " + part + b"\r\n" for part in parts) + b"--edge--\r\n"
        )
        given = {line.partition(":")[0].lower() for line in headers}
        usual = [] if "content-type" in given else ["Content-Type: multipart/form-data; boundary=edge"]
        return self.get(target, *usual, *headers, method="POST", body=body)

    def opened(self, *headers: str, demo: bool = False, **files: bytes) -> str:
        """Open files, or the demo, and return the beginning of the addresses of their set."""
        answer = self.get("/demo", *headers, method="POST") if demo else self.send("/open", *headers, files=files)
        assert answer.status == 303, answer.body
        return answer.headers["location"].removesuffix("/overview")


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
    temporary = mkdtemp()
    environment = {**os.environ, "TMPDIR": temporary}
    process = subprocess.Popen(command, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True, env=environment)
    address = process.stderr.readline().strip().removeprefix("catchrate is at ")
    assert address.startswith("http://"), address
    authority, _, token = address.removeprefix("http://").partition("#")
    return App(process, int(authority.partition("/")[0].rpartition(":")[2]), token, Path(temporary))


def stopped(app: App) -> None:
    app.process.terminate()
    app.process.communicate(timeout=20)
    shutil.rmtree(app.temporary, ignore_errors=True)

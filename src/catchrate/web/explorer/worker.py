"""A worker process from outside: asked over a pipe, and ended whenever its set is closed."""

from __future__ import annotations

import asyncio
import json
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from itertools import count
from typing import Any

Tell = Callable[[dict[str, Any]], None]


class WorkerEndedError(Exception):
    """The process is gone: it was ended, or it took more memory than it may. Never leaves this package."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a worker sends back."""

    status: int
    type: str
    name: str
    body: bytes


class Worker:
    """One process."""

    def __init__(self, process: Process, tell: Tell) -> None:
        self._process = process
        self._tell = tell
        self._numbers = count(1)
        self._waiting: dict[int, asyncio.Future[Answer]] = {}
        self._listening = asyncio.create_task(self._listen())

    @classmethod
    async def started(cls, tell: Tell) -> Worker:
        """Start a process; `tell` gets what it says on its own."""
        # -P keeps the folder that the app was started in from shadowing any library
        command = (sys.executable, "-P", "-m", "catchrate.web.worker.main")
        process = await asyncio.create_subprocess_exec(*command, stdin=PIPE, stdout=PIPE, start_new_session=True)
        return cls(process, tell)

    @property
    def pid(self) -> int:
        """The number of the process."""
        return self._process.pid

    async def ask(self, seconds: float, **question: Any) -> Answer:
        """Return the answer to a question.

        Raises WorkerEndedError when the process ends before, and TimeoutError when it takes too long; then it is ended.
        """
        number = next(self._numbers)
        future = self._waiting[number] = asyncio.get_running_loop().create_future()
        try:
            if self._listening.done():
                raise WorkerEndedError
            assert self._process.stdin  # noqa: S101 - it was asked for
            self._process.stdin.write(json.dumps({"id": number, **question}).encode() + b"\n")
            return await asyncio.wait_for(future, seconds)
        except TimeoutError:
            self.end()
            raise
        finally:
            self._waiting.pop(number, None)

    def end(self) -> None:
        """End the process now, whatever it does."""
        if not self._listening.done():
            with suppress(ProcessLookupError):
                self._process.kill()

    async def ended(self) -> None:
        """Wait until the process is gone."""
        await self._process.wait()
        await self._listening

    async def _listen(self) -> None:
        assert self._process.stdout  # noqa: S101 - it was asked for
        with suppress(asyncio.IncompleteReadError, ConnectionError, ValueError):
            while line := await self._process.stdout.readline():
                head = json.loads(line)
                body = await self._process.stdout.readexactly(head["size"])
                self._heard(head, body)
        assert self._process.stdin  # noqa: S101 - it was asked for
        self._process.stdin.close()
        for future in self._waiting.values():
            if not future.done():
                future.set_exception(WorkerEndedError())

    def _heard(self, head: dict[str, Any], body: bytes) -> None:
        if "event" in head:
            self._tell(head["event"])
            return
        future = self._waiting.get(head["id"])
        if future and not future.done():
            future.set_result(Answer(status=head["status"], type=head["type"], name=head["name"], body=body))

"""The sets that are open: a bounded number of them, each with a worker of its own."""

from __future__ import annotations

import asyncio
import json
import secrets
import shutil
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import mkdtemp
from typing import Any, Literal

from starlette.exceptions import HTTPException

from catchrate.limits import MAX_OPENED, MAX_OPENING_SECONDS, MAX_PAGE_SECONDS
from catchrate.web.explorer.worker import Answer, Worker, WorkerEndedError
from catchrate.web.order import Order

State = Literal["opening", "open", "refused", "ended"]
NO_MEMORY = (
    "The process that held these files has ended. Most likely it needed more memory than this machine gives. "
    "Open fewer runs at a time, or evaluate them on the command line."
)
TOO_SLOW = "It took too long and was stopped. Evaluate such files on the command line: catchrate evaluate."


@dataclass(slots=True, kw_only=True)
class OpenedSet:
    """Files that were opened together, and the process that holds them."""

    id: str
    order: Order
    folder: Path | None = None
    """Where its uploads lie, under names of ours."""
    state: State = "opening"
    progress: dict[str, Any] = field(default_factory=dict[str, Any])
    runs: tuple[str, ...] = ()
    queries: int = 0
    why: str = ""
    """Why it ended."""
    worker: Worker | None = None
    reading: asyncio.Task[None] | None = None

    @property
    def base(self) -> str:
        """The beginning of its addresses."""
        return f"/sets/{self.id}"

    @property
    def share(self) -> float | None:
        """How much is read, from 0 to 1; None before that is known."""
        total = self.progress.get("total")
        return self.progress.get("rows", 0) / total if total else None

    async def opened(self, seconds: float) -> None:
        """Wait until reading has ended, but not longer than that."""
        if self.reading and not self.reading.done():
            await asyncio.wait([self.reading], timeout=seconds)

    async def page(self, name: str, form: str, arguments: dict[str, str]) -> Answer:
        """Return a page from the worker."""
        if self.worker is None:
            raise HTTPException(422, self.why or "These files are not open any more.")
        try:
            return await self.worker.ask(
                MAX_PAGE_SECONDS, do="page", page=name, form=form, arguments=arguments, base=self.base
            )
        except (WorkerEndedError, TimeoutError) as error:
            self.end(TOO_SLOW if isinstance(error, TimeoutError) else NO_MEMORY)
            raise HTTPException(422, self.why) from None

    def end(self, why: str = "") -> None:
        """End the worker, in the middle of whatever it does."""
        if self.worker:
            self.worker.end()
        if self.reading and self.reading is not asyncio.current_task():
            self.reading.cancel()
        self.worker, self.state, self.why = None, "ended", why


class Sets:
    """All of them, by an id that nobody can guess."""

    def __init__(self) -> None:
        self._sets: dict[str, OpenedSet] = {}
        self._leaving: set[asyncio.Task[None]] = set()

    def __iter__(self) -> Any:
        return iter(self._sets.values())

    def refuse_many(self) -> None:
        """Make room by forgetting sets that ended, and refuse one more where there is none."""
        for one in [one for one in self if one.state in ("ended", "refused")]:
            if len(self._sets) >= MAX_OPENED:
                self.close(one.id)
        if len(self._sets) >= MAX_OPENED:
            raise HTTPException(429, f"{MAX_OPENED} sets are open, which is all that fits. Close one first.")

    def open(self, order: Order, folder: Path | None = None, *, key: str = "") -> OpenedSet:
        """Start to read files, and return their set at once."""
        self.refuse_many()
        one = OpenedSet(id=key or new_id(), order=order, folder=folder)
        self._sets[one.id] = one
        one.reading = asyncio.create_task(self._read(one))
        return one

    def read_again(self, one: OpenedSet, order: Order) -> None:
        """Read the files of a set in another way."""
        self._let_go(one)
        one.order, one.state, one.progress, one.why = order, "opening", {}, ""
        one.reading = asyncio.create_task(self._read(one))

    def get(self, key: str) -> OpenedSet:
        """Return a set by its id; any other id is the same 404."""
        if key not in self._sets:
            raise HTTPException(404)
        return self._sets[key]

    def close(self, key: str) -> None:
        """End a set's process and remove its uploads."""
        one = self.get(key)
        del self._sets[key]
        self._let_go(one)
        if one.folder:
            shutil.rmtree(one.folder, ignore_errors=True)

    async def close_all(self) -> None:
        """Close every set and wait until its process is gone."""
        for key in list(self._sets):
            self.close(key)
        await asyncio.gather(*self._leaving, return_exceptions=True)

    def _let_go(self, one: OpenedSet) -> None:
        worker = one.worker
        one.end()
        if worker:
            leaving = asyncio.create_task(worker.ended())
            self._leaving.add(leaving)
            leaving.add_done_callback(self._leaving.discard)

    async def _read(self, one: OpenedSet) -> None:
        try:
            one.worker = await Worker.started(one.progress.update)
            answer = await one.worker.ask(MAX_OPENING_SECONDS, do="read", order=one.order.content())
        except (WorkerEndedError, TimeoutError) as error:
            one.end(TOO_SLOW if isinstance(error, TimeoutError) else NO_MEMORY)
            return
        if answer.status != 200:
            one.end("Something went wrong in catchrate. The terminal says more.")
            return
        found = json.loads(answer.body)
        one.state = "refused" if "problem" in found else "open"
        one.runs, one.queries = tuple(found.get("runs", ())), found.get("queries", 0)


def new_id() -> str:
    """Return an id that nobody can guess."""
    return secrets.token_urlsafe(12)


def new_folder() -> Path:
    """Return a new folder that only this user can look into."""
    return Path(mkdtemp(prefix="catchrate-"))

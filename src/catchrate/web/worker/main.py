"""The worker's loop: one question a line, one answer at a time; it ends with the app that started it.

Questions and the heads of answers are lines of JSON, so that nothing that a document says can become code on the way.
"""

from __future__ import annotations

import json
import os
import queue
import resource
import secrets
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Iterator
from typing import Any, BinaryIO

from catchrate.errors import CatchrateError, InputError
from catchrate.limits import MAX_WORKER_SHARE
from catchrate.web.order import order_of
from catchrate.web.worker.answers import Answer, fault
from catchrate.web.worker.desk import Desk

PATIENCE = 0.5
"""Seconds without a question after which there is time to work ahead."""


def main() -> None:
    """Answer until the app is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the app's to handle
    _limit()
    answers = _own_output()
    questions = _questions(sys.stdin.buffer)
    desk = Desk(lambda event: _send(answers, {"event": event}))
    while True:
        question = questions.get() if desk.idle else _next(questions, desk)
        if question is not None:
            answer = _answered(desk, question)
            _send(answers, {"id": question["id"], **answer.head()}, answer.body)


def _next(questions: queue.Queue[dict[str, Any]], desk: Desk) -> dict[str, Any] | None:
    """Return the next question; where none comes for a moment, work ahead by one step."""
    try:
        return questions.get(timeout=PATIENCE)
    except queue.Empty:
        _guarded(desk.work_ahead)
        return None


def _answered(desk: Desk, question: dict[str, Any]) -> Answer:
    if question["do"] == "read":
        return _guarded(lambda: desk.read(order_of(question["order"])))
    asked = {key: str(value) for key, value in question["arguments"].items()}
    return _guarded(lambda: desk.page(question["page"], question["form"], asked, question["base"]))


def _guarded(make: Callable[[], Answer]) -> Answer:
    """Answer, or say why not; what nobody foresaw goes to the terminal under a number."""
    try:
        return make()
    except CatchrateError as error:
        return fault(422, str(error))
    except MemoryError:
        return fault(507, str(InputError.of("E501", "the memory is used up", fix="open fewer or smaller runs")))
    except Exception as error:  # noqa: BLE001 - whatever it is, the next page should still come
        number = secrets.token_hex(4)
        print(f"error {number}", file=sys.stderr)  # noqa: T201 - the log of the app is its terminal
        traceback.print_exception(error, file=sys.stderr)
        return fault(500, f"The terminal says more, under error {number}. Nothing of yours was changed.")


def _questions(stream: BinaryIO) -> queue.Queue[dict[str, Any]]:
    """Return the questions as they come; when the app is gone, the process ends in the middle of whatever it does."""
    waiting: queue.Queue[dict[str, Any]] = queue.Queue()

    def listen() -> None:
        for question in _lines(stream):
            waiting.put(question)
        os._exit(0)

    threading.Thread(target=listen, daemon=True).start()
    return waiting


def _lines(stream: BinaryIO) -> Iterator[dict[str, Any]]:
    while line := stream.readline():
        yield json.loads(line)


def _own_output() -> BinaryIO:
    """Return the stream of answers; whatever else is printed goes to the terminal."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    return answers


def _send(stream: BinaryIO, head: dict[str, Any], body: bytes = b"") -> None:
    try:
        stream.write(json.dumps({**head, "size": len(body)}).encode() + b"\n" + body)
        stream.flush()
    except BrokenPipeError:
        os._exit(0)


def _limit() -> None:
    """Take no more memory than a part of the machine's, and leave no dump of it behind."""
    memory = int(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") * MAX_WORKER_SHARE)
    resource.setrlimit(resource.RLIMIT_DATA, (memory, memory))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


if __name__ == "__main__":
    main()

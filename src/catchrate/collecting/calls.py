"""Many calls of one retriever, some at a time, each with its own time limit.

Every call has a thread of its own. A thread cannot be stopped from outside: one that is out of time is left behind as a
daemon, and its question has failed. What a call returns may be awaited; then one loop, in a thread of its own, does so,
so that this works inside a notebook, whose loop is running already.
"""

from __future__ import annotations

import inspect
import threading
import time
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from catchrate.collecting.questions import Question

if TYPE_CHECKING:
    from asyncio import AbstractEventLoop

Call = Callable[[Question], object]
LOOK_SECONDS = 0.2
"""How long to wait at a time, so that an interrupt is noticed."""


class Done(NamedTuple):
    """One call that has ended."""

    question: Question
    seconds: float
    result: object
    failure: str
    """Why there is no result; empty when there is one."""


_Outcome = Future[tuple[object, float]]
"""What came back, and how many seconds it took."""


@dataclass(eq=False, slots=True)
class _Running:
    question: Question
    begun: float = field(default_factory=time.perf_counter)
    future: _Outcome = field(default_factory=Future)


def run_calls(call: Call, questions: Iterable[Question], *, concurrency: int, timeout: float | None) -> Iterator[Done]:
    """Yield calls as they end, at most `concurrency` of them under way at once."""
    waiting = iter(questions)
    running: list[_Running] = []
    with _event_loop() as loop:
        while True:
            while len(running) < concurrency and (question := next(waiting, None)) is not None:
                running.append(_begin(call, question, loop))
            if not running:
                return
            wait([one.future for one in running], timeout=LOOK_SECONDS, return_when=FIRST_COMPLETED)
            now = time.perf_counter()
            for one in [one for one in running if one.future.done() or _is_late(one, now, timeout)]:
                running.remove(one)
                yield _done(one, timeout)


def _is_late(one: _Running, now: float, timeout: float | None) -> bool:
    return timeout is not None and now - one.begun > timeout


def _done(one: _Running, timeout: float | None) -> Done:
    if not one.future.done():
        one.future.cancel()
        return Done(one.question, time.perf_counter() - one.begun, None, f"no answer within {timeout:g} seconds")
    error = one.future.exception()
    if error is not None:
        return Done(one.question, time.perf_counter() - one.begun, None, f"{type(error).__name__}: {error}")
    result, seconds = one.future.result()
    return Done(one.question, seconds, result, "")


def _begin(call: Call, question: Question, loop: Callable[[], AbstractEventLoop]) -> _Running:
    one = _Running(question)

    def work() -> None:
        begun = time.perf_counter()
        outcome: tuple[object, float] | BaseException
        try:
            result: Any = call(question)
            if inspect.isawaitable(result):
                result = _in_loop(_awaited(result), loop()).result()
            outcome = result, time.perf_counter() - begun
        except BaseException as error:  # noqa: BLE001 - whatever a retriever raises is its failure, told below
            outcome = error
        _settle(one.future, outcome)

    threading.Thread(target=work, name="catchrate-collect", daemon=True).start()
    return one


def _settle(future: _Outcome, outcome: tuple[object, float] | BaseException) -> None:
    """Tell how a call ended, unless nobody waits any more."""
    if not future.set_running_or_notify_cancel():
        return
    if isinstance(outcome, BaseException):
        future.set_exception(outcome)
    else:
        future.set_result(outcome)


async def _awaited(result: Awaitable[object]) -> object:
    return await result


def _in_loop(coroutine: Coroutine[Any, Any, object], loop: AbstractEventLoop) -> Future[object]:
    from asyncio import run_coroutine_threadsafe

    return run_coroutine_threadsafe(coroutine, loop)


@contextmanager
def _event_loop() -> Iterator[Callable[[], AbstractEventLoop]]:
    """Give what returns a running event loop, which is begun when it is first asked for."""
    lock, begun = threading.Lock(), list["AbstractEventLoop"]()

    def loop() -> AbstractEventLoop:
        from asyncio import new_event_loop

        with lock:
            if not begun:
                begun.append(new_event_loop())
                threading.Thread(target=begun[0].run_forever, name="catchrate-loop", daemon=True).start()
            return begun[0]

    try:
        yield loop
    finally:
        for one in begun:
            _end(one)


def _end(loop: AbstractEventLoop) -> None:
    """Cancel what a loop still waits for, and end it."""
    _in_loop(_cancel_others(), loop).result(timeout=5)
    loop.call_soon_threadsafe(loop.stop)
    while loop.is_running():
        time.sleep(0.001)
    loop.close()


async def _cancel_others() -> None:
    from asyncio import all_tasks, current_task, gather

    others = [task for task in all_tasks() if task is not current_task()]
    for task in others:
        task.cancel()
    await gather(*others, return_exceptions=True)

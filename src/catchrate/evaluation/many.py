"""Several runs side by side on the cores of this machine, with the results of one after the other."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Event, Lock
from typing import TypeVar

import polars as pl

from catchrate.alignment import EachBlock

T = TypeVar("T")
R = TypeVar("R")


class _StoppedError(Exception):
    """The results of this thread are not wanted any more. Never leaves this module."""


def side_by_side(
    work: Callable[[T, EachBlock], R],
    items: Iterable[T],
    *,
    here: Callable[[T], bool] = lambda _: False,
    each_block: EachBlock = lambda _: None,
    cores: int | None = None,
) -> Iterator[R]:
    """Yield what `work` makes of each item, in their order; a few items ahead are worked on at the same time.

    Work calls what it is given after each block of rows: that is where it ends when it is not wanted any more, since a
    thread cannot be stopped from outside. Items that may wait for another program are worked on `here`, in this thread.
    """
    stop, lock = Event(), Lock()

    def seen(rows: int) -> None:
        if stop.is_set():
            raise _StoppedError
        with lock:
            each_block(rows)

    cores = cores or pl.thread_pool_size()
    with ThreadPoolExecutor(cores) as pool:
        waiting: deque[Future[R]] = deque()
        try:
            for item in items:
                waiting.append(_done(work(item, seen)) if here(item) else pool.submit(work, item, seen))
                del item  # a ranking in memory is let go with its result
                if len(waiting) > cores:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            stop.set()
            pool.shutdown(wait=False, cancel_futures=True)


def _done(result: R) -> Future[R]:
    future: Future[R] = Future()
    future.set_result(result)
    return future

"""Evaluating again, and many times, is evaluating the same."""

from __future__ import annotations

import os
import re
import threading
from pathlib import Path

import pytest

import catchrate
from strategies import long_collection

MEASURES = "recall@10 ndcg@10 ap rr bpref"
GROWTH = 5 << 20
"""Bytes that two hundred evaluations may leave behind."""


def test_runs_in_turn_give_what_each_gives_alone():
    one, other = (long_collection(queries=20, docs=60, seed=seed) for seed in (1, 2))
    first, second, again = (catchrate.evaluate(*both, MEASURES).as_dict() for both in (one, other, one))
    assert first == again != second


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="memory in use is asked of Linux")
def test_two_hundred_evaluations_leave_nothing_behind():
    both = long_collection(queries=20, docs=60, seed=3)

    def evaluate(times: int) -> tuple[int, int, int]:
        for _ in range(times):
            catchrate.evaluate(*both, MEASURES)
        pages = int(Path("/proc/self/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE"), len(list(Path("/proc/self/fd").iterdir())), threading.active_count()

    before, after = evaluate(60), evaluate(200)
    assert after[0] - before[0] < GROWTH
    assert after[1:] == before[1:]


def test_nothing_that_is_read_is_ever_run():
    """What Spark's driver sends to its own workers is not read from anywhere."""
    source = Path(catchrate.__file__).parent
    files = [path for path in source.rglob("*.py") if path.parent.name != "engines"]
    unsafe = re.compile(r"\b(import pickle|from pickle|pickle\.loads?|allow_pickle\s*=\s*True|eval\(|exec\()")
    assert [path.name for path in files if unsafe.search(path.read_text(encoding="utf-8"))] == []

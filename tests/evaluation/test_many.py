"""Several runs side by side."""

from __future__ import annotations

import random
import sys
import threading

import numpy as np
import pytest

import catchrate
from catchrate import InputError
from catchrate.evaluation.many import side_by_side
from catchrate.formats import write_judgments, write_ranking

CHANCE = random.Random(7)
QRELS = {f"q{i}": {f"d{CHANCE.randrange(60)}": CHANCE.randrange(4) for _ in range(10)} for i in range(40)}
RUNS = {
    f"run{n}": {q: {f"d{CHANCE.randrange(60)}": CHANCE.randrange(9) / 8 for _ in range(25)} for q in QRELS}
    for n in range(12)
}
MEASURES = "recall@5 ap ndcg@10 rr judged@10"


@pytest.fixture
def paths(tmp_path):
    judged = tmp_path / "judged.qrels"
    write_judgments(catchrate.read_judgments(QRELS), judged, "trec")
    for number, (name, run) in enumerate(RUNS.items()):
        kind = ("trec", "csv", "parquet", "jsonl")[number % 4]
        write_ranking(catchrate.read_ranking(run), tmp_path / f"{name}.{kind}")
    return judged, {name: next(tmp_path.glob(f"{name}.*")) for name in RUNS}


def test_many_runs_get_the_numbers_that_each_gets_alone(paths):
    judged, runs = paths
    together = catchrate.evaluate(judged, measures=MEASURES, runs=runs)
    assert list(together) == list(runs)
    for name, path in runs.items():
        alone = catchrate.evaluate(judged, path, MEASURES)
        assert np.array_equal(together[name].values, alone.values)
        assert together[name].means == alone.means
        assert together[name].notes == alone.notes
        assert together[name].provenance == alone.provenance


def test_the_work_on_judgments_is_done_once_for_all_runs(paths, monkeypatch):
    made = []
    module = sys.modules["catchrate.evaluation.evaluate"]
    real = module.JudgmentIndex
    monkeypatch.setattr(module, "JudgmentIndex", lambda judged: made.append(judged) or real(judged))
    catchrate.evaluate(paths[0], measures=MEASURES, runs=paths[1])
    assert len(made) == 1


def test_the_first_refused_run_in_their_order_is_told(paths, tmp_path):
    judged, runs = paths
    for name in ("worse", "worst"):
        (tmp_path / name).write_text("q1 Q0 d1 1 nan t\n" if name == "worse" else "q1 Q0 d1 1 abc t\n")
    for first, second, code in (("worse", "worst", "E211"), ("worst", "worse", "E214")):
        with pytest.raises(InputError) as refused:
            catchrate.evaluate(judged, runs={**runs, "a": tmp_path / first, "b": tmp_path / second})
        assert refused.value.code == code


def test_results_come_in_the_order_of_the_items_whoever_ends_first():
    second_is_done = threading.Event()

    def work(item, _seen):
        if item == 0:
            second_is_done.wait(5)
        if item == 1:
            second_is_done.set()
        return item

    assert list(side_by_side(work, range(2), cores=2)) == [0, 1]


def test_work_that_is_not_wanted_any_more_ends_at_its_next_block():
    begun, ended = threading.Event(), threading.Event()

    def work(item, seen):
        if item == "fails":
            begun.wait(5)
            raise InputError.of("E101", "no")
        begun.set()
        try:
            while True:
                seen(1)
        finally:
            ended.set()

    with pytest.raises(InputError):
        list(side_by_side(work, ["fails", "works on"], cores=2))
    assert ended.is_set()


def test_what_may_wait_for_another_program_is_read_in_the_thread_that_can_be_interrupted():
    threads = list(side_by_side(lambda *_: threading.current_thread(), ["file", "pipe"], here=lambda x: x == "pipe"))
    assert threads[0] is not threading.main_thread()
    assert threads[1] is threading.main_thread()


def test_every_block_is_told_once():
    told = []
    list(side_by_side(lambda item, seen: [seen(1) for _ in range(item)], [100, 200, 300], each_block=told.append))
    assert sum(told) == 600

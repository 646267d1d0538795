"""trec_eval 9.0.8, compiled as pytrec_eval-terrier, is the judge of every number that both have.

It runs in a child process with a time limit, because some inputs make it loop for ever; one child serves all examples.
"""

from __future__ import annotations

import functools
import json
import queue
import subprocess
import sys
import threading
from collections.abc import Iterable, Iterator
from typing import IO

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given, settings

import catchrate
from catchrate.measures import parse
from strategies import Grades, Scored, collections, long_collection

pytrec_eval = pytest.importorskip("pytrec_eval")

CHILD = """
import json, sys, pytrec_eval, pytrec_eval_ext
for line in sys.stdin:
    qrels, run, names, level, judged_only = json.loads(line)
    direct = any("=" in name or "-" in name for name in names)
    judge = (pytrec_eval_ext if direct else pytrec_eval).RelevanceEvaluator(qrels, set(names), level, judged_only)
    print(json.dumps(judge.evaluate(run)), flush=True)
"""
SECONDS = 5
Both = tuple[Grades, Scored]
Answer = dict[str, dict[str, float]]
approx = functools.partial(pytest.approx, abs=1e-12, rel=0)
NAMES = (
    "11pt_avg", "G", "P.1,3,7,20", "Rndcg", "Rprec", "Rprec_mult.0.2,0.5,1.0,1.7,2.0", "binG", "bpref", "gm_bpref",
    "gm_map", "infAP", "iprec_at_recall.0.0,0.1,0.25,0.33,0.5,0.7,1.0", "map", "map_cut.1,3,20", "ndcg",
    "ndcg_cut.1,3,7,20", "ndcg_rel", "num_nonrel_judged_ret", "num_q", "num_rel", "num_rel_ret", "num_ret",
    "recall.1,3,7,20", "recip_rank", "relative_P.1,3,7,20", "set_F", "set_P", "set_map", "set_recall",
    "set_relative_P", "success.1,3,7,20", "utility",
)  # fmt: skip
WITHOUT_NUMBERS = {"relstring", "runid"}


class Reference:
    """The child process: one line of JSON in, one line out."""

    def __init__(self) -> None:
        self._start()

    def _start(self) -> None:
        command = [sys.executable, "-c", CHILD]
        self._child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self._answers: queue.Queue[str] = queue.Queue()
        self._listener = threading.Thread(target=_listen, args=(self._child.stdout, self._answers), daemon=True)
        self._listener.start()

    def values(
        self, qrels: Grades, run: Scored, names: Iterable[str], level: int = 1, judged_only: bool = False
    ) -> Answer:
        """Return each query's values; no number is 0, and a child that loops or dies is replaced."""
        self._child.stdin.write(json.dumps([qrels, run, list(names), level, judged_only]) + "\n")
        self._child.stdin.flush()
        try:
            return json.loads(self._answers.get(timeout=SECONDS), parse_constant=lambda _nan: 0.0)
        except (queue.Empty, json.JSONDecodeError):
            self.stop()
            self._start()
            pytest.fail(f"the reference gave no answer for {qrels} {run}")

    def stop(self) -> None:
        """End the child."""
        self._child.kill()
        self._child.wait()
        self._listener.join()
        self._child.stdin.close()
        self._child.stdout.close()


def _listen(lines: IO[str], answers: queue.Queue[str]) -> None:
    for line in lines:
        answers.put(line)
    answers.put("")


@pytest.fixture(scope="module")
def reference() -> Iterator[Reference]:
    child = Reference()
    yield child
    child.stop()


def _agree(both: Both, expected: Answer, *, rel: int = 1, judged_only: bool = False) -> None:
    """Compare every query's value and the mean; the reference gives logarithms where the mean is a geometric one."""
    names = list(next(iter(expected.values())))
    ours = catchrate.evaluate(*both, names, dialect="trec_eval-9", queries="both", rel=rel, judged_only=judged_only)
    assert ours.per_query["query"].to_list() == sorted(expected)
    for name in names:
        values = ours.per_query[str(parse(name))].to_numpy()
        theirs = [expected[query][name] for query in sorted(expected)]
        compared = np.log(np.maximum(values, 1e-5)) if name.startswith("gm_") else values
        assert compared.tolist() == approx(theirs), name
        assert ours[name] == approx(pytrec_eval.compute_aggregated_measure(name, theirs)), name


@settings(max_examples=100, deadline=None)
@given(collections())
def test_every_measure_of_trec_eval_is_equal_on_any_collection(reference: Reference, both: Both) -> None:
    _agree(both, reference.values(*both, NAMES))


@settings(max_examples=30, deadline=None)
@given(collections(), st.integers(1, 4))
def test_every_measure_is_equal_at_any_level_of_relevance(reference: Reference, both: Both, level: int) -> None:
    _agree(both, reference.values(*both, NAMES, level), rel=level)


@settings(max_examples=30, deadline=None)
@given(collections())
def test_every_measure_is_equal_when_unjudged_documents_are_dropped(reference: Reference, both: Both) -> None:
    _agree(both, reference.values(*both, NAMES, judged_only=True), judged_only=True)


def test_every_measure_is_equal_on_long_rankings_with_many_grades(reference: Reference) -> None:
    both = long_collection(queries=30, docs=400, seed=7)
    _agree(both, reference.values(*both, NAMES))


@pytest.mark.parametrize(
    ("theirs", "ours"),
    [
        ("ndcg.1=3,2=1.9,4=5.5", "ndcg(gains=1:3;2:1.9;4:5.5)"),
        ("ndcg.0=3,1=1", "ndcg(gains=0:3;1:1)"),
        ("G.0=2,1=1", "g(gains=0:2;1:1)"),
        ("G.1=0,2=1", "g(gains=1:0;2:1)"),
        ("G.1=1.5,2=3.5,3=5.5,4=9.75", "g(gains=1:1.5;2:3.5;3:5.5;4:9.75)"),
        ("ndcg_rel.1=5.5,2=1.25", "ndcg_rel(gains=1:5.5;2:1.25)"),
        ("ndcg_rel.1=2,2=2", "ndcg_rel(gains=1:2;2:2)"),
        ("Rndcg.0=1,1=0", "rndcg(gains=0:1;1:0)"),
        ("utility.2,-1.5,0.5,0.25", "utility(p1=2,p2=-1.5,p3=0.5,p4=0.25)"),
        ("set_F.0.25", "f(beta=0.5)"),
    ],
)
def test_gains_and_weights_of_your_own_are_equal(reference: Reference, theirs: str, ours: str) -> None:
    """Gains that differ by less than 1 are left out: the reference takes them as equal when it sorts its levels."""
    both = long_collection(queries=20, docs=40, seed=3, highest=4)
    expected = reference.values(*both, [theirs])
    scores = catchrate.evaluate(*both, ours, dialect="trec_eval-9", queries="both")
    assert scores.values[:, 0].tolist() == approx([next(iter(expected[query].values())) for query in sorted(expected)])


def test_scores_that_differ_beyond_32_bits_are_ties_in_the_dialect_only(reference: Reference) -> None:
    both = {"q": {"a": 1, "b": 0}}, {"q": {"a": 16_777_217.0, "b": 16_777_216.0}}
    assert reference.values(*both, ["recip_rank"])["q"]["recip_rank"] == 0.5
    assert catchrate.evaluate(*both, "rr", dialect="trec_eval-9")["rr"] == 0.5
    assert catchrate.evaluate(*both, "rr")["rr"] == 1.0


def test_no_measure_of_the_reference_is_left_out() -> None:
    assert {name.split(".")[0] for name in NAMES} | WITHOUT_NUMBERS == set(pytrec_eval.supported_measures)

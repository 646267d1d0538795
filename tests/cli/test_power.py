"""catchrate power."""

from __future__ import annotations

import json

import pytest

QRELS = "".join(f"q{i} 0 a 1\n" for i in range(20))
GOOD = "".join(f"q{i} Q0 a 1 9 t\n" for i in range(20))
MIXED = "".join(f"q{i} Q0 {'xa'[i % 2]} 1 9 t\nq{i} Q0 y 2 8 t\n" for i in range(20))


@pytest.fixture
def paths(files):
    return files(judged_txt=QRELS, good_trec=GOOD, mixed_trec=MIXED)


def test_two_runs_say_what_their_queries_show(run, paths):
    done = run("power", *paths, "-m", "hit@1", "--difference", "0.1", "--size", "300")
    assert done.code == 0
    assert done.out.startswith("20 queries show a difference of 0.34 in 80% of such sets, at 95% confidence.\n")
    assert "The spread is that of the differences between good and mixed." in done.out
    assert "for 0.1" in done.out


def test_a_guess_needs_no_files(run):
    done = run("power", "--mean", "0.7", "--difference", "0.05", "--json")
    content = json.loads(done.out, parse_constant=pytest.fail)
    assert content["measures"][0]["needed"] == [{"difference": 0.05, "queries": 662}]
    assert content["runs"] == []


@pytest.mark.parametrize("arguments", [[], ["--mean", "0.5", "--spread", "1"]], ids=str)
def test_nothing_to_go_by_is_a_usage_error(run, arguments):
    done = run("power", *arguments)
    assert (done.code, done.out) == (2, "")
    assert "E317" in done.err


def test_a_guess_beside_runs_is_a_usage_error(run, paths):
    done = run("power", *paths, "--mean", "0.5")
    assert done.code == 2
    assert "E317 a guess stands beside runs" in done.err

"""catchrate evaluate --save, and what was saved beside runs of today."""

from __future__ import annotations

import json

import pytest

import catchrate


@pytest.fixture
def saved(run, demo, tmp_path):
    path = tmp_path / "base.parquet"
    assert run("evaluate", demo, demo / "runs/bm25.trec", "-m", "ap rr", "--save", path).code == 0
    return path


def test_one_run_is_saved_and_printed_as_ever(run, demo, saved):
    assert catchrate.load_scores(saved).as_dict().keys() == {"ap", "rr"}
    plain = run("evaluate", demo, demo / "runs/bm25.trec", "-m", "ap rr")
    assert run("evaluate", demo, demo / "runs/bm25.trec", "-m", "ap rr", "--save", saved) == plain


def test_saved_scores_stand_for_a_run_of_compare(run, demo, saved):
    names = (demo, f"old={saved}", demo / "runs/dense.trec")
    done = run("compare", *names, "-m", "ndcg@10 ap", "--baseline", "old", "--json")
    fresh = run("compare", demo, f"old={demo / 'runs/bm25.trec'}", names[2], "-m", "ndcg@10 ap", "--json")
    assert json.loads(done.out)["differences"] == json.loads(fresh.out)["differences"]
    two = run("compare", demo, saved, f"again={saved}", "-m", "hit@1", "--json")
    assert [one["verdict"] for one in json.loads(two.out)["differences"]] == ["the same"]


def test_what_cannot_be_saved_is_a_usage_error(run, demo, tmp_path):
    runs = (demo / "runs/bm25.trec", demo / "runs/dense.trec")
    for arguments, code in [((*runs, "--save", "x.parquet"), "E280"), ((runs[0], "--save", "x.json"), "E322")]:
        done = run("evaluate", demo, *arguments)
        assert (done.code, done.out) == (2, "")
        assert code in done.err
    done = run("evaluate", demo, runs[0], "--save", tmp_path / "no" / "s.parquet")
    assert (done.code, "E302" in done.err) == (5, True)


def test_two_runs_of_one_name_are_refused(run, demo, saved):
    done = run("compare", demo, f"bm25={saved}", demo / "runs/bm25.trec")
    assert (done.code, "E262" in done.err) == (2, True)

"""Intervals as `catchrate evaluate` shows them."""

from __future__ import annotations

import csv
import io
import json

import pytest

import catchrate


@pytest.fixture
def sides(demo):
    return demo, demo / "runs" / "bm25.trec", demo / "runs" / "dense.trec"


@pytest.fixture
def grouped(tmp_path):
    """Return records of which every four belong to one conversation."""
    path = tmp_path / "evals.jsonl"
    records = [
        {"id": f"q{i}", "talk": i // 4, "retrieved": ["x"] * (i // 4 % 3) + ["a"], "ground_truth": ["a"]}
        for i in range(40)
    ]
    path.write_text("".join(json.dumps({"query": "?", **record}) + "\n" for record in records))
    return path


def cells(out: str) -> dict[str, list[str]]:
    return {line.split()[0]: line.split()[1:] for line in out.splitlines()[1:] if line}


def test_each_mean_stands_before_its_interval_and_what_the_brackets_mean_is_said_once(run, sides):
    done = run("evaluate", *sides, "-m", "recall@5 hit@1")
    scores = catchrate.evaluate(*map(str, sides[:2]), "recall@5 hit@1")
    assert f"0.6502 {scores.interval('recall@5')}*" in done.out
    assert f"{scores['hit@1']:.4f} {scores.interval('hit@1')}*" in done.out
    assert done.out.splitlines()[-1] == "[low, high] is the 95% interval of a mean."


def test_the_usual_measures_of_two_runs_fit_a_terminal_as_rows(run, sides, monkeypatch):
    monkeypatch.setattr("catchrate.cli.show.columns_of", lambda _: 80)
    lines = run("evaluate", *sides).out.splitlines()
    assert max(map(len, lines)) <= 80
    assert lines[0].split() == ["bm25", "dense"]
    assert [line.split()[0] for line in lines[1:7]] == list(catchrate.evaluate(*map(str, sides[:2])))


def test_json_holds_both_ends_at_full_precision_and_how_they_were_made(run, sides):
    content = json.loads(run("evaluate", *sides[:2], "-m", "recall@5 hit@1", "--json").out)
    scores = catchrate.evaluate(*map(str, sides[:2]), "recall@5 hit@1")
    assert content["runs"]["bm25"]["measures"] == {
        name: {"mean": scores[name], "ci": list(scores.interval(name).ends), "n": 40} for name in scores
    }
    assert content["provenance"]["intervals"] == {"level": 0.95, "cluster": None, "samples": 10_000, "seed": 0}


def test_csv_has_a_column_for_each_end(run, sides):
    (row,) = csv.DictReader(io.StringIO(run("evaluate", *sides[:2], "-m", "ap", "--csv").out))
    ends = catchrate.evaluate(*map(str, sides[:2]), "ap").interval("ap").ends
    assert (float(row["ap_low"]), float(row["ap_high"])) == ends


def test_options_choose_level_clusters_samples_and_seed(run, grouped):
    options = ["--level", "0.9", "--cluster", "talk", "--samples", "500", "--seed", "7"]
    content = json.loads(run("evaluate", grouped, "-m", "rr hit@1", "--json", *options).out)
    scores = catchrate.evaluate(str(grouped), "rr hit@1")
    for name, found in content["runs"]["evals"]["measures"].items():
        expected = scores.interval(name, level=0.9, cluster="talk", samples=500, seed=7)
        assert (tuple(found["ci"]), found["n"]) == (expected.ends, 10)
    assert content["provenance"]["intervals"] == {"level": 0.9, "cluster": "talk", "samples": 500, "seed": 7}
    out = run("evaluate", grouped, "-m", "rr", *options).out
    assert "90% interval of a mean, with the queries of each 'talk' drawn together." in " ".join(out.split())


def test_intervals_are_left_out_on_request(run, sides):
    done = run("evaluate", *sides, "-m", "recall@5", "--no-intervals")
    assert "[" not in done.out
    content = json.loads(run("evaluate", *sides, "-m", "recall@5", "--no-intervals", "--json").out)
    assert content["runs"]["bm25"]["measures"] == {"recall@5": {"mean": catchrate.evaluate(*sides[:2])["recall@5"]}}
    assert "intervals" not in content["provenance"]


def test_many_runs_have_intervals_in_data_and_on_request(run, sides):
    judged, bm25, _ = sides
    runs = [f"r{n}={bm25}" for n in range(13)]
    assert "[" not in run("evaluate", judged, *runs, "-m", "rr").out
    assert run("evaluate", judged, *runs, "-m", "rr", "--intervals").out.count("0.7776 [0.6492, 0.8750]") == 13
    content = json.loads(run("evaluate", judged, *runs, "-m", "rr", "--json").out)
    assert all(one["measures"]["rr"]["ci"] for one in content["runs"].values())


@pytest.mark.parametrize("wrong", [("--level", "95"), ("--samples", "3"), ("--seed", "-1")])
def test_numbers_out_of_range_are_a_wrong_call_before_anything_is_read(run, wrong):
    done = run("evaluate", "no such file", "nor this", *wrong)
    assert (done.code, done.err.startswith("error: E310 ")) == (2, True)


def test_measures_that_do_not_vary_say_why_they_have_no_interval(run, tmp_path):
    path = tmp_path / "evals.jsonl"
    path.write_text("".join(f'{{"query": "{i}", "retrieved": ["x"], "ground_truth": ["x"]}}\n' for i in range(6)))
    lines = run("evaluate", path, "-m", "rr hit@1").out.splitlines()
    assert lines[0].split() == ["run", "rr", "hit@1", "queries", "missing", "unjudged"]
    assert "1.0000 [0.6097, 1.0000]" in lines[1]
    assert lines[2] == "no interval: every query has the same value"


def test_scores_show_intervals_where_they_are_known_or_cheap(sides, monkeypatch):
    scores = catchrate.evaluate(*map(str, sides[:2]), "recall@5 hit@1")
    assert f"recall@5  0.6502  {scores.interval('recall@5')}" in repr(scores)
    again = catchrate.evaluate(*map(str, sides[:2]), "recall@5")
    monkeypatch.setattr("catchrate.evaluation.scores.CHEAP", 10)
    assert "[" not in repr(again)
    again.intervals()
    assert "[" in repr(again)
    few = repr(catchrate.evaluate({"q": {"a": 1}}, {"q": ["a"]}, "recall@5 rr"))
    assert few.splitlines()[2:] == ["  rr        1.0000", "  no interval: there is only one query"]

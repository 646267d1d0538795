"""Texts matched on the command line."""

from __future__ import annotations

import json

ROWS = (
    '{"id": "q1", "query": "?", "texts": ["green tea. I hike.", "no"], "gold_texts": ["green tea", "I hike.", "sea"]}\n'
)


def test_every_command_that_scores_takes_a_rule_of_matching(run, files):
    (path,) = files(run_jsonl=ROWS)
    content = json.loads(run("evaluate", path, "--match", "contained", "-m", "recall@1", "--json").out)
    assert content["runs"]["run"]["measures"]["recall@1"]["mean"] == 2 / 3
    assert content["provenance"]["policies"]["match"] == "contained"
    assert "recall of query q1: 0.6667" in run("explain", path, "--match", "contained", "-m", "recall").out
    one, other = files(a_jsonl=ROWS, b_jsonl=ROWS)
    assert run("compare", one, other, "--match", "contained", "-m", "recall").code == 0
    assert "recall@10     0.6667" in run("diagnose", path, "--match", "contained").out
    assert run("check", path, "--match", "contained").code == 0


def test_a_rule_that_is_none_is_a_wrong_command_line(run, files):
    done = run("evaluate", *files(run_jsonl=ROWS), "--match", "contaned")
    assert (done.code, "did you mean contained?" in done.err) == (2, True)


def test_texts_without_a_rule_are_refused_with_the_option_that_matches_them(run, files):
    done = run("evaluate", *files(run_jsonl=ROWS))
    assert (done.code, "match texts with --match covered" in done.err) == (4, True)


def test_match_shows_what_was_found_and_the_nearest_misses(run, files):
    (path,) = files(run_jsonl=ROWS)
    done = run("match", path, "--match", "contained")
    assert done.out.startswith("2 of 3 gold texts of 1 query found by contained\n")
    assert "sea✗" in done.out
    done = run("match", path, "--explain", "q1")
    assert done.out.startswith("q1: 2 of 3 gold texts found\n")
    assert "green tea. I hike.✓  green tea    100.0%    100.0%\n" in done.out
    assert run("match", path, "--explain", "q2").code == 2
    content = json.loads(run("match", path, "--json").out)
    assert [row["recall@10"] for row in content["tables"]["thresholds"]] == [2 / 3] * 10
    assert len(content["tables"]["matches"]) == 2
    assert "E280 2 measures" in run("match", path, "-m", "recall rr").err

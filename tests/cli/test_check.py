from __future__ import annotations

import json


def test_clean_inputs_end_with_zero(run, demo):
    done = run("check", demo, *sorted((demo / "runs").iterdir()))
    assert (done.code, done.err) == (0, "")
    assert [line.split(": ")[1] for line in done.out.splitlines()] == [
        "judgments, 40 queries, 166 judged, nothing to report",
        "run, 40 queries, 800 returned, nothing to report",
        "run, 40 queries, 800 returned, nothing to report",
    ]


def test_what_would_be_refused_ends_with_four_and_is_listed_with_its_lines(run, files):
    (bad,) = files(bad_trec="q1 Q0 a 1 x t\nq1 Q0 b 2 nan t\n")
    done = run("check", bad)
    assert done.code == 4
    assert f"error: E214 {bad}:1: " in done.out
    assert f"error: E211 {bad}:2: " in done.out


def test_warnings_alone_end_with_zero_and_name_flags(run, files):
    (odd,) = files(odd_txt="#q 0 a 1\nq1 0 a 1\n")
    done = run("check", odd)
    assert done.code == 0
    assert f"warning: W118 {odd}:1: 1 of 2 rows begin with '#'" in done.out
    assert "--comments" in done.out


def test_errors_come_first_and_then_warnings(run, files):
    (bad,) = files(bad_trec="q1 Q0 a 1 1 t\nq1 Q0 b 2 x u\n")
    lines = run("check", bad).out.splitlines()
    assert [line.split()[1] for line in lines[1:]] == ["E214", "W218"]


def test_json_holds_the_same(run, files):
    bad, good = files(bad_trec="q1 Q0 a 1 x t\n", good_txt="q1 0 a 1\n")
    done = run("check", bad, good, "--json")
    content = json.loads(done.out)
    assert done.code == 4
    assert [(one["name"], one["kind"], one["refused"]) for one in content] == [
        (str(bad), "ranking", True),
        (str(good), "judgments", False),
    ]
    assert content[0]["findings"][0]["code"] == "E214"


def test_a_missing_file_is_reported_beside_the_others(run, files):
    (good,) = files(good_txt="q1 0 a 1\n")
    done = run("check", "nowhere.txt", good)
    assert done.code == 4
    assert "E110 nowhere.txt" in done.out
    assert "judgments, 1 query, 1 judged" in done.out


def test_nothing_to_check_is_a_wrong_call(run):
    assert run("check").code == 2

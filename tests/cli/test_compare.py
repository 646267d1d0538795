"""catchrate compare."""

from __future__ import annotations

import csv
import io
import json

import pytest

QRELS = "".join(f"q{i} 0 a 1\nq{i} 0 b 1\n" for i in range(20))
GOOD = "".join(f"q{i} Q0 a 1 9 t\nq{i} Q0 b 2 8 t\n" for i in range(20))
LATE = "".join(f"q{i} Q0 x 1 9 t\nq{i} Q0 {'ab'[i % 2]} 2 {8 - i % 3} t\n" for i in range(20))


@pytest.fixture
def paths(files):
    return files(judged_txt=QRELS, good_trec=GOOD, late_trec=LATE)


def test_the_verdict_stands_on_the_first_line(run, paths):
    done = run("compare", *paths, "-m", "rr recall@2", "--baseline", "good")
    assert done.code == 0
    assert done.out.startswith("▼ late is worse than good at rr and recall@2.\n")
    assert "note: N229" in done.err


def test_json_is_strict_and_holds_every_difference(run, paths):
    done = run("compare", *paths, "-m", "rr ap", "--json")
    content = json.loads(done.out, parse_constant=pytest.fail)
    assert [(d["run"], d["measure"], d["verdict"]) for d in content["differences"]] == [
        ("late", "rr", "worse"),
        ("late", "ap", "worse"),
    ]
    assert list(content["provenance"]["runs"]) == ["good", "late"]


def test_csv_is_one_table_of_all_differences(run, paths):
    judged, good, late = paths
    done = run("compare", judged, good, late, f"third={late}", "-m", "rr", "--csv")
    rows = list(csv.DictReader(io.StringIO(done.out)))
    assert [(row["against"], row["run"], row["verdict"]) for row in rows] == [
        ("good", "late", "worse"),
        ("good", "third", "worse"),
        ("late", "third", "the same"),
    ]
    assert (rows[2]["low"], rows[2]["reason"]) == ("", "no query differs")


def test_the_options_reach_the_comparison(run, paths):
    options = [
        "--care",
        "2",
        "--test",
        "sign",
        "--correction",
        "bh",
        "--family",
        "all",
        "--level",
        "0.9",
        "--seed",
        "3",
    ]
    done = run("compare", *paths, "-m", "recall@2", "--json", *options)
    content = json.loads(done.out)
    choices = content["provenance"]["comparison"]
    expected = {"care": 2.0, "test": "sign", "correction": "bh", "family": "all", "level": 0.9, "seed": 3}
    assert {name: choices[name] for name in expected} == expected
    assert content["differences"][0]["verdict"] in ("no difference that matters", "worse")


def test_other_queries_are_refused_unless_the_policy_is_named(run, paths, files):
    judged, good, _ = paths
    (part,) = files(part_trec=LATE.partition("q7 ")[0])
    done = run("compare", judged, good, part, "-m", "rr")
    assert (done.code, done.out) == (2, "")
    assert "E312" in done.err
    for policy, queries in (("judged", 20), ("both", 7)):
        done = run("compare", judged, good, part, "-m", "rr", "--queries", policy, "--json")
        assert json.loads(done.out)["queries"] == queries


@pytest.mark.parametrize(
    ("arguments", "code"), [(["--baseline", "best"], "E260"), (["--care=-1"], "E310"), (["--test", "z"], "E280")]
)
def test_wrong_options_are_usage_errors(run, paths, arguments, code):
    done = run("compare", *paths, *arguments)
    assert (done.code, done.out) == (2, "")
    assert code in done.err


def test_one_run_is_nothing_to_compare(run, paths):
    done = run("compare", *paths[:2])
    assert done.code == 2
    assert "E315" in done.err


def test_two_runs_without_judgments_are_compared_and_give_a_sheet_to_fill_in(run, paths, tmp_path):
    sheet = tmp_path / "sheet.csv"
    done = run("compare", *paths[1:], "--no-judgments", "-k", "1", "--label", str(sheet))
    assert done.out.startswith("good and late share 0.0% of their first 1 documents; ")
    assert "20 documents to judge are in" in done.err
    assert sheet.read_text().splitlines()[:2] == ["query,doc,grade", "q0,a,"]
    content = json.loads(run("compare", *paths[1:], "--no-judgments", "--json").out)
    assert content["runs"] == ["good", "late"]


def test_csv_of_two_runs_names_every_document_in_which_they_differ(run, files):
    one, other = ("".join(f"q Q0 {letter}{i} {i} {9 - i} t\n" for i in range(1, 8)) for letter in ("old", "new"))
    done = run("compare", *files(one_trec=one, other_trec=other), "--no-judgments", "--csv")
    (row,) = csv.DictReader(io.StringIO(done.out))
    assert row["new"] == "new1, new2, new3, new4, new5, new6, new7"


def test_what_goes_with_runs_alone_is_refused_beside_judgments(run, paths):
    for arguments, code in [
        ((*paths, "-k", "3"), "E280"),
        ((*paths[:2], "--label", "x.csv"), "E280"),
        ((*paths, "--no-judgments"), "E315"),
        ((paths[1], "--no-judgments"), "E315"),
    ]:
        done = run("compare", *arguments)
        assert (done.code, done.out) == (2, "")
        assert code in done.err

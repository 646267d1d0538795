from __future__ import annotations

import csv
import io
import json

import pytest

QRELS = "q1 0 a 1\nq1 0 b 1\nq1 0 z 1\nq2 0 c 1\n"
RUN = "q1 Q0 a 1 9 t\nq1 Q0 x 2 8 t\nq1 Q0 b 3 7 t\nq2 Q0 c 1 9 t\nq2 Q0 y 2 8 t\n"


def test_what_is_wrong_comes_first_then_where_documents_are(run, files):
    done = run("diagnose", *files(judged_txt=QRELS, run_trec=RUN), "-k", "2")
    assert done.code == 0
    lines = done.out.splitlines()
    assert lines[0].startswith("? Selective: 1.0 of 2 slots hold a relevant document, but 33% of what is relevant is")
    assert "recall@2     0.6667" in done.out
    assert "found             66.7%          2         50.0%\n" in done.out
    assert "ranked below 2    16.7%          1         25.0%\n" in done.out
    assert "over the ceiling   0.0%          0          0.0%\n" in done.out
    assert "never returned    16.7%          1         25.0%\n" in done.out
    assert "reranking what is returned, at the same k, at most to 0.8333." in done.out


def test_slices_and_data_forms_hold_the_same_numbers(run, files):
    paths = files(judged_txt=QRELS, run_trec=RUN)
    content = json.loads(run("diagnose", *paths, "-k", "2", "--by", "relevant", "--json").out)
    account = {row["part"]: row["documents"] for row in content["tables"]["loss-account"]}
    assert account == {"found": 2, "ranked below 2": 1, "over the ceiling": 0, "never returned": 1}
    assert [row["relevant"] for row in content["tables"]["loss-by-slice-1"]] == ["1", "2 to 3"]
    rows = list(csv.DictReader(io.StringIO(run("diagnose", *paths, "-k", "2", "--csv").out)))
    assert [row["part"] for row in rows][:2] == ["found", "ranked below 2"]
    assert float(rows[0]["share"]) == pytest.approx(2 / 3)


def test_a_target_and_costs_are_part_of_it(run, files):
    paths = files(judged_txt=QRELS, run_trec=RUN)
    done = run("diagnose", *paths, "-k", "2", "--target", "recall@k >= 90%", "--tokens", "100", "--price", "3")
    assert "▼ recall@k >= 0.9: not reachable. With this run no k up to 3 reaches it, at most 0.8333: 16.7%" in done.out
    assert "cut-off  recall     gain  precision  hit rate  tokens  cost\n" in done.out
    assert "3        0.8333  +0.1667     0.5000    1.0000     250  0.75\n" in done.out


def test_records_hold_both_sides(run, files):
    record = json.dumps({"query": "a", "retrieved": ["x", "y"], "ground_truth": ["y"], "kind": "why"})
    done = run("diagnose", *files(evals_jsonl=record + "\n"), "-k", "1", "--by", "kind")
    assert "ranked below 1    100.0%" in done.out
    assert "kind: why" in done.out


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("-k", "0"), "E272 parameter k is '0'"),
        (("--target", "recall < 3"), "E333 the target is 'recall < 3' - write it as 'recall@k >= 0.9'"),
        (("--tokens", "0"), "E310 tokens is '0.0'"),
        (("--by", "kin"), "E323 nothing is known of the queries under the name 'kin'"),
    ],
)
def test_bad_options_are_refused(run, files, options, said):
    done = run("diagnose", *files(judged_txt=QRELS, run_trec=RUN), *options)
    assert (done.code, done.out) == (2, "")
    assert said in done.err


def test_a_worklist_is_filled_in_and_read_back(run, files, tmp_path):
    other = RUN.replace("y", "w")
    judged, first, second = files(judged_txt=QRELS, run_trec=RUN, other_trec=other)
    sheet, merged = tmp_path / "sheet.csv", tmp_path / "merged.csv"
    done = run("diagnose", judged, first, "--pool", second, "--worklist", sheet, "-k", "3")
    assert "3 documents to judge are in" in done.err
    rows = list(csv.DictReader(sheet.read_text().splitlines()))
    assert sorted((row["query"], row["doc"], row["grade"], row["runs"]) for row in rows) == [
        ("q1", "x", "", "2"),
        ("q2", "w", "", "1"),
        ("q2", "y", "", "1"),
    ]
    sheet.write_text(sheet.read_text().replace("q1,x,,", "q1,x,1,"))
    assert run("convert", judged, merged, "--add", sheet).code == 0
    assert "q1,x,1\n" in merged.read_text()
    assert "recall@3     0.8750" in run("diagnose", merged, first, "-k", "3").out
    again = run("diagnose", judged, first, "--worklist", judged)
    assert (again.code, "E301" in again.err) == (5, True)
    assert judged.read_text() == QRELS

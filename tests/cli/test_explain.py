from __future__ import annotations

import csv
import io
import json

import pytest

QRELS = "q1 0 a 1\nq1 0 b 1\nq2 0 c 1\n"
RUN = "q1 Q0 a 1 9 t\nq1 Q0 x 2 8 t\nq1 Q0 b 3 7 t\nq2 Q0 c 1 9 t\n"


def test_one_query_is_taken_apart(run, files):
    done = run("explain", *files(judged_txt=QRELS, run_trec=RUN), "-m", "recall@2", "-q", "q1")
    assert done.code == 0
    assert done.out == (
        "recall@2 of query q1: 0.5000\n"
        "relevant items in the first k slots / relevant items\n"
        "\n"
        "number    numerator  denominator   value\n"
        "recall@2          1            2  0.5000\n"
        "\n"
        "rank  document   grade  adds  state\n"
        "1     a✓             1     1  relevant\n"
        "2     x○             –     0  not judged\n"
        "3     b✗             1     0  below the cut-off\n"
        "\n"
        "recall@2 over 2 queries: 0.7500\n"
        "It is the mean of the queries: their sum / how many they are. 1 query is at 0.5, the worst value, and 1 query"
        " is at 1, the best.\n"
        "\n"
        "number    numerator  denominator   value\n"
        "recall@2     1.5000            2  0.7500\n"
        "\n"
        "worst queries   value\n"
        "q1             0.5000\n"
        "q2             1.0000\n"
    )


def test_without_a_query_the_worst_one_is_named_as_such(run, files):
    done = run("explain", *files(judged_txt=QRELS, run_trec=RUN), "-m", "rr")
    assert done.out.startswith("rr of query q1: 1.0000 (the worst of 2, 1 more has the same value)\n")
    assert "Every query has 1." in done.out


def test_a_combined_measure_shows_its_parts(run, files):
    done = run("explain", *files(judged_txt=QRELS, run_trec=RUN), "-m", "f1@2", "-q", "q1")
    assert "precision          1            2  0.5000\n" in done.out
    assert "Together they make 0.5000." in done.out
    assert "rank  document   grade  to precision  to recall  state\n" in done.out


def test_a_measure_of_the_whole_list_says_so(run, files):
    done = run("explain", *files(judged_txt=QRELS, run_trec=RUN), "-m", "num_ret", "-q", "q1")
    assert "The number belongs to the list as a whole" in done.out
    assert "1 query is at 1, the lowest value, and 1 query is at 3, the highest." in done.out
    assert "grade  adds" not in done.out


def test_long_lists_leave_out_what_nobody_judged_on_paper_but_not_in_data(run, files):
    lines = "".join(f"q1 Q0 d{i:02} 0 {99 - i} t\n" for i in range(40))
    paths = files(judged_txt="q1 0 d25 1\nq1 0 d39 1\n", run_trec=lines)
    done = run("explain", *paths, "-m", "ap")
    assert "28 documents that nobody judged are left out." in done.out
    assert "d25✓" in done.out
    assert "d39✓" in done.out
    rows = list(csv.DictReader(io.StringIO(run("explain", *paths, "-m", "ap", "--csv").out)))
    assert [row["document"] for row in rows] == [f"d{i:02}" for i in range(40)]
    content = json.loads(run("explain", *paths, "-m", "ap", "--json").out)
    assert len(content["tables"]["documents"]) == 40
    assert content["tables"]["parts"][0]["value"] == pytest.approx((1 / 26 + 2 / 40) / 2)


def test_one_measure_and_a_known_query_are_asked_for(run, files):
    paths = files(judged_txt=QRELS, run_trec=RUN)
    assert "E280 2 measures are named" in run("explain", *paths, "-m", "rr ap").err
    done = run("explain", *paths, "-q", "q3")
    assert (done.code, "E360" in done.err) == (2, True)


def test_records_hold_both_sides(run, files):
    (path,) = files(both_jsonl='{"id": "q1", "query": "?", "retrieved": ["a", "x"], "ground_truth": ["a", "b"]}\n')
    assert run("explain", path, "-m", "recall").out.startswith("recall of query q1: 0.5000")


def test_other_tools_stand_beside_the_number(run, files):
    paths = files(judged_txt=QRELS, run_trec=RUN)
    done = run("explain", *paths, "-m", "recall@2", "-q", "q1", "--as", "haystack,ranx", "--as", "trec_eval-9")
    assert (
        "What other tools make of query q1\n"
        "tool         calls it                                     query     all\n"
        "Haystack     DocumentRecallEvaluator(mode='single_hit')  1.0000  1.0000\n"
        "Haystack     DocumentRecallEvaluator(mode='multi_hit')   0.5000  0.7500\n"
        "ranx         recall@2                                    0.5000  0.7500\n"
        "trec_eval 9  recall_2                                    0.5000  0.7500\n"
        "\n"
        "- Haystack's DocumentRecallEvaluator(mode='single_hit'): 1 as soon as any relevant document is there.\n"
    ) in done.out
    content = json.loads(run("explain", *paths, "-m", "recall@2", "--as", "haystack", "--json").out)
    assert content["tables"]["elsewhere"][0]["version"].startswith("haystack-ai ")


def test_a_mean_over_other_queries_is_told(run, files):
    paths = files(judged_txt=QRELS + "q3 0 a 1\n", run_trec=RUN)
    done = run("explain", *paths, "-m", "recall@2", "-q", "q1", "--as", "trec_eval-9")
    assert "its mean is over 2 queries." in done.out


def test_a_tool_that_is_not_known_is_a_usage_error(run, files):
    done = run("explain", *files(judged_txt=QRELS, run_trec=RUN), "--as", "pytrek")
    assert (done.code, "E362" in done.err) == (2, True)

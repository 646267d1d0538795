"""catchrate stages."""

from __future__ import annotations

import json

QRELS = "q1 0 a 1\nq1 0 b 1\nq2 0 c 1\n"
ALL = "q1 Q0 x 1 9 t\nq1 Q0 a 2 8 t\nq2 Q0 c 1 9 t\n"
SOME = "q1 Q0 a 1 9 t\nq1 Q0 x 2 8 t\n"


def test_stages_have_names_and_an_account(run, files):
    judged, everything, some = files(judged_txt=QRELS, all_trec=ALL, some_trec=SOME)
    named = [judged, f"retrieve={everything}", f"rerank={some}", "-m", "recall@1"]
    done = run("stages", *named)
    assert done.code == 0
    assert done.out.startswith("retrieve misses 1 of 3 relevant documents; of the later stages rerank loses most: 1.\n")
    content = json.loads(run("stages", *named, "--json").out)
    assert [stage["name"] for stage in content["stages"]] == ["retrieve", "rerank"]
    assert {row["where"]: row["count"] for row in content["account"]} == {
        "in the first 1": 1, "below the first 1": 0, "lost by rerank": 1, "never returned": 1,
    }  # fmt: skip


def test_one_stage_is_a_usage_error(run, files):
    done = run("stages", *files(judged_txt=QRELS, all_trec=ALL))
    assert done.code == 2
    assert "E315" in done.err

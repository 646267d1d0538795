"""What other tools print beside an explanation."""

from __future__ import annotations

import pytest

import catchrate
from catchrate import UsageError
from catchrate.evaluation.elsewhere import TOOLS

JUDGED = {"q1": {"a": 1, "b": 2, "c": 0}, "q2": {"a": 1}, "q3": {"z": 0}}
RETURNED = {"q1": ["a", "x", "a", "x", "b"], "q3": ["y"]}


def beside(measure, query, *tools, judged=JUDGED, returned=RETURNED, **policies):
    found = catchrate.explain(judged, returned, measure, query, tools=tools, **policies)
    return {(one.tool, one.called): one for one in found.elsewhere}


def test_each_tool_says_what_it_calls_the_measure_and_what_differs():
    found = beside("recall@3", "q1", "haystack,metrics101", "mlflow")
    single = found["Haystack", "DocumentRecallEvaluator(mode='single_hit')"]
    assert (single.value, single.same, single.why) == (1.0, False, "1 as soon as any relevant document is there")
    assert found["Haystack", "DocumentRecallEvaluator(mode='multi_hit')"].same
    assert found["Metrics 101", "recall_at_k(k=3)"].value == 0.667
    assert found["MLflow", "recall_at_3"].value == 0.5
    assert catchrate.explain(JUDGED, RETURNED, "recall@3", "q1").elsewhere == ()


def test_repeats_of_documents_that_nobody_judged_are_known():
    assert beside("precision@4", "q1", "ragas")["Ragas", "IDBasedContextPrecision"].value == 0.5


def test_a_mean_is_over_the_queries_that_the_tool_counts():
    found = beside("recall@5", "q1", "trec_eval-9", "llamaindex", "ragas", "haystack")
    assert found["trec_eval 9", "recall_5"].queries == 2
    assert (found["LlamaIndex", "Recall"].queries, found["LlamaIndex", "Recall"].whole) == (1, 1.0)
    assert found["Ragas", "IDBasedContextRecall"].queries == 2
    assert found["Haystack", "DocumentRecallEvaluator(mode='multi_hit')"].queries == 3


@pytest.mark.parametrize(
    ("query", "tool", "called", "why"),
    [
        ("q2", "trec_eval-9", "recall_5", "the run does not have the query"),
        ("q2", "llamaindex", "Recall", "nothing was returned"),
        ("q3", "ragas", "IDBasedContextRecall", "nothing is relevant"),
    ],
)
def test_a_tool_that_prints_nothing_says_why(query, tool, called, why):
    found = beside("recall@5", query, tool)[TOOLS[tool].title, called]
    assert (found.value, found.same, found.why) == (None, False, f"prints nothing here: {why}")


def test_a_tool_without_such_a_measure_says_so():
    found = beside("ndcg@5", "q1", "metrics101")["Metrics 101", ""]
    assert (found.value, found.why) == (None, "has no measure like ndcg")


def test_trec_eval_9_takes_scores_for_equal_that_are_so_as_32_bit_floats():
    run = {"q1": {"a": 1.00000001, "b": 1.0}}
    found = beside("rr", "q1", "trec_eval-9", "trec_eval-10", judged={"q1": {"a": 1}}, returned=run)
    assert found["trec_eval 10", "recip_rank"].value == 1.0
    assert found["trec_eval 9", "recip_rank"].value == 0.5


def test_the_level_and_the_cut_of_the_policy_hold_for_all():
    found = beside("recall@5", "q1", "haystack", rel=2, max_rank=4)
    assert found["Haystack", "DocumentRecallEvaluator(mode='multi_hit')"].value == 0.0


def test_a_tool_that_nobody_knows_is_refused():
    with pytest.raises(UsageError, match=r"E362 'nope' is no tool .* haystack"):
        beside("recall", "q1", "nope")


def test_matched_texts_count_for_all_tools():
    records = [{"query": "q", "retrieved": ["c1", "c2"], "texts": ["Paris is big.", "No."], "ground_truth": ["Paris"]}]
    found = catchrate.explain(records, None, "recall@5", "q", match="contained", tools="metrics101,haystack")
    assert [one.value for one in found.elsewhere] == [1.0, 1.0, 1.0]

"""REMem's metrics against a twin that writes its definitions down, and against our own measures."""

from __future__ import annotations

import json
import logging
from math import log2
from typing import Any

import hypothesis.strategies as st
import pytest
from hypothesis import given, settings

from catchrate import CatchrateError, UsageError
from catchrate.compat.remem import RetrievalNDCGAny, RetrievalRecall, RetrievalRecallAll, is_chunk_from_original
from catchrate.evaluation.one_query import align_one
from catchrate.measures import parse

METRICS = (RetrievalRecall, RetrievalRecallAll, RetrievalNDCGAny)
pieces = st.sampled_from(
    ["tea", "Note", "user: ", "assistant: ", "Date: May 1\n", "Date: ", ": ", '"', "é", "\n", "a", "\\"]
)
texts = st.lists(pieces, max_size=5).map("".join)
examples = st.lists(st.tuples(st.lists(texts, max_size=4), st.lists(texts, max_size=7)), min_size=1, max_size=4)
depths = st.lists(st.integers(1, 8), min_size=1, max_size=4)


def comes_from(chunk: str, document: str) -> bool:
    if chunk[:6] == "Date: ":
        lines = chunk.split("\n")
        chunk = "\n".join(lines[1:])
    forms = [chunk, json.dumps(chunk)]
    if chunk[:6] == "user: " or chunk[:11] == "assistant: ":
        forms = [form.split(": ")[1] for form in forms]
    return any(document.find(form) >= 0 for form in forms)


def recall(gold: list[str], chunks: list[str], k: int) -> float:
    wanted = set(gold)
    return sum(document in chunks[:k] for document in wanted) / len(wanted) if wanted else 0.0


def recall_all(gold: list[str], chunks: list[str], k: int) -> float:
    found = {document for document in gold if any(comes_from(chunk, document) for chunk in chunks[:k])}
    return float(bool(gold) and len(found) == len(gold))


def ndcg_any(gold: list[str], chunks: list[str], k: int) -> float:
    gains = [float(any(comes_from(chunk, document) for document in gold)) for chunk in chunks]

    def dcg(values: list[float]) -> float:
        return sum(value / (1 if rank == 1 else log2(rank)) for rank, value in enumerate(values[:k], start=1))

    best = dcg(sorted(gains, reverse=True))
    return dcg(gains) / best if best else 0.0


TWINS = {RetrievalRecall: ("Recall", recall), RetrievalRecallAll: ("Recall_all", recall_all)}
TWINS[RetrievalNDCGAny] = ("NDCG_any", ndcg_any)


@pytest.mark.parametrize("metric", METRICS)
@given(pairs=examples, ks=depths)
@settings(deadline=None)
def test_a_metric_is_what_its_definition_says(metric: Any, pairs, ks: list[int]):
    gold, chunks = ([pair[side] for pair in pairs] for side in (0, 1))
    pooled, scores = metric().calculate_metric_scores(gold, chunks, ks)
    key, twin = TWINS[metric]
    keys = [f"{key}@{k}" for k in sorted(set(ks))]
    assert list(pooled) == keys
    for score, pair in zip(scores, pairs, strict=True):
        assert list(score) == keys
        assert list(score.values()) == pytest.approx([twin(*pair, k) for k in sorted(set(ks))], rel=1e-14)
    means = [sum(score[name] for score in scores) / len(scores) for name in keys]
    assert list(pooled.values()) == pytest.approx([round(mean, 4) for mean in means], abs=1e-4)
    assert all(round(value, 4) == value for value in pooled.values())


@given(texts, texts)
def test_a_chunk_comes_from_a_document_as_the_definition_says(chunk: str, document: str):
    assert is_chunk_from_original(chunk, document) == comes_from(chunk, document)


@given(examples, depths)
@settings(deadline=None)
def test_ndcg_any_is_our_ndcg_with_jarvelins_discount_over_the_chunks_that_were_retrieved(pairs, ks: list[int]):
    gold, chunks = ([pair[side] for pair in pairs] for side in (0, 1))
    _, scores = RetrievalNDCGAny().calculate_metric_scores(gold, chunks, ks)
    for score, (mine, found) in zip(scores, pairs, strict=True):
        slots = [n for n, chunk in enumerate(found) if any(comes_from(chunk, document) for document in mine)]
        alignment = align_one(range(len(found)), slots)
        for k in ks:
            same = float(parse(f"ndcg(discount=jarvelin)@{k}").per_query(alignment)[0])
            assert score[f"NDCG_any@{k}"] == pytest.approx(same, rel=1e-14)


def test_the_default_cutoffs_are_remems():
    pooled, scores = RetrievalRecall().calculate_metric_scores([["a"]], [["a"] * 20])
    assert pooled == scores[0] == {"Recall@1": 1.0, "Recall@5": 1.0, "Recall@10": 1.0, "Recall@20": 1.0}


def test_the_metrics_have_remems_names_and_keep_the_configuration():
    assert [metric.metric_name for metric in METRICS] == [
        "retrieval_recall",
        "retrieval_recall_all",
        "retrieval_ndcg_any",
    ]
    assert RetrievalRecall(global_config="any").global_config == "any"


@pytest.mark.parametrize("metric", METRICS)
def test_what_was_retrieved_has_two_names(metric: Any):
    by_place = metric().calculate_metric_scores([["tea"]], [["tea"]], [1])
    assert metric().calculate_metric_scores(gold_docs=[["tea"]], retrieved_chunks=[["tea"]], k_list=[1]) == by_place
    assert metric().calculate_metric_scores(gold_docs=[["tea"]], retrieved_docs=[["tea"]], k_list=[1]) == by_place
    for arguments in ({}, {"retrieved_docs": [["tea"]], "retrieved_chunks": [["tea"]]}):
        with pytest.raises(UsageError, match="E260 what was retrieved is missing, or there twice"):
            metric().calculate_metric_scores([["tea"]], **arguments)


def test_means_are_rounded_and_examples_are_not():
    pooled, scores = RetrievalRecall().calculate_metric_scores([["a", "b", "c"]], [["a"]], [1])
    assert pooled == {"Recall@1": 0.3333}
    assert scores == [{"Recall@1": 1 / 3}]


def test_an_example_without_relevant_documents_scores_nothing_and_counts():
    for metric, (key, _) in TWINS.items():
        pooled, scores = metric().calculate_metric_scores([[], ["a"]], [["a"], ["a"]], [1])
        assert scores == [{f"{key}@1": 0.0}, {f"{key}@1": 1.0}]
        assert pooled == {f"{key}@1": 0.5}


def test_short_lists_are_counted_in_one_line_of_the_log(caplog: pytest.LogCaptureFixture):
    with caplog.at_level(logging.WARNING):
        RetrievalRecall().calculate_metric_scores([["a"], ["a"], ["a"]], [["a"], ["a", "b"], []], [2])
    assert [record.getMessage() for record in caplog.records] == [
        "2 of 3 lists are shorter than the largest k, 2: the shortest has 0 entries"
    ]


BAD = [
    ([], [], [1], "E101"),
    ([["a"]], [], [1], "E261"),
    ([["a"], ["b"]], [["a"]], [1], "E261"),
    (["a"], ["a"], [1], "E260"),
    ("a", "a", [1], "E260"),
    ([[1]], [["a"]], [1], "E260"),
    ([["a"]], [[None]], [1], "E260"),
    ([["a"]], [None], [1], "E260"),
    ([["a"]], [["a"]], [], "E272"),
    ([["a"]], [["a"]], [0], "E272"),
    ([["a"]], [["a"]], [1.5], "E272"),
    ([["a"]], [["a"]], "15", "E272"),
    ([["a"]], [["a"]], None, "E272"),
]


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize(("gold", "chunks", "ks", "code"), BAD)
def test_bad_input_is_a_value_error_of_ours(metric: Any, gold, chunks, ks, code: str):
    with pytest.raises(ValueError, match=code) as caught:
        metric().calculate_metric_scores(gold, chunks, ks)
    assert isinstance(caught.value, CatchrateError)


@pytest.mark.parametrize(
    ("metric", "scores"),
    [(RetrievalRecall, (0.0, 0.5)), (RetrievalRecallAll, (0.0, 0.0)), (RetrievalNDCGAny, (0.0, 1.0))],
)
def test_a_rule_of_ours_takes_the_place_of_the_original(metric, scores):
    gold, chunks = [["a b c d e f", "x y"]], [["a b c", "D E F!"]]
    pooled, _ = metric().calculate_metric_scores(gold, chunks, [1, 2], matcher="covered(0.9)")
    assert tuple(pooled.values()) == scores
    with pytest.raises(ValueError, match="did you mean covered"):
        metric().calculate_metric_scores(gold, chunks, [1, 2], matcher="covred")

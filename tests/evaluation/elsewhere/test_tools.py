"""Every declared definition against the tool itself: installed here, or as its outputs were recorded."""

from __future__ import annotations

import json
from importlib.metadata import version
from pathlib import Path

import numpy as np
import pytest
import pytrec_eval
from haystack import Document
from haystack.components import evaluators

from catchrate.compat import metrics101, remem
from catchrate.evaluation.elsewhere import DEFINITIONS, OWN, TOOLS, every_place
from catchrate.evaluation.one_query import align_one
from catchrate.measures import parse

RECORDED = json.loads((Path(__file__).parent / "recorded.json").read_text())
QUESTIONS = {name: (one["retrieved"], one["grades"]) for name, one in RECORDED["questions"].items()}
CUTOFFS = (1, 3, 5, None)


def ours(definition, k, name) -> float | None:
    """Return what a definition gives for one question; None where it says that the tool is silent."""
    docs, grades = QUESTIONS[name]
    every = every_place(docs, grades)
    if any(silent[0] for silent in definition.silences(every, k, 1).values()):
        return None
    alignment = every if definition.quirk else align_one(docs, grades)
    return float(definition.per_query(alignment, k, 1)[0])


def definition_of(tool, called):
    return next(one for one in DEFINITIONS if one.tool == tool and one.called == called)


def definitions_of(tool):
    return [one for one in DEFINITIONS if one.tool == tool]


@pytest.mark.parametrize("tool", list(RECORDED["tools"]))
def test_a_definition_gives_what_the_tool_printed_when_it_was_recorded(tool):
    rows = RECORDED["tools"][tool]["measures"]
    for row in rows:
        definition = definition_of(tool, row["called"])
        for name, theirs in zip(QUESTIONS, row["values"], strict=True):
            refused = tool == "ranx" and theirs is None  # it takes no document twice, and no empty list
            if not refused:
                value = ours(definition, row["k"], name)
                assert value == pytest.approx(theirs, abs=1e-7), (row["called"], row["k"], name)
    assert {row["called"] for row in rows} == {one.called for one in definitions_of(tool)}


@pytest.mark.parametrize("tool", list(RECORDED["tools"]))
def test_a_tool_names_the_version_that_was_recorded(tool):
    assert TOOLS[tool].version == RECORDED["tools"][tool]["version"]


def haystack_value(called, docs, grades):
    name, _, inside = called.partition("(")
    evaluator = getattr(evaluators, name)(document_comparison_field="id", **eval(f"dict({inside.rstrip(')')})"))
    truth = [Document(id=doc, content=doc, score=float(grade)) for doc, grade in grades.items() if grade >= 1]
    return evaluator.run([truth], [[Document(id=doc, content=doc) for doc in docs]])["score"]


@pytest.mark.parametrize("definition", definitions_of("haystack"), ids=lambda one: one.called)
def test_a_definition_gives_what_haystack_gives(definition):
    assert TOOLS["haystack"].version == f"haystack-ai {version('haystack-ai')}"
    for name, (docs, grades) in QUESTIONS.items():
        for k in CUTOFFS:
            theirs = haystack_value(definition.called, docs[:k], grades)
            assert ours(definition, k, name) == pytest.approx(theirs, abs=1e-12), (name, k)


def remem_value(called, docs, grades, k):
    truth = [doc for doc, grade in grades.items() if grade >= 1]
    metric = {
        "Recall@{k}": remem.RetrievalRecall,
        "Recall_all@{k}": remem.RetrievalRecallAll,
        "NDCG_any@{k}": remem.RetrievalNDCGAny,
    }[called]()
    ((value,),) = [row.values() for row in metric.calculate_metric_scores([truth], [docs], [k])[1]]
    return value


@pytest.mark.parametrize("definition", definitions_of("remem"), ids=lambda one: one.called)
def test_a_definition_gives_what_our_twin_of_remem_gives(definition):
    for name, (docs, grades) in QUESTIONS.items():
        for k in (1, 3, 5):
            if docs:
                theirs = remem_value(definition.called, docs, grades, k)
                assert ours(definition, k, name) == pytest.approx(theirs, abs=1e-12), (name, k)


@pytest.mark.parametrize("definition", definitions_of("metrics101"), ids=lambda one: one.called)
def test_a_definition_gives_what_our_twin_of_metrics_101_gives(definition):
    function = getattr(metrics101, definition.called.partition("(")[0])
    for name, (docs, grades) in QUESTIONS.items():
        for k in (1, 3, 5):
            assert ours(definition, k, name) == pytest.approx(function(docs, grades, k=k), abs=1e-12), (name, k)


def test_the_definitions_of_trec_eval_9_give_what_pytrec_eval_gives():
    kept = {name: pair for name, pair in QUESTIONS.items() if pair[0] and len(set(pair[0])) == len(pair[0])}
    qrels = {name: grades for name, (_, grades) in kept.items()}
    run = {name: {doc: 100.0 - place for place, doc in enumerate(docs)} for name, (docs, _) in kept.items()}
    compared = 0
    for definition in definitions_of("trec_eval-9"):
        for k in (None,) if definition.whole_only or not definition.cuts else CUTOFFS:
            name = definition.name_at(k)
            if name in ("success", "set_relative_P"):
                continue
            base = name if k is None else name.removesuffix(f"_{k}")
            asked = base if k is None else f"{base}.{k}"
            found = pytrec_eval.RelevanceEvaluator(qrels, {asked}).evaluate(run)
            for question in kept:
                if name == "gm_map":
                    continue
                compared += 1
                assert ours(definition, k, question) == pytest.approx(found[question][name], abs=1e-9), (name, question)
    assert compared > 100


def test_every_definition_names_a_tool_and_measures_that_exist():
    for one in DEFINITIONS:
        assert one.tool in TOOLS
        assert (one.measure == "") == (one.quirk is not None), one.called
        assert [parse(name).name for name in one.like] == list(one.like)
        plain = one.tool == OWN or one.quirk or one.our_measure(None, 1) == parse(one.like[0])
        assert plain or one.differs, one.called


def test_a_list_with_repeats_of_what_nobody_judged_has_fewer_documents_than_places():
    alignment = every_place(["x", "x", "a"], {"a": 1.0})
    precision = definition_of("llamaindex", "Precision")
    assert precision.per_query(alignment, None, 1) == np.array([0.5])


@pytest.mark.parametrize("tool", ["trec_eval-9", "trec_eval-10"])
def test_the_names_of_trec_eval_are_those_that_our_measures_know(tool):
    for definition in definitions_of(tool):
        if definition.cuts:
            for k in (None,) if definition.whole_only else (5, None):
                nearest = "(rounding=nearest)" if definition.name_at(k) == "11pt_avg" and tool == "trec_eval-10" else ""
                assert parse(definition.name_at(k) + nearest) == definition.our_measure(k, 1)


def test_the_page_names_every_tool_with_its_version():
    page = (Path(__file__).parents[3] / "docs" / "explain.md").read_text()
    assert [
        one.name for one in TOOLS.values() if one.name != OWN and f"| `{one.name}` | {one.version} |" not in page
    ] == []

"""The Haystack components in real pipelines, and beside Haystack's own evaluators."""

from __future__ import annotations

import logging
import subprocess
import sys
from math import inf, nan
from typing import Any

import hypothesis.strategies as st
import pytest
from haystack import Document, Pipeline, component
from haystack.components import evaluators as own
from haystack.components.evaluators.document_recall import RecallMode as HaystackMode
from haystack.evaluation import EvaluationRunResult
from hypothesis import example, given, settings

from catchrate import CatchrateError, InputError, Scores, UsageError, evaluate
from catchrate.compat import haystack as ours

FIELDS = ("content", "id", "meta.key", "meta.outer.inner")
EVALUATORS: list[tuple[str, dict[str, Any]]] = [
    ("DocumentRecallEvaluator", {}),
    ("DocumentRecallEvaluator", {"mode": "multi_hit"}),
    ("DocumentMRREvaluator", {}),
    ("DocumentMAPEvaluator", {}),
    ("DocumentNDCGEvaluator", {}),
]

plain_values = st.sampled_from(["a", "b", "", "A", 0, 1, 1.0, True, False, None])
metadata = st.fixed_dictionaries(
    {},
    optional={"key": plain_values, "outer": plain_values | st.fixed_dictionaries({}, optional={"inner": plain_values})},
)
contents = st.sampled_from([None, "", "a", "b", "c", " ", "é"])


def documents(scores: st.SearchStrategy[float | None]) -> st.SearchStrategy[Document]:
    ids = st.sampled_from(["1", "2", "3", "4"])
    return st.builds(lambda c, i, m, s: Document(content=c, id=i, meta=m, score=s), contents, ids, metadata, scores)


unscored = st.lists(documents(st.none()), max_size=5)
scored = st.lists(documents(st.sampled_from([0.0, 0.5, 1.0, 2.0, -1.0]) | st.floats(-9, 9)), max_size=5)
questions = st.lists(st.tuples(unscored | scored, unscored | scored), min_size=1, max_size=4)


def both_sides(pairs):
    truths, retrieved = zip(*pairs, strict=True)
    return {"ground_truth_documents": list(truths), "retrieved_documents": list(retrieved)}


@pytest.mark.parametrize(("name", "parameters"), EVALUATORS)
@given(pairs=questions, field=st.sampled_from(FIELDS))
@example(pairs=[([], [])], field="content")
@settings(max_examples=60, deadline=None)
def test_an_evaluator_gives_what_haystacks_own_gives(name: str, parameters: dict[str, Any], pairs, field: str):
    sides = both_sides(pairs)
    theirs = getattr(own, name)(document_comparison_field=field, **parameters).run(**sides)
    mine = getattr(ours, name)(document_comparison_field=field, **parameters).run(**sides)
    assert mine == theirs
    assert all(type(value) is float for value in mine["individual_scores"])


@given(
    st.lists(st.lists(st.sampled_from([[1], [1, 2], {"a": 1}, (1,), 1, "x", None]), max_size=4), min_size=2, max_size=2)
)
@settings(deadline=None)
def test_lists_and_dicts_in_the_metadata_compare_as_in_haystack(values):
    truths, retrieved = ([Document(content="", meta={"key": value}) for value in side] for side in values)
    for name in ("DocumentMRREvaluator", "DocumentMAPEvaluator"):
        arguments = {"document_comparison_field": "meta.key"}
        assert getattr(ours, name)(**arguments).run([truths], [retrieved]) == getattr(own, name)(**arguments).run(
            [truths], [retrieved]
        )


def test_recall_and_ndcg_compare_lists_too_where_haystack_fails_on_them():
    truths = [Document(meta={"key": [1]}), Document(meta={"key": [2]})]
    recall = ours.DocumentRecallEvaluator("multi_hit", "meta.key")
    assert recall.run([truths], [[truths[0], truths[0]]])["score"] == 0.5
    assert ours.DocumentNDCGEvaluator("meta.key").run([truths], [truths])["score"] == 1.0


def test_the_example_of_haystacks_page_gives_its_numbers():
    truths = [[Document(content="France")], [Document(content="9th century"), Document(content="9th")]]
    found = [
        [Document(content="France")],
        [Document(content="9th century"), Document(content="10th century"), Document(content="9th")],
    ]
    assert ours.DocumentRecallEvaluator().run(truths, found) == {"score": 1.0, "individual_scores": [1.0, 1.0]}
    half = ours.DocumentRecallEvaluator(mode="multi_hit").run(
        [[Document(content="Paris"), Document(content="France")]],
        [[Document(content="Paris"), Document(content="Berlin")]],
    )
    assert half == {"score": 0.5, "individual_scores": [0.5]}


def pipeline() -> Pipeline:
    built = Pipeline()
    for name, parameters in EVALUATORS:
        for source, module in (("ours", ours), ("theirs", own)):
            built.add_component(f"{source} {name} {parameters.get('mode', '')}", getattr(module, name)(**parameters))
    built.add_component("any", ours.RetrievalEvaluator(["recall@2", "ndcg@10"]))
    return built


PAIRS = [
    ([Document(content="a"), Document(content="b")], [Document(content="x"), Document(content="a")]),
    ([Document(content="c")], []),
    ([Document(content="d")], [Document(content="d"), Document(content="d")]),
]


def test_the_components_run_beside_haystacks_own_in_one_pipeline_and_feed_its_report():
    sides = both_sides(PAIRS)
    built = pipeline()
    results = built.run(dict.fromkeys(built.graph.nodes, sides))
    for name, result in results.items():
        if name.startswith("ours"):
            assert result == results[name.replace("ours", "theirs")]
    report = EvaluationRunResult("run", {"question": ["one", "two", "three"]}, results)
    assert report.aggregated_report()["metrics"] == list(results)
    whole = EvaluationRunResult("run", {"question": ["one", "two", "three"]}, results["any"]["results"])
    assert whole.detailed_report() == {
        "question": ["one", "two", "three"],
        "recall@2": [0.5, 0.0, 1.0],
        "ndcg@10": [0.38685280723454163, 0.0, 1.0],
    }


def test_a_pipeline_survives_a_round_trip_through_yaml():
    built = pipeline()
    text = built.dumps()
    assert "type: catchrate.compat.haystack.DocumentRecallEvaluator" in text
    again = Pipeline.loads(text, allowed_modules=["catchrate.compat.haystack"])
    assert again.dumps() == text
    sides = {name: both_sides(PAIRS) for name in built.graph.nodes}
    first, second = built.run(sides), again.run(sides)
    first["any"].pop("scores"), second["any"].pop("scores")
    assert first == second


def test_a_saved_pipeline_of_haystack_runs_on_ours_when_the_types_are_renamed():
    theirs = Pipeline()
    for name, parameters in EVALUATORS:
        theirs.add_component(f"{name} {parameters}", getattr(own, name)(document_comparison_field="id", **parameters))
    data = theirs.to_dict()
    for part in data["components"].values():
        part["type"] = f"catchrate.compat.haystack.{part['type'].rpartition('.')[2]}"
    mine = Pipeline.from_dict(data, allowed_modules=["catchrate.compat.haystack"])
    sides = {name: both_sides(PAIRS) for name in theirs.graph.nodes}
    assert mine.run(sides) == theirs.run(sides)


@pytest.mark.parametrize(("name", "parameters"), EVALUATORS)
def test_an_evaluator_is_plain_data_and_back(name: str, parameters: dict[str, Any]):
    made = getattr(ours, name)(document_comparison_field="meta.a.b", **parameters)
    data = made.to_dict()
    assert data["type"] == f"catchrate.compat.haystack.{name}"
    assert type(made).from_dict(data).to_dict() == data


def test_the_scores_of_a_pipeline_can_be_compared_and_reported():
    @component
    class Reporter:
        @component.output_types(text=str)
        def run(self, scores: Scores) -> dict[str, Any]:
            return {"text": repr(scores)}

    built = Pipeline()
    built.add_component("measure", ours.RetrievalEvaluator("recall@1 rr", grade_field="score", rel=0.5))
    built.add_component("report", Reporter())
    built.connect("measure.scores", "report.scores")
    truths = [[Document(content="a", score=0.5), Document(content="b", score=0.25)]]
    given_ = {"ground_truth_documents": truths, "retrieved_documents": [[Document(content="a")]]}
    result = built.run({"measure": {**given_, "questions": ["Which letter?"]}}, include_outputs_from={"measure"})
    assert result["report"]["text"].startswith("Scores over 1 query\n  recall@1  1.0000")
    assert result["measure"]["per_query"] == [{"query": "Which letter?", "recall@1": 1.0, "rr": 1.0}]


@given(pairs=st.lists(st.tuples(unscored, unscored), min_size=1, max_size=12), field=st.sampled_from(FIELDS))
@settings(max_examples=40, deadline=None)
def test_the_general_component_measures_what_the_named_ones_do_in_the_order_of_the_questions(pairs, field: str):
    sides = both_sides(pairs)
    result = ours.RetrievalEvaluator(["rr", "ap"], field).run(**sides)
    for measure, name in (("rr", "DocumentMRREvaluator"), ("ap", "DocumentMAPEvaluator")):
        named = getattr(ours, name)(field).run(**sides)
        assert result["results"][measure]["individual_scores"] == named["individual_scores"]
        assert result["results"][measure]["score"] == pytest.approx(named["score"], rel=1e-14)
    assert result["score"] == result["scores"]["rr"]
    assert [row["query"] for row in result["per_query"]] == [str(n) for n in range(1, len(pairs) + 1)]


def test_a_relevant_document_with_nothing_to_compare_is_left_out_with_a_note():
    result = ours.RetrievalEvaluator("recall").run(
        [[Document(content=None), Document(content="a")]], [[Document(content="a")]]
    )
    assert result["score"] == 1.0
    assert [note.code for note in result["scores"].notes] == ["N295"]


def test_documents_keep_readable_ids_and_different_values_never_share_one():
    truths = [Document(content="text", id="mine", meta={"key": 1}), Document(content="b", meta={"key": "1"})]
    by_key = ours.RetrievalEvaluator("recall", "meta.key").run([truths], [truths])["scores"]
    assert by_key.aligned.items["doc"].to_list() == ["1", "1#2"]
    by_content = ours.RetrievalEvaluator("recall").run([truths[:1]], [truths[:1]])["scores"]
    assert by_content.aligned.items["doc"].to_list() == ["mine"]


MODES = ("single_hit", ours.RecallMode.SINGLE_HIT, HaystackMode.SINGLE_HIT)


@pytest.mark.parametrize("mode", MODES)
def test_a_mode_is_text_or_haystacks_own_value(mode):
    assert ours.DocumentRecallEvaluator(mode).mode == HaystackMode.SINGLE_HIT


@pytest.mark.parametrize("mode", ["SINGLE_HIT", "", None, 1])
def test_an_unknown_mode_is_a_value_error_that_names_the_modes(mode):
    with pytest.raises(ValueError, match="single_hit, multi_hit") as caught:
        ours.DocumentRecallEvaluator(mode)
    assert isinstance(caught.value, UsageError)


@pytest.mark.parametrize("field", ["contents", "meta", "", None, 3])
def test_an_unknown_field_is_refused_when_the_component_is_made(field):
    for name in ours.__all__:
        if name != "RecallMode":
            with pytest.raises(UsageError, match=r"E272.*meta\.<key>"):
                getattr(ours, name)(document_comparison_field=field)


ONE = [Document(content="a")]
BAD_SIDES = [
    ([], [], "E101"),
    ([ONE], [], "E261"),
    ([], [ONE], "E261"),
    ([ONE], [ONE, ONE], "E261"),
    (ONE, ONE, "E260"),
    ([["a"]], [["a"]], "E260"),
    ([None], [ONE], "E260"),
    (None, [ONE], "E260"),
    ("ab", "ab", "E260"),
]


@pytest.mark.parametrize("name", [name for name in ours.__all__ if name != "RecallMode"])
@pytest.mark.parametrize(("truths", "retrieved", "code"), BAD_SIDES)
def test_lists_that_do_not_belong_together_are_value_errors_of_ours(name: str, truths, retrieved, code: str):
    with pytest.raises(ValueError, match=code) as caught:
        getattr(ours, name)().run(ground_truth_documents=truths, retrieved_documents=retrieved)
    assert isinstance(caught.value, CatchrateError)


@pytest.mark.parametrize("score", [nan, inf])
def test_a_score_that_is_no_number_is_refused(score: float):
    truths = [Document(content="a", score=score)]
    with pytest.raises(InputError, match="E202"):
        ours.DocumentNDCGEvaluator().run([truths], [truths])


def test_scores_on_some_documents_of_a_question_only_are_refused():
    truths = [Document(content="a", score=1.0), Document(content="b")]
    with pytest.raises(InputError, match="E202 some ground truth documents"):
        ours.DocumentNDCGEvaluator().run([truths], [truths])
    with pytest.raises(InputError, match=r"E202.*'1'.*'None'"):
        ours.RetrievalEvaluator(grade_field="score").run([truths], [truths])


@pytest.mark.parametrize("field", ["grade", "", "content", 1])
def test_a_grade_stands_in_the_score_or_in_the_metadata(field):
    with pytest.raises(UsageError, match="grade_field"):
        ours.RetrievalEvaluator(grade_field=field)


@pytest.mark.parametrize("questions", [["a"], "ab", [], {"a": 1, "b": 2}])
def test_questions_are_as_many_as_the_lists(questions):
    with pytest.raises(InputError, match="E261 questions"):
        ours.RetrievalEvaluator().run([ONE, ONE], [ONE, ONE], questions=questions)


def test_questions_without_anything_to_compare_are_counted_in_one_line_of_the_log(caplog: pytest.LogCaptureFixture):
    bare = [Document(content=""), Document(content=None)]
    with caplog.at_level(logging.WARNING):
        result = ours.DocumentRecallEvaluator().run([ONE, bare, []], [bare, ONE, ONE])
    assert result["individual_scores"] == [0.0, 0.0, 0.0]
    first, second = [record.getMessage() for record in caplog.records]
    assert first.startswith("There are no ground truth documents with a content to compare for 2 of 3 questions (")
    assert first.endswith("(2, 3); their score is 0.")
    assert second.endswith("for 1 of 3 questions (1); their score is 0.")


def test_without_haystack_one_line_names_the_extra():
    code = (
        "import sys; sys.modules['haystack'] = None\n"
        "import catchrate\n"
        "try:\n    import catchrate.compat.haystack\n"
        "except ImportError as error:\n    print(error)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "E502 haystack-ai is not installed - pip install 'catchrate[haystack]'\n"


def test_documents_measure_like_the_same_records():
    records = [{"query": "1", "retrieved": ["x", "a"], "ground_truth": ["a", "b"]}]
    result = ours.RetrievalEvaluator(["ndcg", "recall@1"]).run(**both_sides(PAIRS[:1]))
    assert result["scores"].as_dict() == evaluate(records, ["ndcg", "recall@1"]).as_dict()

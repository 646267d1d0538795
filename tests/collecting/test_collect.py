from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest
from haystack import Document
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.documents import Document as LangChainDocument
from langchain_core.retrievers import BaseRetriever

import catchrate
from apart import run_apart
from catchrate.collecting.answers import answer_of
from cli.program import ENVIRONMENT

QUESTIONS = [
    {"id": "a", "query": "Where?", "ground_truth": ["d1"], "topic": "place"},
    {"id": "b", "query": "When?", "ground_truth": {"d2": 2, "d3": 1}, "topic": "time"},
]
FOUND = {"Where?": ["d1", "d9"], "When?": ["d3", "d8", "d2"]}


def find(question: str) -> list[str]:
    return FOUND[question]


def test_five_lines_lead_from_a_function_to_recall():
    scores = catchrate.evaluate(catchrate.collect(find, QUESTIONS), ["recall@1", "recall@2"])
    assert scores.as_dict() == {"recall@1": 0.75, "recall@2": 0.75}


def test_records_keep_what_the_questions_say_and_the_order_of_the_questions():
    def slow_first(question: str) -> list[str]:
        time.sleep(0.05 if question == "Where?" else 0)
        return find(question)

    first, second = catchrate.collect(slow_first, QUESTIONS)
    assert (first["id"], first["topic"], first["retrieved"]) == ("a", "place", ["d1", "d9"])
    assert second["ground_truth"] == {"d2": 2, "d3": 1}
    assert first["latency"] >= 0.05


@dataclass
class Node:
    """As LlamaIndex returns them: a score beside a node that has the id and the text."""

    node_id: str
    text: str
    score: float


@dataclass
class Answers:
    documents: list[Document] = field(default_factory=list)


@pytest.mark.parametrize(
    ("returned", "ids", "scores", "texts"),
    [
        (["x", "y"], ["x", "y"], None, None),
        ([1, np.int64(2)], ["1", "2"], None, None),
        (iter(["x"]), ["x"], None, None),
        ([("x", 0.5), ("y", 0.25)], ["x", "y"], [0.5, 0.25], None),
        ([["x", np.float32(0.5)]], ["x"], [0.5], None),
        ({"y": 1.0, "x": 2.0}, ["x", "y"], [2.0, 1.0], None),
        ([{"id": "x", "text": "t", "score": 1}], ["x"], [1.0], ["t"]),
        ([{"_id": 7, "content": "t"}], ["7"], None, ["t"]),
        ({"documents": [Document(id="x", content="t", score=0.1)]}, ["x"], [0.1], ["t"]),
        (Answers([Document(id="x", content="t")]), ["x"], None, ["t"]),
        ([LangChainDocument(page_content="t", id="x")], ["x"], None, ["t"]),
        ([LangChainDocument(page_content="t", metadata={"doc_id": "x"})], ["x"], None, ["t"]),
        ([(LangChainDocument(page_content="t", id="x"), 0.3)], ["x"], [0.3], ["t"]),
        ([Node("x", "t", 0.7)], ["x"], [0.7], ["t"]),
        ([{"id": "x", "score": 1.0}, {"id": "y"}], ["x", "y"], None, None),
        ([], [], None, None),
    ],
)
def test_results_come_in_many_shapes(returned, ids, scores, texts):
    assert answer_of(returned, None) == (ids, scores, texts)


def test_a_text_without_an_id_gets_one_that_equal_texts_share():
    (one, two, other), _, texts = answer_of([{"text": "t"}, {"text": "t"}, {"text": "u"}], None)
    assert one == two != other
    assert texts == ["t", "t", "u"]


@pytest.mark.parametrize(
    "returned", [None, 3, "x", b"x", {"x": "y"}, [None], [{"score": 1}], [True], [("x", "y", "z")]]
)
def test_a_shape_that_nobody_knows_is_the_failure_of_its_question(returned):
    records = catchrate.collect(lambda q: returned if q == "When?" else ["d1"], QUESTIONS)
    assert "E296" in records.failures["b"]
    assert "a" not in records.failures


@given(
    st.lists(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1)), st.integers(1, 9)
)
def test_the_first_k_results_are_kept(ids, k):
    assert answer_of(ids, k).ids == ids[:k]


def test_a_function_that_takes_k_or_the_record_gets_them():
    seen = []

    def both(question: str, *, top_k: int, record: dict) -> list[str]:
        seen.append((question, top_k, record["topic"]))
        return ["d1"]

    catchrate.collect(both, QUESTIONS, k=3, concurrency=1)
    assert seen == [("Where?", 3, "place"), ("When?", 3, "time")]


def test_an_asynchronous_function_is_awaited_with_bounded_concurrency():
    under_way, most = 0, 0

    async def find_later(question: str) -> list[str]:
        nonlocal under_way, most
        under_way += 1
        most = max(most, under_way)
        await asyncio.sleep(0.01)
        under_way -= 1
        return [question]

    records = catchrate.collect(find_later, [f"q{i}" for i in range(20)], concurrency=3)
    assert [r["retrieved"] for r in records] == [[f"q{i}"] for i in range(20)]
    assert 1 < most <= 3


def test_it_works_inside_a_running_event_loop():
    async def notebook() -> catchrate.Collected:
        return catchrate.collect(find, QUESTIONS)

    assert len(run_apart(notebook())) == 2


def test_a_retriever_of_langchain_is_asked_by_its_own_method():
    class Finder(BaseRetriever):
        def _get_relevant_documents(self, query, *, run_manager):
            return [LangChainDocument(page_content=query, id="d1")]

    records = catchrate.collect(Finder(), QUESTIONS)
    assert [r["texts"] for r in records] == [["Where?"], ["When?"]]


def test_a_component_of_haystack_is_asked_by_name():
    from haystack.components.retrievers.in_memory import InMemoryBM25Retriever
    from haystack.document_stores.in_memory import InMemoryDocumentStore

    store = InMemoryDocumentStore()
    store.write_documents([Document(id="d1", content="the harbour"), Document(id="d2", content="at noon")])
    records = catchrate.collect(InMemoryBM25Retriever(store), ["harbour", "noon"], k=1)
    assert [r["retrieved"] for r in records] == [["d1"], ["d2"]]


# -- failures ---------------------------------------------------------------------------------------------------------


def test_failures_are_listed_and_not_scored():
    def fragile(question: str) -> list[str]:
        if question == "When?":
            raise RuntimeError("down\x1b[2J")
        return ["d1"]

    records = catchrate.collect(fragile, QUESTIONS)
    assert records.failures == {"b": r"RuntimeError: down\x1b[2J"}
    assert "retrieved" not in records[1]
    scores = catchrate.evaluate(records, ["recall@1"])
    assert (scores["recall@1"], scores.queries) == (1.0, 1)
    assert [note.code for note in scores.notes] == ["W297"]
    assert "1 failed" in repr(records)


def test_a_failure_of_the_first_question_does_not_hide_that_these_are_records():
    records = catchrate.collect(lambda q: 1 / 0 if q == "Where?" else ["d2"], QUESTIONS)
    assert catchrate.evaluate(records, ["recall@1"])["recall@1"] == 0.5


def test_one_that_takes_too_long_has_failed_and_the_others_go_on():
    release = threading.Event()

    def hanging(question: str) -> list[str]:
        if question == "Where?":
            release.wait(30)
        return ["d2"]

    records = catchrate.collect(hanging, QUESTIONS, timeout=0.2, concurrency=1)
    release.set()
    assert records.failures == {"a": "no answer within 0.2 seconds"}
    assert records[1]["retrieved"] == ["d2"]


def test_a_coroutine_that_takes_too_long_has_failed():
    async def hanging(question: str) -> list[str]:
        await asyncio.sleep(30 if question == "Where?" else 0)
        return ["d2"]

    assert list(catchrate.collect(hanging, QUESTIONS, timeout=0.2).failures) == ["a"]


def test_all_questions_failing_is_refused_with_the_first_reasons():
    with pytest.raises(catchrate.InputError, match=r"E296 all 2 questions failed: 'a': ZeroDivisionError"):
        catchrate.collect(lambda q: 1 / 0, QUESTIONS)


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ({"retriever": 3}, "E299"),
        ({"k": 0}, "E299"),
        ({"k": "3"}, "E299"),
        ({"concurrency": None}, "E299"),
        ({"timeout": -1}, "E299"),
        ({"timeout": float("nan")}, "E299"),
        ({"questions": []}, "E101"),
        ({"questions": [""]}, "E236"),
        ({"questions": [{"query": None}]}, "E236"),
        ({"questions": ["x", "x"]}, "E238"),
        ({"questions": [{"query": "x", "id": 1.5}]}, "E234"),
        ({"save": "run.csv"}, "E298"),
        ({"questions": "no-such-file.jsonl"}, "E110"),
        ({"questions": 5}, "E260"),
    ],
)
def test_impossible_choices_are_refused(arguments, code):
    with pytest.raises(catchrate.CatchrateError) as refused:
        catchrate.collect(**{"retriever": find, "questions": QUESTIONS, **arguments})
    assert refused.value.code == code


# -- where questions come from ----------------------------------------------------------------------------------------


def test_questions_come_from_texts_mappings_frames_folders_and_files(tmp_path, demo_folder):
    import polars as pl

    assert [r["query"] for r in catchrate.collect(find, ["Where?"])] == ["Where?"]
    assert [r["id"] for r in catchrate.collect(find, {"a": "Where?"})] == ["a"]
    frame = pl.DataFrame({"id": ["a"], "query": ["Where?"], "ground_truth": [["d1"]]})
    assert catchrate.evaluate(catchrate.collect(find, frame), ["recall@1"])["recall@1"] == 1.0
    path = tmp_path / "questions.jsonl"
    path.write_text("".join(json.dumps(q) + "\n" for q in QUESTIONS))
    assert catchrate.collect(find, path)[1]["topic"] == "time"
    records = catchrate.collect(lambda q: ["lamp-01"], demo_folder)
    assert len(records) == 40
    assert catchrate.evaluate(records, ["hit@1"])["hit@1"] > 0


@pytest.fixture
def demo_folder() -> Path:
    return Path(catchrate.__file__).parent / "demo"


# -- saving -----------------------------------------------------------------------------------------------------------


def test_a_saved_collection_goes_on_where_it_was_and_asks_again_what_failed(tmp_path):
    path, asked = tmp_path / "run.jsonl", []

    def once_down(question: str) -> list[str]:
        asked.append(question)
        if question == "Where?" and len(asked) < 3:
            raise ConnectionError("down")
        return find(question)

    assert list(catchrate.collect(once_down, QUESTIONS, save=path, concurrency=1).failures) == ["a"]
    assert catchrate.collect(once_down, QUESTIONS, save=path, concurrency=1).failures == {}
    assert asked == ["Where?", "When?", "Where?"]
    assert [json.loads(line)["id"] for line in path.read_text().splitlines()] == ["a", "b"]
    assert catchrate.evaluate(path, ["recall@2"])["recall@2"] == 0.75


def test_half_a_line_is_asked_again(tmp_path):
    path = tmp_path / "run.jsonl"
    whole = catchrate.collect(find, QUESTIONS, save=path)
    text = path.read_text()
    for end in range(text.index("\n") + 1, len(text)):
        path.write_text(text[:end])
        again = catchrate.collect(find, QUESTIONS, save=path)
        assert [r["retrieved"] for r in again] == [r["retrieved"] for r in whole]


@pytest.mark.parametrize(("questions", "k"), [([{"id": "a", "query": "Why?"}], 10), (["Other?"], 10), (QUESTIONS, 1)])
def test_a_file_of_another_collection_is_refused_and_kept(tmp_path, questions, k):
    path = tmp_path / "run.jsonl"
    catchrate.collect(find, QUESTIONS, save=path)
    before = path.read_bytes()
    with pytest.raises(catchrate.InputError, match="E298"):
        catchrate.collect(find, questions, k=k, save=path)
    assert path.read_bytes() == before


def test_what_is_saved_is_strict_json_whatever_the_texts_are(tmp_path):
    path = tmp_path / "run.jsonl"
    odd = {"text": "a\u2028b\ud800\x00</script>", "id": "é\n"}
    catchrate.collect(lambda q: [odd], [{"query": "x", "when": np.float32(0.5)}], save=path)
    assert len(path.read_bytes().splitlines()) == 1
    assert json.loads(path.read_bytes())["when"] == 0.5
    with pytest.raises(catchrate.InputError, match="E233"):
        catchrate.collect(lambda q: [odd], [{"query": "x", "when": float("nan")}], save=tmp_path / "b.jsonl")


def test_an_event_loop_is_imported_when_it_is_needed():
    code = "import sys, catchrate; print('asyncio' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=ENVIRONMENT, check=True)
    assert done.stdout == "False\n"

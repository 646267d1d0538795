from __future__ import annotations

import copy
import json

import polars as pl
import pytest

import catchrate

ENTRIES = [
    {
        "question_id": "q1",
        "question_type": "multi-session",
        "question": "Which boats did I name?",
        "answer": "two of them",
        "question_date": "2023/05/30 (Tue) 23:40",
        "haystack_session_ids": ["answer_1", "other", "answer_2"],
        "haystack_dates": ["2023/05/20", "2023/05/21", "2023/05/22"],
        "haystack_sessions": [
            [
                {"role": "user", "content": "Mine is Heron.", "has_answer": True},
                {"role": "assistant", "content": "Noted.", "has_answer": False},
            ],
            [{"role": "user", "content": "Rain again."}],
            [{"role": "user", "content": "Hm."}, {"role": "assistant", "content": "Tern, then?", "has_answer": True}],
        ],
        "answer_session_ids": ["answer_1", "answer_2"],
    },
    {
        "question_id": "q2_abs",
        "question_type": "multi-session",
        "question": "Which car?",
        "answer": 3,
        "question_date": None,
        "haystack_session_ids": ["x"],
        "haystack_dates": ["2023/05/20"],
        "haystack_sessions": [[{"role": "user", "content": "No car."}]],
        "answer_session_ids": ["x"],
    },
]


@pytest.fixture
def path(tmp_path):
    file = tmp_path / "longmemeval_s.json"
    file.write_text(json.dumps(ENTRIES))
    return file


def test_sessions_that_hold_the_evidence_are_relevant_and_abstentions_stand_apart(path):
    read = catchrate.read_longmemeval(path)
    assert read.judgments.items.rows() == [("q1", "answer_1", 1.0), ("q1", "answer_2", 1.0)]
    assert read.judgments.queries.select("query", "text", "question_type").rows() == [
        ("q1", "Which boats did I name?", "multi-session")
    ]
    assert read.abstentions.select("query", "answer").rows() == [("q2_abs", "3")]
    assert [note.code for note in read.judgments.notes] == ["N293"]
    assert read.passages.filter(pl.col("query") == "q1").select("doc", "date").rows() == [
        ("answer_1", "2023/05/20"),
        ("other", "2023/05/21"),
        ("answer_2", "2023/05/22"),
    ]
    assert read.passages["text"][0] == "user: Mine is Heron.\nassistant: Noted."
    assert repr(read) == "LongMemEval(1 questions, 1 abstentions, 4 passages)"


def test_turns_are_numbered_in_their_session_from_1(path):
    read = catchrate.read_longmemeval(path, "turn")
    assert read.judgments.items["doc"].to_list() == ["answer_1_1", "answer_2_2"]
    assert read.passages.filter(pl.col("doc") == "answer_2_2").select("role", "text").rows() == [
        ("assistant", "Tern, then?")
    ]


def test_a_file_is_judgments_wherever_judgments_are_read(path, tmp_path):
    run = tmp_path / "run.jsonl"
    run.write_text(json.dumps({"query": "q1", "retrieved": ["answer_2", "other", "answer_1_1"]}))
    assert catchrate.evaluate(path, run, ["recall@2"])["recall@2"] == 0.5
    turns = catchrate.ReadOptions(format="longmemeval-turns")
    scores = catchrate.evaluate(path, run, ["recall@3"], options=turns)
    assert scores["recall@3"] == 0.5
    assert {note.code for note in scores.notes} == {"N229", "N293"}


def test_each_question_has_a_history_of_its_own_to_retrieve_from(path):
    read = catchrate.read_longmemeval(path)
    history = read.passages.partition_by("query", as_dict=True)

    def newest_first(question, record):
        return history[(record["id"],)]["doc"].reverse().to_list()

    scores = catchrate.evaluate(catchrate.collect(newest_first, read.judgments), ["recall@1", "recall@3"])
    assert scores.as_dict() == {"recall@1": 0.5, "recall@3": 1.0}


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("question", None),
        ("question_id", 3),
        ("answer_session_ids", "answer_1"),
        ("answer_session_ids", [3]),
        ("haystack_sessions", []),
        ("haystack_sessions", [[], [], [{"role": "user"}]]),
        ("haystack_sessions", [1, 2, 3]),
        ("haystack_dates", ["one"]),
    ],
)
def test_an_entry_that_is_not_like_the_release_is_refused(path, field, value):
    entries = copy.deepcopy(ENTRIES)
    entries[0][field] = value
    path.write_text(json.dumps(entries))
    with pytest.raises(catchrate.InputError, match="E294"):
        catchrate.read_longmemeval(path)


def test_a_level_that_does_not_exist_is_refused(path):
    with pytest.raises(catchrate.UsageError, match="E272"):
        catchrate.read_longmemeval(path, "word")

"""Evaluation records in JSON and JSONL."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catchrate.errors import CatchrateError, Finding, InputError
from catchrate.formats import ReadOptions, holds_both, read_judgments, read_ranking, read_records
from catchrate.limits import MAX_JSON_DEPTH

BOTH = '{"query": "who?", "retrieved": ["a", "b"], "ground_truth": {"b": 2, "c": 0.5}}\n'


def refusal(read: Any, text: str | bytes, **options: Any) -> Finding:
    with pytest.raises(InputError) as caught:
        read(text.encode() if isinstance(text, str) else text, ReadOptions(**options))
    return caught.value.findings[0]


def record(**fields: object) -> bytes:
    return json.dumps({"query": "q", **fields}).encode()


def test_a_record_holds_both_sides() -> None:
    judged, ranking = read_records(BOTH.encode())
    assert judged.items.rows() == [("who?", "b", 2.0), ("who?", "c", 0.5)]
    assert ranking.frame.rows() == [("who?", "a"), ("who?", "b")]
    assert ranking.ordered
    assert holds_both(BOTH.encode())


def test_a_list_of_ground_truth_means_grade_one() -> None:
    assert read_judgments(record(ground_truth=["b", "a"])).items.rows() == [("q", "b", 1.0), ("q", "a", 1.0)]


def test_an_id_names_the_query_and_the_query_becomes_its_text() -> None:
    judged = read_judgments(record(id="7", query="who?", ground_truth=["a"], weight=2, topic="people", tags=["x", 1]))
    assert judged.queries.to_dicts() == [
        {"query": "7", "text": "who?", "weight": 2.0, "topic": "people", "tags": '["x", 1]'}
    ]


def test_metadata_of_mixed_kinds_becomes_text() -> None:
    lines = record(ground_truth=[], x=1) + b"\n" + record(query="r", ground_truth=["a"], x="y")
    assert read_judgments(lines).queries["x"].to_list() == ["1", "y"]


def test_a_query_without_ground_truth_stays_a_query() -> None:
    judged = read_judgments(record(ground_truth=[]) + b"\n" + record(query="r", ground_truth=["a"]))
    assert judged.queries["query"].to_list() == ["q", "r"]


def test_a_query_that_returned_nothing_is_known() -> None:
    ranking = read_ranking(record(retrieved=[]) + b"\n" + record(query="r", retrieved=["a"]))
    assert ranking.empty_queries() == ("q",)


@pytest.mark.parametrize(
    "fields",
    [
        {"retrieved": ["b", "a"], "scores": [0.2, 0.1], "texts": ["B", None]},
        {"retrieved": [{"id": "b", "score": 0.2, "text": "B"}, {"id": "a", "score": 0.1}]},
        {"retrieved": [["b", 0.2], ["a", 0.1]], "texts": {"b": "B"}},
    ],
)
def test_the_spellings_of_a_scored_list_mean_the_same(fields: dict[str, object]) -> None:
    ranking = read_ranking(record(**fields))
    assert ranking.ordered
    assert ranking.notes() == ()
    assert ranking.frame.to_dicts() == [
        {"query": "q", "doc": "b", "score": 0.2, "text": "B"},
        {"query": "q", "doc": "a", "score": 0.1, "text": None},
    ]


def test_a_mapping_of_retrieved_ranks_by_its_scores() -> None:
    ranking = read_ranking(record(retrieved={"a": 0.5, "b": 0.7}))
    assert not ranking.ordered
    assert ranking.frame.rows() == [("q", "a", 0.5), ("q", "b", 0.7)]


def test_scores_that_rise_within_a_list_are_noted_with_their_queries() -> None:
    lines = [record(query=name, retrieved=["a", "b"], scores=scores) for name, scores in
             (("q1", [1, 2]), ("q2", [2, 1]), ("q3", [1, 1]))]  # fmt: skip
    note = read_ranking(b"\n".join(lines)).notes()[0]
    assert (note.code, note.count, note.sample) == ("N223", 1, ("q1",))
    assert [n.sample for n in read_ranking(b"\n".join(lines), ReadOptions(ascending=True)).notes()] == [("q2",)]


@pytest.mark.parametrize("texts", [["B", "A"], {"a": "A", "b": "B"}])
def test_gold_texts_stand_beside_their_items(texts: object) -> None:
    judged = read_judgments(record(ground_truth=["b", "a"], gold_texts=texts))
    assert dict(zip(judged.items["doc"], judged.items["text"], strict=True)) == {"a": "A", "b": "B"}


def test_grades_may_stand_in_a_list_of_their_own() -> None:
    assert read_judgments(record(ground_truth=["b", "a"], grades=[3, 2])).items["grade"].to_list() == [3.0, 2.0]


def test_fields_may_have_other_names() -> None:
    text = b'{"question": "q", "hits": ["a"], "gold": ["b"], "query": "kept out"}'
    options = ReadOptions(columns={"query": "question", "retrieved": "hits", "ground_truth": "gold"})
    judged, ranking = read_records(text, options)
    assert (judged.items.rows(), ranking.frame.rows()) == ([("q", "b", 1.0)], [("q", "a")])
    assert judged.queries.columns == ["query"]
    assert holds_both(text, options)


def test_one_array_reads_as_lines_do() -> None:
    lines = BOTH + BOTH.replace("who?", "why?")
    array = "[\n" + ",\n".join(lines.splitlines()) + "\n]\n"
    for text in (array, array.replace("\n", " ")):
        judged, ranking = read_records(text.encode())
        assert judged.items.equals(read_judgments(lines.encode()).items)
        assert ranking.frame.equals(read_ranking(lines.encode()).frame)


def test_one_json_object_is_a_mapping_of_queries_when_it_is_named_json() -> None:
    text = b'{"q1": {"a": 1,\n "b": 2}}'
    assert read_judgments(text, ReadOptions(format="json")).items.rows() == [("q1", "b", 2.0), ("q1", "a", 1.0)]
    assert read_ranking(b'{"q1": ["b", "a"]}', ReadOptions(format="json")).frame.rows() == [("q1", "b"), ("q1", "a")]
    assert "format='json'" in refusal(read_judgments, '{\n "q1": {"a": 1}}').fix


def test_numbers_as_ids_become_text_with_a_note() -> None:
    ranking = read_ranking(record(id=7, retrieved=[1, 22]))
    assert ranking.frame.rows() == [("7", "1"), ("7", "22")]
    assert [(note.code, note.count) for note in ranking.notes()] == [("N235", 1), ("N235", 2)]


@pytest.mark.parametrize("wrong", ["1.0", "true", "null", "[]", "{}"])
def test_other_kinds_of_ids_are_refused_with_their_line(wrong: str) -> None:
    finding = refusal(read_ranking, BOTH + f'{{"query": "r", "retrieved": ["a", {wrong}]}}')
    assert (finding.code, finding.line) == ("E234", 2)
    assert refusal(read_ranking, f'{{"id": {wrong}, "query": "r", "retrieved": ["a"]}}').code == "E234"


@pytest.mark.parametrize("token", ["NaN", "Infinity", "-Infinity", "1e999", "-1e999", "9" * 5_000])
def test_numbers_that_are_not_finite_are_refused(token: str) -> None:
    finding = refusal(read_judgments, BOTH + f'{{"query": "r", "ground_truth": {{"a": {token}}}}}')
    assert (finding.code, finding.line) == ("E233", 2)


@pytest.mark.parametrize(
    "text", ['{"query": "q", "query": "r", "ground_truth": []}', '{"query": "q", "ground_truth": {"a": 1, "a": 2}}']
)
def test_a_key_that_stands_twice_is_refused(text: str) -> None:
    assert refusal(read_judgments, text).code == "E231"


@pytest.mark.parametrize("depth", [MAX_JSON_DEPTH + 1, 100_000])
def test_deep_nesting_is_refused_before_it_is_parsed(depth: int) -> None:
    for opening, closing in (("[", "]"), ('{"x":', "}")):
        deep = opening * depth + "1" + closing * depth
        assert refusal(read_judgments, '{"query": "q", "ground_truth": ' + deep + "}").code == "E232"
        assert refusal(read_judgments, "[" + deep + "]").code == "E232"


def test_brackets_in_text_are_not_nesting() -> None:
    query = '[{\\"' * 200
    assert read_judgments(json.dumps({"query": query, "ground_truth": ["a"]}).encode()).items["query"][0] == query


@pytest.mark.parametrize(
    ("text", "line", "hint"),
    [
        (BOTH + "\n" + BOTH, 2, "remove the line"),
        (BOTH.strip() + ",\n" + BOTH, 1, "remove the comma"),
        (BOTH.strip() + BOTH, 1, "a line of its own"),
        ('{\n"query": "q"}', 1, "format='json'"),
        ('["a"]', 1, "one object"),
        ("[" + BOTH + ",]", 2, "remove it"),
        ("[" + BOTH + BOTH + "]", 2, "whole"),
        ("[" + BOTH, 2, "whole"),
        ("[" + BOTH + "] x", 2, "format='jsonl'"),
        ('{"query": q}', 1, "correct"),
    ],
)
def test_what_is_not_one_object_a_line_is_refused_with_a_hint(text: str, line: int, hint: str) -> None:
    finding = refusal(read_judgments, text)
    assert (finding.code, finding.line) == ("E230", line)
    assert hint in finding.fix


def test_an_array_is_refused_with_a_hint_where_lines_are_asked_for() -> None:
    finding = refusal(read_judgments, "[" + BOTH.strip() + "]", format="jsonl")
    assert finding.code == "E230"
    assert "format='json'" in finding.fix


def test_half_characters_are_refused_and_pairs_are_not() -> None:
    for text in ('{"query": "\\ud800", "ground_truth": []}', '{"query": "q", "ground_truth": [], "x": ["\\uDFFF"]}'):
        assert refusal(read_judgments, text).code == "E104"
    assert read_judgments(b'{"query": "\\ud83d\\ude00", "ground_truth": ["a"]}').items["query"][0] == "😀"
    assert read_judgments(b'{"query": "\\\\ud800", "ground_truth": ["a"]}').items["query"][0] == "\\ud800"


@pytest.mark.parametrize("field", ["Ground_Truth", "groundtruth", "ground-truth", "ground_thruth"])
def test_a_misspelt_field_is_named(field: str) -> None:
    finding = refusal(read_judgments, json.dumps({"query": "q", field: ["a"]}))
    assert finding.code == "E236"
    assert repr(field) in finding.fix


def test_a_record_without_its_side_is_refused_with_its_line() -> None:
    only_judged, only_returned = record(ground_truth=["a"]).decode(), record(query="r", retrieved=["a"]).decode()
    assert (refusal(read_judgments, only_returned).code, refusal(read_ranking, only_judged).code) == ("E236", "E236")
    assert refusal(read_judgments, only_judged + "\n" + only_returned).line == 2
    assert refusal(read_judgments, '{"ground_truth": ["a"]}').code == "E236"
    assert not holds_both(only_judged.encode())


def test_a_chosen_field_that_is_absent_falls_back_to_its_usual_name() -> None:
    options = ReadOptions(columns={"query": "frage", "retrieved": "hits", "ground_truth": "gold"})
    usual = b'{"query": "q", "retrieved": ["b", "a"], "ground_truth": ["a"]}'
    chosen = b'{"frage": "q", "query": "x", "hits": ["b", "a"], "gold": ["a"]}'
    for data in (usual, chosen):
        assert holds_both(data, options)
        judged, ranking = read_records(data, options)
        assert judged.items.rows() == [("q", "a", 1.0)]
        assert ranking.frame["doc"].to_list() == ["b", "a"]


@pytest.mark.parametrize("text", ['{"query": "q", "ground_truth": ["a",]}', '{"query": "q", "ground_truth": ["a"] , }'])
def test_a_comma_behind_the_last_element_is_named(text: str) -> None:
    for data in (text, f"[{text}]"):
        finding = refusal(read_judgments, data)
        assert (finding.code, finding.line, finding.message) == ("E230", 1, "a comma behind the last element")


def test_texts_without_ids_are_refused_saying_that_ids_are_needed() -> None:
    for read, fields in ((read_ranking, {"texts": ["A"]}), (read_judgments, {"gold_texts": ["A"]})):
        finding = refusal(read, record(**fields))
        assert finding.code == "E236"
        assert "ids" in finding.fix


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"retrieved": ["a"], "scores": [1, 2]}, "E237"),
        ({"retrieved": ["a"], "texts": []}, "E237"),
        ({"retrieved": ["a"], "texts": [5]}, "E236"),
        ({"retrieved": ["a"], "scores": 5}, "E236"),
        ({"retrieved": [["a", 1]], "scores": [1]}, "E236"),
        ({"retrieved": "a"}, "E236"),
        ({"retrieved": None}, "E236"),
        ({"retrieved": ["a"], "scores": ["1"]}, "E214"),
        ({"retrieved": ["a"], "scores": [None]}, "E214"),
        ({"retrieved": ["a", ""]}, "E255"),
        ({"retrieved": ["a" * 5000]}, "E108"),
        ({"retrieved": ["a\0"]}, "E105"),
    ],
)
def test_odd_rankings_are_refused_with_their_line(fields: dict[str, object], code: str) -> None:
    finding = refusal(read_ranking, BOTH.encode() + record(**fields))
    assert (finding.code, finding.line) == (code, 2)


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"ground_truth": {"a": "1"}}, "E202"),
        ({"ground_truth": {"a": 2**31}}, "E204"),
        ({"ground_truth": [["a", 1], ["b"]]}, "E236"),
        ({"ground_truth": ["a"], "weight": 0}, "E239"),
        ({"ground_truth": ["a"], "weight": "1"}, "E239"),
        ({"ground_truth": ["a"], "weight": True}, "E239"),
        ({"ground_truth": ["a"], "id": ""}, "E255"),
        ({"ground_truth": ["a"], "query": "x" * 5000}, "E108"),
        ({"ground_truth": ["a"], "text": "x"}, "E236"),
        ({"ground_truth": ["a"], "id": "1", "query": 5}, "E236"),
    ],
)
def test_odd_judgments_are_refused_with_their_line(fields: dict[str, object], code: str) -> None:
    finding = refusal(read_judgments, BOTH.encode() + record(**fields))
    assert (finding.code, finding.line) == (code, 2)


def test_scores_on_some_records_only_are_refused() -> None:
    finding = refusal(read_ranking, record(retrieved=["a"], scores=[1]) + b"\n" + record(query="r", retrieved=["a"]))
    assert (finding.code, finding.line) == ("E260", 2)


def test_a_repeated_query_is_refused_with_both_lines() -> None:
    finding = refusal(read_judgments, BOTH + BOTH.replace("who", "why") + BOTH)
    assert (finding.code, finding.line) == ("E238", 3)
    assert "line 1" in finding.message
    assert "`id`" in finding.fix


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "E101"),
        (b"[]", "E101"),
        (b"{}", "E236"),
        (b'{"query": "\xff"}', "E104"),
        (b'{"query": "\0"}', "E105"),
        ('{"query": "q"}'.encode("utf-16"), "E102"),
    ],
)
def test_odd_bytes_are_refused(data: bytes, code: str) -> None:
    assert refusal(read_judgments, data, format="json" if data == b"[]" else "jsonl").code == code


def test_a_byte_order_mark_is_left_out_and_noted() -> None:
    assert [note.code for note in read_judgments(b"\xef\xbb\xbf" + BOTH.encode()).notes] == ["N115"]


def test_line_ends_of_any_system_are_fine() -> None:
    assert read_judgments((BOTH + BOTH.replace("who", "why")).replace("\n", "\r\n").encode()).queries.height == 2


@given(st.binary(max_size=40), st.integers(0, len(BOTH) - 1))
def test_damaged_records_are_refused_or_read_but_never_crash(noise: bytes, place: int) -> None:
    data = BOTH.encode()
    for damaged in (
        data[:place],
        data[:place] + noise + data[place:],
        data[:place] + noise + data[place + len(noise) :],
    ):
        with suppress(CatchrateError):
            read_records(damaged, ReadOptions(format="jsonl"))


values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**70), 2**70)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=4,
)
names = st.sampled_from(
    ["id", "query", "retrieved", "ground_truth", "scores", "grades", "texts", "gold_texts", "weight", "x"]
)


@given(st.lists(st.dictionaries(names, values, max_size=5), max_size=2))
def test_records_of_any_content_are_read_or_refused(rows: list[dict[str, Any]]) -> None:
    data = "\n".join(map(json.dumps, rows)).encode()
    for read in (read_judgments, read_ranking, read_records):
        with suppress(CatchrateError):
            read(data, ReadOptions(format="jsonl"))

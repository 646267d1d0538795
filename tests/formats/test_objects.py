"""Python objects and data frames."""

from __future__ import annotations

import math
import subprocess
import sys
from contextlib import suppress
from decimal import Decimal
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from catchrate.errors import CatchrateError, Finding, InputError
from catchrate.formats import ReadOptions, holds_both, open_ranking, read_judgments, read_ranking, read_records
from catchrate.tables import Judgments, Ranking


def refusal(read: Any, value: object, **options: Any) -> Finding:
    with pytest.raises(InputError) as caught:
        read(value, ReadOptions(**options))
    return caught.value.findings[0]


def triples(judgments: Judgments) -> set[tuple[str, str, float]]:
    return set(judgments.items.select("query", "doc", "grade").iter_rows())


def slots(ranking: Ranking) -> list[tuple[object, ...]]:
    return list(ranking.frame.iter_rows())


def test_a_dict_of_dicts_gives_grades() -> None:
    judged = read_judgments({"q1": {"a": 2, "b": 0.5}, "q2": {"a": True}})
    assert triples(judged) == {("q1", "a", 2.0), ("q1", "b", 0.5), ("q2", "a", 1.0)}


def test_a_dict_of_dicts_ranks_by_its_scores() -> None:
    ranking = read_ranking({"q1": {"a": 0.5, "b": 2}})
    assert not ranking.ordered
    assert slots(ranking) == [("q1", "a", 0.5), ("q1", "b", 2.0)]


def test_a_dict_of_lists_ranks_by_the_order_of_the_lists() -> None:
    ranking = read_ranking({"q2": ["b", "a"], "q1": ["c"]})
    assert ranking.ordered
    assert slots(ranking) == [("q2", "b"), ("q2", "a"), ("q1", "c")]


def test_pairs_keep_the_order_of_the_list_and_carry_their_scores() -> None:
    ranking = read_ranking({"q": [("b", 0.1), ["a", 0.9]]})
    assert ranking.ordered
    assert slots(ranking) == [("q", "b", 0.1), ("q", "a", 0.9)]
    assert [note.code for note in ranking.notes()] == ["N223"]
    assert ranking.notes()[0].count == 1


@pytest.mark.parametrize("docs", [["a", "b"], ("a", "b"), {"a", "b"}, frozenset("ab"), np.array(["a", "b"])])
def test_a_plain_collection_of_documents_means_grade_one(docs: object) -> None:
    assert triples(read_judgments({"q": docs})) == {("q", "a", 1.0), ("q", "b", 1.0)}


def test_lists_of_lists_are_numbered_by_position_on_both_sides() -> None:
    judged, ranking = read_judgments([["a"], {"b": 2}]), read_ranking([["x"], ["b", "a"]])
    assert triples(judged) == {("1", "a", 1.0), ("2", "b", 2.0)}
    assert slots(ranking) == [("1", "x"), ("2", "b"), ("2", "a")]


def test_a_list_of_dicts_is_read_as_records() -> None:
    rows = [{"query": "who?", "retrieved": ["a"], "ground_truth": {"b": 2}, "topic": "people"}]
    judged, ranking = read_records(rows)
    assert triples(judged) == {("who?", "b", 2.0)}
    assert judged.queries["topic"].to_list() == ["people"]
    assert slots(ranking) == [("who?", "a")]
    assert holds_both(rows)
    assert not holds_both([{"query": "who?", "retrieved": ["a"]}])


def test_an_empty_list_is_a_query_that_returned_nothing_or_has_nothing_to_find() -> None:
    assert read_ranking({"q1": ["a"], "q2": []}).empty == ("q2",)
    assert read_judgments({"q1": ["a"], "q2": []}).queries["query"].to_list() == ["q1", "q2"]


def test_whole_numbers_become_ids_in_decimal_without_a_note() -> None:
    ranking = read_ranking({1: [10, np.int64(11)]})
    assert slots(ranking) == [("1", "10"), ("1", "11")]
    assert ranking.notes() == ()


@pytest.mark.parametrize("sign", [1, -1])
def test_whole_numbers_are_ids_of_up_to_40_digits(sign: int) -> None:
    most = sign * (10**40 - 1)
    assert slots(read_ranking({"q": [most, 1]})) == [("q", str(most)), ("q", "1")]
    assert refusal(read_ranking, {"q": [1, most + sign]}).code == "E234"
    assert refusal(read_ranking, {"q": [1, sign * 10**9_999]}).code == "E234"


def test_text_and_numbers_mixed_among_ids_are_noted() -> None:
    note = read_ranking({"q": ["a", 7]}).notes()[0]
    assert (note.code, note.count, note.sample) == ("N235", 1, ("7",))


@pytest.mark.parametrize("wrong", [1.0, True, None, b"a", ("a",), Decimal(1), np.float64(1), np.bool_(True)])
def test_other_kinds_of_ids_are_refused(wrong: object) -> None:
    assert refusal(read_ranking, {"q": ["a", wrong]}).code == "E234"
    assert refusal(read_judgments, {wrong: ["a"]}).code == "E234"


def test_a_text_id_and_the_same_number_are_one_query_and_refused() -> None:
    assert refusal(read_judgments, {1: ["a"], "1": ["b"]}).code == "E238"


@pytest.mark.parametrize("number", [np.float32(0.5), np.int8(1), 1, 0.25, True, np.bool_(True)])
def test_numpy_scalars_are_numbers(number: Any) -> None:
    assert read_judgments({"q": {"a": number}}).items["grade"].to_list() == [float(number)]


@pytest.mark.parametrize(
    ("wrong", "graded", "scored"),
    [
        ("1", "E202", "E214"),
        (None, "E202", "E214"),
        (math.nan, "E202", "E211"),
        (10**400, "E204", "E213"),
        pytest.param(10**5000, "E204", "E213", id="thousands of digits"),
        (2**31, "E204", None),
        (math.inf, "E204", None),
    ],
)
def test_what_is_no_number_is_refused_naming_the_query(wrong: object, graded: str, scored: str | None) -> None:
    finding = refusal(read_judgments, {"q1": {"a": 1}, "q2": {"b": 1, "c": wrong}})
    assert finding.code == graded
    assert "'q2'" in finding.message
    if scored:
        assert refusal(read_ranking, {"q1": {"a": 1.0}, "q2": {"b": 0.5, "c": wrong}}).code == scored


class Moody:
    """Looks like a number and is none."""

    def __float__(self) -> float:
        raise RuntimeError("not today")


@pytest.mark.parametrize(
    "wrong",
    [np.str_("1.5"), np.datetime64("2020-01-01"), np.array([1, 2]), Decimal("sNaN"), 1j, b"1", Moody()],
    ids=lambda wrong: type(wrong).__name__,
)
def test_what_only_resembles_a_number_is_refused_naming_the_query(wrong: object) -> None:
    for read, code in ((read_judgments, "E202"), (read_ranking, "E214")):
        finding = refusal(read, {"q1": {"a": 1.0}, "q2": {"b": 0.5, "c": wrong}})
        assert finding.code == code
        assert "'q2'" in finding.message


def test_infinite_scores_are_accepted_with_a_note() -> None:
    assert [note.code for note in read_ranking({"q": {"a": math.inf, "b": 1.0}}).notes()] == ["W212"]


def test_half_characters_and_nul_in_ids_are_refused() -> None:
    assert refusal(read_ranking, {"q": ["a", "\ud800"]}).code == "E104"
    assert refusal(read_ranking, {"q": ["a\0b"]}).code == "E105"


def test_empty_and_huge_ids_are_refused_naming_the_query() -> None:
    empty, huge = refusal(read_ranking, {"q1": ["a"], "q2": [""]}), refusal(read_judgments, {"q1": ["x" * 5_000]})
    assert (empty.code, huge.code) == ("E255", "E108")
    assert "'q2'" in empty.message


@pytest.mark.parametrize(
    "shape",
    [5, "no/such/file", ["a", "b"], {"q": "a"}, {"q": 5}, {"q": None}, {"q": [("a", 1, 2)]}, [1, 2], object()],
)
def test_other_shapes_are_refused(shape: object) -> None:
    assert refusal(read_judgments, shape).code in ("E260", "E110")
    assert refusal(read_ranking, shape).code in ("E260", "E110")


def test_a_set_is_no_ranking() -> None:
    assert refusal(read_ranking, {"q": {"a", "b"}}).code == "E260"


def test_mixed_shapes_are_no_ranking() -> None:
    assert refusal(read_ranking, {"q1": {"a": 1.0}, "q2": ["b"]}).code == "E260"
    assert refusal(read_ranking, {"q1": [("a", 1.0)], "q2": ["b"]}).code == "E260"


def test_nothing_at_all_is_refused() -> None:
    for nothing in ({}, []):
        assert refusal(read_judgments, nothing).code == "E101"
        assert refusal(read_ranking, nothing).code == "E101"


def test_distances_are_turned_around_when_asked() -> None:
    ranking = read_ranking({"q": {"a": 0.1, "b": 0.2}}, ReadOptions(ascending=True))
    assert ranking.frame["score"].to_list() == [-0.1, -0.2]


def test_tables_come_back_as_they_are() -> None:
    judged, ranking = read_judgments({"q": ["a"]}), read_ranking({"q": ["a"]})
    assert read_judgments(judged) is judged
    assert read_ranking(ranking) is ranking
    assert open_ranking(ranking) is ranking


@pytest.mark.parametrize("given", [b"q Q0 b 1 0.5 t\nr Q0 c 1 2 t\nq Q0 a 2 0.9 t\n", {"q": {"a": 0.9}, "r": {}}])
def test_what_open_ranking_returns_is_a_ranking_for_every_reader(given: Any) -> None:
    opened = open_ranking(given)
    assert open_ranking(opened) is opened
    assert not holds_both(opened)
    gathered, read = read_ranking(opened), read_ranking(given)
    assert (slots(gathered), gathered.empty, gathered.ordered) == (slots(read), read.empty, read.ordered)
    assert gathered.digest() == opened.digest()


def test_a_run_with_many_distinct_keys_and_one_repeated_is_refused_without_delay() -> None:
    many = {**{str(i): ["a"] for i in range(30_000)}, 29_999: ["b"]}
    assert refusal(read_judgments, many).code == "E238"


def long_frames() -> list[Any]:
    duckdb, pd, pa = pytest.importorskip("duckdb"), pytest.importorskip("pandas"), pytest.importorskip("pyarrow")
    columns = {"query_id": ["q1", "q1", "q2"], "doc_id": ["b", "a", "c"], "score": [2.0, 1.0, 3.0]}
    arrow = pa.table(columns)
    polars = pl.DataFrame(columns)
    pandas = pd.DataFrame(columns, index=["x", "y", "z"])
    return [polars, polars.lazy(), pandas, arrow, duckdb.from_arrow(arrow)]


def test_every_library_of_frames_gives_the_same_table() -> None:
    read = [slots(read_ranking(frame)) for frame in long_frames()]
    assert read == [[("q1", "b", 2.0), ("q1", "a", 1.0), ("q2", "c", 3.0)]] * 5


def test_frames_with_list_columns_are_records() -> None:
    frame = pl.DataFrame({"query": ["q1", "q2"], "retrieved": [["a", "b"], []], "ground_truth": [["a"], ["c", "d"]]})
    frame = frame.with_columns(pl.Series("grades", [[2], [1, 3]]))
    judged, ranking = read_records(frame)
    assert triples(judged) == {("q1", "a", 2.0), ("q2", "c", 1.0), ("q2", "d", 3.0)}
    assert slots(ranking) == [("q1", "a"), ("q1", "b")]
    assert ranking.empty == ("q2",)
    assert holds_both(frame)


def test_list_columns_of_structs_hold_grades_and_scores() -> None:
    hits, gold = [{"doc": "a", "score": 0.5}], [{"key": "a", "value": 2}]
    judged, ranking = read_records(pl.DataFrame({"query": ["q"], "retrieved": [hits], "ground_truth": [gold]}))
    assert triples(judged) == {("q", "a", 2.0)}
    assert slots(ranking) == [("q", "a", 0.5)]


def test_columns_of_other_types_are_refused_naming_them() -> None:
    frame = pl.DataFrame({"query": ["q"], "doc": [1.5], "score": [1.0]})
    finding = refusal(read_ranking, frame)
    assert finding.code == "E254"
    assert "'doc' of the doc is Float64" in finding.message
    assert refusal(read_ranking, frame.with_columns(doc=pl.lit("a"), score=pl.lit("1"))).code == "E254"
    assert refusal(read_ranking, frame.with_columns(doc=pl.lit(None))).code == "E255"


def test_nulls_and_nan_in_frames_are_refused_with_their_row() -> None:
    frame = pl.DataFrame({"query": ["q", "q"], "doc": ["a", "b"], "score": [1.0, math.nan]})
    assert (refusal(read_ranking, frame).code, refusal(read_ranking, frame).line) == ("E211", 2)
    frame = pl.DataFrame({"query": ["q", None], "doc": ["a", "b"], "grade": [1, 2]})
    assert (refusal(read_judgments, frame).code, refusal(read_judgments, frame).line) == ("E255", 2)


def test_reading_frames_imports_no_library_of_frames() -> None:
    code = "import catchrate.formats, sys; print(sorted({'pandas', 'pyarrow', 'duckdb', 'scipy'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


ids = st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1, max_size=8)
scores = st.floats(allow_nan=False)


@given(st.dictionaries(ids, st.dictionaries(ids, scores, max_size=5), min_size=1, max_size=5))
def test_a_dict_of_dicts_equals_its_own_loop(run: dict[str, dict[str, float]]) -> None:
    ranking = read_ranking(run)
    expected = [(query, doc, score) for query, docs in run.items() for doc, score in docs.items()]
    if expected:
        assert slots(ranking) == expected
    assert ranking.empty == tuple(query for query, docs in run.items() if not docs)


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3) | st.binary(max_size=2),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3) | st.integers(), inner, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(st.text(max_size=3), anything, max_size=3) | st.lists(anything, max_size=3))
def test_nothing_but_our_own_errors_leaves_the_library(value: Any) -> None:
    for read in (read_judgments, read_ranking, read_records):
        with suppress(CatchrateError):
            read(value)

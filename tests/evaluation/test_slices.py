from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import catchrate
from catchrate.errors import UsageError
from catchrate.evaluation.slices import FEW, NOTHING, slice_values, slices_by
from catchrate.limits import MAX_SLICES


def aligned(*rows: dict[str, object]):
    """Return the alignment of records that have one relevant document each unless they say otherwise."""
    plain = {"retrieved": ["a"], "ground_truth": ["a"]}
    records = [{"id": f"q{i:03}", "query": "", **plain, **row} for i, row in enumerate(rows)]
    return catchrate.evaluate(records, "rr").aligned


def sizes(slices) -> dict[str, int]:
    return {name: int(mask.sum()) for name, mask in slices}


def test_each_value_of_a_column_is_a_slice_in_order_and_what_says_nothing_comes_last():
    slices = slices_by(aligned({"kind": "how-to"}, {"kind": None}, {"kind": "fact"}, {"kind": "fact"}, {}), "kind")
    assert sizes(slices) == {"fact": 2, "how-to": 1, NOTHING: 2}
    assert slices.names == ("fact", "how-to", NOTHING)
    assert slices.number.tolist() == [1, 2, 0, 0, 2]


def test_few_numbers_are_slices_of_their_own_in_the_order_of_numbers():
    slices = slices_by(aligned({"hops": 10}, {"hops": 2}, {"hops": 1}), "hops")
    assert slices.names == ("1", "2", "10")


def test_truth_values_are_called_yes_and_no():
    assert sizes(slices_by(aligned({"easy": True}, {"easy": False}, {"easy": True}), "easy")) == {"no": 1, "yes": 2}


def test_many_numbers_are_put_in_bands_of_about_equally_many_queries():
    slices = slices_by(aligned(*({"year": 1980 + i} for i in range(40)), {"year": None}), "year")
    assert sizes(slices) == {"1980 to 1989": 10, "1990 to 1999": 10, "2000 to 2009": 10, "2010 to 2019": 10, NOTHING: 1}


@settings(deadline=None, max_examples=50)
@given(st.lists(st.one_of(st.none(), st.integers(-99, 99), st.floats(-9, 9)), min_size=1, max_size=60))
def test_every_query_is_in_exactly_one_slice_and_no_slice_is_empty(values: list[float | None]):
    slices = slices_by(aligned(*({"x": value} for value in values)), "x")
    assert sum(mask.astype(int) for _, mask in slices).tolist() == [1] * len(values)
    assert all(mask.any() for _, mask in slices)
    assert len(set(slices.names)) == len(slices)


@settings(deadline=None, max_examples=50)
@given(st.lists(st.integers(-1000, 1000), min_size=FEW + 1, max_size=60, unique=True))
def test_bands_hold_neighbours(values: list[int]):
    slices = slices_by(aligned(*({"x": value} for value in values)), "x")
    in_order = slices.number[np.argsort(values)]
    assert (np.diff(in_order) >= 0).all()


def test_queries_are_parted_by_how_many_relevant_documents_they_have():
    many = [{"ground_truth": [f"d{i}" for i in range(n)]} for n in (0, 1, 2, 3, 4, 9, 10, 30)]
    slices = slices_by(aligned(*many), "relevant")
    assert sizes(slices) == {"0": 1, "1": 1, "2 to 3": 2, "4 to 9": 2, "10 or more": 2}


def test_the_level_of_relevance_decides_what_is_counted():
    graded = aligned({"ground_truth": {"a": 1, "b": 2}}, {"ground_truth": {"a": 2, "b": 2}})
    assert sizes(slices_by(graded, "relevant")) == {"2 to 3": 2}
    assert sizes(slices_by(graded, "relevant", rel=2)) == {"1": 1, "2 to 3": 1}


def test_queries_are_parted_by_their_words():
    texts = ["", "one", "now there are four", " ".join("abcdefghijkl")]
    assert sizes(slices_by(aligned(*({"query": t} for t in texts)), "length")) == {
        "0": 1,
        "1 to 3": 1,
        "4 to 6": 1,
        "11 or more": 1,
    }


def test_ids_that_are_texts_have_a_length():
    records = [{"query": "what is it", "retrieved": ["a"], "ground_truth": ["a"]}]
    assert slices_by(catchrate.evaluate(records, "rr").aligned, "length").names == ("1 to 3",)


def test_a_column_of_that_name_wins_over_what_is_derived():
    assert sizes(slices_by(aligned({"length": "long"}), "length")) == {"long": 1}


def test_the_fields_of_json_metadata_are_slices():
    meta = aligned({"metadata": json.dumps({"kind": "fact"})}, {"metadata": {"kind": "how-to"}}, {"metadata": "x"})
    assert sizes(slices_by(meta, "kind")) == {"fact": 1, "how-to": 1, NOTHING: 1}
    assert list(slice_values(meta)) == ["kind"]


def test_the_bundled_example_has_slices():
    demo = Path(catchrate.__file__).parent / "demo"
    scores = catchrate.evaluate(demo, demo / "runs" / "bm25.trec")
    assert sizes(slices_by(scores.aligned, "kind"))["fact"] > 1


@pytest.mark.parametrize(
    ("by", "fix"),
    [("knid", "did you mean kind"), ("zzz", "one of kind, relevant, length"), ("query", "one of kind")],
)
def test_a_name_that_is_not_known_is_refused_with_the_nearest(by: str, fix: str):
    with pytest.raises(UsageError, match="E323") as caught:
        slices_by(aligned({"kind": "fact"}), by)
    assert fix in str(caught.value)


def test_lengths_without_texts_are_refused():
    frame = pl.DataFrame({"query": ["q"], "doc": ["a"], "grade": [1]})
    scores = catchrate.evaluate(frame, {"q": ["a"]}, "rr")
    with pytest.raises(UsageError, match="E323 the texts of the queries are not known"):
        slices_by(scores.aligned, "length")


def test_a_column_that_parts_nothing_is_refused():
    with pytest.raises(UsageError, match=f"at most {MAX_SLICES}"):
        slices_by(aligned(*({"id2": f"x{i}"} for i in range(MAX_SLICES + 1))), "id2")

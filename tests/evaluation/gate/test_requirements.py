"""How a rule is written, and what each wrong way of writing it gets."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from catchrate import UsageError
from catchrate.evaluation.gate import floor_of, margin_of
from hostile_texts import HOSTILE

FLOORS = {
    "recall@10 >= 0.80": "recall@10 >= 0.8",
    " R@10>=80% ": "recall@10 >= 0.8",
    "recall@10 ≥ .8": "recall@10 >= 0.8",
    "lower(recall@10) >= 0.8": "lower(recall@10) >= 0.8",
    "Upper( recall(rel=2)@10 ) >= 1": "upper(recall(rel=2)@10) >= 1",
    "recall(rel=2)@10 >= 8e-1": "recall(rel=2)@10 >= 0.8",
    "miss@10 <= 0.1": "miss@10 <= 0.1",
    "miss@10 ≤ 10 %": "miss@10 <= 0.1",
    "num_rel_ret >= 900": "num_rel_ret >= 900",
}


@pytest.mark.parametrize(("text", "canonical"), FLOORS.items(), ids=FLOORS)
def test_a_floor_is_read_in_every_spelling_and_printed_in_one(text, canonical):
    assert str(floor_of(text)) == canonical
    assert floor_of(canonical) == floor_of(text) == floor_of(floor_of(text))


@pytest.mark.parametrize("text", ["ndcg@10 by 0.01", "nDCG@10  by  1e-2", "ndcg_cut_10 BY .01"])
def test_a_margin_is_read_in_every_spelling(text):
    assert str(margin_of(text)) == "ndcg@10 no worse by 0.01"
    assert margin_of(margin_of(text)) == margin_of(text)


BAD_FLOORS = {
    "recal@10 >= 0.8": "did you mean recall@10?",
    "recall@10 > 0.8": "at character 11: the sign '>' is none of >= and <= - write >=",
    "recall@10 < 0.8": "write <=",
    "recall@10 = 0.8": "write >=",
    "recall@10 == 0.8": "write >=",
    "recall@10 => 0.8": "write >=",
    "recall@10": "at character 10: a sign is missing",
    "": "at character 1: a sign is missing",
    ">= 0.8": "at character 1: a measure is missing",
    "recall@10 >=": "at character 13: a number is missing",
    "recall@10 >= abc": "at character 14: 'abc' is no number",
    "recall@10 >= 0,8": "'0,8' is no number",
    "recall@10 >= ٣": "is no number",
    "recall@10 >= 1_0": "is no number",
    "recall@10 >= nan": "is no number",
    "recall@10 >= inf": "is no number",
    "recall@10 >= 1e400": "is no number",
    "recall@10 >= 0x1": "is no number",
    "recall@10 >= 0.8 >= 0.7": "is no number",
    "recall@10 >= 80": "did you mean 80%?",
    "recall@10 >= -0.5": "recall@10 lies between 0 and 1, never at -0.5",
    "recall@10 <= 0.8": "recall@10 is better when higher, and <= asks for less - write >=",
    "miss@10 >= 0.8": "write <=",
    "lower(recall@10 >= 0.8": "a sign is missing",
    "lower() >= 0.8": "at character 7: a measure is missing",
    "median(recall@10) >= 0.8": "E320",
    "recall@0 >= 0.8": "it is a whole number from 1",
    "recall@10 >= 0.8" + " " * 300: "is too long",
    "((((((((((((((((" * 10: "E320",
    "__import__('os') >= 0.8": "E320",
}


@pytest.mark.parametrize(("text", "said"), BAD_FLOORS.items(), ids=[text[:40] for text in BAD_FLOORS])
def test_a_floor_that_cannot_be_read_says_where_and_what_to_write(text, said):
    with pytest.raises(UsageError) as caught:
        floor_of(text)
    assert caught.value.code == "E320"
    assert said in str(caught.value)


BAD_MARGINS = {
    "ndcg@10 0.01": "at character 13: the margin is missing - write ndcg@10 by 0.01",
    "ndgc@10 by 0.01": "did you mean ndcg@10?",
    "ndcg@10 by 1%": "write by 0.01",
    "ndcg@10 by 0": "a margin of 0 can never be shown to hold",
    "ndcg@10 by -0.01": "can never be shown to hold",
    "ndcg@10 by ": "E320",
    " by 0.01": "E320",
    "num_ret by 5": "has no better side",
    "ndcg@10 by much": "'much' is no number",
}


@pytest.mark.parametrize(("text", "said"), BAD_MARGINS.items(), ids=BAD_MARGINS)
def test_a_margin_that_cannot_be_read_says_where_and_what_to_write(text, said):
    with pytest.raises(UsageError) as caught:
        margin_of(text)
    assert caught.value.code == "E320"
    assert said in str(caught.value)


@pytest.mark.parametrize("read", [floor_of, margin_of])
@pytest.mark.parametrize("text", [*HOSTILE, 5, None, ["recall@10 >= 0.8"]], ids=repr)
def test_hostile_rules_are_refused_on_one_plain_line(read, text):
    with pytest.raises(UsageError) as caught:
        read(text)
    assert str(caught.value).isprintable()


@settings(max_examples=60, deadline=None)
@given(st.text(alphabet="recall@10()<>=. by%lower-e\t", max_size=30))
def test_any_text_is_read_or_refused(text):
    for read in (floor_of, margin_of):
        with suppress(UsageError):
            assert read(str(read(text)).replace(" no worse", "")) == read(text)

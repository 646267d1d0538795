"""Spellings: every measure prints as it parses, and the spellings of other tools mean what they mean there."""

from __future__ import annotations

import random
import string

import hypothesis.strategies as st
import pytest
from hypothesis import given, settings

from catchrate.errors import UsageError
from catchrate.measures import TABLE, Measure, choose, example, measure, parse, parse_all
from restored import restored_table
from strategies import chosen


@pytest.mark.parametrize("name", sorted(TABLE))
def test_a_measure_parses_as_it_prints_in_any_case(name: str):
    dice = random.Random(name)
    for _ in range(30):
        made = chosen(name, dice)
        assert parse(str(made)) == made
        assert parse(f" {made.name.upper()}{str(made)[len(name) :]} ") == made
        assert parse(made) is made


@pytest.mark.parametrize("name", sorted(TABLE))
def test_the_example_of_a_row_is_a_spelling_of_it(name: str):
    assert parse(example(TABLE[name])).name == name


@pytest.mark.parametrize("name", sorted(TABLE))
def test_every_alias_of_a_row_names_it(name: str):
    numbers = {"k": "7", "level": "0.25", "p": "0.75", "times": "1.5"}
    for alias in TABLE[name].aliases:
        text, fixed = (alias, {}) if isinstance(alias, str) else alias
        holes = {hole: number for hole, number in numbers.items() if "{" + hole + "}" in text}
        spelled = text.format(**holes) + ("@0.25" if "level" in _required(name) and "level" not in holes else "")
        expected = {"level": "0.25"} if "level" in _required(name) else {}
        assert parse(spelled) == choose(TABLE[name], {**expected, **fixed, **holes}), spelled


def _required(name: str) -> list[str]:
    return [p.name for p in TABLE[name].parameters if p.required]


def test_no_alias_names_two_rows():
    spelled: dict[str, str] = {}
    for row in TABLE.values():
        for alias in (row.name, *(a if isinstance(a, str) else a[0] for a in row.aliases)):
            assert spelled.setdefault(alias.lower(), row.name) == row.name, alias


@pytest.mark.parametrize(
    ("spelled", "canonical"),
    [
        # trec_eval
        ("map", "ap"),
        ("map_cut_100", "ap@100"),
        ("P_5", "precision@5"),
        ("recall_1000", "recall@1000"),
        ("ndcg_cut_10", "ndcg@10"),
        ("recip_rank", "rr"),
        ("Rprec", "r_precision"),
        ("Rprec_mult_0.20", "r_precision(times=0.2)"),
        ("iprec_at_recall_0.10", "iprec@0.1"),
        ("success_1", "hit@1"),
        ("set_F", "f1"),
        ("11pt_avg", "iprec_avg"),
        ("binG", "bin_g"),
        ("gm_map", "gm_ap"),
        # ir_measures
        ("nDCG@10", "ndcg@10"),
        ("nDCG(dcg='exp-log2')@10", "ndcg(gain=exponential)@10"),
        ("nDCG(cutoff=10)", "ndcg@10"),
        ("AP(rel=2)@100", "ap(rel=2)@100"),
        ("R@5", "recall@5"),
        ("P(rel=2,judged_only=True)@10", "precision(rel=2,judged_only=true)@10"),
        ("SetP(relative=True)", "relative_precision"),
        ("IPrec@0.5", "iprec@0.5"),
        ("nDCG(gains={0:0,1:2})@3", "ndcg(gains=0:0;1:2)@3"),
        # ranx
        ("mrr@10", "rr@10"),
        ("hit_rate@3", "hit@3"),
        ("precision@10-l2", "precision(rel=2)@10"),
        ("ndcg_burges@10", "ndcg(gain=exponential)@10"),
        ("r_precision", "r_precision"),
        ("rbp.95", "rbp(p=0.95)"),
        ("bpref", "bpref"),
    ],
)
def test_the_spelling_of_another_tool_is_read(spelled: str, canonical: str):
    assert str(parse(spelled)) == canonical


@pytest.mark.parametrize(
    ("typo", "suggestion"),
    [
        ("recal@10", "recall@10"),
        ("ndgc@5", "ndcg@10"),
        ("presicion@3", "precision@10"),
        ("nDCG(gian=exponential)@3", "gain"),
        ("zzzzzzzz", "catchrate measures"),
        ("num_rel@3", "write num_rel"),
        ("iprec", "iprec@0.5"),
    ],
)
def test_a_typo_gets_a_suggestion(typo: str, suggestion: str):
    with pytest.raises(UsageError) as caught:
        parse(typo)
    assert suggestion in caught.value.findings[0].fix


@pytest.mark.parametrize(
    "hostile",
    [
        "P@0", "P@-1", "P@abc", "P@1e9", "P@1.5", "P@5,5", "P@٣", "P@1_0", "P@+1", "nDCG()@", "P@", "@10", "(",
        "()", "", " ", "P@10@10", "P((rel=1))@3", "P(rel=1", "P(rel=)@3", "P(=1)@3", "P(rel=1;)@3", "P(rel=nan)@3",
        "P(rel=inf)@3",
        "P(rel=1,rel=2)@3", "P(relx=1)@3", "rbp(p=1)", "rbp(p=0)", "rbp(p=1e-400)", "iprec@1.01", "iprec@-0.1",
        "ndcg(gains=1:-1)@3", "ndcg(gains=1:2;1:3)@3", "ndcg(gains=1)@3", "err(max_grade=1024)", "err(max_grade=0)",
        "-" * 100_000, "P" * 100_000, "P@" + "9" * 100, "__import__('os')", "P\x00@3", "P\n@3", "\u202eP@3", "é@3",
        "f(beta=0)", "r_precision(times=-1)", "ndcg(gain=cubic)@3", "P@" + "9" * 250, "P(" * 100,
    ],
)  # fmt: skip
def test_a_hostile_spelling_is_refused_in_one_short_line(hostile: str):
    with pytest.raises(UsageError) as caught:
        parse(hostile)
    message = str(caught.value)
    assert caught.value.code in ("E270", "E271", "E272")
    assert len(message) < 400
    assert message.isprintable()
    assert caught.value.findings[0].fix


@pytest.mark.parametrize("text", [None, 3, b"recall", ["recall"]])
def test_what_is_not_text_is_refused(text: object):
    with pytest.raises(UsageError, match="E270"):
        parse(text)  # type: ignore[arg-type]


def test_the_position_of_the_first_bad_character_is_told():
    with pytest.raises(UsageError, match="character 5"):
        parse("ndcg?@10")


@settings(max_examples=300, deadline=None)
@given(st.text(string.printable, max_size=30) | st.from_regex(r"[a-zA-Z_]{1,8}(\([a-z=0-9.,:;{}' ]{0,12}\))?@?.{0,5}"))
def test_any_text_is_a_measure_or_a_usage_error(text: str):
    try:
        made = parse(text)
    except UsageError:
        return
    assert isinstance(made, Measure)
    assert parse(str(made)) == made


def test_many_measures_are_split_at_blanks_and_commas_outside_brackets():
    found = parse_all("recall@5, ndcg(gains={1:2, 2:3})@10 AP(rel=2)  recall@5,")
    assert [str(m) for m in found] == ["recall@5", "ndcg(gains=1:2;2:3)@10", "ap(rel=2)"]
    with pytest.raises(UsageError, match="no measure is named"):
        parse_all(" , ")


def test_a_choice_that_is_the_default_leaves_no_trace():
    assert parse("rbp(p=0.80)") == parse("rbp")
    assert parse("ndcg(gain=linear)@5") == parse("ndcg@5")


def test_a_level_of_relevance_that_is_written_out_is_kept_since_a_policy_may_change_the_usual_one():
    assert str(parse("precision(rel=1)@5")) == "precision(rel=1)@5" != str(parse("P@5"))
    assert parse("P(rel=1)@5").at_level(2) == parse("precision(rel=1)@5")
    assert parse("P@5").at_level(2) == parse("precision(rel=2)@5")


def test_a_measure_declared_later_is_found_and_one_declared_again_is_read_anew():
    with pytest.raises(UsageError):
        parse("late_measure")
    with restored_table():
        for alias in ("late_one", "late_two"):

            @measure(name="late_measure", aliases=(alias,))
            def late(a):
                """Return zeros."""
                return a.query_terms(0.0)

            assert parse(alias) == parse("late_measure")
        with pytest.raises(UsageError):
            parse("late_one")


@pytest.mark.parametrize(
    "text", ["recall(k=5)@6", "recall_5@10", "P_5(k=6)", "recall(rel=2)@5-l3", "ndcg_burges(gain=linear)@5"]
)
def test_a_parameter_that_is_given_twice_with_two_values_is_refused(text: str):
    with pytest.raises(UsageError, match=r"E272 .* give it once"):
        parse(text)


@pytest.mark.parametrize(("text", "same"), [("recall(k=5)@5", "recall@5"), ("P_5@5", "precision@5")])
def test_a_parameter_that_is_given_twice_with_one_value_is_that(text: str, same: str):
    assert parse(text) == parse(same)

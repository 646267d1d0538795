"""Every rule of matching equals its slow twin, and keeps what it promises."""

from __future__ import annotations

import itertools
import random
import sys
import time
from dataclasses import fields

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from rapidfuzz import fuzz

from catchrate.errors import MissingExtra, UsageError
from catchrate.matching.grammar import RULES, parse_rule
from catchrate.matching.texts import words

from .twins import TWINS, Row, found, slow_words

WORDS = st.sampled_from(["tea", "Tea", "I", "like", "green", "naïve", "ﬁne", "茶が", "x2", "the", "", "a.b", "user:"])
TEXT = st.lists(WORDS, max_size=9).map(" ".join) | st.text("ab, \n.Ａé́茶", max_size=8)
TEXTS = st.lists(TEXT, max_size=5)
SPELLINGS = [
    *RULES.keys() - {"fuzzy", "parent", "spans"},
    "covered(0.3, run=2)",
    "covered(1, run=1)",
    "contained(either=true)",
    "contained(chunk_in_gold=true)",
    "normalised(whole=true, chat=false)",
    "normalised(case=false, punctuation=false, chat=false)",
    "normalised(unicode=false, space=false, either=true, chat=false)",
    "containment(0.25)",
    "overlap(1)",
]


def rows_of(spelling: str, chunks: list[str], gold: list[str]) -> set[Row]:
    pairs = parse_rule(spelling).pairs(chunks, gold)
    columns = (pairs.slot, pairs.item, pairs.strength, pairs.together)
    assert list(zip(pairs.slot, pairs.item, strict=True)) == sorted(zip(pairs.slot, pairs.item, strict=True))
    return set(zip(*(column.tolist() for column in columns), strict=True))


def slow_rows(spelling: str, chunks: list[str], gold: list[str]) -> set[Row]:
    rule = parse_rule(spelling)
    values = {f.name: getattr(rule, f.name) for f in fields(rule) if f.name not in ("threshold", "chat")}
    return TWINS[rule.name](chunks, gold, **values)


@pytest.mark.parametrize("spelling", sorted(SPELLINGS))
@settings(max_examples=40, deadline=None)
@given(chunks=TEXTS, gold=TEXTS)
def test_a_rule_finds_what_its_twin_finds(spelling: str, chunks: list[str], gold: list[str]):
    if spelling == "normalised":
        spelling = "normalised(chat=false)"
    rule, rows = parse_rule(spelling), slow_rows(spelling, chunks, gold)
    assert rows_of(spelling, chunks, gold) == rows
    pairs = rule.pairs(chunks, gold)
    matches = pairs.matches(rule.level)
    assert set(zip(pairs.slot[matches], pairs.item[matches], strict=True)) == found(rows, rule.level)


def test_every_rule_has_a_twin():
    assert RULES.keys() - TWINS.keys() - {"fuzzy", "parent"} == set()


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=30) | TEXT)
def test_words_are_what_the_twin_says(text: str):
    assert words(text) == slow_words(text)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(0, 30), min_size=4, max_size=40), st.data())
def test_the_share_that_is_covered_does_not_depend_on_how_texts_were_cut(numbers: list[int], data: st.DataObject):
    text = [f"w{number}" for number in numbers]
    cuts = sorted(data.draw(st.sets(st.integers(1, len(text) - 1), max_size=6)))
    ends = [0, *cuts, len(text)]
    pieces = [" ".join(text[a:b]) for a, b in itertools.pairwise(ends)]
    whole = parse_rule("covered(1)").pairs([" ".join(text)], [" ".join(text)])
    cut = parse_rule("covered(1)").pairs(data.draw(st.permutations(pieces)), [" ".join(text)])
    assert whole.together[-1] == cut.together[-1] == 1


def test_frequent_words_do_not_cover_a_text():
    gold = "The parser of the file is in the module that reads it."
    other = ["The colour of the sky is in the eye of the one that reads.", "It is the file of a king in the tower."]
    assert parse_rule("covered").pairs(other, [gold]).together.max(initial=0) < 0.5
    assert parse_rule("covered(run=1)").pairs(other, [gold]).together.max() > 0.7


def test_marks_of_conversations_are_left_out():
    log = "Date: 2 May 2023\nuser: I like tea\nassistant: Noted."
    assert rows_of("normalised(whole=true)", [log], ["I like tea. Noted"]) == {(0, 0, 1.0, 1.0)}
    assert rows_of("normalised(whole=true, chat=false)", [log], ["I like tea. Noted"]) == set()
    assert rows_of("normalised", ["[2023-05-02 14:00]\nUSER: hello"], ["hello"]) == {(0, 0, 1.0, 1.0)}


@pytest.mark.parametrize("spelling", sorted({*RULES} - {"remem", "parent", "spans"}))
def test_nothing_is_found_in_an_empty_text_and_an_empty_text_is_found_in_nothing(spelling: str):
    assert rows_of(spelling, ["", " \n", "tea"], ["", " ", "..."]) <= {(1, 1, 1.0, 1.0)}


@pytest.mark.parametrize(
    ("spelling", "said"),
    [
        ("covred", "did you mean covered"),
        ("substrin", "did you mean substring"),
        ("zzz", "use one of covered"),
        ("covered(1.5)", "above 0 and up to 1"),
        ("covered(0)", "above 0 and up to 1"),
        ("covered(nan)", "give a number"),
        ("covered(1e3)", "give a number"),
        ("covered(run=0)", "from 1 to 20"),
        ("covered(run=1.5)", "a whole number"),
        ("covered(0.5, 0.6)", "covered takes no '0.6'"),
        ("covered(0.5, threshold=0.6)", "stands twice"),
        ("contained(ether=true)", "did you mean either"),
        ("contained(either=perhaps)", "true or false"),
        ("contained(either=true, chunk_in_gold=true)", "give one of the two"),
        ("exact(3)", "it takes nothing"),
        ("covered(0.5", "is not the name of a rule"),
        ("", "is not the name of a rule"),
        ("c" * 300, "name a rule"),
        (7, "name a rule"),
    ],
)
def test_a_spelling_that_names_no_rule_is_refused_with_what_to_write(spelling: str, said: str):
    with pytest.raises(UsageError, match="E290") as refused:
        parse_rule(spelling)
    assert said in str(refused.value)


@pytest.mark.parametrize("spelling", sorted(SPELLINGS))
def test_a_rule_is_written_as_it_is_read(spelling: str):
    rule = parse_rule(spelling)
    assert parse_rule(str(rule)) == rule


def test_a_function_of_ones_own_is_a_rule():
    assert rows_of(lambda chunk, gold: gold[0] in chunk, ["ab", "cd"], ["cx"]) == {(1, 0, 1.0, 1.0)}
    assert rows_of(lambda chunk, gold: 0.3, ["ab"], ["cx"]) == {(0, 0, 0.3, 0.3)}
    for wrong in (lambda c, g: None, lambda c, g: 7, lambda c, g: 1 / 0, lambda c, g: float("nan")):
        with pytest.raises(UsageError, match="E290 the matcher"):
            parse_rule(wrong).pairs(["a"], ["b"])


HUGE = {
    "one letter": "a" * 1_000_000,
    "one word": "ab " * 330_000,
    "marks": "e" + "\u0316\u0301" * 60_000,
    "words": " ".join(random.Random(1).choices([f"w{n}" for n in range(500)], k=250_000)),
}


@pytest.mark.parametrize("spelling", sorted({*RULES} - {"parent", "spans"}))
@pytest.mark.parametrize("kind", HUGE)
def test_a_huge_text_takes_time_in_proportion(spelling: str, kind: str):
    text = HUGE[kind]
    begun = time.process_time()
    parse_rule(spelling).pairs([text[: len(text) // 2], "tea", text], [text, "tea"])
    assert time.process_time() - begun < 15


def changed(text: str, rate: float, dice: random.Random) -> str:
    """Replace some characters by others."""
    return "".join(dice.choice("abcdefghijk") if dice.random() < rate else char for char in text)


def prose(count: int, dice: random.Random) -> str:
    """Return words as they are distributed: a few of them most of the time."""
    known = ["".join(dice.choices("etaoinshrdlu", k=dice.randint(2, 9))) for _ in range(2_000)]
    return " ".join(dice.choices(known, [1 / rank for rank in range(1, 2_001)], k=count))


@pytest.mark.parametrize("size", [8, 30, 90, 700])
@pytest.mark.parametrize("rate", [0.0, 0.03, 0.08])
def test_fuzzy_finds_a_text_with_mistakes_wherever_it_stands_and_no_other(size: int, rate: float):
    dice = random.Random(size)
    gold, other = prose(size, dice), prose(size, dice)
    chunk = f"{prose(120, dice)} {changed(gold, rate, dice)} {prose(120, dice)}"
    pairs = parse_rule("fuzzy").pairs([prose(300, dice), chunk], [other, gold])
    strength = {(s, i): x for s, i, x in zip(pairs.slot.tolist(), pairs.item.tolist(), pairs.strength, strict=True)}
    assert strength.pop((1, 1)) >= 1 - 2 * rate
    assert max(strength.values(), default=0) < 0.8


@settings(max_examples=40, deadline=None)
@given(TEXTS, TEXTS)
@example(["like x2 tea"], ["I tea green"])
def test_fuzzy_never_says_more_than_the_best_stretch(chunks: list[str], gold: list[str]):
    pairs = parse_rule("fuzzy").pairs(chunks, gold)
    for slot, item, strength in zip(pairs.slot, pairs.item, pairs.strength, strict=True):
        text, chunk = (" ".join(slow_words(side)) for side in (gold[item], chunks[slot]))
        ends = itertools.combinations(range(len(chunk) + 1), 2)
        assert strength <= max(fuzz.ratio(text, chunk[a:b]) for a, b in ends) / 100 + 1e-9


def test_fuzzy_does_not_depend_on_the_gold_texts_beside():
    dice = random.Random(3)
    gold = [prose(size, dice) for size in (5, 20, 200, 900)]
    chunks = [changed(" ".join(gold), 0.05, dice), *map(str.title, gold)]
    together = parse_rule("fuzzy").pairs(chunks, gold)
    for item, text in enumerate(gold):
        alone = parse_rule("fuzzy").pairs(chunks, [text])
        mine = together.item == item
        assert together.strength[mine].tolist() == alone.strength.tolist()
        assert together.slot[mine].tolist() == alone.slot.tolist()


@pytest.mark.parametrize("chunk", ["a tea", "coffee and cake"])
def test_without_rapidfuzz_the_extra_is_named(chunk: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "rapidfuzz", None)
    with pytest.raises(MissingExtra, match=r"pip install 'catchrate\[match\]'"):
        parse_rule("fuzzy").pairs([chunk], ["the tea"])

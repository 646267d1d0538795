"""Evaluations that match texts: the join is many to many, and everything else works on it."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import catchrate
from catchrate.errors import InputError, UsageError
from catchrate.measures import TABLE, example
from catchrate.measures.laws import LAWS
from matching.twins import contained
from twins import TWINS, Query

RECORDS = [
    {
        "query": "What is the GIL?",
        "retrieved": ["It was made by Guido.", "The lock is a mutex that guards", "all objects of the interpreter."],
        "ground_truth": ["The lock is a mutex that guards all objects of the interpreter."],
    },
    {
        "query": "tea?",
        "texts": ["I like green tea. I hike.", "nothing", "I hike."],
        "gold_texts": ["I like green tea.", "I hike.", "I swim in the lake."],
    },
]


def test_records_of_texts_are_matched_in_one_call():
    scores = catchrate.evaluate(RECORDS, ["recall@2", "recall@5", "precision@2", "rr"], match="covered")
    assert scores.per_query.rows() == [("What is the GIL?", 1.0, 1.0, 0.5, 0.5), ("tea?", 2 / 3, 2 / 3, 0.5, 1.0)]
    assert scores.provenance["policies"]["match"] == "covered(0.5)"
    assert [note.code for note in scores.notes] == ["N290", "N229"]


def test_the_pieces_of_a_text_find_it_together_where_none_does_alone():
    cut = {"q": ["The lock is a mutex that", "guards all objects of the", "interpreter."]}
    gold = {"q": ["The lock is a mutex that guards all objects of the interpreter."]}
    assert catchrate.evaluate(gold, cut, "rr", match="covered(0.95)")["rr"] == 1 / 3
    assert catchrate.evaluate(gold, cut, "rr", match="contained")["rr"] == 0.0


def test_the_matches_are_kept_with_their_strengths_and_near_misses():
    matches = catchrate.evaluate(RECORDS, "recall", match="covered(0.9)").aligned.matches
    found = matches.select("query", "slot", pl.col("item").str.head(17), pl.col("strength").round(3), "matched").rows()
    assert found == [
        ("What is the GIL?", 3, "The lock is a mut", 0.417, True),
        ("tea?", 1, "I like green tea.", 1.0, True),
        ("tea?", 1, "I hike.", 1.0, True),
        ("tea?", 3, "I hike.", 1.0, True),
    ]
    missed = catchrate.evaluate({"q": ["a b c d e f"]}, {"q": ["x", "a b c d y"]}, "recall", match="covered(0.9)")
    assert missed.aligned.matches.select("slot", "strength", "matched").rows() == [(2, 4 / 6, False)]


def test_scores_rank_chunks_with_texts_and_grades_stay_grades():
    judged = {"q": {"green tea": 2, "black tea": 1}}
    returned = {"q": {"some black tea here": 0.1, "nothing": 0.3, "a green tea": 0.9}}
    scores = catchrate.evaluate(judged, returned, "rr(rel=2) recall@1 num_ret", match="contained")
    assert scores.as_dict() == {"rr(rel=2)": 1.0, "recall@1": 0.5, "num_ret": 3.0}


def test_ids_stay_where_texts_stand_beside_them():
    rows = [{"query": "q", "retrieved": ["c1", "c2"], "texts": ["x", "green tea"], "ground_truth": ["g"]}]
    rows[0]["gold_texts"] = ["tea"]
    scores = catchrate.evaluate(rows, "rr", match="contained")
    assert scores.aligned.matches.select("doc", "item").rows() == [("c2", "g")]
    assert catchrate.explain(rows, measure="rr", match="contained").ranking[1].item == "g"


def test_objects_without_ids_are_named_by_their_texts():
    rows = [{"query": "q", "retrieved": [{"text": "green tea", "score": 0.5}], "ground_truth": [{"text": "tea"}]}]
    assert catchrate.evaluate(rows, "rr", match="contained")["rr"] == 1.0
    with pytest.raises(InputError, match="E236"):
        catchrate.evaluate(rows, "rr")


def test_long_texts_get_short_names_that_tell_them_apart():
    long = "word " * 2_000
    scores = catchrate.evaluate({"q": [long + "a", long + "b"]}, {"q": [long + "b"]}, "recall", match="exact")
    assert scores["recall"] == 0.5
    assert all(len(name) < 80 for name in scores.aligned.items["doc"])


def test_data_frames_with_lists_of_texts_are_records():
    frame = pl.DataFrame(RECORDS[1:]).rename({"texts": "retrieved", "gold_texts": "ground_truth"})
    assert catchrate.evaluate(frame, "recall", match="contained")["recall"] == pytest.approx(2 / 3)
    frame = pl.DataFrame(RECORDS[1:])
    assert catchrate.evaluate(frame, "recall", match="contained")["recall"] == pytest.approx(2 / 3)


def test_runs_that_were_matched_by_other_rules_are_not_compared():
    one, other = (catchrate.evaluate(RECORDS, "recall", match=rule) for rule in ("covered", "contained"))
    with pytest.raises(UsageError, match="E313"):
        catchrate.compare(runs={"one": one, "other": other})
    again = catchrate.compare(runs={"a": RECORDS, "b": RECORDS}, measures="recall", match="covered")
    assert again["recall"].difference == 0


@pytest.mark.parametrize(
    ("judged", "returned", "said"),
    [
        ({"q": ["x"]}, b"q Q0 d 1 0.5 t\n", "E291 .*what was retrieved has no texts"),
        (b"q 0 d 1\n", {"q": ["x"]}, "E291 .*judgments have no texts"),
    ],
)
def test_inputs_without_texts_are_refused(judged: object, returned: object, said: str):
    with pytest.raises(InputError, match=said):
        catchrate.evaluate(judged, returned, match="covered")


def test_scores_of_matched_texts_are_saved_and_compared_with_the_same_run(tmp_path):
    scores = catchrate.evaluate(RECORDS, "recall", match="contained")
    scores.save(tmp_path / "scores.parquet")
    saved = catchrate.load_scores(tmp_path / "scores.parquet")
    assert saved["recall"] == scores["recall"]
    assert catchrate.compare(runs={"then": saved, "now": scores})["recall"].difference == 0


BUDGETED = [
    {"query": "q", "retrieved": ["a", "b", "c"], "texts": ["one two", "three", "four five"], "ground_truth": ["b", "c"]}
]


@pytest.mark.parametrize(
    ("budget", "length", "recall"),
    [
        (2, None, 0.0),
        (3, None, 0.5),
        (5, "words", 1.0),
        (11, "chars", 0.0),
        (12, "chars", 0.5),
        (3, lambda text: 1, 1.0),
    ],
)
def test_a_budget_is_spent_on_the_texts_of_what_was_retrieved(budget: int, length: object, recall: float):
    scores = catchrate.evaluate(BUDGETED, f"recall(budget={budget})", length=length)
    assert list(scores.means) == [recall]


def test_lengths_that_are_none_are_refused():
    with pytest.raises(InputError, match="E292"):
        catchrate.evaluate({"q": ["a"]}, {"q": ["a"]}, "recall(budget=5)")
    for wrong in (lambda text: -1, lambda text: None, lambda text: 1 / 0):
        with pytest.raises(UsageError, match="E292 the function"):
            catchrate.evaluate(BUDGETED, "recall(budget=5)", length=wrong)
    with pytest.raises(UsageError, match="words, chars"):
        catchrate.evaluate(BUDGETED, "recall", length="tokens")


def test_empty_gold_texts_are_told_of_and_never_found():
    scores = catchrate.evaluate({"q": ["", "tea"]}, {"q": ["tea", ""]}, "recall", match="contained")
    assert scores["recall"] == 0.5
    assert [str(note) for note in scores.notes if note.code == "N291"] == [
        "N291 1 gold text is empty, and nothing holds an empty text"
    ]


TEXTS = st.lists(st.text("abc", min_size=1, max_size=4), max_size=5)


@st.composite
def matched(draw: st.DrawFn) -> tuple[dict[str, dict[str, float]], dict[str, list[str]]]:
    gold = st.dictionaries(
        st.text("abc", min_size=1, max_size=2), st.sampled_from([-1.0, 0.0, 1.0, 2.0, 3.0]), max_size=4
    )
    judged = draw(st.lists(gold, min_size=1, max_size=4).filter(any))
    names = [f"q{n}" for n in range(len(judged))]
    returned = [draw(TEXTS) for _ in names]
    returned[0] = returned[0] or ["a"]
    return dict(zip(names, judged, strict=True)), dict(zip(names, returned, strict=True))


def seen(gold: dict[str, float], chunks: list[str]) -> Query:
    """Return one query as the measures should see it."""
    texts = list(gold)
    slots = [set() for _ in chunks]
    for slot, item, _, _ in contained(chunks, texts):
        slots[slot].add(texts[item])
    return Query(tuple(map(frozenset, slots)), gold)


@settings(max_examples=60, deadline=None)
@given(matched())
def test_every_measure_is_what_its_twin_says_of_matched_texts(both):
    judged, returned = both
    rows = [row for row in TABLE.values() if row.name in TWINS and not row.name.startswith("char_")]
    measures = [example(row) for row in rows]
    scores = catchrate.evaluate(judged, returned, measures, match="contained")
    for place, measure in enumerate(scores.computed):
        values = [TWINS[measure.name](seen(judged[q], returned[q]), **dict(measure.parameters)) for q in judged]
        assert scores.values[:, place] == pytest.approx(values, abs=1e-9), measure


@settings(max_examples=10, deadline=None)
@given(matched())
def test_the_laws_of_the_measures_hold_for_matched_texts(both):
    judged, returned = both
    arrays = catchrate.evaluate(judged, returned, "recall", match="contained").aligned.arrays
    for row in TABLE.values():
        if row.name.startswith("char_"):  # nobody knows where these stand
            continue
        measure = catchrate.parse(example(row))
        for law in LAWS:
            if law.__name__ != "_budget":  # nobody knows how long these are
                broken = [should for where, should in law(measure, arrays, np.random.default_rng(0)) if where.any()]
                assert broken == [], (measure, law)

"""From two inputs, or one, to Scores."""

from __future__ import annotations

import gc
import json
import math
import os
import pickle
import threading
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import catchrate
from catchrate import InputError, UsageError
from catchrate.limits import KEPT_BYTES, MOST_WAITING
from catchrate.measures import TABLE, Alignment, Grade, Terms
from catchrate.tables import mapped

QRELS = {"q1": {"a": 1, "b": 2, "c": 0}, "q2": {"d": 1}, "q3": {"e": 3}}
RUN = {"q1": {"b": 3.0, "x": 2.0, "a": 1.0}, "q2": {"y": 2.0, "d": 1.0}, "q9": {"z": 1.0}}
MEASURES = ["recall@2", "precision@2", "rr", "ap", "ndcg@2"]


def test_records_under_other_names_are_told_which_names_they_have_and_can_be_read_under_them():
    records = [{"question": "GIL?", "contexts": ["a", "b"], "reference": ["b"]}]
    with pytest.raises(UsageError, match=r"has 'question', 'contexts', 'reference' - .*columns=") as caught:
        catchrate.evaluate(records, measures="rr")
    assert caught.value.code == "E260"
    names = {"query": "question", "retrieved": "contexts", "ground_truth": "reference"}
    assert catchrate.evaluate(records, measures="rr", options=catchrate.ReadOptions(columns=names))["rr"] == 0.5


def test_what_is_noticed_of_one_query_is_said_in_the_singular():
    judged = {"q1": {"a": 1}, "q2": {"b": 0}, "q3": {"c": 1}}
    found = catchrate.evaluate(judged, {"q1": ["x"], "q2": ["b"], "other": ["a"]}, "hit@1")
    assert {note.code: note.message for note in found.notes} == {
        "N225": "1 of 3 judged queries is not in the run and was counted as an empty ranking",
        "N226": "1 query of the run is not judged and was ignored",
        "N228": "1 query has no relevant document; each measure gives it its value for that",
        "N229": "50.0% of the first slots hold documents that nobody judged; they count as not relevant",
    }


def test_a_mean_is_found_under_any_spelling_of_its_measure():
    scores = catchrate.evaluate(QRELS, RUN, MEASURES)
    assert scores["recall@2"] == scores["R@2"] == scores["recall_2"] == (0.5 + 1 + 0) / 3
    assert "P@2" in scores
    assert "P@3" not in scores


def test_a_measure_that_was_not_evaluated_is_refused_by_name():
    with pytest.raises(UsageError, match=r"recall@3 was not evaluated"):
        catchrate.evaluate(QRELS, RUN, "recall@2")["recall@3"]


def test_queries_are_paired_by_id_and_never_by_position():
    # ranx 0.3.21 pairs these by position and prints 0.0
    qrels = {"q1": {"a": 1}, "q2": {"b": 1}}
    run = {"q2": {"b": 1.0}, "q1": {"a": 1.0}}
    assert catchrate.evaluate(qrels, run, "recall@1")["recall@1"] == 1.0


def test_every_judged_query_counts_and_missing_ones_are_told():
    scores = catchrate.evaluate(QRELS, RUN, "recall@2 miss@2")
    assert scores.queries == 3
    assert scores.per_query["recall@2"].to_list() == [0.5, 1.0, 0.0]
    assert scores.per_query["miss@2"].to_list() == [0.0, 0.0, 1.0]
    assert {note.code: note.sample for note in scores.notes if note.code in ("N225", "N226")} == {
        "N225": ("q3",),
        "N226": ("q9",),
    }


@pytest.mark.parametrize(("strange", "code"), [(1, "N226"), (2, "W226"), (9, "W226")])
def test_a_run_that_is_mostly_not_judged_is_warned_of_with_the_first_five_queries(strange: int, code: str):
    others = [f"x{number}" for number in range(strange)]
    scores = catchrate.evaluate({"q": {"a": 1}}, {query: ["a"] for query in ["q", *others]}, "recall")
    (note,) = (note for note in scores.notes if note.code.endswith("226"))
    assert (note.code, note.count, note.sample) == (code, strange, tuple(others[:5]))
    assert (", ".join(f"'{query}'" for query in others[:5]) in note.message) is (code == "W226")


def test_only_common_queries_count_when_both_is_asked_for():
    scores = catchrate.evaluate(QRELS, RUN, "recall@2", queries="both")
    assert scores.per_query["query"].to_list() == ["q1", "q2"]
    assert scores["recall@2"] == 0.75


def test_any_difference_between_the_query_sets_is_refused_when_strict():
    with pytest.raises(InputError, match="E227"):
        catchrate.evaluate(QRELS, RUN, "recall@2", queries="strict")


def test_inputs_without_a_common_query_are_refused_with_a_sample_of_both():
    with pytest.raises(InputError, match=r"E221.*'030'.*'30'"):
        catchrate.evaluate({"030": {"a": 1}}, {"30": ["a"]}, "rr")


def test_the_level_of_a_measure_wins_over_the_policy():
    scores = catchrate.evaluate(QRELS, RUN, ["recall@2", "recall(rel=1)@2"], rel=2)
    assert scores.per_query["recall@2"].to_list() == [1.0, 0.0, 0.0]
    assert scores.per_query["recall(rel=1)@2"].to_list() == [0.5, 1.0, 0.0]


def test_a_measure_that_declares_another_level_keeps_it():
    @catchrate.measure(per_query=True)
    def good_ones(slots, grades, returned, relevant, *, rel: Grade = 2):
        """Relevant items at the level of the measure."""
        return relevant

    assert catchrate.evaluate(QRELS, RUN, "good_ones good_ones(rel=1)").as_dict() == {
        "good_ones": 2 / 3,
        "good_ones(rel=1)": 4 / 3,
    }


def test_the_policy_of_relevance_is_in_the_provenance():
    scores = catchrate.evaluate(QRELS, RUN, "recall@2", rel=2)
    assert scores.provenance["measures"]["recall@2"]["computed"] == "recall(rel=2)@2"
    assert scores.provenance["policies"]["rel"] == 2
    assert json.dumps(scores.provenance)


def test_weights_of_queries_weight_the_mean():
    records = [
        {"query": "one", "retrieved": ["a"], "ground_truth": ["a"], "weight": 3},
        {"query": "two", "retrieved": ["x"], "ground_truth": ["b"]},
    ]
    assert catchrate.evaluate(records, measures="recall@1")["recall@1"] == 0.75


def test_weights_of_queries_weight_a_pooled_ratio():
    records = [
        {"query": "one", "retrieved": ["a"], "ground_truth": ["a"], "weight": 3},
        {"query": "two", "retrieved": ["x"], "ground_truth": ["b", "c"], "weight": 1},
    ]
    assert catchrate.evaluate(records, measures="pooled_recall@1")["pooled_recall@1"] == 3 / 5


def test_records_may_stand_alone_with_their_measures_behind_them():
    records = [{"query": "q", "retrieved": ["a", "b"], "ground_truth": {"b": 2}}]
    assert catchrate.evaluate(records, ["rr", "hit@1"]).as_dict() == {"rr": 0.5, "hit@1": 0.0}


def test_judgments_alone_are_refused():
    with pytest.raises(UsageError, match="no ranking"):
        catchrate.evaluate(QRELS)


def test_several_runs_make_a_leaderboard_with_the_best_first():
    board = catchrate.evaluate(QRELS, measures="rr", runs={"worse": {"q1": ["x", "a"]}, "better": RUN})
    assert [name for name, _ in board.best_first()] == ["better", "worse"]
    assert board["better"]["rr"] == catchrate.evaluate(QRELS, RUN, "rr")["rr"]
    assert board.frame["run"].to_list() == ["better", "worse"]


def test_lower_is_better_where_the_measure_says_so():
    board = catchrate.evaluate(QRELS, measures="miss@1", runs={"worse": {"q1": ["x"]}, "better": {"q1": ["a"]}})
    assert next(iter(board.best_first()))[0] == "better"


def test_a_run_may_not_be_given_twice_over():
    with pytest.raises(UsageError, match="both a ranking and runs"):
        catchrate.evaluate(QRELS, RUN, "rr", runs={"a": RUN})


def test_scores_speak_arrow():
    scores = catchrate.evaluate(QRELS, RUN, MEASURES)
    assert pl.DataFrame(scores).columns == ["query", *MEASURES]


def test_the_digest_of_an_input_follows_its_content():
    def digest(run: object) -> str:
        return catchrate.evaluate(QRELS, run, "rr").provenance["inputs"]["ranking"]["digest"]

    assert digest(RUN) == digest(dict(RUN))
    assert digest(RUN) != digest({**RUN, "q2": {"y": 2.0, "d": 1.5}})


def test_the_same_call_twice_gives_the_same_bits_whatever_ran_between():
    first = catchrate.evaluate(QRELS, RUN, MEASURES)
    catchrate.evaluate({"q": {"a": 1}}, {"q": ["b"]}, MEASURES)
    again = catchrate.evaluate(QRELS, RUN, MEASURES)
    assert first.means == again.means
    assert np.array_equal(first.values, again.values)


def test_every_form_of_the_same_data_gives_the_same_numbers(tmp_path: Path):
    run = {"q1": ["b", "x", "a"], "q2": ["y", "d"]}
    frame = pl.DataFrame([(q, d, 1.0 / (i + 1)) for q, ds in run.items() for i, d in enumerate(ds)], orient="row")
    frame.columns = ["query", "doc", "score"]
    path = tmp_path / "run.jsonl"
    path.write_text("".join(json.dumps({"query": q, "retrieved": ds}) + "\n" for q, ds in run.items()))
    trec = "".join(f"{q} Q0 {d} 0 {s} t\n" for q, d, s in frame.iter_rows()).encode()
    forms = [run, frame, frame.to_pandas(use_pyarrow_extension_array=False), frame.to_arrow(), path, str(path), trec]
    means = [catchrate.evaluate(QRELS, form, MEASURES).means for form in forms]
    assert len(set(means)) == 1


def test_errors_survive_the_way_between_processes():
    error = InputError.of("E221", "nothing", file="x")
    assert str(pickle.loads(pickle.dumps(error))) == str(error)


def test_plain_lists_go_through_the_same_measures():
    retrieved, relevant = ["b", "x", "a"], {"a": 1, "b": 2, "c": 0}
    for name in ("recall", "precision", "ndcg", "f1", "hit", "rr", "ap", "recall_all"):
        direct = getattr(catchrate, f"{name}_at_k")(retrieved, relevant, 2)
        assert direct == catchrate.evaluate({"q": relevant}, {"q": retrieved}, f"{name}@2")[f"{name}@2"]


@pytest.mark.parametrize(("grade", "recall"), [(True, 0.5), (False, 0.0), (np.bool_(True), 0.5)])
def test_true_is_a_grade_of_one_wherever_it_is_given(grade: object, recall: float):
    relevant = {"a": grade, "b": 1} if grade else {"a": grade, "b": 1, "c": 1}
    assert catchrate.recall_at_k(["a"], relevant, 1) == recall
    assert catchrate.evaluate({"q": relevant}, {"q": ["a"]}, "recall@1")["recall@1"] == recall


@pytest.mark.parametrize("grade", ["1", None, math.nan, math.inf])
def test_a_grade_that_is_no_number_is_refused_for_plain_lists(grade: object):
    with pytest.raises(InputError, match="E202"):
        catchrate.recall_at_k(["a"], {"a": grade}, 1)


def test_one_text_in_place_of_a_list_is_refused():
    with pytest.raises(InputError, match="E260"):
        catchrate.recall_at_k("abc", ["a"], 1)


@pytest.mark.parametrize("dialect", ["catchrate", "trec_eval-9"])
def test_a_mapping_is_looked_up_to_the_same_slots_as_its_rows_are_joined(dialect: str):
    draw = np.random.default_rng(5)
    docs = [f"d{number}" for number in range(30)]
    run = {
        f"q{q}": {d: float(draw.integers(0, 6)) + float(draw.integers(0, 2)) * 1e-9 for d in draw.permutation(docs)[:n]}
        for q, n in enumerate(draw.integers(0, 30, 40).tolist())
    }
    qrels = {f"q{q}": {d: int(draw.integers(-1, 3)) for d in draw.permutation(docs)[:6]} for q in range(5, 45)}
    rows = pl.DataFrame(
        [(q, d, s) for q, ds in run.items() for d, s in ds.items()], ["query", "doc", "score"], orient="row"
    )
    looked_up = catchrate.evaluate(qrels, run, MEASURES, dialect=dialect)
    joined = catchrate.evaluate(qrels, rows, MEASURES, dialect=dialect)
    assert np.array_equal(looked_up.values, joined.values)
    assert np.array_equal(looked_up.aligned.arrays.hits.slot, joined.aligned.arrays.hits.slot)
    assert np.array_equal(looked_up.aligned.arrays.returned, joined.aligned.arrays.returned)


@pytest.mark.parametrize(
    ("docs", "code"),
    [
        ({"": 1.0}, "E255"),
        ({"a\0b": 1.0}, "E105"),
        ({"x" * 5_000: 1.0}, "E108"),
        ({"a": math.nan}, "E211"),
        ({"a": "1"}, "E214"),
        ({"a": None}, "E214"),
        ({1.5: 1.0}, "E234"),
        ({"\ud800": 1.0}, "E104"),
    ],
)
def test_a_mapping_with_anything_odd_in_it_gets_the_closer_look(docs: dict[object, object], code: str):
    with pytest.raises(InputError) as caught:
        catchrate.evaluate(QRELS, {"q1": {"a": 1.0}, "q2": docs}, "rr")
    assert caught.value.code == code


def test_whole_numbers_are_ids_in_a_mapping():
    assert catchrate.evaluate({1: {7: 1}}, {1: {8: 2.0, 7: 1.0}}, "rr")["rr"] == 0.5


def test_lists_beside_each_other_are_paired_by_position():
    assert catchrate.evaluate([["a"], ["b", "c"]], [["a"], ["x", "b"]], "recall@2").per_query["recall@2"].to_list() == [
        1.0,
        0.5,
    ]


def test_lists_of_different_lengths_are_refused():
    with pytest.raises(InputError, match=r"E261 2 lists of judgments stand beside 1 rankings"):
        catchrate.evaluate([["a"], ["b"]], [["a"]], "rr")


@pytest.mark.parametrize("text", ["rr", "recall@1 rr"])
def test_measures_in_one_text_may_stand_behind_records(text: str):
    records = [{"query": "q", "retrieved": ["a", "b"], "ground_truth": {"b": 2}}]
    assert catchrate.evaluate(records, text)["rr"] == 0.5


def test_a_missing_file_is_a_missing_file_where_judgments_hold_no_ranking():
    with pytest.raises(InputError, match="E110"):
        catchrate.evaluate(QRELS, "recall@2")


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ({"measures": 5}, "E270"),
        ({"runs": [RUN]}, "E260"),
        ({"runs": {1: RUN}}, "E260"),
        ({"runs": {}}, "E260"),
        ({"options": {"columns": {}}}, "E260"),
        ({"rel": 10**400}, "E272"),
        ({"max_rank": 10**30}, "E272"),
        ({"rel": "2"}, "E272"),
    ],
)
def test_an_impossible_argument_is_refused(arguments: dict[str, object], code: str):
    ranking = None if "runs" in arguments else RUN
    with pytest.raises(UsageError) as caught:
        catchrate.evaluate(QRELS, ranking, **{"measures": "rr", **arguments})
    assert caught.value.code == code


def test_policies_take_numbers_of_any_kind_and_keep_plain_ones():
    scores = catchrate.evaluate(QRELS, RUN, "rr", rel=np.float32(1.5), max_rank=np.int64(2))
    assert json.dumps(scores.provenance["policies"])
    assert scores.provenance["policies"]["rel"] == 1.5


def test_lists_of_different_lengths_are_refused_among_runs_too():
    with pytest.raises(InputError, match="E261"):
        catchrate.evaluate([["a"], ["b"]], measures="rr", runs={"x": [["a"]]})


def test_asking_a_leaderboard_for_an_unknown_run_is_no_error():
    board = catchrate.evaluate(QRELS, measures="rr", runs={"a": RUN})
    assert "b" not in board
    assert board.get("b") is None
    assert "no such measure" not in board["a"]


def test_a_run_name_cannot_steer_a_terminal():
    board = catchrate.evaluate(QRELS, measures="rr", runs={"\x1b[31mred": RUN})
    assert "\x1b" not in repr(board)


def test_the_digest_of_a_mapping_knows_where_a_query_ends():
    def digest(run: object) -> str:
        return catchrate.evaluate({"q1": {"a": 1}}, run, "rr").provenance["inputs"]["ranking"]["digest"]

    first = {"q1": {"a": 1.0, "b": 2.0}, "q2": {"c": 3.0}}
    second = {"q1": {"a": 1.0}, "q2": {"b": 2.0, "c": 3.0}}
    assert digest(first) != digest(second)


@pytest.mark.parametrize("kept", [0, KEPT_BYTES])
def test_what_becomes_of_a_mapping_later_is_not_in_its_digests(kept: int, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(mapped, "KEPT_BYTES", kept)
    judged, run = {"q": {"a": 1, "b": 2}}, {"q": {"a": 1.0, "c": 2.0}}
    before, after = catchrate.evaluate(judged, run, "rr"), catchrate.evaluate(judged, run, "rr")
    said = before.provenance
    run["q"]["b"] = judged["q"]["c"] = 3
    assert after.provenance == said
    assert catchrate.evaluate(judged, run, "rr").provenance["inputs"] != said["inputs"]


def test_provenance_says_how_a_measure_was_declared_when_it_was_computed():
    @catchrate.measure(name="anew", formula="the first")
    def first(a: Alignment) -> Terms:
        """One for each slot."""
        return a.slot_terms(np.ones(a.slots.slot.size))

    try:
        scores = catchrate.evaluate(QRELS, RUN, "anew")
        catchrate.measure(name="anew", formula="the second")(first)
        assert scores.provenance["measures"]["anew"]["formula"] == "the first"
    finally:
        del TABLE["anew"]


def test_a_piped_run_is_let_go_when_the_judgments_are_refused(tmp_path: Path):
    judgments = tmp_path / "qrels.txt"
    judgments.write_text("q1 0 a x\n")
    reading, writing = os.pipe()
    os.write(writing, b"q1 Q0 a 1 2 run\nq2 Q0 a 1 2 run\n")
    os.close(writing)
    threads = threading.active_count()
    gc.disable()
    try:
        with os.fdopen(reading, "rb") as run, pytest.raises(InputError, match="E202"):
            catchrate.evaluate(judgments, run)
        assert threading.active_count() == threads
    finally:
        gc.enable()


def test_only_a_few_of_many_kept_scores_keep_their_input():
    kept = [catchrate.evaluate(QRELS, RUN, "rr") for _ in range(3 * MOST_WAITING)]
    assert sum(scores.aligned.digest.waits for scores in kept) == MOST_WAITING
    assert len({scores.provenance["inputs"]["ranking"]["digest"] for scores in kept}) == 1


@pytest.mark.parametrize("run", [RUN, {"q1": {"a": 1.0, "b": 1.0, "x": 1.0}}, {"q1": ["a"]}])
def test_scores_travel_to_other_processes(run: object):
    scores = catchrate.evaluate(QRELS, run, "rr ap", length=lambda text: len(text))
    copy = pickle.loads(pickle.dumps(scores))
    assert copy.as_dict() == scores.as_dict()
    assert copy.provenance == scores.provenance
    assert copy.notes == scores.notes


def test_the_digest_of_rows_knows_where_an_id_ends():
    def digest(judged: object) -> str:
        return catchrate.evaluate(judged, {"q": ["x"]}, "rr").provenance["inputs"]["judgments"]["digest"]

    assert digest({"q": {"a\nb": 1, "c": 1}}) != digest({"q": {"a": 1, "b\nc": 1}})


def test_plain_lists_count_every_grade_above_zero():
    assert catchrate.recall_at_k(["a"], {"a": 0.5, "b": 0}) == 1.0


@pytest.mark.parametrize(("retrieved", "relevant"), [([["a"]], ["a"]), (None, ["a"]), (["a"], None), (["a"], [["a"]])])
def test_what_are_no_lists_of_ids_are_refused(retrieved: object, relevant: object):
    with pytest.raises(InputError, match="E260"):
        catchrate.recall_at_k(retrieved, relevant)


def test_long_ties_in_a_mapping_are_settled_as_in_rows():
    docs = [f"d{number:04}" for number in range(2_000)]
    run = {"q": dict.fromkeys(docs, 1.0)}
    judged = {"q": dict.fromkeys(docs[::7], 1)}
    assert (
        catchrate.evaluate(judged, run, "ap rr").means == catchrate.evaluate(judged, {"q": docs[::-1]}, "ap rr").means
    )

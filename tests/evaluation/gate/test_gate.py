"""What a gate decides, held to plain Python and to scipy."""

from __future__ import annotations

import math
import pickle

import numpy as np
import pytest
from scipy import stats

import catchrate
from catchrate import UsageError
from catchrate.evaluation.gate import Gate

QUERIES = [f"q{i:02}" for i in range(40)]
JUDGED = {q: {"a": 1, "b": 1, "c": 2} for q in QUERIES}
KIND = {q: "even" if i % 2 == 0 else "odd" for i, q in enumerate(QUERIES)}


def ran(seed: int, luck: float = 0.6, queries: list[str] = QUERIES) -> dict[str, list[str]]:
    dice = np.random.default_rng(seed)
    return {
        q: [doc for doc in dice.permutation(list("abcvwxyz")) if doc not in "abc" or dice.random() < luck]
        for q in queries
    }


def gated(run: object = None, **options: object) -> Gate:
    return catchrate.gate(JUDGED, ran(1) if run is None else run, **options)


OLD = ran(0)
UNSURE = {q: docs if i % 3 else ran(9)[q] for i, (q, docs) in enumerate(OLD.items())}
"""About as good as the old run, for all that these queries can say."""


def test_a_floor_is_held_against_the_mean():
    mean = catchrate.evaluate(JUDGED, ran(1), "recall@3")["recall@3"]
    for bound, outcome in ((mean, "passed"), (mean + 1e-6, "failed"), (mean - 1e-6, "passed")):
        found = gated(require=f"recall@3 >= {bound!r}")
        assert found.outcome == outcome
        assert bool(found) is found.passed is (outcome == "passed")
        assert found.checks[0].whole.value == mean


def test_the_end_of_an_interval_is_that_of_the_scores():
    scores = catchrate.evaluate(JUDGED, ran(1), "recall@3 hit@1")
    for measure in ("recall@3", "hit@1"):
        low, high = scores.interval(measure).ends
        found = gated(require=[f"lower({measure}) >= {low - 1e-6}", f"lower({measure}) >= {low + 1e-6}"])
        assert [check.outcome for check in found] == ["passed", "failed"]
        assert gated(require=f"upper({measure}) >= {high - 1e-6}").passed


def test_a_measure_that_is_better_when_lower_has_a_ceiling():
    found = gated(require="miss@3 <= 0.9", baseline=OLD, no_worse="miss@3 by 1")
    assert found.passed
    assert not gated(require="miss@3 <= 0.001")


@pytest.mark.parametrize("measure", ["recall@3", "ndcg@5", "miss@1"])
@pytest.mark.parametrize("seed", range(4))
def test_a_margin_fails_only_beyond_the_interval_of_scipy(measure, seed):
    old, new = ran(seed), ran(seed + 50, 0.35)
    both = [catchrate.evaluate(JUDGED, one, measure).values[:, 0] for one in (old, new)]
    loss = both[0] - both[1] if measure != "miss@1" else both[1] - both[0]
    theirs = stats.bootstrap((loss,), np.mean, n_resamples=9_999, rng=1).confidence_interval
    tolerance = 0.08 * (theirs.high - theirs.low)
    margins = {theirs.low - tolerance: "failed", theirs.high + tolerance: "passed", loss.mean(): "cannot tell"}
    for margin, outcome in margins.items():
        if margin > 0:
            (check,) = gated(new, baseline=old, no_worse=f"{measure} by {margin}")
            assert check.outcome == outcome, (margin, theirs)


def test_the_smallest_margin_that_is_named_does_hold():
    (check,) = gated(UNSURE, baseline=OLD, no_worse="recall@3 by 0.01")
    assert check.outcome == "cannot tell"
    assert check.whole.holds == -check.whole.interval.low
    upwards = math.ceil(check.whole.holds * 1e4) / 1e4
    assert gated(UNSURE, baseline=OLD, no_worse=f"recall@3 by {upwards}").outcome == "passed"
    assert gated(UNSURE, baseline=OLD, no_worse=f"recall@3 by {upwards - 2e-4}").outcome == "cannot tell"


def test_cannot_tell_is_an_outcome_of_its_own_that_may_pass():
    strict = gated(UNSURE, baseline=OLD, no_worse="recall@3 by 0.01")
    lenient = gated(UNSURE, baseline=OLD, no_worse="recall@3 by 0.01", cannot_tell="pass")
    assert (strict.outcome, strict.exit_code, bool(strict)) == ("cannot tell", 6, False)
    assert (lenient.outcome, lenient.exit_code, bool(lenient)) == ("cannot tell", 0, True)
    both = gated(UNSURE, baseline=OLD, no_worse="recall@3 by 0.01", require="rr >= 1", cannot_tell="pass")
    assert (both.outcome, both.exit_code) == ("failed", 3)


def test_an_unchanged_run_passes_however_few_queries_there_are():
    for n in (1, 2, 3, 40):
        some = {q: JUDGED[q] for q in QUERIES[:n]}
        found = catchrate.gate(some, OLD, baseline=OLD, no_worse="ap by 1e-6", max_lost=0)
        assert found.outcome == "passed"
        assert found.checks[0].whole.reason == "no query differs"


@pytest.mark.parametrize(("n", "outcome"), [(1, "cannot tell"), (2, "cannot tell"), (5, "cannot tell"), (6, "failed")])
def test_few_queries_fail_nothing_that_chance_could_do(n, outcome):
    names = QUERIES[:n]
    judged = {q: {"a": 1} for q in names}
    found = catchrate.gate(
        judged, {q: ["x", "a"] for q in names}, baseline={q: ["a"] for q in names}, no_worse="rr by 0.1"
    )
    assert found.outcome == outcome
    assert found.checks[0].whole.reason == ("" if n == 6 else f"{n} queries are too few for a confidence of 95%")


def test_few_queries_have_no_lower_end_of_a_bootstrap():
    judged = {q: {"a": 1} for q in QUERIES[:4]}
    found = catchrate.gate(judged, {q: ["a"] for q in judged}, require=["lower(rr) >= 0.5", "lower(hit@1) >= 0.5"])
    assert [check.outcome for check in found] == ["cannot tell", "passed"]


def test_lost_documents_are_those_that_were_there_and_are_not():
    old = {q: ["a", "b", "x", "c"] for q in QUERIES}
    new = {**old, "q00": ["x", "y", "a", "z"], "q01": ["a", "b", "x", "y", "c"], "q02": ["a", "b", "c", "x"]}
    del new["q03"]
    found = gated(new, baseline=old, max_lost=2, lost_at=3)
    (check,) = found
    assert {one.query: [(c.doc, c.before, c.after) for c in one.docs] for one in check.lost} == {
        "q03": [("a", 1, None), ("b", 2, None)],
        "q00": [("b", 2, None)],
    }
    assert (check.outcome, check.whole.value) == ("passed", 2)
    deeper = gated(new, baseline=old, max_lost=2, lost_at=4)
    assert [one.query for one in deeper.checks[0].lost] == ["q03", "q00", "q01"]
    assert deeper.outcome == "failed"
    assert gated(new, baseline=old, max_lost=0, lost_at=1).outcome == "failed"


def test_lost_documents_are_looked_for_where_the_other_rules_look():
    for options, depth in [
        ({}, 10),
        ({"require": "recall@3 >= 0"}, 3),
        ({"require": "recall@3 >= 0", "no_worse": "ap@7 by 0.5"}, 7),
        ({"require": "recall@3 >= 0", "lost_at": 2}, 2),
    ]:
        assert gated(baseline=OLD, max_lost=40, **options).checks[-1].rule.at == depth


# -- slices -----------------------------------------------------------------------------------------------------------

RECORDS = [{"id": q, "retrieved": docs, "ground_truth": JUDGED[q], "kind": KIND[q]} for q, docs in ran(1).items()]


def test_a_rule_has_to_hold_in_every_slice_and_the_worst_is_named():
    spoiled = [{**r, "retrieved": []} if r["kind"] == "odd" else r for r in RECORDS]
    found = catchrate.gate(spoiled, require="recall@3 >= 0.1", by="kind")
    (check,) = found
    assert (found.outcome, check.worst.slice) == ("failed", "kind=odd")
    assert [(part.slice, part.queries) for part in check.parts] == [
        (None, 40),
        ("kind=even", 20),
        ("kind=odd", 20),
    ]
    assert check.whole.outcome == "passed"
    assert {one.query for one in check.lowest} <= {q for q in QUERIES if KIND[q] == "odd"}


def test_slices_are_as_sure_together_as_the_whole():
    found = catchrate.gate(RECORDS, baseline=RECORDS, no_worse="rr by 0.1", require="recall@3 >= 0", by=["kind"])
    assert [part.interval.level for part in found.checks[0].parts] == [0.95, 0.975, 0.975]


def test_many_slices_are_no_surer_than_samples_can_say():
    many = [{**record, "kind": record["id"]} for record in RECORDS]
    (check,) = catchrate.gate(many, require="recall@3 >= 0", by="kind", level=0.999)
    assert [part.interval.level for part in check.parts] == [0.999, *[0.9999] * 40]


def test_the_value_of_a_slice_is_that_of_its_queries_alone():
    (check,) = catchrate.gate(RECORDS, require="ndcg@5 >= 0", by="kind")
    for part in check.parts[1:]:
        alone = [r for r in RECORDS if f"kind={r['kind']}" == part.slice]
        assert part.value == catchrate.evaluate(alone, measures="ndcg@5")["ndcg@5"]


# -- baselines --------------------------------------------------------------------------------------------------------


def test_saved_scores_decide_as_the_run_does(tmp_path):
    catchrate.evaluate(JUDGED, OLD, "rr").save(tmp_path / "old.parquet")
    options = {"no_worse": ["recall@3 by 0.05", "ndcg@5 by 0.3"], "max_lost": 3}
    raw, saved = (gated(ran(2), baseline=b, **options) for b in (OLD, tmp_path / "old.parquet"))
    scores = gated(catchrate.evaluate(JUDGED, ran(2), "ap"), baseline=catchrate.evaluate(JUDGED, OLD, "rr"), **options)
    for one, two, three in zip(raw, saved, scores, strict=True):
        assert one == two == three


def test_queries_that_are_judged_otherwise_count_for_floors_alone(tmp_path):
    catchrate.evaluate(JUDGED, OLD, "rr").save(tmp_path / "old.parquet")
    today = {**JUDGED, "q00": {"a": 1}, "new": {"a": 1}}
    found = catchrate.gate(
        today, OLD, baseline=tmp_path / "old.parquet", require="rr >= 0", no_worse="rr by 0.1", max_lost=0
    )
    assert [check.whole.queries for check in found] == [41, 39, 39]
    (note,) = (note for note in found.notes if note.code == "N325")
    assert note.count == 2


WRONG = {
    "nothing to check": ({}, "E321"),
    "no baseline": ({"no_worse": "rr by 0.1"}, "E321"),
    "no baseline for lost": ({"max_lost": 0}, "E321"),
    "a baseline for nothing": ({"require": "rr >= 0", "baseline": OLD}, "E321"),
    "an odd way": ({"require": "rr >= 0", "cannot_tell": "maybe"}, "E321"),
    "a negative count": ({"max_lost": -1, "baseline": OLD}, "E310"),
    "no whole count": ({"max_lost": 1.5, "baseline": OLD}, "E310"),
    "a depth of nothing": ({"max_lost": 1, "lost_at": 0, "baseline": OLD}, "E310"),
    "an unknown slice": ({"require": "rr >= 0", "by": "colour"}, "E323"),
    "a level out of range": ({"require": "rr >= 0", "level": 2}, "E310"),
    "another policy": ({"require": "rr >= 0", "queries": "some"}, "E272"),
}


@pytest.mark.parametrize(("options", "code"), WRONG.values(), ids=WRONG)
def test_a_gate_that_makes_no_sense_is_a_usage_error(options, code):
    with pytest.raises(UsageError) as caught:
        gated(**options)
    assert caught.value.code == code


def test_a_baseline_under_other_policies_is_refused(tmp_path):
    catchrate.evaluate(JUDGED, OLD, "rr", rel=2).save(tmp_path / "old.parquet")
    with pytest.raises(UsageError, match="E313"):
        gated(baseline=tmp_path / "old.parquet", no_worse="rr by 0.1")


def test_provenance_names_the_rules_and_both_sides():
    found = gated(require="rr >= 0.1", baseline=OLD, no_worse="ap by 0.1", seed=4)
    assert found.provenance["gate"]["checks"] == ["rr >= 0.1", "ap no worse by 0.1"]
    assert found.provenance["gate"]["seed"] == 4
    assert list(found.provenance["runs"]) == ["run", "baseline"]


def test_the_same_choices_give_the_same_gate():
    one, two = (gated(require="lower(rr) >= 0.1", baseline=OLD, no_worse="ap by 0.1") for _ in range(2))
    assert one.checks == two.checks
    assert pickle.loads(pickle.dumps(one.checks)) == one.checks

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

import catchrate
from catchrate.calculation import EXAMPLE, FIELDS, Totals, calculate, calculator, read_totals
from catchrate.errors import UsageError

EXAMPLE_TABLE = {1: (18, 0.15), 3: (39, 0.325), 5: (57, 0.475), 10: (83, 83 / 120), 20: (102, 0.85)}


def example(**changes):
    return calculator(**{**EXAMPLE, **changes})


def test_the_example_gives_the_numbers_of_the_formulas():
    said = example()
    assert {m.name: m.value for m in said.metrics} == {
        "recall": 83 / 120,
        "hit_rate": 34 / 40,
        "miss_rate": 6 / 40,
        "precision": 83 / 400,
        "f1": pytest.approx(2 * (83 / 400) * (83 / 120) / (83 / 400 + 83 / 120)),
        "coverage_gap": 37 / 120,
    }
    assert {p.k: (p.found, p.recall) for p in said.curve} == EXAMPLE_TABLE
    assert [p.gain for p in said.curve] == [None, 21 / 120, 18 / 120, 26 / 120, 19 / 120]
    assert said.target.reached_at == 20
    assert said.target.distance == pytest.approx(83 / 120 - 0.8)
    assert not said.target.reached


def test_numbers_and_text_are_the_same_entries():
    typed = calculator(
        queries=40,
        relevant=120,
        k=10,
        found=83,
        hits=34,
        target=0.8,
        cutoffs=[1, 3, 5, 10, 20],
        found_at=(18, 39, 57, 83, 102),
    )
    assert typed.as_dict() == example().as_dict()


def test_retrieved_is_k_for_each_query_unless_it_is_given():
    assert example(retrieved="").totals.retrieved == 400
    assert example(retrieved="100")["precision"] == 0.83


@pytest.mark.parametrize(("name", "share"), [("hit_rate", 34 / 40), ("recall", 83 / 120)])
def test_intervals_are_wilsons_over_the_queries(name: str, share: float):
    metric = next(m for m in example().metrics if m.name == name)
    by_hand = 34 / 40 if name == "hit_rate" else share
    z2 = 1.959963984540054**2
    # the ends solve (p - share)^2 = z^2 p (1 - p) / n
    for end in (metric.low, metric.high):
        assert (end - by_hand) ** 2 == pytest.approx(z2 * end * (1 - end) / 40)


def test_the_interval_of_the_hit_rate_is_scipys():
    metric = next(m for m in example().metrics if m.name == "hit_rate")
    theirs = binomtest(34, 40).proportion_ci(method="wilson")
    assert (metric.low, metric.high) == pytest.approx((theirs.low, theirs.high))


def test_complements_have_the_mirrored_interval():
    by_name = {m.name: m for m in example().metrics}
    for one, other in (("hit_rate", "miss_rate"), ("recall", "coverage_gap")):
        assert by_name[one].low == pytest.approx(1 - by_name[other].high)
        assert by_name[one].high == pytest.approx(1 - by_name[other].low)


def test_f1_has_no_interval_and_says_why():
    f1 = next(m for m in example().metrics if m.name == "f1")
    assert (f1.low, f1.high) == (None, None)
    assert "No interval" in f1.basis


def test_recall_says_that_it_is_pooled():
    assert "Pooled over documents" in example().metrics[0].basis


@pytest.mark.parametrize(
    ("queries", "reached", "sure", "word"),
    [(40, False, False, "may as well be on the other side"), (4000, False, True, "10.8 points below")],
)
def test_the_verdict_is_sure_only_where_the_interval_is_clear_of_the_target(queries, reached, sure, word):
    target = calculator(
        queries=queries, relevant=queries * 3, k=10, found=queries * 83 // 40, hits=queries, target="80%"
    ).target
    assert (target.reached, target.sure) == (reached, sure)
    assert word in target.verdict


@pytest.mark.parametrize("target", ["60%", "60 %", "60", "0.6", ".6", 0.6, 60])
def test_a_target_is_a_share_or_percent(target):
    assert example(target=target).target.value == pytest.approx(0.6)


def test_a_target_that_is_met_exactly_is_reached():
    met = calculator(queries=40, relevant=1000, k=100, found=693, hits=40, target="69.3%").target
    assert met.reached
    assert met.distance == 0
    assert met.reached_at == 100


def test_a_target_that_no_cut_off_reaches_says_so():
    assert example(target="90%").target.reached_at is None
    assert example(target="90%").target.next_step == "No listed cut-off reaches the target."


def test_the_main_cut_off_is_a_point_of_the_curve_also_when_it_is_not_listed():
    said = example(cutoffs="1, 20", found_at="18, 102")
    assert [p.k for p in said.curve] == [1, 10, 20]


def test_without_a_list_there_is_no_curve():
    assert example(cutoffs="", found_at="").curve == ()


def test_nothing_found_is_fine():
    said = calculator(queries=3, relevant=5, k=10, found=0, hits=0, cutoffs=[1, 10], found_at=[0, 0])
    assert [m.value for m in said.metrics] == [0, 0, 1, 0, 0, 1]
    assert said.curve[0].reading.startswith("Nothing relevant is in reach.")


@st.composite
def totals(draw) -> Totals:
    queries, k = draw(st.integers(1, 50)), draw(st.integers(1, 20))
    hits = draw(st.integers(0, queries))
    found = draw(st.integers(hits, hits * k))
    relevant = draw(st.integers(max(found, 1), max(found, 1) + 100))
    retrieved = draw(st.integers(max(found, 1), queries * k))
    target = draw(st.none() | st.floats(0.01, 1))
    return Totals(queries=queries, relevant=relevant, k=k, found=found, hits=hits, retrieved=retrieved, target=target)


@given(totals())
def test_every_possible_total_is_accepted_and_no_number_leaves_its_range(t: Totals):
    entries = {name: getattr(t, name) for name in FIELDS}
    assert read_totals(entries) == t
    for metric in calculate(t).metrics:
        assert 0 <= metric.value <= 1
        if metric.low is not None:
            assert 0 <= metric.low <= metric.value <= metric.high <= 1


def test_a_result_is_short_in_a_session_and_answers_by_name():
    assert repr(example()).splitlines()[:2] == ["Calculation over 40 queries", "  Recall@10     0.6917"]
    with pytest.raises(UsageError, match="no number is called 'recal'"):
        example()["recal"]


def test_everything_wrong_is_raised_at_once():
    with pytest.raises(catchrate.UsageError) as caught:
        example(queries="x", target="0")
    assert [finding.code for finding in caught.value.findings] == ["E350", "E352"]

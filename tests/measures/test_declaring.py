"""Measures of your own: what `@catchrate.measure` takes and what it refuses."""

from __future__ import annotations

import pytest

import catchrate
from catchrate import InputError, UsageError
from catchrate.measures import Alignment, Cutoff, Terms, choose, families
from catchrate.measures.registry import TABLE


def test_a_vectorised_measure_is_found_by_its_name_and_its_aliases():
    @catchrate.measure(aliases=("early_{k}",), trend="up")
    def found_early(a: Alignment, *, k: Cutoff = None) -> Terms:
        """Relevant slots."""
        return a.slot_terms((a.slots.grade > 0) & a.slots.within(k))

    scores = catchrate.evaluate([["a", "b"]], [["x", "a", "b"]], "found_early@2 found_early")
    assert scores.as_dict() == {"found_early@2": 1.0, "found_early": 2.0}
    assert scores["early_2"] == 1.0


def test_a_measure_of_one_query_may_have_parameters():
    @catchrate.measure(per_query=True)
    def within(slots, grades, returned, relevant, *, k: Cutoff = 1):
        """Relevant slots among the first k over relevant items."""
        return sum((slots <= k) & (grades > 0)) / max(relevant, 1)

    assert catchrate.evaluate([["a", "b"]], [["a", "b"]], "within within@2").as_dict() == {"within": 0.5, "within@2": 1}
    assert "Your own measures" not in families()


@pytest.mark.parametrize("value", [float("nan"), float("inf"), "much", None])
def test_a_measure_that_returns_no_number_is_refused(value: object):
    @catchrate.measure(per_query=True)
    def broken(slots, grades, returned, relevant):
        """Broken."""
        return value

    with pytest.raises(InputError, match="E273 measure broken returned"):
        catchrate.evaluate([["a"]], [["a"]], "broken")


def test_a_measure_without_a_meaning_is_refused():
    with pytest.raises(UsageError, match=r"E274 .*says nothing of itself"):
        catchrate.measure(lambda a: a.query_terms(0.0), name="silent")


def test_a_parameter_without_a_kind_is_refused():
    def unkind(a: Alignment, *, depth: int = 3) -> Terms:
        """Nothing."""
        return a.query_terms(depth)

    with pytest.raises(UsageError, match=r"E274 parameter 'depth' of measure 'unkind' has no kind"):
        catchrate.measure(unkind)


def test_a_name_that_another_module_declared_is_refused():
    def recall(a: Alignment) -> Terms:
        """Not ours."""
        return a.query_terms(0.0)

    with pytest.raises(UsageError, match="E274 measure recall is declared twice"):
        catchrate.measure(recall)


def test_a_measure_may_be_declared_again_where_it_was_declared():
    for value in (0.25, 0.5):
        catchrate.measure(per_query=True, name="again")(_constant(value))
        assert catchrate.evaluate([["a"]], [["a"]], "again")["again"] == value


def _constant(value: float):
    def constant(slots, grades, returned, relevant):
        """A constant."""
        return value

    return constant


def test_exponential_gain_is_refused_where_it_would_overflow():
    with pytest.raises(InputError, match="E205 a grade is 1,024"):
        catchrate.evaluate({"q": {"a": 1024}}, {"q": ["a"]}, "ndcg(gain=exponential)")


@pytest.mark.parametrize(
    ("grade", "gain", "codes"), [(53, "exponential", []), (54, "linear", []), (54, "exponential", ["W205"])]
)
def test_exponential_gain_is_warned_of_where_it_is_no_longer_exact(grade: int, gain: str, codes: list[str]):
    scores = catchrate.evaluate({"q": {"a": grade}}, {"q": ["a"]}, f"rr ndcg(gain={gain})@5")
    assert [note.code for note in scores.notes] == codes
    assert list(scores.means) == [1.0, 1.0]


def test_expected_reciprocal_rank_is_refused_beyond_its_scale():
    with pytest.raises(UsageError, match=r"E272 a grade is 5 .* write err\(max_grade=5\)"):
        catchrate.evaluate({"q": {"a": 5}}, {"q": ["a"]}, "err")


def test_choosing_parameters_checks_them():
    with pytest.raises(UsageError, match="E272"):
        choose(TABLE["recall"], {"k": 0})


def test_a_measure_that_fails_is_named_with_its_line():
    @catchrate.measure(per_query=True)
    def dividing(slots, grades, returned, relevant):
        """Divides."""
        return 1 / 0

    with pytest.raises(
        InputError, match=r"E273 measure dividing failed in line \d+ of test_declaring.py: ZeroDivision"
    ):
        catchrate.evaluate([["a"]], [["a"]], "dividing")


def test_a_measure_of_one_query_takes_what_one_query_has():
    with pytest.raises(UsageError, match="E274 measure few does not take what one query has"):

        @catchrate.measure(per_query=True)
        def few(slots, grades):
            """Too few."""
            return 0


def test_a_vectorised_measure_returns_terms():
    @catchrate.measure
    def plain(a: Alignment):
        """An array."""
        return a.returned

    with pytest.raises(InputError, match="E273 measure plain returned a ndarray"):
        catchrate.evaluate([["a"]], [["a"]], "plain")


def test_a_vectorised_measure_that_is_not_finite_is_refused():
    @catchrate.measure
    def unbounded(a: Alignment):
        """Infinite."""
        return a.query_terms(float("inf"))

    with pytest.raises(InputError, match="E273 measure unbounded is inf"):
        catchrate.evaluate([["a"]], [["a"]], "unbounded")


@pytest.mark.parametrize(
    ("name", "grades"),
    [
        ("err(max_grade=60)", [60, 60]),
        ("ndcg(gain=exponential)", [1000, 1000, 1000]),
        ("q_measure(beta=1000000000)", [1, 2]),
        ("g(gains=1:1000000000;2:1000000000)", [2, 1]),
        ("utility(p1=1000000000,p2=1000000000)", [1, 2]),
    ],
)
def test_the_largest_parameters_and_grades_keep_numbers_finite(name: str, grades: list[int]):
    judged = {"q": {str(doc): grade for doc, grade in enumerate(grades)}}
    value = catchrate.evaluate(judged, {"q": [*judged["q"]]}, name)[name]
    assert 0 < value < 1e10


@pytest.mark.parametrize("name", ["f(beta=1e200)", "q_measure(beta=1e10)", "ndcg(gains=1:1e300)", "recall@9999999999"])
def test_larger_parameters_are_refused_with_the_limit(name: str):
    with pytest.raises(UsageError, match=r"E272 .*1,000,000,000|E272 .*grade:gain"):
        catchrate.parse(name)

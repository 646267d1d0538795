"""Small cases worked out by hand, one for each measure that people use, and the edges."""

from __future__ import annotations

import math

import pytest

from catchrate.measures import parse
from strategies import arrays_of
from twins import Query


def _query(slots: str, **grades: float) -> Query:
    """Read slots such as `a - b,c`: a blank between slots, `-` for one that holds nothing judged."""
    return Query(tuple(frozenset(s.split(",")) - {"-"} for s in slots.split()), grades)


PLAIN = _query("a - b x -", a=1, b=1, c=1, x=0)
GRADED = _query("b a - x", a=3, b=1, c=2, x=0)
SHARED = _query("a,b - a c", a=1, b=2, c=1, d=1)
NOTHING_RETURNED = _query("", a=1)
NOTHING_RELEVANT = _query("x -", x=0)
LOG3, LOG5 = math.log2(3), math.log2(5)


@pytest.mark.parametrize(
    ("name", "query", "value"),
    [
        ("recall@1", PLAIN, 1 / 3),
        ("recall@3", PLAIN, 2 / 3),
        ("recall@100", PLAIN, 2 / 3),
        ("precision@2", PLAIN, 1 / 2),
        ("precision@10", PLAIN, 2 / 10),
        ("precision", PLAIN, 2 / 5),
        ("hit@1", PLAIN, 1),
        ("miss@1", PLAIN, 0),
        ("f1@3", PLAIN, 2 / 3),
        ("f(beta=2)@5", PLAIN, 5 * (2 / 5) * (2 / 3) / (4 * (2 / 5) + 2 / 3)),
        ("recall_all@5", PLAIN, 0),
        ("coverage_gap@3", PLAIN, 1 / 3),
        ("capped_recall@1", PLAIN, 1),
        ("capped_recall@2", PLAIN, 1 / 2),
        ("recall_ceiling@2", PLAIN, 2 / 3),
        ("relative_precision@10", PLAIN, 2 / 3),
        ("r_precision", PLAIN, 2 / 3),
        ("judged", PLAIN, 3 / 5),
        ("unjudged@10", PLAIN, 2 / 10),
        ("rr", PLAIN, 1),
        ("ap", PLAIN, (1 + 2 / 3) / 3),
        ("ap@2", PLAIN, 1 / 3),
        ("iprec@0.5", PLAIN, 2 / 3),
        ("iprec@1", PLAIN, 0),
        ("bpref", PLAIN, 2 / 3),
        ("rbp(p=0.5)", PLAIN, 0.5 * (1 + 0.25)),
        ("rbp_residual(p=0.5)", PLAIN, 0.5**5 + 0.5 * (0.5 + 0.5**4)),
        ("accuracy", PLAIN, 1),
        ("accuracy(pairs=returned)", PLAIN, 5 / 6),
        ("bin_g", PLAIN, (1 + 1 / LOG3) / 3),
        ("ndcg@1", GRADED, 1 / 3),
        ("dcg", GRADED, 1 + 3 / LOG3),
        ("ideal_dcg", GRADED, 3 + 2 / LOG3 + 1 / 2),
        ("ndcg", GRADED, (1 + 3 / LOG3) / (3 + 2 / LOG3 + 1 / 2)),
        ("ndcg(gain=exponential)@2", GRADED, (1 + 7 / LOG3) / (7 + 3 / LOG3)),
        ("ndcg(ideal=returned)@2", GRADED, (1 + 3 / LOG3) / (3 + 1 / LOG3)),
        ("dcg(discount=jarvelin)", GRADED, 1 + 3 / 1),
        ("err", GRADED, 1 / 16 + (1 / 2) * (15 / 16) * (7 / 16)),
        ("q_measure", GRADED, ((1 + 1) / (1 + 3) + (2 + 4) / (2 + 5)) / 3),
        ("compatibility(p=0.5)", _query("a b", a=2, b=1), 1),
        # several items in one slot, and an item that comes back: nothing counts twice
        ("recall@1", SHARED, 2 / 4),
        ("precision@1", SHARED, 1),
        ("precision@3", SHARED, 1 / 3),
        ("dcg", SHARED, 2 + 1 / LOG5),
        ("ap", SHARED, (1 + 2 / 4) / 4),
        ("num_rel_ret", SHARED, 3),
        ("unjudged@4", SHARED, 1 / 4),
        # edges
        ("recall@10", NOTHING_RETURNED, 0),
        ("precision", NOTHING_RETURNED, 0),
        ("miss@3", NOTHING_RETURNED, 1),
        ("coverage_gap", NOTHING_RETURNED, 1),
        ("ndcg", NOTHING_RETURNED, 0),
        ("recall@10", NOTHING_RELEVANT, 0),
        ("miss@10", NOTHING_RELEVANT, 1),
        ("coverage_gap@10", NOTHING_RELEVANT, 1),
        ("ap", NOTHING_RELEVANT, 0),
        ("ndcg", NOTHING_RELEVANT, 0),
        ("recall_all", NOTHING_RELEVANT, 0),
    ],
)
def test_a_case_worked_out_by_hand(name: str, query: Query, value: float):
    assert parse(name).per_query(arrays_of([query]))[0] == pytest.approx(value, abs=1e-15)


def test_means_are_of_queries_and_pools_of_documents():
    arrays = arrays_of([_query("a", a=1), _query("- - -", b=1, c=1, d=1)])
    for name, value in {"recall": 1 / 2, "pooled_recall": 1 / 4, "pooled_precision": 1 / 4, "pooled_f1": 1 / 4}.items():
        measure = parse(name)
        assert measure.mean(arrays, measure.per_query(arrays)) == value


def test_counts_add_up_and_a_geometric_mean_has_a_floor():
    arrays = arrays_of([_query("a", a=1), _query("- -", b=1)])
    values = {name: parse(name).mean(arrays, parse(name).per_query(arrays)) for name in ("num_ret", "num_q", "gm_ap")}
    assert values == {"num_ret": 3, "num_q": 2, "gm_ap": pytest.approx(math.sqrt(1e-5))}


def test_weights_of_queries_count_in_means():
    arrays = arrays_of([_query("a", a=1), _query("-", b=1)])
    measure = parse("recall")
    values = measure.per_query(arrays)
    assert measure.mean(arrays, values, values * 2 + 1) == 3 / 4

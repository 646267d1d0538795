"""Measures that add up the gain of what was found, later ranks counting less."""

from __future__ import annotations

import numpy as np

from catchrate.errors import InputError
from catchrate.limits import MAX_EXPONENT
from catchrate.measures.arrays import Alignment, Ints, log2, places
from catchrate.measures.parameters import Cutoff, Discount, GainForm, Gains, Ideal
from catchrate.measures.registry import measure
from catchrate.measures.terms import Floats, Terms, summed

_ANY = (0.0, float("inf"))
_CG = "sum over slots s among the first k of gain(s) / discount(s); discount = log2(s + 1), or max(1, log2 s)"


@measure(
    aliases=(
        "ndcg_cut_{k}",
        "nDCG",
        "ndcg_{k}",
        ("ndcg_burges", {"gain": "exponential"}),
        ("ndcg_jarvelin", {"discount": "jarvelin"}),
    ),
    formula="dcg@k / dcg@k of the ideal list",
    perfect=True,
    reference="Jarvelin and Kekalainen 2002; trec_eval ndcg, ndcg_cut",
)
def ndcg(
    a: Alignment,
    *,
    gain: GainForm = "linear",
    gains: Gains = None,
    discount: Discount = "log2",
    ideal: Ideal = "judged",
    k: Cutoff = None,
) -> Terms:
    """Discounted gain as a share of what an ideal list would have: best grades first.

    Use it for graded judgments where early ranks matter most. `gain=exponential` takes 2^grade - 1, `gains=1:3;2:9`
    takes your own. `ideal=returned` reorders only the first k slots, which hides every miss: avoid it.
    """
    return a.slot_terms(
        _discounted(a, gain, gains, discount, k).values, over=_best_dcg(a, gain, gains, discount, ideal, k)
    )


@measure(
    aliases=("dcg_{k}", ("dcg_burges", {"gain": "exponential"})),
    formula=_CG,
    range=_ANY,
    perfect=True,
    trend="up",
    bounded_by_unjudged=True,
    reference="Jarvelin and Kekalainen 2002; trec_eval 10 dcg",
)
def dcg(
    a: Alignment,
    *,
    gain: GainForm = "linear",
    gains: Gains = None,
    discount: Discount = "log2",
    k: Cutoff = None,
) -> Terms:
    """Discounted cumulative gain: what was found, later ranks counting less.

    Use it to compare runs on the same queries. It has no upper bound: for a number from 0 to 1 use ndcg.
    """
    return _discounted(a, gain, gains, discount, k)


@measure(
    aliases=("ideal_dcg_{k}",),
    formula=_CG + ", of the ideal list",
    range=_ANY,
    higher_is_better=None,
    trend="up",
    reference="trec_eval 10 ideal_dcg",
    bounded_by_unjudged=True,
)
def ideal_dcg(
    a: Alignment,
    *,
    gain: GainForm = "linear",
    gains: Gains = None,
    discount: Discount = "log2",
    k: Cutoff = None,
) -> Terms:
    """Discounted cumulative gain of the best possible list.

    Use it to see which queries weigh most in dcg.
    """
    return a.query_terms(_best_dcg(a, gain, gains, discount, "judged", k))


def _discounted(a: Alignment, gain: str, gains: Gains, discount: str, k: float | None) -> Terms:
    gained, rows = gain_of(a.slots.grade, gain, gains), _first(a.slots.slot, k)
    worth = np.zeros(gained.size)
    worth[rows] = gained[rows] / discount_of(a.slots.slot[rows], discount)
    return a.slot_terms(worth)


def _first(places: Ints, k: float | None) -> Ints | slice:
    """Return the rows that are among the first k of their query: few of many, for the usual k."""
    return slice(None) if k is None else np.flatnonzero(places <= k)


def gain_of(grades: Floats, form: str, table: Gains) -> Floats:
    """Return the gain of each grade; nothing for grades of 0 and below."""
    gain = np.maximum(grades, 0.0)
    if form == "exponential":
        highest = gain.max(initial=0)
        if highest > MAX_EXPONENT:
            raise InputError.of("E205", f"a grade is {highest:,.15g}", fix="use gain=linear, or smaller grades")
        gain = np.exp2(gain) - 1
    for grade, given in table or ():
        gain = np.where(grades == grade, given, gain)
    return gain


def discount_of(slots: Ints, form: str) -> Floats:
    """Return what divides the gain at each slot."""
    return log2(slots + 1) if form == "log2" else np.maximum(1.0, log2(slots))


def _best_dcg(a: Alignment, gain: str, gains: Gains, discount: str, ideal: str, k: float | None) -> Floats:
    query, best = _returned_gains(a, gain, gains, k) if ideal == "returned" else ideal_gains(a, gain, gains)
    place = a.items.place if query is a.items.query else places(query, a.queries)
    rows = _first(place, k)
    return summed(query[rows], best[rows] / discount_of(place[rows], discount), a.queries)


def ideal_gains(a: Alignment, gain: str, gains: Gains) -> tuple[Ints, Floats]:
    """Return the gains of the ideal list: query and gain of its ranks, each query's best first."""
    best = gain_of(a.items.grade, gain, gains)
    return _best_first(a.items.query, best) if gains else (a.items.query, best)


def _returned_gains(a: Alignment, gain: str, gains: Gains, k: float | None) -> tuple[Ints, Floats]:
    """Return the gains of the first k slots, each query's best first."""
    inside = np.broadcast_to(a.slots.within(k), a.slots.slot.shape)
    return _best_first(a.slots.query[inside], gain_of(a.slots.grade[inside], gain, gains))


def _best_first(query: Ints, gain: Floats) -> tuple[Ints, Floats]:
    order = np.lexsort((-gain, query))
    return query[order], gain[order]

"""Plain counts, summed over queries."""

from __future__ import annotations

import numpy as np

from catchrate.measures.arrays import Alignment
from catchrate.measures.parameters import Cutoff, Grade
from catchrate.measures.registry import measure
from catchrate.measures.terms import Terms

_ANY = (0.0, float("inf"))


@measure(
    aliases=("NumQ",),
    formula="queries",
    range=_ANY,
    higher_is_better=None,
    aggregate="sum",
    reference="trec_eval",
    bounded_by_unjudged=True,
)
def num_q(a: Alignment) -> Terms:
    """Number of queries.

    Use it beside every mean: it says what the mean is made of.
    """
    return a.query_terms(np.ones(a.queries))


@measure(
    aliases=("NumRet", "returned"),
    formula="slots returned among the first k",
    range=_ANY,
    higher_is_better=None,
    aggregate="sum",
    trend="up",
    reference="trec_eval",
    bounded_by_unjudged=True,
)
def num_ret(a: Alignment, *, k: Cutoff = None) -> Terms:
    """Number of slots returned.

    Use it to notice runs that return less than they were asked for.
    """
    return a.query_terms(a.slots_within(k))


@measure(
    aliases=("NumRel", "relevant"),
    formula="relevant items",
    range=_ANY,
    higher_is_better=None,
    aggregate="sum",
    reference="trec_eval",
    bounded_by_unjudged=True,
)
def num_rel(a: Alignment, *, rel: Grade = 1) -> Terms:
    """Number of relevant items.

    Use it to see how large the ground truth is.
    """
    return a.item_terms(a.items.grade >= rel)


@measure(
    aliases=("NumRelRet", "hits", "relevant_returned"),
    formula="relevant items in the first k slots",
    range=_ANY,
    aggregate="sum",
    trend="up",
    perfect=True,
    reference="trec_eval",
    bounded_by_unjudged=True,
)
def num_rel_ret(a: Alignment, *, k: Cutoff = None, rel: Grade = 1) -> Terms:
    """Number of relevant items that were returned.

    Use it for totals; for a share use pooled_recall.
    """
    return a.item_terms((a.items.grade >= rel) & a.items.found_within(k))


@measure(
    formula="slots that hold a judged item below the relevance level",
    range=_ANY,
    higher_is_better=False,
    aggregate="sum",
    reference="trec_eval",
    bounded_by_unjudged=True,
    trend="up",
)
def num_nonrel_judged_ret(a: Alignment, *, k: Cutoff = None, rel: Grade = 1) -> Terms:
    """Number of returned slots that are judged and not relevant.

    Use it to tell known junk from slots that nobody has judged.
    """
    return a.slot_terms((a.slots.grade >= 0) & (a.slots.grade < rel) & a.slots.within(k))

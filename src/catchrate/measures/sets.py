"""Measures of the first k slots as a set: what was found, what was missed, what was junk."""

from __future__ import annotations

import numpy as np

from catchrate.measures.arrays import Alignment, first_rows
from catchrate.measures.parameters import Cutoff, Grade, Positive
from catchrate.measures.registry import measure
from catchrate.measures.terms import Combined, Floats, Terms


@measure(
    aliases=("R", "recall_{k}", "set_recall", "SetR"),
    formula="relevant items in the first k slots / relevant items",
    trend="up",
    perfect=True,
    bounded_by_unjudged=False,
    reference="trec_eval recall, set_recall",
)
def recall(a: Alignment, *, k: Cutoff = None, rel: Grade = 1) -> Terms:
    """Share of the relevant items that the first k slots hold.

    Use it for a first stage whose misses no later stage can repair. Where queries have more relevant items than k it
    cannot reach 1: recall_ceiling says what it can reach, and capped_recall divides by that.
    """
    relevant = a.items.grade >= rel
    return a.item_terms(relevant & a.items.found_within(k), over=a.relevant(rel))


@measure(
    aliases=("success_{k}", "success", "hit_rate", "hit_{k}", "recall_any", "recall_any_{k}"),
    formula="1 if a relevant item is in the first k slots, else 0",
    trend="up",
    perfect=True,
    binary=True,
    bounded_by_unjudged=True,
    reference="trec_eval success; Haystack single_hit recall",
)
def hit(a: Alignment, *, k: Cutoff = None, rel: Grade = 1) -> Terms:
    """Whether the first k slots hold any relevant item; its mean is the hit rate.

    Use it where one good result is enough, as for questions with one answer. It cannot tell one of five relevant
    items found from all five: it is not recall.
    """
    return a.slot_terms(first_relevant(a, k, rel))


@measure(
    aliases=("miss_{k}", "miss_rate"),
    formula="1 - hit@k",
    higher_is_better=False,
    trend="down",
    binary=True,
    empty=1.0,
    bounded_by_unjudged=True,
    perfect=True,
)
def miss(a: Alignment, *, k: Cutoff = None, rel: Grade = 1) -> Terms:
    """Whether the first k slots hold no relevant item at all; its mean is the miss rate.

    Use it to count the questions that a reader cannot possibly answer. The complement of hit.
    """
    return a.query_terms(1.0 - hit(a, k=k, rel=rel).sums())


@measure(
    aliases=("P", "P_{k}", "precision_{k}", "set_P", "SetP"),
    formula="slots among the first k with a relevant item / k (without k: / slots returned)",
    perfect=True,
    bounded_by_unjudged=True,
    reference="trec_eval P, set_P",
)
def precision(a: Alignment, *, k: Cutoff = None, rel: Grade = 1) -> Terms:
    """Share of the first k slots that hold a relevant item.

    Use it where every slot costs: tokens, money, a reader's patience. A list shorter than k still divides by k. Where
    queries have fewer relevant items than k it cannot reach 1: relative_precision divides by what it can reach.
    """
    relevant = (a.slots.grade >= rel) & a.slots.within(k)
    return a.slot_terms(relevant, over=a.slots_within(None) if k is None else k)


def harmonic(beta: float, precision: Floats, recall: Floats) -> Floats:
    """Return F of precision and recall, recall counting beta times as much."""
    upper = (1 + beta * beta) * precision * recall
    lower = beta * beta * precision + recall
    return np.divide(upper, lower, out=np.zeros_like(upper), where=lower != 0)


@measure(
    name="f1",
    aliases=("f1_{k}", "set_F"),
    formula="2 P R / (P + R), P = precision@k, R = recall@k",
    bounded_by_unjudged=False,
    reference="van Rijsbergen, Information Retrieval (1979); trec_eval set_F",
    perfect=True,
)
def f1(a: Alignment, *, k: Cutoff = None, rel: Grade = 1) -> Combined:
    """Harmonic mean of precision and recall.

    Use it when one number must hold both. It hides which of the two is low, so show them beside it.
    """
    return f(a, beta=1, k=k, rel=rel)


@measure(
    aliases=("f_beta", "SetF"),
    formula="(1 + b²) P R / (b² P + R), P = precision@k, R = recall@k",
    reference="van Rijsbergen, Information Retrieval (1979)",
    perfect=True,
)
def f(a: Alignment, *, beta: Positive = 1, k: Cutoff = None, rel: Grade = 1) -> Combined:
    """Weighted harmonic mean of precision and recall: recall counts beta times as much.

    Use beta 2 where a miss costs more than junk, 0.5 where junk costs more than a miss.
    """
    parts = (precision(a, k=k, rel=rel), recall(a, k=k, rel=rel))
    return Combined(lambda p, r: harmonic(beta, p, r), parts, ("precision", "recall"))


@measure(
    aliases=("recall_all_{k}", "full_recall"),
    formula="1 if every relevant item is in the first k slots, else 0",
    trend="up",
    binary=True,
    perfect=True,
    reference="REMem Recall_all",
)
def recall_all(a: Alignment, *, k: Cutoff = None, rel: Grade = 1) -> Terms:
    """Whether the first k slots hold every relevant item.

    Use it for questions that need all of their evidence, such as multi-hop ones. A query without a relevant item is 0.
    """
    relevant = a.items.grade >= rel
    wanted = a.count(relevant)
    return a.query_terms((a.count(relevant & a.items.found_within(k)) == wanted) & (wanted > 0))


@measure(
    aliases=("coverage_gap_{k}",),
    formula="relevant items outside the first k slots / relevant items",
    higher_is_better=False,
    trend="down",
    empty=1.0,
    perfect=True,
)
def coverage_gap(a: Alignment, *, k: Cutoff = None, rel: Grade = 1) -> Terms:
    """Share of the relevant items that the first k slots do not hold: 1 - recall.

    Use it where the loss itself is the message.
    """
    relevant = a.items.grade >= rel
    return a.item_terms(relevant & ~a.items.found_within(k), over=a.count(relevant))


@measure(
    aliases=("pooled_recall_{k}", "micro_recall"),
    formula="relevant items in the first k slots, all queries / relevant items, all queries",
    aggregate="pooled",
    trend="up",
    perfect=True,
)
def pooled_recall(a: Alignment, *, k: Cutoff = None, rel: Grade = 1) -> Terms:
    """Recall over all documents of all queries together, not a mean over queries.

    Use it when only totals are known. Queries with many relevant items dominate it.
    """
    return recall(a, k=k, rel=rel)


@measure(
    aliases=("pooled_precision_{k}", "micro_precision"),
    formula="slots with a relevant item among the first k, all queries / slots returned among the first k, all queries",
    aggregate="pooled",
    bounded_by_unjudged=True,
    perfect=True,
)
def pooled_precision(a: Alignment, *, k: Cutoff = None, rel: Grade = 1) -> Terms:
    """Precision over all returned slots of all queries together, not a mean over queries.

    Use it when only totals are known. It divides by what was returned, so short lists are not punished.
    """
    relevant = (a.slots.grade >= rel) & a.slots.within(k)
    return a.slot_terms(relevant, over=a.slots_within(k))


@measure(
    aliases=("pooled_f1_{k}", "micro_f1"),
    formula="2 P R / (P + R), P = pooled_precision@k, R = pooled_recall@k",
    aggregate="pooled",
    perfect=True,
)
def pooled_f1(a: Alignment, *, k: Cutoff = None, rel: Grade = 1) -> Combined:
    """Harmonic mean of pooled precision and pooled recall.

    Use it beside the two, never instead of them.
    """
    parts = (pooled_precision(a, k=k, rel=rel), pooled_recall(a, k=k, rel=rel))
    return Combined(lambda p, r: harmonic(1, p, r), parts, ("pooled precision", "pooled recall"))


@measure(
    aliases=("capped_recall_{k}", "R_cap"),
    formula="relevant items in the first k slots / min(k, relevant items), at most 1",
    perfect=True,
    reference="BEIR's recall_cap (Thakur et al. 2021)",
)
def capped_recall(a: Alignment, *, k: Cutoff = None, rel: Grade = 1) -> Terms:
    """Recall as a share of what k slots could hold.

    Use it when many queries have more relevant items than k, so that a perfect list scores 1.
    """
    relevant = a.items.grade >= rel
    most = fitting(a, k, rel)
    found = a.count(relevant & a.items.found_within(k))
    return a.query_terms(np.minimum(found, most), over=most)


@measure(
    aliases=("recall_ceiling_{k}", "max_recall"),
    formula="min(k, relevant items) / relevant items",
    higher_is_better=None,
    trend="up",
)
def recall_ceiling(a: Alignment, *, k: Cutoff = None, rel: Grade = 1) -> Terms:
    """The largest recall that k slots allow, one item a slot.

    Use it beside recall: recall@10 of 0.45 under a ceiling of 0.5 is nearly perfect.
    """
    return a.query_terms(fitting(a, k, rel), over=a.relevant(rel))


@measure(
    aliases=("relative_P_{k}", "relative_P", "set_relative_P", "SetRelP"),
    formula="slots among the first k with a relevant item / min(k, relevant items) (without k: slots returned for k)",
    perfect=True,
    reference="trec_eval relative_P, set_relative_P",
)
def relative_precision(a: Alignment, *, k: Cutoff = None, rel: Grade = 1) -> Terms:
    """Precision as a share of what the relevant items allow.

    Use it instead of precision when queries have few relevant items.
    """
    relevant = (a.slots.grade >= rel) & a.slots.within(k)
    room = a.slots_within(None) if k is None else k
    return a.slot_terms(relevant, over=np.minimum(room, a.relevant(rel)))


@measure(
    aliases=("Rprec", "RPrec", "r_precision", "Rprec_mult_{times}"),
    formula="slots among the first c with a relevant item / c, c = relevant items x times, rounded up",
    reference="trec_eval Rprec, Rprec_mult",
    perfect=True,
)
def r_precision(a: Alignment, *, times: Positive = 1, rel: Grade = 1) -> Terms:
    """Precision at as many slots as the query has relevant items, where precision equals recall.

    Use it when queries differ widely in how many items are relevant, so that no fixed k is fair to all.
    """
    depth = np.floor(times * a.relevant(rel) + 0.9)
    return a.slot_terms((a.slots.grade >= rel) & (a.slots.slot <= a.at(depth)), over=depth)


@measure(
    aliases=("Judged", "judged_{k}"),
    formula="slots among the first k with a judged item / slots returned among the first k",
    higher_is_better=None,
)
def judged(a: Alignment, *, k: Cutoff = None) -> Terms:
    """Share of the returned slots among the first k that somebody has judged.

    Use it beside every other measure: where it is low, the others say more about the judges than about the retriever.
    """
    return a.query_terms(a.judged_within(k), over=a.slots_within(k))


@measure(
    aliases=("unj_{k}", "unj", "unjudged_{k}"),
    formula="slots returned among the first k without a judged item / k (without k: / slots returned)",
    higher_is_better=None,
    reference="trec_eval 10 unj",
)
def unjudged(a: Alignment, *, k: Cutoff = None) -> Terms:
    """Share of the first k slots that nobody has judged.

    Use it to see how much of a precision is opinion and how much is unknown. A slot that was not returned counts as
    neither.
    """
    missing = a.slots_within(k) - a.judged_within(k)
    return a.query_terms(missing, over=a.slots_within(None) if k is None else k)


def fitting(a: Alignment, k: float | None, rel: float) -> Floats:
    """Count the relevant items of each query that k slots can hold, one a slot."""
    relevant = a.relevant(rel)
    return relevant if k is None else np.minimum(relevant, k)


def first_relevant(a: Alignment, k: float | None, rel: float) -> np.ndarray:
    """Mark the first relevant slot of each query, if it is among the first k."""
    rows = np.flatnonzero((a.slots.grade >= rel) & a.slots.within(k))
    first = np.zeros(a.slots.slot.size, bool)
    first[rows[first_rows(a.slots.query[rows])]] = True
    return first

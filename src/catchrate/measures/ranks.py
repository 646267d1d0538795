"""Measures in which the rank of a relevant slot decides."""

from __future__ import annotations

import numpy as np

from catchrate.errors import UsageError
from catchrate.measures.arrays import Alignment, Ints, running_product, running_sum, segment_starts
from catchrate.measures.parameters import (
    Cutoff,
    Flag,
    Grade,
    Level,
    MaxGrade,
    Pairs,
    Persistence,
    Positive,
    Rounding,
)
from catchrate.measures.registry import measure
from catchrate.measures.sets import first_relevant
from catchrate.measures.terms import Floats, Terms, summed


@measure(
    aliases=("RR", "recip_rank", "MRR", "rr_{k}", "mrr_{k}", "reciprocal_rank"),
    formula="1 / slot of the first relevant item, 0 if there is none among the first k",
    perfect=True,
    trend="up",
    bounded_by_unjudged=True,
    reference="trec_eval recip_rank",
)
def rr(a: Alignment, *, k: Cutoff = None, rel: Grade = 1) -> Terms:
    """One over the rank of the first relevant slot; its mean is the MRR.

    Use it where a reader stops at the first good result. It ignores everything after that.
    """
    return a.slot_terms(first_relevant(a, k, rel) / a.slots.slot)


@measure(
    aliases=("AP", "map", "map_cut_{k}", "ap_{k}", "average_precision"),
    formula="sum over relevant slots s among the first k of (relevant slots up to s / s) / relevant items",
    perfect=True,
    trend="up",
    reference="trec_eval map, map_cut",
)
def ap(a: Alignment, *, k: Cutoff = None, rel: Grade = 1) -> Terms:
    """Mean of the precisions at the relevant slots; an item that was not returned adds 0. Its mean is the MAP.

    Use it to compare whole rankings when queries have several relevant items. Newly judged documents can lower it.
    """
    relevant = (a.slots.grade >= rel) & a.slots.within(k)
    return a.slot_terms(relevant * a.running(relevant) / a.slots.slot, over=a.relevant(rel))


@measure(
    aliases=("gm_map",),
    formula="exp of the mean of ln max(ap, 0.00001)",
    aggregate="geometric",
    perfect=True,
    trend="up",
    reference="trec_eval gm_map (Robertson 2006)",
)
def gm_ap(a: Alignment, *, k: Cutoff = None, rel: Grade = 1) -> Terms:
    """Geometric mean of average precision over queries.

    Use it to reward help for the worst queries; one query near 0 pulls it down hard.
    """
    return ap(a, k=k, rel=rel)


@measure(
    aliases=("iprec_at_recall_{level}", "IPrec"),
    formula="largest precision at any slot with at least the share `level` of the relevant items found",
    perfect=True,
    reference="trec_eval iprec_at_recall",
)
def iprec(a: Alignment, *, level: Level, rounding: Rounding = "up", rel: Grade = 1) -> Terms:
    """Interpolated precision at a level of recall.

    Use it for the classic precision-recall curve. `rounding` says how many items a level of recall is: `up` as in
    trec_eval 9, `nearest` as in trec_eval 10.
    """
    relevant = a.slots.grade >= rel
    found = a.running(relevant)
    wanted = _items_at(level, a.relevant(rel), rounding)
    return a.query_terms(a.largest(relevant * (found >= a.at(wanted)) * found / a.slots.slot))


def _items_at(level: float, relevant: Floats, rounding: str) -> Floats:
    return np.floor(level * relevant + (0.9 if rounding == "up" else 0.5))


@measure(
    aliases=("11pt_avg",),
    formula="mean of iprec at the levels 0, 0.1, ... 1",
    perfect=True,
    reference="trec_eval 11pt_avg",
)
def iprec_avg(a: Alignment, *, rounding: Rounding = "up", rel: Grade = 1) -> Terms:
    """Mean of interpolated precision over the eleven standard levels of recall.

    Use it to compare with results from before average precision became usual.
    """
    levels = [iprec(a, level=tenth / 10, rounding=rounding, rel=rel).values for tenth in range(11)]
    return a.query_terms(sum(levels[1:], levels[0]), over=11)


@measure(
    aliases=("Bpref",),
    formula="mean over relevant items of 1 - min(n, R) / min(N, R): n judged junk above it, N judged junk, R relevant",
    reference="trec_eval bpref (Buckley and Voorhees 2004)",
    perfect=True,
)
def bpref(a: Alignment, *, rel: Grade = 1) -> Terms:
    """How rarely judged junk stands above relevant items; slots that nobody judged are passed over.

    Use it when many returned documents are unjudged.
    """
    relevant = a.slots.grade >= rel
    junk = (a.slots.grade >= 0) & ~relevant
    wanted = a.relevant(rel)
    known_junk = a.count((a.items.grade >= 0) & (a.items.grade < rel))
    above = np.minimum(a.running(junk), a.at(wanted))
    most = np.maximum(np.minimum(known_junk, wanted), 1)
    return a.slot_terms(relevant * (1.0 - above / a.at(most)), over=wanted)


@measure(
    aliases=("gm_bpref_mean",),
    formula="exp of the mean of ln max(bpref, 0.00001)",
    aggregate="geometric",
    perfect=True,
    reference="trec_eval gm_bpref",
)
def gm_bpref(a: Alignment, *, rel: Grade = 1) -> Terms:
    """Geometric mean of bpref over queries.

    Use it as gm_ap, when many returned documents are unjudged.
    """
    return bpref(a, rel=rel)


_INFAP_EPSILON = 1e-5


@measure(
    aliases=("infAP",),
    formula="mean over relevant slots s of 1/s + (s-1)/s x share in the pool x estimated precision above s",
    reference="trec_eval infAP (Yilmaz and Aslam 2006)",
    perfect=True,
)
def infap(a: Alignment, *, rel: Grade = 1) -> Terms:
    """Average precision as estimated from a pool that was judged only in part.

    Use it when a random part of the pool was judged and the rest has negative grades. On complete judgments it is
    close to ap.
    """
    relevant = a.slots.grade >= rel
    rel_above = a.running(relevant) - 1
    junk_above = a.running((a.slots.grade >= 0) & ~relevant)
    pooled_above = a.running(a.slots.grade < 0)
    above = a.slots.slot - 1.0
    in_pool = (rel_above + junk_above + pooled_above) / np.maximum(above, 1)
    precise = (rel_above + _INFAP_EPSILON) / (rel_above + junk_above + 2 * _INFAP_EPSILON)
    expected = 1 / a.slots.slot + (above / a.slots.slot) * in_pool * precise
    return a.slot_terms(np.where(above == 0, 1.0, expected) * relevant, over=a.relevant(rel))


@measure(
    aliases=("rank_biased_precision", "rbp_{p}", "rbp{p}"),
    formula="(1 - p) x sum over relevant slots s of p^(s - 1)",
    trend="up",
    bounded_by_unjudged=True,
    reference="Moffat and Zobel 2008",
    perfect=True,
)
def rbp(a: Alignment, *, p: Persistence = 0.8, k: Cutoff = None, rel: Grade = 1) -> Terms:
    """Expected share of relevant slots seen by a reader who goes on to the next slot with probability p.

    Use it when you know how patient readers are. It needs no count of relevant items; rbp_residual says what the
    unjudged slots could add.
    """
    relevant = (a.slots.grade >= rel) & a.slots.within(k)
    return a.slot_terms((1 - p) * relevant * p ** (a.slots.slot - 1.0))


@measure(
    aliases=("rbp_resid",),
    formula="p^n + (1 - p) x sum over unjudged slots s of p^(s - 1), n slots looked at",
    higher_is_better=None,
    reference="Moffat and Zobel 2008",
    trend="down",
)
def rbp_residual(a: Alignment, *, p: Persistence = 0.8, k: Cutoff = None) -> Terms:
    """How much rbp could still rise: what the unjudged slots and those beyond the end of the list may hold.

    Use it beside rbp: the true value lies between rbp and rbp + rbp_residual.
    """
    query, slot = a.judged_slots(k)
    known = (1 - p) * summed(query, p ** (slot - 1.0), a.queries)
    return a.query_terms(np.maximum(0.0, 1.0 - known))


@measure(
    aliases=("err_{k}",),
    formula="sum over slots s of 1/s x R(s) x product over slots above of (1 - R), R = (2^grade - 1) / 2^max_grade",
    trend="up",
    bounded_by_unjudged=True,
    reference="Chapelle et al. 2009; gdeval",
    perfect=True,
)
def err(a: Alignment, *, max_grade: MaxGrade = 4, k: Cutoff = None) -> Terms:
    """Expected reciprocal of the rank at which a reader is satisfied, better items satisfying more surely.

    Use it for graded judgments where one excellent result makes the rest worthless. `max_grade` is the best grade of
    your scale.
    """
    highest = a.items.grade.max(initial=0)
    if highest > max_grade:
        message = f"a grade is {highest:g} and err takes grades up to {max_grade}"
        raise UsageError.of("E272", message, fix=f"write err(max_grade={highest:g})")
    satisfied = (np.exp2(np.maximum(a.slots.grade, 0)) - 1) / 2.0**max_grade
    through = running_product(1 - satisfied, a.slots.query, a.queries)
    first = segment_starts(a.slots.query, a.queries)[a.slots.query] == np.arange(through.size)
    still_looking = np.where(first, 1.0, np.roll(through, 1))
    return a.slot_terms(a.slots.within(k) * satisfied * still_looking / a.slots.slot)


@measure(
    aliases=("q", "Q_measure"),
    formula="sum over relevant slots s of (C(s) + beta cg(s)) / (s + beta cgi(s)) / relevant items",
    perfect=True,
    reference="Sakai 2004",
)
def q_measure(a: Alignment, *, beta: Positive = 1, rel: Grade = 1) -> Terms:
    """Average precision for graded judgments: counts relevant slots and cumulates their gain against the ideal.

    Use it when grades matter and normalised gain is too forgiving of late ranks.
    """
    relevant = a.slots.grade >= rel
    gain = np.where(relevant, a.slots.grade, 0.0)
    ideal = ideal_gain_at(a, np.where(a.items.grade >= rel, a.items.grade, 0.0), a.slots.slot)
    blended = (a.running(relevant) + beta * a.running(gain)) / (a.slots.slot + beta * ideal)
    return a.slot_terms(relevant * blended, over=a.relevant(rel))


def ideal_gain_at(a: Alignment, gains: Floats, ranks: Ints) -> Floats:
    """Return, for the rank of each slot, the sum of the ideal list's gains up to there; gains by item, best first."""
    along = running_sum(gains, a.items.query, a.queries)
    starts = segment_starts(a.items.query, a.queries)[a.slots.query]
    sizes = np.bincount(a.items.query, minlength=a.queries)[a.slots.query]
    return along[starts + np.minimum(ranks, sizes) - 1]


@measure(
    aliases=(("Accuracy", {"pairs": "returned"}), "accuracy_{k}"),
    formula="pairs of a relevant slot above a not relevant one / all such pairs among the first k slots",
    reference="ir_measures Accuracy",
)
def accuracy(a: Alignment, *, k: Cutoff = None, rel: Grade = 1, pairs: Pairs = "judged") -> Terms:
    """Share of the pairs of a relevant and a not relevant slot that stand in the right order.

    Use it to see the order alone, whatever was found. `pairs=judged` passes over unjudged slots; `pairs=returned`
    takes them as not relevant. Without any such pair it is 0.
    """
    inside = np.asarray(a.slots.within(k)) & np.ones(a.slots.slot.size, bool)
    relevant = (a.slots.grade >= rel) & inside
    good = a.count_slots(relevant)
    if pairs == "judged":
        junk = (a.slots.grade >= 0) & ~relevant & inside
        above, bad = a.running(junk), a.count_slots(junk)
    else:
        above, bad = a.slots.slot - a.running(relevant), a.slots_within(k) - good
    return a.slot_terms(relevant * (a.at(bad) - above), over=good * bad)


@measure(
    aliases=("Compat",),
    formula="RBO(ranking, ideal) / RBO(ideal, ideal), both to the depth of the longer list",
    perfect=True,
    reference="Clarke, Vtyurina and Smucker 2021",
)
def compatibility(a: Alignment, *, p: Persistence = 0.95, normalize: Flag = True) -> Terms:
    """Rank-biased overlap between the ranking and the best ranking of the judged items.

    Use it when judgments are preferences rather than gains: only their order counts.
    """
    wanted = a.items.grade > 0
    place = _closest_ideal(a, wanted)
    depth = np.maximum(a.returned, a.count(wanted).astype(np.int64))
    deepest = int(depth.max(initial=0))
    weights = p ** np.arange(deepest, dtype=np.float64)
    tail = np.append(0.0, np.cumsum(weights / np.arange(1, deepest + 1)))
    mine = depth[a.items.query]
    met = np.maximum(place, a.items.slot)
    overlap = np.where(wanted & (a.items.slot > 0), tail[mine] - tail[np.maximum(met, 1) - 1], 0.0)
    if normalize:
        best = np.where(wanted, tail[mine] - tail[np.maximum(place, 1) - 1], 0.0)
        over = summed(a.items.query, best, a.queries)
    else:
        over = np.append(0.0, np.cumsum(weights))[depth]
    return a.item_terms(overlap, over=over)


def _closest_ideal(a: Alignment, wanted: np.ndarray) -> Ints:
    """Return the place of each wanted item in the ideal order that, among equal grades, is closest to the ranking."""
    slot = np.where(a.items.slot > 0, a.items.slot, np.iinfo(np.int64).max)
    order = np.lexsort((slot, -a.items.grade, a.items.query))
    place = np.empty(order.size, np.int64)
    place[order] = a.items.place
    return np.where(wanted, place, 0)

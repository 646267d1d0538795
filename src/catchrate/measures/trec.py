"""Measures that only trec_eval has, for people who must reproduce a number. New work has better ones."""

from __future__ import annotations

import numpy as np

from catchrate.measures.arrays import Alignment, Ints, log2, places, running_sum, segment_starts
from catchrate.measures.gains import gain_of, ideal_gains
from catchrate.measures.parameters import Gains, Grade, Number, Persistence, Size
from catchrate.measures.ranks import ap, ideal_gain_at, rbp_residual
from catchrate.measures.registry import measure
from catchrate.measures.sets import precision, recall
from catchrate.measures.terms import Combined, Floats, Terms, summed

_UNBOUNDED = (-float("inf"), float("inf"))


@measure(
    aliases=("SetAP",),
    formula="precision x recall over everything returned",
    reference="trec_eval set_map",
    perfect=True,
    bounded_by_unjudged=True,
)
def set_map(a: Alignment, *, rel: Grade = 1) -> Combined:
    """Precision times recall over everything returned.

    Use it to reproduce trec_eval's set_map only; f1 is the usual blend.
    """
    return Combined(np.multiply, (precision(a, rel=rel), recall(a, rel=rel)), ("precision", "recall"))


@measure(
    formula="p1 x relevant returned + p2 x junk returned + p3 x relevant missed + p4 x the rest of the collection",
    range=_UNBOUNDED,
    reference="trec_eval utility",
    bounded_by_unjudged=True,
)
def utility(
    a: Alignment,
    *,
    p1: Number = 1,
    p2: Number = -1,
    p3: Number = 0,
    p4: Number = 0,
    collection: Size = 0,
    rel: Grade = 1,
) -> Terms:
    """Gains and costs of returning and not returning, counted over the whole list.

    Use it to reproduce filtering tracks. `collection` is the number of documents there are.
    """
    found = a.count_slots(a.slots.grade >= rel)
    junk = a.returned - found
    missed = a.relevant(rel) - found
    rest = float(collection) - found - junk - missed
    return a.query_terms(p1 * found + p2 * junk + p3 * missed + p4 * rest)


@measure(
    formula="ln((1 + S) / (1 + R - S)), S = sum of the precisions at the relevant slots, R relevant items",
    range=_UNBOUNDED,
    reference="trec_eval 10 yaap (Robertson 2006)",
    perfect=True,
)
def yaap(a: Alignment, *, rel: Grade = 1) -> Terms:
    """Average precision on a logit scale, so that changes near 0 and near 1 weigh more.

    Use it to reproduce trec_eval's yaap.
    """
    found, wanted = ap(a, rel=rel).sums(), a.relevant(rel)
    return a.query_terms(np.log((1 + found) / (1 + wanted - found)))


@measure(
    name="bin_g",
    aliases=("binG",),
    formula="sum over relevant slots of 1 / log2(2 + junk above) / relevant items",
    perfect=True,
    reference="trec_eval binG",
)
def bin_g(a: Alignment, *, rel: Grade = 1) -> Terms:
    """Relevant slots discounted by the junk above them, not by their rank.

    Use it to reproduce trec_eval's binG.
    """
    relevant = a.slots.grade >= rel
    junk_above = a.slots.slot - a.running(relevant)
    return a.slot_terms(relevant / log2(2 + junk_above.astype(np.int64)), over=a.relevant(rel))


@measure(
    name="g",
    aliases=("G",),
    formula="sum over slots of gain / log2(2 + cost so far - gain so far) / sum of all gains",
    range=(0.0, float("inf")),
    reference="trec_eval G",
    perfect=True,
)
def g(a: Alignment, *, gains: Gains = None) -> Terms:
    """Gain discounted by how far the list has fallen behind the ideal list.

    Use it to reproduce trec_eval's G.
    """
    gain = gain_of(a.slots.grade, "linear", gains)
    query, best = ideal_gains(a, "linear", gains)
    paying = np.where(best >= 1, best, 0.0)
    count = summed(query, best >= 1, a.queries)
    cost = ideal_gain_at(a, paying, a.slots.slot) + np.maximum(0.0, a.slots.slot - a.at(count))
    total = summed(query, best, a.queries)
    return a.slot_terms(gain / np.log2(2 + cost - a.running(gain)), over=total)


class _Curves:
    """The cumulated discounted gain of a run and of its ideal list, to be read at any rank."""

    def __init__(self, a: Alignment, gains: Gains) -> None:
        gain = gain_of(a.slots.grade, "linear", gains)
        query, best = ideal_gains(a, "linear", gains)
        self.query, self.best = query[best > 0], best[best > 0]
        self.place = places(self.query, a.queries)
        self.wanted = np.bincount(self.query, minlength=a.queries)
        self._run = a.running(gain / log2(a.slots.slot + 1))
        self._ideal = running_sum(self.best / log2(self.place + 1), self.query, a.queries)
        self._starts = segment_starts(self.query, a.queries)
        self._key = _key(a.slots.query, a.slots.slot)
        self.found = gain > 0

    def run(self, query: Ints, rank: Ints) -> Floats:
        """Return the run's gain up to a rank."""
        row = np.searchsorted(self._key, _key(query, rank), side="right")
        before = np.searchsorted(self._key, _key(query, np.zeros_like(rank)), side="right")
        return np.where(row > before, np.append(self._run, 0.0)[row - 1], 0.0)

    def ideal(self, query: Ints, rank: Ints) -> Floats:
        """Return the ideal list's gain up to a rank; it stays where the list ends."""
        return self._ideal[self._starts[query] + np.minimum(rank, self.wanted[query]) - 1]


def _key(query: Ints, rank: Ints) -> Ints:
    return query * (1 << 40) + rank


@measure(
    formula="mean over items with a gain of dcg / ideal dcg at their rank; at the end of both lists for missed ones",
    perfect=True,
    reference="trec_eval ndcg_rel",
)
def ndcg_rel(a: Alignment, *, gains: Gains = None) -> Terms:
    """Normalised gain averaged over the ranks of the relevant items.

    Use it to reproduce trec_eval's ndcg_rel.
    """
    curves = _Curves(a, gains)
    query, rank = a.slots.query[curves.found], a.slots.slot[curves.found]
    at_found = summed(query, curves.run(query, rank) / curves.ideal(query, rank), a.queries)
    missed = curves.wanted - np.bincount(query, minlength=a.queries)
    some = np.flatnonzero(missed)
    at_end = np.zeros(a.queries)
    at_end[some] = missed[some] * curves.run(some, a.returned[some]) / curves.ideal(some, curves.wanted[some])
    return a.query_terms(at_found + at_end, over=curves.wanted)


@measure(
    formula="mean of dcg / ideal dcg at the last rank of each level of gain in the ideal list, and at the run's end "
    "when the run is longer by two slots or more",
    perfect=True,
    reference="trec_eval Rndcg",
)
def rndcg(a: Alignment, *, gains: Gains = None, rel: Grade = 1) -> Terms:
    """Normalised gain averaged over the ranks at which the ideal list steps down.

    Use it to reproduce trec_eval's Rndcg. A query without a relevant item is 0, whatever its gains.
    """
    curves = _Curves(a, gains)
    steps = np.ones(curves.query.size, bool)
    steps[:-1] = (curves.query[1:] != curves.query[:-1]) | (curves.best[1:] != curves.best[:-1])
    query, rank = curves.query[steps], curves.place[steps]
    past = np.flatnonzero((a.returned > curves.wanted + 1) & (curves.wanted > 0))
    query, rank = np.append(query, past), np.append(rank, a.returned[past])
    shares = curves.run(query, rank) / curves.ideal(query, rank)
    steps_of = np.where(a.relevant(rel) > 0, np.bincount(query, minlength=a.queries), 0)
    return a.query_terms(summed(query, shares, a.queries), over=steps_of)


@measure(
    formula="(1 - p) x sum over slots s of gain(s) x p^(s - 1); gains are divided by the largest one above 1",
    reference="trec_eval 10 rbp",
    perfect=True,
    bounded_by_unjudged=True,
)
def trec_rbp(a: Alignment, *, p: Persistence = 0.9, gains: Gains = None) -> Terms:
    """Rank-biased precision with graded gains.

    Use it to reproduce trec_eval's rbp, which counts grades and no relevance level; rbp is the usual measure.
    """
    gain = gain_of(a.slots.grade, "linear", gains) / a.at(_largest_gain(a, gains))
    return a.slot_terms((1 - p) * gain * p ** (a.slots.slot - 1.0))


def _largest_gain(a: Alignment, gains: Gains) -> Floats:
    """Return for each query the largest gain of any grade up to its best one, held or not; at least 1."""
    given = dict(gains or ())
    highest = np.zeros(a.queries)
    np.maximum.at(highest, a.items.query, a.items.grade)
    for grade in sorted(given, reverse=True):
        highest = np.where(highest == grade, highest - 1, highest)
    return np.maximum(highest, max(1.0, *given.values()) if given else 1.0)


@measure(
    formula="rbp_residual where any returned slot is unjudged, else 0",
    higher_is_better=None,
    reference="trec_eval 10 rbp_resid",
)
def trec_rbp_resid(a: Alignment, *, p: Persistence = 0.9) -> Terms:
    """How much rbp could still rise, but 0 where every returned slot is judged.

    Use it to reproduce trec_eval's rbp_resid, which forgets what lies beyond the end of a judged list; rbp_residual
    does not.
    """
    unjudged = a.returned > a.judged_within(None)
    return a.query_terms(unjudged * rbp_residual(a, p=p).sums())

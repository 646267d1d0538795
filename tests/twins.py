"""A slow, readable twin of every measure, written from its definition: plain Python over one query.

A twin knows nothing of arrays. It takes a `Query` and the parameters of its row, and returns one number.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

Twin = Callable[..., float]
TWINS: dict[str, Twin] = {}
"""The twin of each row of the table, by the row's name."""


def twin(function: Twin) -> Twin:
    """Register a twin under its own name."""
    TWINS[function.__name__] = function
    return function


@dataclass(frozen=True)
class Query:
    """One query: the judged items that each returned slot holds, and the grade of every judged item."""

    slots: tuple[frozenset[str], ...]
    grades: Mapping[str, float]
    lengths: tuple[int, ...] = ()
    """How long each slot is."""
    held: tuple[range, ...] = ()
    """The characters that each slot holds, of one document."""
    gold: Mapping[str, range] = field(default_factory=dict)
    """The characters of each judged item."""

    def new(self) -> list[float | None]:
        """Return the best grade that is new at each slot; None where nothing is."""
        seen: set[str] = set()
        best: list[float | None] = []
        for items in self.slots:
            fresh = [self.grades[item] for item in items - seen]
            best.append(max(fresh) if fresh else None)
            seen |= items
        return best

    def ranked(self, k: int | None = None) -> Iterator[tuple[int, float]]:
        """Yield slot and best new grade of each slot that holds something new, among the first k."""
        yield from ((slot, grade) for slot, grade in enumerate(self.new()[:k], 1) if grade is not None)

    def relevant(self, rel: float) -> set[str]:
        """Return the relevant items."""
        return {item for item, grade in self.grades.items() if grade >= rel}

    def found(self, k: int | None = None) -> set[str]:
        """Return the items that the first k slots hold."""
        return set().union(*self.slots[:k])

    def good(self, rel: float, k: int | None = None) -> list[int]:
        """Return the slots with a relevant item that is new there."""
        return [slot for slot, grade in self.ranked(k) if grade >= rel]

    def judged_slots(self, k: int | None = None) -> list[int]:
        """Return the slots that hold an item somebody judged, new or not."""
        held = enumerate(self.slots[:k], 1)
        return [slot for slot, items in held if any(self.grades[item] >= 0 for item in items)]

    def within_budget(self, budget: int | None) -> Query:
        """Cut the list before the slot that makes it longer than a budget."""
        fits = [budget is None or sum(self.lengths[: slot + 1]) <= budget for slot in range(len(self.slots))]
        return Query(self.slots[: sum(fits)], self.grades, held=self.held[: sum(fits)], gold=self.gold)

    def only_judged(self) -> Query:
        """Drop the slots without a judged item."""
        known = [frozenset(item for item in items if self.grades[item] >= 0) for items in self.slots]
        held = tuple(held for items, held in zip(known, self.held, strict=False) if items)
        return Query(tuple(items for items in known if items), self.grades, held=held, gold=self.gold)


def share(upper: float, lower: float, empty: float = 0.0) -> float:
    """Divide, where there is something to divide by."""
    return upper / lower if lower else empty


# -- sets ---------------------------------------------------------------------------------------------------------


@twin
def recall(q: Query, k: int | None = None, rel: float = 1) -> float:
    return share(len(q.relevant(rel) & q.found(k)), len(q.relevant(rel)))


@twin
def hit(q: Query, k: int | None = None, rel: float = 1) -> float:
    return float(bool(q.relevant(rel) & q.found(k)))


@twin
def miss(q: Query, k: int | None = None, rel: float = 1) -> float:
    return float(not q.relevant(rel) & q.found(k))


@twin
def precision(q: Query, k: int | None = None, rel: float = 1) -> float:
    return share(len(q.good(rel, k)), len(q.slots) if k is None else k)


@twin
def f(q: Query, beta: float = 1, k: int | None = None, rel: float = 1) -> float:
    p, r = precision(q, k, rel), recall(q, k, rel)
    return share((1 + beta**2) * p * r, beta**2 * p + r)


@twin
def f1(q: Query, k: int | None = None, rel: float = 1) -> float:
    p, r = precision(q, k, rel), recall(q, k, rel)
    return share(2 * p * r, p + r)


@twin
def recall_all(q: Query, k: int | None = None, rel: float = 1) -> float:
    return float(bool(q.relevant(rel)) and q.relevant(rel) <= q.found(k))


@twin
def coverage_gap(q: Query, k: int | None = None, rel: float = 1) -> float:
    return share(len(q.relevant(rel) - q.found(k)), len(q.relevant(rel)), empty=1.0)


@twin
def pooled_recall(q: Query, k: int | None = None, rel: float = 1) -> float:
    return recall(q, k, rel)


@twin
def pooled_precision(q: Query, k: int | None = None, rel: float = 1) -> float:
    return share(len(q.good(rel, k)), len(q.slots[:k]))


@twin
def pooled_f1(q: Query, k: int | None = None, rel: float = 1) -> float:
    p, r = pooled_precision(q, k, rel), recall(q, k, rel)
    return share(2 * p * r, p + r)


def _fitting(q: Query, k: int | None, rel: float) -> int:
    relevant = len(q.relevant(rel))
    return relevant if k is None else min(k, relevant)


@twin
def capped_recall(q: Query, k: int | None = None, rel: float = 1) -> float:
    return min(1.0, share(len(q.relevant(rel) & q.found(k)), _fitting(q, k, rel)))


@twin
def recall_ceiling(q: Query, k: int | None = None, rel: float = 1) -> float:
    return share(_fitting(q, k, rel), len(q.relevant(rel)))


@twin
def relative_precision(q: Query, k: int | None = None, rel: float = 1) -> float:
    room = len(q.slots) if k is None else k
    return share(len(q.good(rel, k)), min(room, len(q.relevant(rel))))


@twin
def r_precision(q: Query, times: float = 1, rel: float = 1) -> float:
    depth = int(times * len(q.relevant(rel)) + 0.9)
    return share(len(q.good(rel, depth)), depth)


@twin
def judged(q: Query, k: int | None = None) -> float:
    return share(len(q.judged_slots(k)), len(q.slots[:k]))


@twin
def unjudged(q: Query, k: int | None = None) -> float:
    return share(len(q.slots[:k]) - len(q.judged_slots(k)), len(q.slots) if k is None else k)


# -- ranks --------------------------------------------------------------------------------------------------------


@twin
def rr(q: Query, k: int | None = None, rel: float = 1) -> float:
    return next((1 / slot for slot in q.good(rel, k)), 0.0)


@twin
def ap(q: Query, k: int | None = None, rel: float = 1) -> float:
    precisions = [nth / slot for nth, slot in enumerate(q.good(rel, k), 1)]
    return share(sum(precisions), len(q.relevant(rel)))


@twin
def gm_ap(q: Query, k: int | None = None, rel: float = 1) -> float:
    return ap(q, k, rel)


@twin
def iprec(q: Query, level: float, rounding: str = "up", rel: float = 1) -> float:
    wanted = int(level * len(q.relevant(rel)) + (0.9 if rounding == "up" else 0.5))
    return max((nth / slot for nth, slot in enumerate(q.good(rel), 1) if nth >= wanted), default=0.0)


@twin
def iprec_avg(q: Query, rounding: str = "up", rel: float = 1) -> float:
    return sum(iprec(q, tenth / 10, rounding, rel) for tenth in range(11)) / 11


def _junk(q: Query, rel: float) -> list[int]:
    return [slot for slot, grade in q.ranked() if 0 <= grade < rel]


@twin
def bpref(q: Query, rel: float = 1) -> float:
    wanted = len(q.relevant(rel))
    known_junk = sum(0 <= grade < rel for grade in q.grades.values())
    total = 0.0
    for slot in q.good(rel):
        above = sum(junk < slot for junk in _junk(q, rel))
        total += 1 - min(above, wanted) / min(known_junk, wanted) if above else 1
    return share(total, wanted)


@twin
def gm_bpref(q: Query, rel: float = 1) -> float:
    return bpref(q, rel)


@twin
def infap(q: Query, rel: float = 1) -> float:
    tiny = 1e-5
    total = 0.0
    for nth, slot in enumerate(q.good(rel)):
        junk = sum(other < slot for other in _junk(q, rel))
        unknown = sum(other < slot for other, grade in q.ranked() if grade < 0)
        if slot == 1:
            total += 1
            continue
        pooled = (nth + junk + unknown) / (slot - 1)
        total += 1 / slot + (slot - 1) / slot * pooled * (nth + tiny) / (nth + junk + 2 * tiny)
    return share(total, len(q.relevant(rel)))


@twin
def rbp(q: Query, p: float = 0.8, k: int | None = None, rel: float = 1) -> float:
    return (1 - p) * sum(p ** (slot - 1) for slot in q.good(rel, k))


@twin
def rbp_residual(q: Query, p: float = 0.8, k: int | None = None) -> float:
    looked_at = range(1, len(q.slots[:k]) + 1)
    unknown = set(looked_at) - set(q.judged_slots(k))
    return p ** len(looked_at) + (1 - p) * sum(p ** (slot - 1) for slot in unknown)


@twin
def err(q: Query, max_grade: int = 4, k: int | None = None) -> float:
    total, looking = 0.0, 1.0
    for slot, grade in q.ranked(k):
        satisfied = (2 ** max(grade, 0) - 1) / 2**max_grade
        total += looking * satisfied / slot
        looking *= 1 - satisfied
    return total


@twin
def q_measure(q: Query, beta: float = 1, rel: float = 1) -> float:
    ideal = sorted((g for g in q.grades.values() if g >= rel), reverse=True)
    total = gained = 0.0
    for nth, (slot, grade) in enumerate(((s, g) for s, g in q.ranked() if g >= rel), 1):
        gained += grade
        total += (nth + beta * gained) / (slot + beta * sum(ideal[:slot]))
    return share(total, len(ideal))


@twin
def accuracy(q: Query, k: int | None = None, rel: float = 1, pairs: str = "judged") -> float:
    good = q.good(rel, k)
    other = set(range(1, len(q.slots[:k]) + 1)) - set(good)
    if pairs == "judged":
        other &= set(_junk(q, rel))
    right = sum(above < below for above in good for below in other)
    return share(right, len(good) * len(other))


@twin
def compatibility(q: Query, p: float = 0.95, normalize: bool = True) -> float:
    first = {item: slot for slot, items in reversed(list(enumerate(q.slots, 1))) for item in items}
    wanted = [item for item, grade in q.grades.items() if grade > 0]
    ideal = sorted(wanted, key=lambda item: (-q.grades[item], first.get(item, math.inf)))
    depths = range(1, max(len(q.slots), len(ideal)) + 1)
    overlap = sum(p ** (d - 1) * len(q.found(d) & set(ideal[:d])) / d for d in depths)
    most = sum(p ** (d - 1) * (min(d, len(ideal)) / d if normalize else 1) for d in depths)
    return share(overlap, most)


# -- gains --------------------------------------------------------------------------------------------------------

Table = tuple[tuple[float, float], ...] | None


def _gain(grade: float | None, gain: str = "linear", gains: Table = None) -> float:
    if grade is None:
        return 0.0
    if grade in dict(gains or ()):
        return dict(gains or ())[grade]
    return 2 ** max(grade, 0.0) - 1 if gain == "exponential" else max(grade, 0.0)


def _discounted(worth: list[float], discount: str) -> float:
    def by(slot: int) -> float:
        return math.log2(slot + 1) if discount == "log2" else max(1.0, math.log2(slot))

    return sum(value / by(slot) for slot, value in enumerate(worth, 1))


def _ideal(q: Query, gain: str = "linear", gains: Table = None) -> list[float]:
    return sorted((_gain(grade, gain, gains) for grade in q.grades.values()), reverse=True)


@twin
def dcg(q: Query, gain: str = "linear", gains: Table = None, discount: str = "log2", k: int | None = None) -> float:
    return _discounted([_gain(grade, gain, gains) for grade in q.new()[:k]], discount)


@twin
def ideal_dcg(
    q: Query, gain: str = "linear", gains: Table = None, discount: str = "log2", k: int | None = None
) -> float:
    return _discounted(_ideal(q, gain, gains)[:k], discount)


@twin
def ndcg(
    q: Query,
    gain: str = "linear",
    gains: Table = None,
    discount: str = "log2",
    ideal: str = "judged",
    k: int | None = None,
) -> float:
    best = ideal_dcg(q, gain, gains, discount, k)
    if ideal == "returned":
        worth = sorted((_gain(grade, gain, gains) for grade in q.new()[:k]), reverse=True)
        best = _discounted(worth, discount)
    return share(dcg(q, gain, gains, discount, k), best)


# -- trec_eval ----------------------------------------------------------------------------------------------------


@twin
def set_map(q: Query, rel: float = 1) -> float:
    return precision(q, None, rel) * recall(q, None, rel)


@twin
def utility(
    q: Query, p1: float = 1, p2: float = -1, p3: float = 0, p4: float = 0, collection: float = 0, rel: float = 1
) -> float:
    good = len(q.good(rel))
    junk, missed = len(q.slots) - good, len(q.relevant(rel)) - good
    return p1 * good + p2 * junk + p3 * missed + p4 * (collection - good - junk - missed)


@twin
def yaap(q: Query, rel: float = 1) -> float:
    total = sum(nth / slot for nth, slot in enumerate(q.good(rel), 1))
    return math.log((1 + total) / (1 + len(q.relevant(rel)) - total))


@twin
def bin_g(q: Query, rel: float = 1) -> float:
    good = q.good(rel)
    return share(sum(1 / math.log2(2 + slot - nth) for nth, slot in enumerate(good, 1)), len(q.relevant(rel)))


@twin
def g(q: Query, gains: Table = None) -> float:
    ideal = _ideal(q, gains=gains)
    total = cost = so_far = 0.0
    for rank, grade in enumerate(q.new()):
        cost += ideal[rank] if rank < len(ideal) and ideal[rank] >= 1 else 1
        so_far += _gain(grade, gains=gains)
        total += _gain(grade, gains=gains) / math.log2(2 + cost - so_far)
    return share(total, sum(ideal))


def _share_at(q: Query, gains: Table, rank: int) -> float:
    """Return the discounted gain of the run as a share of the ideal list's, both up to a rank."""
    return dcg(q, gains=gains, k=rank) / ideal_dcg(q, gains=gains, k=rank)


@twin
def ndcg_rel(q: Query, gains: Table = None) -> float:
    wanted = sum(gain > 0 for gain in _ideal(q, gains=gains))
    found = [slot for slot, grade in q.ranked() if _gain(grade, gains=gains) > 0]
    shares = [_share_at(q, gains, slot) for slot in found]
    if missed := wanted - len(found):
        shares += [dcg(q, gains=gains) / ideal_dcg(q, gains=gains)] * missed
    return share(sum(shares), wanted)


@twin
def rndcg(q: Query, gains: Table = None, rel: float = 1) -> float:
    best = [gain for gain in _ideal(q, gains=gains) if gain > 0]
    if not q.relevant(rel) or not best:
        return 0.0
    ranks = [rank for rank in range(1, len(best) + 1) if rank == len(best) or best[rank] != best[rank - 1]]
    if len(q.slots) > len(best) + 1:
        ranks.append(len(q.slots))
    return sum(_share_at(q, gains, rank) for rank in ranks) / len(ranks)


@twin
def trec_rbp(q: Query, p: float = 0.9, gains: Table = None) -> float:
    table = dict(gains or ())
    best = max(q.grades.values(), default=0)
    levels = {best, *range(math.floor(max(best, 0)) + 1)} - set(table)
    largest = max(1, *levels, *table.values())
    return (1 - p) * sum(_gain(grade, gains=gains) / largest * p ** (slot - 1) for slot, grade in q.ranked())


@twin
def trec_rbp_resid(q: Query, p: float = 0.9) -> float:
    return rbp_residual(q, p) if len(q.judged_slots()) < len(q.slots) else 0.0


# -- counts -------------------------------------------------------------------------------------------------------


def _characters(q: Query, k: int | None, rel: float) -> tuple[set[int], set[int]]:
    wanted = [set(q.gold[item]) for item in q.relevant(rel) if item in q.gold]
    return set().union(*wanted), set().union(*q.held[:k])


@twin
def char_recall(q: Query, k: int | None = None, rel: float = 1) -> float:
    wanted, held = _characters(q, k, rel)
    return share(len(wanted & held), len(wanted))


@twin
def char_precision(q: Query, k: int | None = None, rel: float = 1) -> float:
    wanted, held = _characters(q, k, rel)
    return share(len(wanted & held), len(held))


@twin
def char_iou(q: Query, k: int | None = None, rel: float = 1) -> float:
    wanted, held = _characters(q, k, rel)
    return share(len(wanted & held), len(wanted | held))


@twin
def num_q(q: Query) -> float:
    return 1.0


@twin
def num_ret(q: Query, k: int | None = None) -> float:
    return len(q.slots[:k])


@twin
def num_rel(q: Query, rel: float = 1) -> float:
    return len(q.relevant(rel))


@twin
def num_rel_ret(q: Query, k: int | None = None, rel: float = 1) -> float:
    return len(q.relevant(rel) & q.found(k))


@twin
def num_nonrel_judged_ret(q: Query, k: int | None = None, rel: float = 1) -> float:
    return sum(0 <= grade < rel for _, grade in q.ranked(k))

"""What a measure reads: which slots hit which items, as plain arrays. No ids, no texts, no files.

A *slot* is a rank of a query's result list, counted from 1. An *item* is a judged document (or gold text). A *hit* says
that a slot holds an item. With plain ids a slot holds at most one item; with matched texts it may hold several, and
an item may be hit by several slots (`repeat` marks all hits of an item but its first).

Recall counts items, each at its first slot. Precision, gain and everything weighted by rank count slots, each once, by
the best grade that is new there. So nothing is counted twice and no score leaves its range.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from catchrate.errors import InputError
from catchrate.measures.spans import SpanTable
from catchrate.measures.terms import Terms, summed

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class Hits:
    """One row a hit, by query, then slot, then grade from the best."""

    query: Ints
    slot: Ints
    item: Ints
    grade: Floats
    repeat: Mask

    def where(self, mask: Mask) -> Hits:
        """Return the hits that the mask keeps."""
        return Hits(self.query[mask], self.slot[mask], self.item[mask], self.grade[mask], self.repeat[mask])


@dataclass(frozen=True, slots=True, eq=False)
class Slots:
    """One row a slot that holds something new, by query, then slot: its best new grade."""

    query: Ints
    slot: Ints
    grade: Floats

    def within(self, k: float | None) -> Mask | bool:
        """Return which slots are among the first k; all of them without k."""
        return True if k is None else self.slot <= k


@dataclass(frozen=True, slots=True, eq=False)
class Items:
    """One row a judged item, by query, then grade from the best."""

    query: Ints
    grade: Floats
    slot: Ints
    """The first slot that holds the item; 0 when none does."""
    place: Ints
    """Place of the item in its query's ideal order, counted from 1."""

    def found_within(self, k: float | None) -> Mask:
        """Return which items are among the first k slots; without k, which were returned at all."""
        found = self.slot > 0
        return found if k is None else found & (self.slot <= k)


@dataclass(frozen=True, slots=True, eq=False)
class Lengths:
    """How long every returned slot is, one row a slot, by query, then slot: what a context budget is spent on."""

    query: Ints
    length: Ints
    """Tokens or characters, as the caller counts; 0 and above."""

    @property
    def slot(self) -> Ints:
        """The slot of each row, counted from 1."""
        return places(self.query, int(self.query.max(initial=-1)) + 1)

    @property
    def cumulative(self) -> Ints:
        """The length of the context down to each slot, this one included."""
        total = np.cumsum(self.length)
        starts = segment_starts(self.query, int(self.query.max(initial=-1)) + 1)
        return total - (total - self.length)[starts[self.query]] if total.size else total

    def where(self, mask: Mask) -> Lengths:
        """Return the rows that the mask keeps."""
        return Lengths(self.query[mask], self.length[mask])


@dataclass(frozen=True, slots=True, eq=False)
class Alignment:
    """Everything that any measure needs to know about one run. Its size is bounded by the judgments."""

    hits: Hits
    items: Items
    slots: Slots
    returned: Ints
    """How many slots each query returned."""
    lengths: Lengths | None = None
    """How long each returned slot is, where that is known."""
    spans: SpanTable | None = None
    """Where gold spans and returned spans stand, where spans were matched."""
    _relevant: dict[float, Floats] = field(default_factory=dict[float, Floats])
    """What `relevant` has counted, since most measures ask for the same."""

    @classmethod
    def of(
        cls,
        *,
        hits: Hits,
        item_query: Ints,
        item_grade: Floats,
        returned: Ints,
        lengths: Lengths | None = None,
        spans: SpanTable | None = None,
    ) -> Alignment:
        """Derive slots and items from hits; items come by query, then grade from the best."""
        fresh = hits.where(~hits.repeat) if hits.repeat.any() else hits
        first = np.zeros(item_query.size, np.int64)
        first[fresh.item] = fresh.slot
        items = Items(item_query, item_grade, first, places(item_query, returned.size))
        return cls(hits, items, _slots(fresh), returned, lengths, spans)

    @property
    def queries(self) -> int:
        """How many queries there are."""
        return self.returned.size

    # -- counting ---------------------------------------------------------------------------------------------------

    def count(self, items: Mask) -> Floats:
        """Count the marked items of each query."""
        return summed(self.items.query, items, self.queries)

    def relevant(self, rel: float) -> Floats:
        """Count the relevant items of each query."""
        if rel not in self._relevant:
            self._relevant[rel] = self.count(self.items.grade >= rel)
        return self._relevant[rel]

    def count_slots(self, slots: Mask) -> Floats:
        """Count the marked slots of each query."""
        return summed(self.slots.query, slots, self.queries)

    def slots_within(self, k: float | None) -> Floats:
        """Count the slots of each query that were returned among the first k."""
        returned = self.returned.astype(np.float64)
        return returned if k is None else np.minimum(returned, k)

    def judged_slots(self, k: float | None) -> tuple[Ints, Ints]:
        """Return query and number of each slot among the first k that holds a judged item, repeats included."""
        seen = self.hits.grade >= 0
        if k is not None:
            seen &= self.hits.slot <= k
        query, slot = self.hits.query[seen], self.hits.slot[seen]
        another = first_rows(query, slot)
        return query[another], slot[another]

    def judged_within(self, k: float | None) -> Floats:
        """Count the slots among the first k that hold a judged item, repeats included."""
        return np.bincount(self.judged_slots(k)[0], minlength=self.queries).astype(np.float64)

    # -- along a ranking --------------------------------------------------------------------------------------------

    def running(self, values: npt.ArrayLike) -> Floats:
        """Sum values along each query's slots, this one included, in rank order and without rounding tricks."""
        return running_sum(np.asarray(values), self.slots.query, self.queries)

    def at(self, per_query: Floats) -> Floats:
        """Repeat a value of each query for each of its slots."""
        return per_query[self.slots.query]

    def largest(self, values: Floats) -> Floats:
        """Return the largest value among each query's slots, 0 where there are none."""
        best = np.zeros(self.queries)
        np.maximum.at(best, self.slots.query, values)
        return best

    # -- terms ------------------------------------------------------------------------------------------------------

    def item_terms(self, values: npt.ArrayLike, over: npt.ArrayLike = 1.0) -> Terms:
        """Return a measure that adds one value an item."""
        return Terms.of("items", self.items.query, values, over, self.queries)

    def slot_terms(self, values: npt.ArrayLike, over: npt.ArrayLike = 1.0) -> Terms:
        """Return a measure that adds one value a slot."""
        return Terms.of("slots", self.slots.query, values, over, self.queries)

    def query_terms(self, values: npt.ArrayLike, over: npt.ArrayLike = 1.0) -> Terms:
        """Return a measure that has one value a query."""
        return Terms.of("queries", np.arange(self.queries), values, over, self.queries)

    # -- other views ------------------------------------------------------------------------------------------------

    def only_judged(self) -> Alignment:
        """Drop every slot without a judged item and close the gaps (trec_eval's -J)."""
        hits = self.hits.where(self.hits.grade >= 0)
        another = first_rows(hits.query, hits.slot)
        slot = running_sum(another.astype(np.float64), hits.query, self.queries).astype(np.int64)
        closed = Hits(hits.query, slot, hits.item, hits.grade, hits.repeat)
        returned = np.bincount(hits.query[another], minlength=self.queries)
        lengths = self.lengths
        if lengths is not None:
            starts = segment_starts(lengths.query, self.queries)
            lengths = Lengths(hits.query[another], lengths.length[(starts[hits.query] + hits.slot - 1)[another]])
        spans = self.spans and self.spans.only_slots(hits.query[another], hits.slot[another], slot[another])
        return self._with(closed, returned, lengths, spans)

    def first_slots(self, most: int | Ints) -> Alignment:
        """Cut every ranking after its first slots (trec_eval's -M), the same number or one for each query."""
        most = np.broadcast_to(np.asarray(most, np.int64), self.returned.shape)
        hits = self.hits.where(self.hits.slot <= most[self.hits.query])
        lengths = self.lengths and self.lengths.where(self.lengths.slot <= most[self.lengths.query])
        return self._with(hits, np.minimum(self.returned, most), lengths, self.spans and self.spans.first_slots(most))

    def slots_within_budget(self, budget: float) -> Ints:
        """Count, for each query, the first slots whose lengths together stay within a budget.

        Raises InputError where nobody knows how long slots are.
        """
        if self.lengths is None:
            fix = "give the texts of what was retrieved, or a column of lengths"
            raise InputError.of("E292", "a budget needs to know how long each slot is", fix=fix)
        fits = self.lengths.cumulative <= budget
        return np.bincount(self.lengths.query[fits], minlength=self.queries)

    def within_budget(self, budget: float) -> Alignment:
        """Cut every ranking where its slots together become longer than a budget."""
        return self.first_slots(self.slots_within_budget(budget))

    def _with(self, hits: Hits, returned: Ints, lengths: Lengths | None, spans: SpanTable | None) -> Alignment:
        """Return the same items with other hits."""
        return Alignment.of(
            hits=hits,
            item_query=self.items.query,
            item_grade=self.items.grade,
            returned=returned,
            lengths=lengths,
            spans=spans,
        )

    def some_queries(self, keep: Mask) -> Alignment:
        """Keep the marked queries only."""
        number = np.cumsum(keep) - 1
        kept_items = keep[self.items.query]
        item_number = np.cumsum(kept_items) - 1
        hits = self.hits.where(keep[self.hits.query])
        renumbered = Hits(number[hits.query], hits.slot, item_number[hits.item], hits.grade, hits.repeat)
        lengths = self.lengths and self.lengths.where(keep[self.lengths.query])
        return Alignment.of(
            hits=renumbered,
            item_query=number[self.items.query[kept_items]],
            item_grade=self.items.grade[kept_items],
            returned=self.returned[keep],
            lengths=lengths and Lengths(number[lengths.query], lengths.length),
            spans=self.spans and self.spans.some_queries(keep),
        )


def repeated(item: Ints, items: int) -> Mask:
    """Mark all hits of an item but its first."""
    held = np.zeros(items, bool)
    held[item] = True
    if np.count_nonzero(held) == item.size:
        return np.zeros(item.size, bool)
    rows = np.arange(item.size)
    first = np.zeros(items, np.int64)
    first[item[::-1]] = rows[::-1]
    return first[item] != rows


def _slots(fresh: Hits) -> Slots:
    """Keep, for each slot, its best new hit: the first one in the order of hits."""
    best = first_rows(fresh.query, fresh.slot)
    if not best.all():
        fresh = fresh.where(best)
    return Slots(fresh.query, fresh.slot, fresh.grade)


def first_rows(query: Ints, *columns: Ints) -> Mask:
    """Mark the first row of each query, or of each of its parts that differ in further columns; rows come in order."""
    first = np.ones(query.size, bool)
    first[1:] = query[1:] != query[:-1]
    for column in columns:
        first[1:] |= column[1:] != column[:-1]
    return first


def places(query: Ints, queries: int) -> Ints:
    """Return the place of each row among its query's rows, counted from 1; rows come by query."""
    sizes = np.bincount(query, minlength=queries)
    place = np.arange(1, query.size + 1)
    place -= np.repeat(np.cumsum(sizes) - sizes, sizes)
    return place


def segment_starts(query: Ints, queries: int) -> Ints:
    """Return the row at which each query's rows begin; rows come by query."""
    sizes = np.bincount(query, minlength=queries)
    return np.cumsum(sizes) - sizes


def running_sum(values: Floats | Mask, query: Ints, queries: int) -> Floats:
    """Sum along each query's rows in their order.

    Whole numbers whose sums are exact in any order take one pass over all rows. Others are added row by row, all
    queries side by side, so that a query's sums never depend on its neighbours.
    """
    if values.size == 0:
        return values.astype(np.float64)
    if values.dtype != np.bool_ and (np.any(values != np.floor(values)) or np.abs(values).sum() >= _EXACT):
        return _fold_along(np.add, values.astype(np.float64), query, segment_starts(query, queries))
    sizes = np.bincount(query, minlength=queries)
    starts = np.cumsum(sizes) - sizes
    total = np.cumsum(values, dtype=np.float64)
    before = np.where(starts > 0, total[starts - 1], 0.0)
    return total - np.repeat(before, sizes)


_EXACT = 2.0**53
"""From here on, not every whole number is a 64-bit float."""


def running_product(values: Floats, query: Ints, queries: int) -> Floats:
    """Multiply along each query's rows in their order."""
    return _fold_along(np.multiply, values, query, segment_starts(query, queries)) if values.size else values


def _fold_along(fold: np.ufunc, values: Floats, query: Ints, starts: Ints) -> Floats:
    """Fold along each query's rows: step by step over all queries, or query by query, whichever takes fewer steps."""
    sizes = np.bincount(query, minlength=starts.size)
    out = values.copy()
    if sizes.max() > np.count_nonzero(sizes):
        for start, size in zip(starts.tolist(), sizes.tolist(), strict=True):
            out[start : start + size] = fold.accumulate(values[start : start + size])
        return out
    by_size = np.argsort(-sizes, kind="stable")
    starts, sizes = starts[by_size], sizes[by_size]
    longer = np.searchsorted(-sizes, -np.arange(1, sizes[0]), side="left")
    for step, count in enumerate(longer.tolist(), start=1):
        rows = starts[:count] + step
        out[rows] = fold(out[rows - 1], out[rows])
    return out


_log2_table = np.zeros(1)


def log2(numbers: Ints) -> Floats:
    """Return the binary logarithm of whole numbers from 1 upwards by the C library.

    NumPy's own differs in the last bit between processors, and the reference tools use the C library's. Ranks repeat,
    so a table serves; where few ranks are very deep, only these are computed.
    """
    global _log2_table
    largest = int(numbers.max(initial=1))
    if largest > 100_000 + 4 * numbers.size:
        distinct, back = np.unique(numbers, return_inverse=True)
        return np.array([math.log2(n) for n in distinct.tolist()])[back]
    if largest >= _log2_table.size:
        size = max(largest + 1, 2 * _log2_table.size)
        _log2_table = np.append(0.0, np.fromiter(map(math.log2, range(1, size)), np.float64, size - 1))
    return _log2_table[numbers]

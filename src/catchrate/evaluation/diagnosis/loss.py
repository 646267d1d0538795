"""The loss account: where every relevant document is, found or lost, and what it was lost to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, cast, get_args

import numpy as np
import numpy.typing as npt

from catchrate.errors import UsageError, shown
from catchrate.evaluation.scores import Scores
from catchrate.evaluation.slices import slices_by
from catchrate.evaluation.totals import weights_of
from catchrate.measures import Alignment
from catchrate.measures.arrays import Floats, Ints, Mask, running_sum
from catchrate.measures.chosen import aggregate
from catchrate.measures.parameters import WHOLE
from catchrate.measures.terms import ratio
from catchrate.showing import Result

Fate = Literal["found", "ranked below k", "over the ceiling", "never returned", "nothing to find"]
"""What became of relevant documents. The last is no document: queries without any, which recall counts as 0."""
FATES: tuple[Fate, ...] = get_args(Fate)
FOUND, BELOW, CEILING, NEVER = range(4)
IRRELEVANT = -1
DEEPER = (20, 50, 100)
"""Where else one would look for what was not found in the first k."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One part of the relevant documents."""

    fate: Fate
    """What became of them."""
    share: float
    """Its share of recall: the mean over queries, each counting alike. The shares of all parts add up to 1."""
    documents: int
    """How many documents it holds."""
    of_documents: float | None
    """They as a share of all relevant documents of all queries together; None where there are none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Deeper:
    """What a larger k would find."""

    k: int
    recall: float
    """Mean recall at that k."""
    gain: float
    """By how much it is above recall at the k of the account."""
    documents: int
    """How many more documents are found."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True, repr=False)
class LossAccount(Result):
    """Where the relevant documents of a run are. `account["never returned"]` is one part of them."""

    k: int
    """How many slots count."""
    rel: float
    """The lowest grade that counts as relevant."""
    queries: int
    """How many queries there are."""
    relevant: int
    """How many relevant documents they have together."""
    depth: int
    """How many slots the longest list has."""
    parts: tuple[Part, ...]
    """The parts in the order of `FATES`; the share of what was found is recall@k."""
    deeper: tuple[Deeper, ...]
    """What larger k would find."""

    @property
    def recall(self) -> float:
        """Mean recall@k: the share of the part that was found."""
        return self.parts[FOUND].share

    @property
    def pooled_recall(self) -> float | None:
        """What was found of all relevant documents of all queries together; None where there are none."""
        return self.parts[FOUND].of_documents

    @property
    def largest_loss(self) -> Part | None:
        """The largest part that was not found; None where nothing was lost."""
        worst = max(self.parts[1:], key=lambda part: part.share)
        return worst if worst.share else None

    def __getitem__(self, fate: Fate) -> Part:
        if fate not in FATES:
            fix = f"choose one of {', '.join(FATES)}"
            raise UsageError.of("E332", f"a loss account has no part {shown(fate)}", fix=fix)
        return self.parts[FATES.index(fate)]

    def __repr__(self) -> str:
        parts = ", ".join(f"{part.fate} {part.share:.1%}" for part in self.parts if part.share)
        return f"LossAccount at {self.k} over {self.queries:,} {'query' if self.queries == 1 else 'queries'}: {parts}"


def loss_account(scores: Scores, k: int = 10) -> LossAccount:
    """Say of every relevant document whether the first k slots hold it, and if not, what it was lost to.

    Each is attributed once, in this order. *Never returned*: no rank holds it. *Ranked below k*: a slot among the first
    k that holds nothing relevant was free for it. *Over the ceiling*: returned, but its query has more relevant
    documents than k slots can hold. Shares are means over queries, as recall is, and add up to 1; what was found is
    recall@k to the last bit.

    Raises UsageError for a k that is no whole number above 0.

    >>> import catchrate
    >>> judged = {"q1": {"a": 1, "b": 1, "c": 1}, "q2": {"d": 1}}
    >>> scores = catchrate.evaluate(judged, {"q1": ["a", "x", "b"], "q2": ["d"]})
    >>> catchrate.loss_account(scores, 2)
    LossAccount at 2 over 2 queries: found 66.7%, ranked below k 16.7%, never returned 16.7%
    """
    return _Ledger(scores, checked_k(k)).account(None)


def loss_by(scores: Scores, by: str, k: int = 10) -> dict[str, LossAccount]:
    """Return the loss account of each slice of the queries; see `slices_by` for what parts them."""
    ledger = _Ledger(scores, checked_k(k))
    return {name: ledger.account(mask) for name, mask in slices_by(scores.aligned, by, rel=scores.rel)}


def checked_k(k: object) -> int:
    """Return a cut-off. Raises UsageError for anything but a whole number above 0."""
    return cast("int", WHOLE.checked("k", k))


def fates(arrays: Alignment, k: int, rel: float) -> npt.NDArray[np.int8]:
    """Return for each judged item its place in `FATES`; `IRRELEVANT` for items that are not relevant."""
    items = arrays.items
    fate = np.full(items.query.size, IRRELEVANT, np.int8)
    relevant = items.grade >= rel
    fate[relevant] = NEVER
    fate[relevant & items.found_within(k)] = FOUND
    lower = np.flatnonzero(relevant & (items.slot > k))
    held = arrays.count_slots((arrays.slots.grade >= rel) & arrays.slots.within(k))
    query, number, order = _by_slot(arrays, lower)
    fate[lower[order]] = np.where(number <= k - held[query], BELOW, CEILING)
    return fate


def _by_slot(arrays: Alignment, lower: Ints) -> tuple[Ints, Floats, Ints]:
    """Order some items by their slots; return their queries, the number of each one's slot in its query, the order."""
    query, slot = arrays.items.query[lower], arrays.items.slot[lower]
    order = np.lexsort((slot, query))
    query, slot = query[order], slot[order]
    new = np.ones(lower.size)
    new[1:] = (query[1:] != query[:-1]) | (slot[1:] != slot[:-1])
    return query, running_sum(new, query, arrays.queries), order


class _Ledger:
    """The fates of all items of a run, counted once for all slices."""

    def __init__(self, scores: Scores, k: int) -> None:
        self._k, self._rel = k, scores.rel
        self._arrays = scores.aligned.arrays
        self._weights = weights_of(scores.aligned.queries)
        fate = fates(self._arrays, k, self._rel)
        self._relevant = self._arrays.relevant(self._rel)
        self._counts = [self._arrays.count(fate == place) for place in range(len(FATES) - 1)]
        depth = int(self._arrays.returned.max(initial=0))
        self._deeper = {other: self._found_within(other) for other in deeper_cutoffs(k, depth)}

    def _found_within(self, k: int) -> Floats:
        items = self._arrays.items
        return self._arrays.count((items.grade >= self._rel) & items.found_within(k))

    def account(self, keep: Mask | None) -> LossAccount:
        """Return the account of the queries that are kept."""
        kept = slice(None) if keep is None else keep
        relevant = self._relevant[kept]
        weights = None if self._weights is None else self._weights[kept]
        total = int(relevant.sum())

        def part(fate: Fate, documents: Floats, shares: Floats) -> Part:
            count = int(documents.sum())
            share = aggregate("mean", shares, weights)
            return Part(fate=fate, share=share, documents=count, of_documents=count / total if total else None)

        counts = [count[kept] for count in self._counts]
        parts = [part(fate, count, ratio(count, relevant, 0.0)) for fate, count in zip(FATES, counts, strict=False)]
        barren = (relevant == 0).astype(np.float64)
        return LossAccount(
            k=self._k,
            rel=self._rel,
            queries=relevant.size,
            relevant=total,
            depth=int(self._arrays.returned[kept].max(initial=0)),
            parts=(*parts, part(FATES[-1], np.zeros(1), barren)),
            deeper=tuple(
                self._at(k, found[kept] - counts[FOUND], found[kept], relevant, weights)
                for k, found in self._deeper.items()
            ),
        )

    def _at(
        self,
        k: int,
        more: Floats,
        found: Floats,
        relevant: Floats,
        weights: Floats | None,
    ) -> Deeper:
        recall = aggregate("mean", ratio(found, relevant, 0.0), weights)
        gain = aggregate("mean", ratio(more, relevant, 0.0), weights)
        return Deeper(k=k, recall=recall, gain=gain, documents=int(more.sum()))


def deeper_cutoffs(k: int, depth: int) -> tuple[int, ...]:
    """Return where to look beyond k: up to the first place that no list reaches beyond."""
    wanted = [other for other in DEEPER if other > k] or [2 * k, 5 * k, 10 * k]
    short = sum(other < depth for other in wanted)
    return tuple(wanted[: short + 1]) if depth > k else ()

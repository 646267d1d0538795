"""Choosing k: what every cut-off finds and costs, and the smallest one that reaches a target."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from catchrate.evaluation.curve import Curve, curve, usual_cutoffs
from catchrate.evaluation.diagnosis.loss import checked_k, loss_account
from catchrate.evaluation.diagnosis.target import Target, target_of
from catchrate.evaluation.evaluate import remeasured
from catchrate.evaluation.intervals import refuse_other_numbers
from catchrate.evaluation.scores import Scores
from catchrate.evaluation.totals import weights_of
from catchrate.limits import MAX_NUMBER
from catchrate.measures import Measure
from catchrate.showing import Result
from catchrate.statistics import FEWEST, Interval

NAMES = ("recall", "precision", "hit")
Counted = Literal["tokens", "words"]
PROBES = 9
"""So many places are measured at once while one looks for the smallest."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One cut-off."""

    k: int
    recall: float
    precision: float
    hit: float
    gain: float
    """Recall gained over the cut-off before."""
    tokens: float | None
    """How many tokens the first k slots hold in the mean; None where nobody knows."""
    cost: float | None
    """What 1,000 queries cost at that length; None without a price."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reached:
    """Where a target is reached: the smallest k, or the smallest budget in tokens."""

    unit: Literal["k", "tokens"]
    point: int | None
    """The smallest at which the mean reaches it; None where none does."""
    sure: int | None
    """The smallest at which the lower end of the interval reaches it; None where none does."""
    interval: Interval | None
    """The interval there, or at the largest where none is sure."""
    most: float
    """The mean at the largest."""
    largest: int
    """The largest that was looked at: the longest list, or all of its tokens."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True, repr=False)
class Choice(Result):
    """What every cut-off finds and costs."""

    steps: tuple[Step, ...]
    """The cut-offs, rising."""
    curves: dict[str, Curve]
    """Recall, precision and hit rate with their bands, by name."""
    target: Target | None
    reached: tuple[Reached, ...]
    """Where the target is reached: by k, and by tokens where the length of each slot is known; empty without one."""
    never: float
    """Share of recall that no cut-off reaches: never returned, or nothing to find."""
    counted: Counted
    """What lengths are counted in: tokens, or the words of texts."""
    tokens: float | None
    """Tokens of a document, as they were given."""
    price: float | None
    """Price of a million tokens, as it was given."""


def choose_k(
    scores: Scores,
    target: str | Target | None = None,
    *,
    tokens: float | None = None,
    price: float | None = None,
    counted: Counted = "tokens",
) -> Choice:
    """Say what every cut-off finds and costs, and which is the smallest that reaches a target.

    `tokens` is the length of a document where the lengths are not known, and `price` that of a million tokens.
    `counted` says what known lengths are counted in; words have no price. The curves make their intervals when they
    are first asked for.

    Raises UsageError for a target that is none, and for a length or price that is not above 0.

    >>> import catchrate
    >>> scores = catchrate.evaluate({f"q{i}": {"a": 1} for i in range(30)}, {f"q{i}": ["x", "a"] for i in range(30)})
    >>> choice = catchrate.choose_k(scores, "hit@k >= 0.8")
    >>> choice.reached[0].sure, [step.recall for step in choice.steps]
    (2, [0.0, 1.0])
    """
    refuse_other_numbers("tokens", tokens, 1e-9, MAX_NUMBER)
    refuse_other_numbers("price", price, 0, MAX_NUMBER)
    wanted = None if target is None else target_of(target)
    ks = usual_cutoffs(scores)
    curves = {name: curve(scores, name, ks) for name in NAMES}
    depth = loss_account(scores, checked_k(ks[-1]))
    return Choice(
        steps=tuple(_steps(scores, curves, tokens, price if counted == "tokens" else None)),
        curves=curves,
        target=wanted,
        reached=() if wanted is None else tuple(_reached(scores, wanted, curves)),
        never=depth["never returned"].share + depth["nothing to find"].share,
        counted=counted,
        tokens=tokens,
        price=price,
    )


def _steps(scores: Scores, curves: dict[str, Curve], tokens: float | None, price: float | None) -> Iterator[Step]:
    before = 0.0
    rows = zip(curves["recall"].ks, *(curves[name].means for name in NAMES), strict=True)
    for k, recall, precision, hit in rows:
        length = mean_length(scores, k, tokens)
        cost = None if length is None or price is None else length * price / 1_000
        yield Step(k=k, recall=recall, precision=precision, hit=hit, gain=recall - before, tokens=length, cost=cost)
        before = recall


def mean_length(scores: Scores, k: int, tokens: float | None = None) -> float | None:
    """Return how many tokens the first k slots of a query hold in the mean."""
    arrays = scores.aligned.arrays
    if arrays.lengths is not None:
        within = arrays.lengths.slot <= k
        query, length = arrays.lengths.query[within], arrays.lengths.length[within]
        held = np.bincount(query, weights=length, minlength=arrays.queries)
    elif tokens is not None:
        held = arrays.slots_within(k) * tokens
    else:
        return None
    return float(np.average(held, weights=weights_of(scores.aligned.queries)))


def _reached(scores: Scores, target: Target, curves: dict[str, Curve]) -> Iterator[Reached]:
    known = curves["recall"]
    ready = known.scores if target.at() == known.measure else None
    yield _smallest(scores, target.value, "k", known.ks, target.at, ready)
    lengths = scores.aligned.arrays.lengths
    if lengths is not None and lengths.length.size:
        most = max(int(lengths.cumulative.max()), 1)
        budgets = [b for power in range(1, 10) for b in (10**power, 2 * 10**power, 5 * 10**power) if b < most]
        yield _smallest(scores, target.value, "tokens", [*budgets, most], lambda b: target.at(budget=b))


def _smallest(
    scores: Scores,
    value: float,
    unit: Literal["k", "tokens"],
    rough: Sequence[int],
    measure: Callable[[int], Measure],
    ready: Scores | None = None,
) -> Reached:
    """Find the smallest place that reaches a value: between two of the rough ones, then by more and more narrow steps.

    `ready` are the scores at the rough places, where they are there already: their intervals are not made twice.
    """
    at = ready or remeasured(scores, tuple(measure(place) for place in rough))
    known = dict(zip(rough, at.intervals(), strict=True))
    most, largest = at.means[-1], rough[-1]

    def means(places: Sequence[int]) -> list[float]:
        return list(remeasured(scores, tuple(map(measure, places))).means)

    def lows(places: Sequence[int]) -> list[float]:
        probed = remeasured(scores, tuple(map(measure, places)))
        known.update(zip(places, probed.intervals(), strict=True))
        return _lows(probed)

    if most < value:
        return Reached(unit=unit, point=None, sure=None, interval=known[largest], most=most, largest=largest)
    point = _first(means, value, _bracket(rough, at.means, value))
    ends = _lows(at)
    sure = _first(lows, value, _bracket(rough, ends, value)) if ends[-1] >= value else None
    interval = known[largest if sure is None else sure]
    return Reached(unit=unit, point=point, sure=sure, interval=interval, most=most, largest=largest)


def _lows(scores: Scores) -> list[float]:
    """Return the lower end of each interval; the mean where all queries agree, so that there is none to have."""
    pairs = zip(scores.means, scores.intervals(), strict=True)
    return [_agreed(mean, interval) if interval.low is None else interval.low for mean, interval in pairs]


def _agreed(mean: float, interval: Interval) -> float:
    return mean if interval.n >= FEWEST else -1.0


def _bracket(rough: Sequence[int], values: Sequence[float], value: float) -> tuple[int, int]:
    """Return the last rough place below the value, and the first that reaches it."""
    first = next(place for place, one in enumerate(values) if one >= value)
    return (rough[first - 1] if first else 0), rough[first]


def _first(measured: Callable[[Sequence[int]], list[float]], value: float, bracket: tuple[int, int]) -> int:
    """Return the first place after the lower end that reaches the value, which the upper end does."""
    below, reaching = bracket
    while reaching - below > 1:
        places = np.unique(np.linspace(below, reaching, PROBES + 2).astype(int))[1:-1].tolist()
        values = measured(places)
        place = next((i for i, one in enumerate(values) if one >= value), len(places))
        below, reaching = [below, *places, reaching][place : place + 2]
    return reaching

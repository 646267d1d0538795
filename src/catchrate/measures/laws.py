"""The laws that a measure declares, tested on random alignments.

Made for people who add measures of their own: a measure that passes can be trusted in reports, curves and gates.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator

import numpy as np

from catchrate.errors import CatchrateError, UsageError
from catchrate.measures.arrays import Alignment, Floats, Ints, Mask
from catchrate.measures.chosen import Measure, choose
from catchrate.measures.judging import judged_as
from catchrate.measures.names import parse
from catchrate.measures.samples import ideal, random_alignment, shown_query

Random = np.random.Generator
Broken = tuple[Mask, str]
"""The queries at which a law is broken, and what the measure should have done."""
Law = Callable[[Measure, Alignment, Random], Iterator[Broken]]

_CUTOFFS = (1, 2, 3, 5, 8)
_BUDGETS = (1, 40, 90, 200)
_CLOSE = 1e-9
"""Slack for sums that are added in another order."""


def check_measure(measure: str | Measure, *, trials: int = 50, seed: int = 0) -> None:
    """Test that a measure keeps the laws that its row declares, on random rankings.

    Every measure must return one finite number a query within its range, give the same numbers whenever it is asked and
    whichever queries stand beside each other, and read no more than the first k slots if it takes k. The laws `trend`,
    `binary`, `perfect` and `bounded_by_unjudged` are tested where the row declares them; the last two not
    under `gains` of your own, which may turn the order of grades around.

    Raises UsageError with the law and an example when one is broken.

    >>> from catchrate.measures.laws import check_measure
    >>> check_measure("recall@5")
    """
    chosen = parse(measure)
    random = np.random.default_rng(seed)
    highest = chosen.get("max_grade") or 4
    for trial in range(trials):
        arrays = random_alignment(random, highest=float(highest), one_to_one=trial % 2 == 0)  # type: ignore[arg-type]
        for law in LAWS:
            _hold(law, chosen, arrays, random)


def _hold(law: Law, measure: Measure, arrays: Alignment, random: Random) -> None:
    for where, should in law(measure, arrays, random):
        if where.any():
            example = shown_query(arrays, int(where.argmax()))
            raise UsageError.of("E276", f"{measure} should {should}; it does not for {example}", fix=FIX)


FIX = "correct the function, or what its row declares"


def _values(measure: Measure, arrays: Alignment) -> Floats:
    """Return one value a query, or say that the function failed."""
    try:
        values = np.asarray(measure.terms(arrays).per_query(measure.row.empty))
    except Exception as error:
        if isinstance(error, CatchrateError) and error.code != "E273":
            raise
        said = error.findings[0].message if isinstance(error, CatchrateError) else str(error)
        found = f"{type(error).__name__}: {said}"
        where = "; ".join(shown_query(arrays, query) for query in range(min(arrays.queries, 3)))
        raise UsageError.of("E276", f"{measure} fails with {found}, on {where}", fix="take every ranking") from error
    if values.shape != (arrays.queries,):
        message = f"{measure} returned {values.size} values for {arrays.queries} queries"
        raise UsageError.of("E273", message, fix="return one finite number a query")
    return values


def _plain(measure: Measure, k: int | None = None) -> Measure:
    """Return the measure on all slots, judged or not, perhaps at another cut-off."""
    parameters = dict(measure.parameters)
    return choose(measure.row, parameters if k is None else {**parameters, "k": k})


def _at_cutoffs(measure: Measure) -> list[Measure]:
    """Return the measure as it is and, if it takes k, at several of them."""
    cutoffs = _CUTOFFS if measure.row.parameter("k") else ()
    return [_plain(measure), *(_plain(measure, k) for k in cutoffs)]


def _number(measure: Measure, arrays: Alignment, _random: Random) -> Iterator[Broken]:
    values = _values(measure, arrays)
    low, high = measure.row.range
    yield ~np.isfinite(values), "be a finite number"
    yield (values < low - _CLOSE) | (values > high + _CLOSE), f"lie between {low:g} and {high:g}"
    mean = measure.mean(arrays, values)
    yield np.full(arrays.queries, not np.isfinite(mean)), "have a finite value over all queries"


def _binary(measure: Measure, arrays: Alignment, _random: Random) -> Iterator[Broken]:
    if measure.row.binary:
        values = _values(measure, arrays)
        yield (values != 0) & (values != 1), "be 0 or 1 (binary)"


def _same_again(measure: Measure, arrays: Alignment, _random: Random) -> Iterator[Broken]:
    yield _values(measure, arrays) != _values(measure, arrays), "give the same value when it is asked twice"


def _in_blocks(measure: Measure, arrays: Alignment, _random: Random) -> Iterator[Broken]:
    values = _values(measure, arrays)
    for size in (1, 2, 7):
        block = np.arange(arrays.queries) // size
        pieces = [_values(measure, arrays.some_queries(block == number)) for number in range(block.max() + 1)]
        yield values != np.concatenate(pieces), f"give the same value when {size} queries are measured at a time"


def _below_cutoff(measure: Measure, arrays: Alignment, _random: Random) -> Iterator[Broken]:
    for cut in _at_cutoffs(measure):
        k = cut.get("k")
        if isinstance(k, int):
            changed = np.abs(_values(cut, arrays) - _values(cut, arrays.first_slots(k))) > _CLOSE
            yield changed, f"read no slot below the cut-off {k}"


def _trend(measure: Measure, arrays: Alignment, _random: Random) -> Iterator[Broken]:
    if measure.row.trend == "none":
        return
    sign = 1 if measure.row.trend == "up" else -1
    curve = [sign * _values(_plain(measure, k), arrays) for k in _CUTOFFS]
    for before, after in itertools.pairwise(curve):
        yield after < before - _CLOSE, f"never {'fall' if sign > 0 else 'rise'} as k grows (trend)"


def _budget(measure: Measure, arrays: Alignment, _random: Random) -> Iterator[Broken]:
    """Where more slots never lower a measure, a larger budget does not either; and slots behind it are not read."""
    plain = measure.row.trend if measure.row.parameter("k") and measure.get("k") is None else "none"
    before = None
    for budget in _BUDGETS:
        cut = choose(measure.row, dict(measure.parameters), judged_only=measure.judged_only, budget=budget)
        values = _values(cut, arrays)
        changed = np.abs(values - _values(cut, arrays.within_budget(budget))) > _CLOSE
        yield changed, f"read no slot behind a budget of {budget}"
        if before is not None and plain != "none" and not measure.judged_only:
            moved = (values - before) * (1 if plain == "up" else -1)
            yield moved < -_CLOSE, f"never {'fall' if plain == 'up' else 'rise'} as the budget grows (trend)"
        before = values


def _one_to_one(arrays: Alignment) -> bool:
    return arrays.slots.slot.size == arrays.hits.slot.size


def _perfect(measure: Measure, arrays: Alignment, _random: Random) -> Iterator[Broken]:
    if not measure.row.perfect or measure.get("gains") or not _one_to_one(arrays):
        return
    sign = -1 if measure.row.higher_is_better is False else 1
    for cut in _at_cutoffs(measure):
        best, value = sign * _values(cut, ideal(arrays)), sign * _values(cut, arrays)
        yield value > best + _CLOSE, f"be best for the ideal ranking (perfect; as {cut})"


def _bounded_by_unjudged(measure: Measure, arrays: Alignment, random: Random) -> Iterator[Broken]:
    if not measure.row.bounded_by_unjudged or measure.get("gains"):
        return
    grade = max(1.0, float(measure.get("rel") or 1))  # type: ignore[arg-type]
    irrelevant, relevant = judged_as(arrays, np.zeros), judged_as(arrays, lambda n: np.full(n, grade))
    mixed = judged_as(arrays, lambda n: random.choice([np.nan, 0.0, grade], n))
    for cut in _at_cutoffs(measure):
        ends, value = (_values(cut, irrelevant), _values(cut, relevant)), _values(cut, mixed)
        outside = (value < np.minimum(*ends) - _CLOSE) | (value > np.maximum(*ends) + _CLOSE)
        yield outside, f"lie between its values with all unjudged slots irrelevant and all relevant (as {cut})"


def _order_of_equals(measure: Measure, arrays: Alignment, _random: Random) -> Iterator[Broken]:
    changed = np.abs(_values(measure, arrays) - _values(measure, _reversed_equals(arrays))) > _CLOSE
    yield changed, "not depend on the order of items with the same grade"


def _reversed_equals(arrays: Alignment) -> Alignment:
    """Number the items of one query and grade from the last to the first."""
    items = arrays.items
    order = np.lexsort((-np.arange(items.query.size), -items.grade, items.query))
    number: Ints = np.empty_like(order)
    number[order] = np.arange(order.size)
    hits = arrays.hits
    renamed = type(hits)(hits.query, hits.slot, number[hits.item], hits.grade, hits.repeat)
    return Alignment.of(
        hits=renamed,
        item_query=items.query,
        item_grade=items.grade,
        returned=arrays.returned,
        lengths=arrays.lengths,
        spans=arrays.spans,
    )


LAWS: tuple[Law, ...] = (
    _number,
    _binary,
    _same_again,
    _in_blocks,
    _below_cutoff,
    _trend,
    _budget,
    _perfect,
    _bounded_by_unjudged,
    _order_of_equals,
)
"""Every law; those that a row does not declare hold without being looked at."""

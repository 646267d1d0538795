"""The search for a printed number: each setting once, over every set of queries that people count."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

import numpy as np

from catchrate.alignment import Aligned, Policy
from catchrate.evaluation.elsewhere import OWN, TOOLS
from catchrate.evaluation.reconciling.number import TINY, Printed
from catchrate.evaluation.reconciling.result import Candidate, QueryChange, named
from catchrate.evaluation.reconciling.settings import MOST_STEPS, Join, Setting
from catchrate.evaluation.totals import weights_of
from catchrate.limits import MAX_SETTINGS
from catchrate.measures import Alignment, Terms
from catchrate.measures.arrays import Floats, Mask
from catchrate.measures.terms import in_order

ALWAYS = 2
"""Everything up to so many steps is always looked at; more only while nothing was found."""
SHOWN = 5
"""How many candidates, and nearest ones, are kept."""
NEAR = 10
"""How many times as wide the neighbourhood is by which chance is judged."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Base:
    """The number that was asked for."""

    values: Floats
    """One value a query."""
    counted: Mask
    """The queries that count."""


@dataclass(slots=True, eq=False)
class _Found:
    """One value, and everything that gives it query by query."""

    setting: Setting
    steps: int
    value: float
    changes: tuple[str, ...]
    values: Floats
    counted: Mask
    pooled: bool
    also: list[_Found] = field(default_factory=list["_Found"])

    @property
    def name(self) -> str:
        """What it is, in words."""
        definition = self.setting.definition
        return named(TOOLS[definition.tool].title, definition.name_at(self.setting.k), self.changes)


class Search:
    """Everything that was looked at."""

    def __init__(self, got: Printed, policy: Policy, joined: Callable[[Join], Aligned], base: Base) -> None:
        self._got = got
        self._policy = policy
        self._joined = joined
        self._base = base
        self._views: dict[tuple[Join, bool], Alignment] = {}
        self._seen: dict[bytes, _Found] = {}

    def run(self, tried: list[Setting]) -> None:
        """Look at one setting after the other until enough is known."""
        for number, setting in enumerate(tried):
            settled = setting.steps > ALWAYS and self._matches()
            if settled or number >= MAX_SETTINGS:
                return
            self._look(setting)

    @property
    def tried(self) -> int:
        """How many different values there were."""
        return len(self._seen)

    def found(self) -> tuple[Candidate, ...]:
        """Return what gives the number, the fewest steps first."""
        matches = sorted(self._matches(), key=lambda one: one.steps)
        most = max(ALWAYS, matches[0].steps) if matches else 0
        return tuple(self._candidate(one) for one in matches[:SHOWN] if one.steps <= most)

    def nearest(self) -> tuple[Candidate, ...]:
        """Return what comes nearest with few steps."""
        few = [one for one in self._seen.values() if one.steps <= ALWAYS]
        few.sort(key=lambda one: (abs(one.value - self._got.value), one.steps))
        return tuple(self._candidate(one) for one in few[:SHOWN])

    def by_chance(self) -> float:
        """Return how many of the values would give the number by chance, judged by how many lie around it."""
        half = max(self._got.half, TINY)
        away = np.array([abs(one.value - self._got.value) for one in self._seen.values()])
        around = np.count_nonzero((away > half) & (away <= NEAR * half))
        return float(around / (NEAR - 1))

    def _matches(self) -> list[_Found]:
        return [one for one in self._seen.values() if self._got.holds(one.value)]

    # -- one setting ------------------------------------------------------------------------------------------------

    def _look(self, setting: Setting) -> None:
        aligned = self._joined(setting.join)
        view = self._view(setting)
        values = setting.definition.per_query(view, setting.k, setting.rel)
        sums = _sums(setting, view)
        weights = weights_of(aligned.queries)
        for counted, steps, words in self._query_sets(setting, aligned, view):
            for pooled, value, more, added in _numbers(setting, view, values, sums, weights, counted):
                if setting.steps + steps + added <= MOST_STEPS:
                    changes = tuple(word for word in (*setting.changes, words, more) if word)
                    one = _Found(setting, setting.steps + steps + added, value, changes, values, counted, pooled)
                    self._keep(one, more)

    def _keep(self, one: _Found, how: str) -> None:
        """Keep a value, or the shorter of two ways to it."""
        key = how.encode() + one.values[one.counted].tobytes() + np.packbits(one.counted).tobytes()
        known = self._seen.get(key)
        if known is None:
            self._seen[key] = one
        elif one.steps < known.steps:
            self._seen[key] = replace(one, also=[*known.also, replace(known, also=[])])
        else:
            known.also.append(one)

    def _view(self, setting: Setting) -> Alignment:
        key = setting.join, setting.judged_only
        if key not in self._views:
            arrays = self._joined(setting.join).arrays
            self._views[key] = arrays.only_judged() if setting.judged_only else arrays
        return self._views[key]

    def _query_sets(self, setting: Setting, aligned: Aligned, view: Alignment) -> Iterator[tuple[Mask, int, str]]:
        """Yield the sets of queries that a mean may be over, how many steps away each is, and what it is called."""
        definition = setting.definition
        named = TOOLS[definition.tool].only_in_run or (definition.tool == OWN and self._policy.queries == "both")
        silent = np.zeros(aligned.in_run.size, bool)
        for some in definition.silences(view, setting.k, setting.rel).values():
            silent |= some
        missing, barren = ~aligned.in_run, view.relevant(setting.rel) == 0
        drop = f"with the {_queries(missing, 'missing')} dropped"
        keep = f"with the {_queries(missing, 'missing')} counted"
        alone = int(np.count_nonzero(barren & ~silent))
        without = (
            f"without the {_queries(barren & ~silent, '')} that {'has' if alone == 1 else 'have'} nothing relevant"
        )
        for leave_barren in (False, True) if alone else (False,):
            for leave_missing in (False, True) if missing.any() else (named,):
                counted = ~silent & ~(missing & leave_missing) & ~(barren & leave_barren)
                words = ([drop if leave_missing else keep] if leave_missing != named else []) + [without] * leave_barren
                if counted.any():
                    yield counted, len(words), ", ".join(words)

    # -- what is told -----------------------------------------------------------------------------------------------

    def _candidate(self, one: _Found) -> Candidate:
        definition, setting = one.setting.definition, one.setting
        alike = [other for other in one.also if other.steps <= one.steps + 1 and other.setting.k == setting.k]
        also = {id(definition): one.name}
        for other in sorted(alike, key=lambda other: other.steps):
            also.setdefault(id(other.setting.definition), other.name)
        names = [name for name in dict.fromkeys(also.values()) if name != one.name]
        return Candidate(
            tool=TOOLS[definition.tool].title,
            called=definition.name_at(setting.k),
            also=tuple(names[:SHOWN]),
            changes=one.changes,
            steps=one.steps,
            value=one.value,
            queries=int(np.count_nonzero(one.counted)),
            differs=definition.said(setting.k),
            says=TOOLS[definition.tool].says,
            made_by=() if one.pooled else tuple(self._made_by(one)),
        )

    def _made_by(self, one: _Found) -> Iterator[QueryChange]:
        base = self._base
        ours = np.where(base.counted, base.values, one.value)
        theirs = np.where(one.counted, one.values, one.value)
        other = (np.abs(ours - theirs) > TINY) | (base.counted != one.counted)
        names = self._joined("").queries["query"]
        for place in sorted(np.flatnonzero(other).tolist(), key=lambda row: -abs(ours[row] - theirs[row])):
            yield QueryChange(
                query=names[place],
                ours=float(base.values[place]) if base.counted[place] else None,
                theirs=float(one.values[place]) if one.counted[place] else None,
            )


def _queries(some: Mask, kind: str) -> str:
    count = int(np.count_nonzero(some))
    return f"{count:,} {kind} {'query' if count == 1 else 'queries'}".replace("  ", " ")


def _sums(setting: Setting, view: Alignment) -> tuple[Floats, Floats] | None:
    """Return numerator and denominator of each query, where there are just the two."""
    definition = setting.definition
    if definition.quirk is not None:
        return None
    measure = definition.our_measure(setting.k, setting.rel)
    terms = measure.terms(definition.seen(view, setting.k))
    return (terms.sums(), terms.over) if isinstance(terms, Terms) and measure.row.aggregate == "mean" else None


Number = tuple[bool, float, str, int]
"""Whether it is pooled, its value, what is done otherwise than usual, and how many steps that is."""


def _numbers(
    setting: Setting,
    view: Alignment,
    values: Floats,
    sums: tuple[Floats, Floats] | None,
    weights: Floats | None,
    counted: Mask,
) -> Iterator[Number]:
    """Yield the numbers that the values of some queries make together."""
    definition = setting.definition
    own = weights[counted] if weights is not None and definition.tool == OWN else None
    usual = definition.together(view, values, counted, setting.k, setting.rel, own)
    yield False, usual, "", 0
    if own is not None:
        same = definition.together(view, values, counted, setting.k, setting.rel, None)
        yield False, same, "with every query counting the same", 1
    if sums is not None:
        upper, lower = (in_order(side[counted]) for side in sums)
        if lower and abs(upper / lower - usual) > TINY:
            yield True, upper / lower, "pooled over all documents", 1

"""What a mean would be if the documents that nobody judged had been judged."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from catchrate.evaluation.intervals import refuse_other_numbers
from catchrate.evaluation.moved import depth_of
from catchrate.evaluation.scores import Scores
from catchrate.evaluation.totals import weights_of
from catchrate.limits import MAX_GRADE, SCENARIO_SLOTS
from catchrate.measures import Alignment, Measure
from catchrate.measures.arrays import Ints
from catchrate.measures.judging import all_judged


@dataclass(frozen=True, slots=True, kw_only=True)
class Scenario:
    """A mean, and what it would be under two extremes of what nobody judged."""

    measure: Measure
    """What was measured."""
    value: float
    """The mean as it was evaluated."""
    irrelevant: float
    """The mean if all unjudged documents that the measure looks at were irrelevant."""
    relevant: float
    """The mean if all of them were relevant, at one grade."""
    grade: float
    """That grade."""
    slots: int
    """How many slots of all queries hold unjudged documents."""
    bounds: bool
    """Whether these are bounds: however these documents were judged, up to that grade, the mean would lie between."""


def scenarios(scores: Scores, grade: float | None = None) -> dict[str, Scenario]:
    """Return what each mean would be with all unjudged documents irrelevant, and with all of them relevant.

    A measure with a cut-off looks at its first k slots, any other at the whole list. `grade` is what relevant ones get:
    the lowest grade that counts as relevant, when nobody says. Only some measures have bounds: a document that turns
    out to be relevant raises precision, but it may lower recall, nDCG and AP.

    Raises UsageError for a grade that is none.

    >>> import catchrate
    >>> scores = catchrate.evaluate({"q": {"a": 1}}, {"q": ["a", "x", "y"]}, "precision@2 recall@2")
    >>> found = catchrate.scenarios(scores)
    >>> found["precision@2"].irrelevant, found["precision@2"].relevant, found["precision@2"].bounds
    (0.5, 1.0, True)
    """
    refuse_other_numbers("grade", grade, 0, MAX_GRADE)
    judge = _Judge(scores, grade)
    return {str(measure): judge.scenario(place) for place, measure in enumerate(scores.measures)}


def shown_scenarios(scores: Scores, grade: float | None = None) -> dict[str, Scenario]:
    """Return the scenarios that are worth showing beside means: of measures with a cut-off, where they differ at all.

    None for a run so large that they would take longer than everything else.
    """
    chosen = [place for place, measure in enumerate(scores.computed) if depth_of(measure) is not None]
    if not can_be_shown(scores, chosen):
        return {}
    judge = _Judge(scores, grade)
    found = (judge.scenario(place) for place in chosen)
    return {str(one.measure): one for one in found if one.slots}


def can_be_shown(scores: Scores, places: Iterable[int]) -> bool:
    """Tell whether scenarios of some measures take no time that anybody notices."""
    depths = {depth_of(scores.computed[place]) for place in places}
    return sum(int(scores.aligned.arrays.slots_within(depth).sum()) for depth in depths) <= SCENARIO_SLOTS


def as_if_relevant(scores: Scores, places: Iterable[int], grade: float | None = None) -> Scores:
    """Return the scores with all unjudged documents relevant that some measures look at; the others keep theirs."""
    judge = _Judge(scores, grade)
    values, means = scores.values.copy(), list(scores.means)
    for place in places:
        arrays = judge.relevant(place)
        values[:, place] = scores.computed[place].per_query(arrays)
        means[place] = judge.mean(place, arrays)
    return replace(scores, values=values, means=tuple(means), known_intervals={})


def has_bounds(measure: Measure) -> bool:
    """Tell whether both scenarios bound what a measure can be."""
    return measure.row.bounded_by_unjudged and not measure.judged_only and not measure.get("gains")


class _Judge:
    """Judges a run to one depth and grade once, however many measures ask for it."""

    def __init__(self, scores: Scores, grade: float | None) -> None:
        self._scores = scores
        self._grade = grade
        self._arrays = scores.aligned.arrays
        self._weights = weights_of(scores.aligned.queries)
        self._known: dict[tuple[int | None, int | None, float], Alignment] = {}

    def scenario(self, place: int) -> Scenario:
        scores, measure = self._scores, self._scores.computed[place]
        most = self._most(measure)
        return Scenario(
            measure=scores.measures[place],
            value=scores.means[place],
            irrelevant=self.mean(place, self._judged(measure, 0.0)),
            relevant=self.mean(place, self.relevant(place)),
            grade=self._grade_of(measure),
            slots=int((most - self._judged_slots(most)).sum()),
            bounds=has_bounds(measure),
        )

    def mean(self, place: int, arrays: Alignment) -> float:
        measure = self._scores.computed[place]
        return measure.mean(arrays, measure.per_query(arrays), self._weights)

    def relevant(self, place: int) -> Alignment:
        measure = self._scores.computed[place]
        return self._judged(measure, self._grade_of(measure))

    def _grade_of(self, measure: Measure) -> float:
        """Return the grade of what is taken for relevant: the lowest that this measure counts, unless it was said."""
        rel = measure.get("rel")
        return self._grade if self._grade is not None else max(float(rel) if isinstance(rel, int | float) else 1.0, 0.0)

    def _judged(self, measure: Measure, grade: float) -> Alignment:
        key = depth_of(measure), measure.budget, grade
        if key not in self._known:
            self._known[key] = all_judged(self._arrays, grade, self._most(measure))
        return self._known[key]

    def _most(self, measure: Measure) -> Ints:
        """Return how many slots of each query a measure looks at."""
        arrays, depth = self._arrays, depth_of(measure)
        fitting = arrays.returned if measure.budget is None else arrays.slots_within_budget(measure.budget)
        return fitting if depth is None else np.minimum(fitting, depth)

    def _judged_slots(self, most: Ints) -> Ints:
        query, slot = self._arrays.judged_slots(None)
        return np.bincount(query[slot <= most[query]], minlength=self._arrays.queries)

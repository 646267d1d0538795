"""Characters of spans."""

from __future__ import annotations

from catchrate.errors import InputError
from catchrate.measures.arrays import Alignment, Floats
from catchrate.measures.parameters import Cutoff, Grade
from catchrate.measures.registry import measure
from catchrate.measures.terms import Terms


@measure(
    formula="characters of relevant spans that the first k slots hold / characters of relevant spans",
    trend="up",
    bounded_by_unjudged=True,
)
def char_recall(a: Alignment, *, k: Cutoff = None, rel: Grade = 1) -> Terms:
    """Share of the characters of relevant spans that the first k slots hold, each counted once.

    Use it where labels are spans and chunk sizes differ: it needs no threshold. It says nothing about how much else was
    returned: char_precision does.
    """
    gold, returned, either = _counted(a, k, rel)
    return a.query_terms(gold + returned - either, gold)


@measure(
    formula="characters of relevant spans that the first k slots hold / characters that the first k slots hold",
    bounded_by_unjudged=True,
)
def char_precision(a: Alignment, *, k: Cutoff = None, rel: Grade = 1) -> Terms:
    """Share of the characters in the first k slots that belong to relevant spans, each counted once.

    Use it to see how much of a context is of use. Larger chunks lower it; overlapping chunks do not.
    """
    gold, returned, either = _counted(a, k, rel)
    return a.query_terms(gold + returned - either, returned)


@measure(
    formula="characters in relevant spans and in the first k slots / characters in either",
    bounded_by_unjudged=True,
)
def char_iou(a: Alignment, *, k: Cutoff = None, rel: Grade = 1) -> Terms:
    """Characters that relevant spans and the first k slots share, over those of either (intersection over union).

    Use it to compare ways of cutting documents by one number: chunks that are too large and too small both lower it.
    """
    gold, returned, either = _counted(a, k, rel)
    return a.query_terms(gold + returned - either, either)


def _counted(a: Alignment, k: float | None, rel: float) -> tuple[Floats, Floats, Floats]:
    """Count, for each query, the characters of relevant spans, of the first k slots, and of either."""
    if a.spans is None:
        fix = "match spans, with match='spans' or --match spans"
        raise InputError.of("E288", "measures of characters need to know where spans stand", fix=fix)
    gold, returned = a.spans.wanted(rel), a.spans.within(k)
    either = gold.and_also(returned)
    return gold.characters(a.queries), returned.characters(a.queries), either.characters(a.queries)

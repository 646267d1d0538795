"""The verdicts of a comparison in sentences."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

from catchrate.evaluation.comparison import Comparison, Difference, Flip, Verdict
from catchrate.reports.values import cell_text, value_text
from catchrate.reports.view import Cell, Mark, Text

MARKS: dict[Verdict, Mark] = {
    "better": "better",
    "worse": "worse",
    "cannot tell": "unsure",
    "no evidence of a difference": "unsure",
    "not computable": "unsure",
}
_SIDES: tuple[Verdict, ...] = ("better", "worse", "higher", "lower")
ORDER: tuple[Verdict, ...] = (
    *_SIDES,
    "no difference that matters",
    "cannot tell",
    "no evidence of a difference",
    "the same",
    "not computable",
)
"""In which order sentences stand."""


def verdicts(comparison: Comparison, wanted: Collection[tuple[str, str]] | None = None) -> Iterator[Text]:
    """Yield what is to be said of each pair, or of some: a sentence for all measures with the same verdict."""
    for differences in (some for pair, some in comparison.pairs.items() if wanted is None or pair in wanted):
        yield from verdicts_of(differences, comparison.choices.care)


def verdicts_of(differences: Iterable[Difference], care: float | None = None) -> Iterator[Text]:
    """Yield a sentence for all differences of one pair with the same verdict."""
    groups: dict[tuple[int, str], list[Difference]] = {}
    for one in differences:
        groups.setdefault((ORDER.index(one.verdict), one.reason), []).append(one)
    for (place, _), some in sorted(groups.items()):
        yield Text(text=sentence(some, care), style="verdict", mark=MARKS.get(ORDER[place]))


def sentence(differences: Sequence[Difference], care: float | None = None) -> str:
    """Return what differences of one pair with the same verdict say; one alone brings its numbers."""
    first = differences[0]
    where = _and([str(one.measure) for one in differences])
    if len(differences) == 1:
        where += numbers(first)
    a, b = first.a, first.b
    match first.verdict:
        case "better" | "worse" | "higher" | "lower":
            return f"{b} is {first.verdict} than {a} at {where}."
        case "no difference that matters":
            return f"No difference that matters between {b} and {a} at {where}: below {care:g} either way."
        case "cannot tell":
            return f"Cannot tell whether {b} and {a} differ by {care:g} at {where}; {_shows(differences)}."
        case "no evidence of a difference":
            return f"No evidence of a difference between {b} and {a} at {where}; {_shows(differences)}."
        case "the same":
            return f"{b} and {a} are the same at {where}: {first.reason}."
        case "not computable":
            return f"No verdict on {b} and {a} at {where}: {first.reason}."


def flip_sentences(flips: Sequence[Flip]) -> Iterator[Text]:
    """Yield which verdicts of a pair would be others, were the unjudged documents relevant: one sentence a pair."""
    pairs: dict[tuple[str, str], dict[Verdict, list[str]]] = {}
    for one in flips:
        other = one.if_relevant
        pairs.setdefault((other.a, other.b), {}).setdefault(other.verdict, []).append(str(other.measure))
    for (a, b), found in pairs.items():
        parts = [f"{_would_be(verdict, a, b)} at {_and(measures)}" for verdict, measures in found.items()]
        text = f"This could flip: if all unjudged documents were relevant, {'; '.join(parts)}."
        yield Text(text=text, style="verdict", mark="unsure")


def _would_be(verdict: Verdict, a: str, b: str) -> str:
    match verdict:
        case "better" | "worse" | "higher" | "lower":
            return f"{b} would be {verdict} than {a}"
        case "the same":
            return f"{b} and {a} would be the same"
        case "cannot tell":
            return f"one could not tell {b} and {a} apart"
        case "not computable":
            return f"there would be no verdict on {b} and {a}"
        case _:
            return f"there would be {verdict} between {b} and {a}"


def numbers(one: Difference) -> str:
    """Return difference, interval and p in brackets, as far as there are any."""
    if one.verdict == "the same":
        return ""
    low, high = one.interval.ends or (None, None)
    text = cell_text(Cell(one.difference, low, high), "difference")
    return f" ({text})" if one.corrected is None else f" ({text}, p {value_text(one.corrected, 'p')})"


def _shows(differences: Sequence[Difference]) -> str:
    """Say which differences a set of queries would have shown."""
    known = [one.detectable for one in differences if one.detectable is not None and one.detectable < _span(one)]
    queries = f"{differences[0].queries:,} queries"
    if not known:
        return f"{queries} are too few to show any"
    low, high = (f"{end:.2g}" for end in (min(known), max(known)))
    return f"{queries} would show a difference of about {low if low == high else f'{low} to {high}'}"


def _span(one: Difference) -> float:
    low, high = one.measure.row.range
    return high - low


def _and(words: Sequence[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"

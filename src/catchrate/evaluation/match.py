"""Which chunk holds which gold text, what nearly did, and how much depends on the threshold."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from catchrate.alignment import Policy, align
from catchrate.errors import UsageError, shown
from catchrate.evaluation.evaluate import both_sides, measured
from catchrate.evaluation.matches import Matches, matching_options
from catchrate.formats import ReadOptions
from catchrate.matching.grammar import parse_rule
from catchrate.matching.parent import Collapse, Parent, Parents
from catchrate.matching.ranking import MatchedRanking
from catchrate.matching.rules import Match
from catchrate.matching.tokens import Containment
from catchrate.measures import Measure, parse
from catchrate.showing import Result
from catchrate.tables import Judgments, RankingSource

USUAL = "covered(0.5)"
"""The rule when nobody says which."""
THRESHOLDS = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True, repr=False)
class Sensitivity(Result):
    """A measure as a function of the threshold of the rule."""

    measure: Measure
    """What was measured."""
    rule: str
    """The rule, with the threshold that was chosen."""
    chosen: float
    """That threshold, from 0 to 1."""
    thresholds: tuple[float, ...]
    """The thresholds, rising."""
    means: tuple[float, ...]
    """The measure at each."""

    def __repr__(self) -> str:
        points = ", ".join(f"{t:g}: {mean:.4f}" for t, mean in zip(self.thresholds, self.means, strict=True))
        return f"Sensitivity of {self.measure} to the threshold of {self.rule}: {points}"


def match(
    retrieved_texts: object,
    gold_texts: object = None,
    matcher: Match = USUAL,
    *,
    options: ReadOptions | None = None,
) -> Matches:
    """Match what was retrieved with gold texts: which chunk holds which of them, and what nearly did.

    Both are one list of texts, one list for each query, or `{query: texts}`; gold texts may have grades, retrieved ones
    scores. Records hold both sides, and then `gold_texts` is left out. `matcher` is a rule such as "covered(0.5)",
    "contained" or "fuzzy(90)", or a function of a chunk and a gold text.

    Raises UsageError for a rule that does not exist, and InputError for inputs without texts.

    >>> import catchrate
    >>> matches = catchrate.match(["The GIL is a lock that", "guards all objects."], ["The GIL is a lock."], "covered")
    >>> matches
    Matches by covered(0.5): 1 of 1 gold texts found
    >>> matches.table.select("slot", "strength").rows()
    [(1, 1.0)]
    >>> catchrate.evaluate(matches, "recall@1")["recall@1"]
    1.0
    """
    options = matching_options(options, matcher)
    judged = retrieved_texts if gold_texts is None else _lists(gold_texts)
    ranking = None if gold_texts is None else _lists(retrieved_texts)
    return matches_of(*both_sides(judged, ranking, options), matcher)


def matches_of(judgments: Judgments, ranking: RankingSource, matcher: Match, policy: Policy | None = None) -> Matches:
    """Match what was read."""
    rule = parse_rule(matcher)
    if not rule.texts:
        raise UsageError.of("E290", f"{rule} matches ids", fix="match texts, or evaluate with it")
    source = ranking.ranking if isinstance(ranking, MatchedRanking) else ranking
    matched = replace(MatchedRanking.of(judgments, source, rule), near=Containment())
    return Matches(judgments=judgments, ranking=matched, aligned=align(judgments, matched, policy or Policy()))


def _lists(texts: object) -> object:
    """Return one list of texts as that of the only query."""
    is_one = isinstance(texts, list | tuple) and bool(texts) and all(isinstance(text, str) for text in texts)
    return [texts] if is_one else texts


def sensitivity(
    matches: Matches,
    measure: str | Measure = "recall",
    thresholds: Iterable[float] = THRESHOLDS,
    *,
    policy: Policy | None = None,
) -> Sensitivity:
    """Return a measure at other thresholds of the rule, so that nobody has to believe in the one that was chosen.

    Texts are compared once. Raises UsageError for a rule without degrees, and thresholds that are none.

    >>> import catchrate
    >>> matches = catchrate.match([["tea is green", "and coffee is black"]], [["tea is green and coffee is black"]])
    >>> catchrate.sensitivity(matches, "recall@1", [0.3, 0.5])
    Sensitivity of recall@1 to the threshold of covered(0.5): 0.3: 1.0000, 0.5: 0.0000
    """
    levels = _checked(thresholds)
    chosen, policy = parse(measure), policy or Policy()
    source = replace(matches.ranking, levels=(*levels, matches.ranking.rule.level), known={})

    def mean(level: float) -> float:
        aligned = align(matches.judgments, source.at(level), policy)
        return measured(matches.judgments, aligned, (chosen,), policy, source.name).means[0]

    return Sensitivity(
        measure=chosen,
        rule=matches.rule,
        chosen=matches.ranking.rule.level,
        thresholds=levels,
        means=tuple(map(mean, levels)),
    )


def _checked(thresholds: Iterable[float]) -> tuple[float, ...]:
    try:
        levels = tuple(sorted({float(level) for level in thresholds}))
    except (TypeError, ValueError):
        levels = ()
    if not levels or not all(0 < level <= 1 for level in levels):
        fix = "give shares above 0 and up to 1, such as [0.3, 0.5, 0.7]"
        raise UsageError.of("E290", f"thresholds is {shown(thresholds)}", fix=fix)
    return levels


def parent(by: Parents, *, collapse: Collapse | None = None) -> Parent:
    """Return the rule by which a chunk stands for its document, for `match=`; `by` says which document that is.

    `by` is a function of the chunk's id or a mapping; one that returns None leaves the chunk as it is. With
    `collapse="first"` each document is listed once, in the order of first chunks, with "best" of their best scores.

    >>> import catchrate
    >>> rule = catchrate.parent(lambda chunk: chunk.partition("#")[0])
    >>> catchrate.evaluate({"q": ["a", "b"]}, {"q": ["a#1", "a#2", "b#1"]}, "recall@2 recall@3", match=rule).means
    (0.5, 1.0)
    """
    return Parent(by=by, collapse=collapse)

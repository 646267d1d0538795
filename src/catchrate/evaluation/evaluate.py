"""Evaluate one run or several: read, join, measure."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from typing import NamedTuple, TypeAlias, TypedDict, Unpack, overload

import numpy as np

from catchrate.alignment import Aligned, EachBlock, JudgmentIndex, Policy, align
from catchrate.alignment.lengths import Length
from catchrate.alignment.policy import Dialect, Duplicates, QueryPolicy
from catchrate.errors import Finding, InputError, UsageError, shown
from catchrate.evaluation.coverage import slots_down_to, unjudged_slots
from catchrate.evaluation.many import side_by_side
from catchrate.evaluation.matches import Matches, matched_sides, matching_options
from catchrate.evaluation.provenance import definitions, provenance
from catchrate.evaluation.scores import Leaderboard, Scores
from catchrate.evaluation.tied import tie_note
from catchrate.evaluation.totals import Floats, weights_of
from catchrate.formats import ReadOptions, TrecRun, holds_both, open_ranking, read_judgments, read_records
from catchrate.later import Later
from catchrate.limits import EXACT_EXPONENT
from catchrate.matching.rules import Match
from catchrate.measures import Alignment, Measure, parse_all
from catchrate.tables import Judgments, RankingSource

DEFAULT_MEASURES = ("recall@5", "recall@10", "precision@10", "ndcg@10", "rr", "ap")
"""What is measured when nobody says what."""

_Names: TypeAlias = str | Measure | Iterable[str | Measure] | None


class _How(TypedDict, total=False):
    rel: float
    queries: QueryPolicy
    duplicates: Duplicates | None
    judged_only: bool
    max_rank: int | None
    dialect: Dialect
    match: Match | None
    length: Length | None
    options: ReadOptions | None


@overload  # what a call returns depends on `runs`: type checkers know it from these two
def evaluate(
    judgments: object, ranking: object = None, measures: _Names = None, *, runs: None = None, **how: Unpack[_How]
) -> Scores: ...
@overload
def evaluate(
    judgments: object, ranking: None = None, measures: _Names = None, *, runs: Mapping[str, object], **how: Unpack[_How]
) -> Leaderboard: ...
def evaluate(
    judgments: object,
    ranking: object = None,
    measures: str | Measure | Iterable[str | Measure] | None = None,
    *,
    runs: Mapping[str, object] | None = None,
    rel: float = 1,
    queries: QueryPolicy = "judged",
    duplicates: Duplicates | None = None,
    judged_only: bool = False,
    max_rank: int | None = None,
    dialect: Dialect = "catchrate",
    match: Match | None = None,
    length: Length | None = None,
    options: ReadOptions | None = None,
) -> Scores | Leaderboard:
    """Measure what a retriever finds.

    `judgments` and `ranking` are paths, Python objects (dicts of dicts, dicts of lists, lists of lists, lists of
    records) or data frames. A list or file of evaluation records holds both, and then `ranking` is left out. With
    `runs={"name": ranking, ...}` several rankings are measured, and the result holds one Scores each.

    `measures` are names such as "recall@10" or "ndcg(gain=exponential)@10", in one text or many. The other arguments
    are the policies of `Policy`; `options` says how to read inputs whose content does not.

    With `match`, such as "covered(0.5)" or "contained", both sides are texts, or have them, and a slot holds the gold
    texts that the rule finds in it. Measures with a budget, such as "recall(budget=2000)", cut where the texts of the
    slots are longer: in words, or in what `length` says: "chars", or a function such as a tokenizer's.

    Raises InputError when an input is refused and UsageError for unknown measures or policies.

    >>> import catchrate
    >>> scores = catchrate.evaluate({"q1": {"a": 1, "b": 1}}, {"q1": ["a", "c", "b"]}, "recall@2 rr")
    >>> scores["recall@2"], scores["rr"]
    (0.5, 1.0)
    """
    options = matching_options(options, match)
    if measures is None and runs is None and _are_measures(ranking, judgments, options):
        ranking, measures = None, ranking  # type: ignore[assignment]
    chosen = parse_all(DEFAULT_MEASURES if measures is None else measures)
    policy = Policy(
        rel=rel,
        queries=queries,
        duplicates=duplicates,
        judged_only=judged_only,
        max_rank=max_rank,
        dialect=dialect,
        length=length,
    )
    if runs is None:
        return score(*matched_sides(*both_sides(judgments, ranking, options), match), chosen, policy)
    if ranking is not None:
        raise UsageError.of("E260", "both a ranking and runs are given", fix="give one of the two")
    if not isinstance(runs, Mapping) or not runs or not all(isinstance(name, str) for name in runs):
        raise UsageError.of("E260", f"runs is {shown(runs)}", fix='give a mapping of names, such as {"new": ranking}')
    for run in runs.values():
        _refuse_unequal(judgments, run)
    judged = read_judgments(judgments, options)
    sides = ((name, *matched_sides(judged, open_ranking(run, options), match)) for name, run in runs.items())
    return score_all(sides, chosen, policy)


def score(judgments: Judgments, ranking: RankingSource, measures: tuple[Measure, ...], policy: Policy) -> Scores:
    """Join what was read and measure it."""
    policy = with_lengths(policy, measures)
    return measured(judgments, align(judgments, ranking, policy), measures, policy, ranking.name)


def with_lengths(policy: Policy, measures: Iterable[Measure]) -> Policy:
    """Return a policy by which words are counted where a measure has a budget and nobody says what is counted."""
    needed = policy.length is None and any(measure.budget is not None for measure in measures)
    return replace(policy, length="words") if needed else policy


def measured(
    judgments: Judgments,
    aligned: Aligned,
    measures: tuple[Measure, ...],
    policy: Policy,
    name: str,
    values: Floats | None = None,
) -> Scores:
    """Measure what was joined; `name` is the ranking's, `values` what was measured of its queries before."""
    effective = tuple(measure.at_level(policy.rel) for measure in measures)
    means, values = _numbers(effective, aligned, values)
    described = definitions(dict(zip(measures, effective, strict=True)))  # now: a measure may be declared anew
    return Scores(
        measures=measures,
        computed=effective,
        means=means,
        values=values,
        aligned=aligned,
        notes=tuple(dict.fromkeys((*judgments.notes, *aligned.notes, *_notes(judgments, aligned, effective, name)))),
        origin=Later(partial(provenance, judgments, name, aligned, described, policy)),
    )


def remeasured(scores: Scores, measures: tuple[Measure, ...]) -> Scores:
    """Return other measures of the same join, under the same policy."""
    effective = tuple(measure.at_level(scores.rel) for measure in measures)
    means, values = _numbers(effective, scores.aligned)
    described = definitions(dict(zip(measures, effective, strict=True)))
    return replace(
        scores,
        measures=measures,
        computed=effective,
        means=means,
        values=values,
        origin=scores.origin.then(lambda said: {**said, "measures": described}),
        known_intervals={},
    )


def measured_as(
    aligned: Aligned,
    measures: tuple[Measure, ...],
    policy: Policy,
    *,
    notes: tuple[Finding, ...],
    provenance: Mapping[str, object],
) -> Scores:
    """Measure a join that was made before, with what was noticed and known then."""
    effective = tuple(measure.at_level(policy.rel) for measure in measures)
    means, values = _numbers(effective, aligned)
    described = definitions(dict(zip(measures, effective, strict=True)))
    return Scores(
        measures=measures,
        computed=effective,
        means=means,
        values=values,
        aligned=aligned,
        notes=notes,
        origin=Later.known({**provenance, "measures": described}),
    )


def _numbers(
    measures: tuple[Measure, ...], aligned: Aligned, values: Floats | None = None
) -> tuple[tuple[float, ...], Floats]:
    """Return the mean of each measure, and its values with one row a query."""
    weights = weights_of(aligned.queries)
    values = values_of(measures, aligned.arrays) if values is None else values
    means = (m.mean(aligned.arrays, values[:, i], weights) for i, m in enumerate(measures))
    return tuple(means), values


def values_of(measures: Sequence[Measure], arrays: Alignment) -> Floats:
    """Return one row a query, one column a measure."""
    return np.column_stack([measure.per_query(arrays) for measure in measures])


Side = tuple[str, Judgments, RankingSource]
"""The name of a run, and what it is joined from."""


def score_all(
    sides: Iterable[Side], measures: tuple[Measure, ...], policy: Policy, *, each_block: EachBlock = lambda _: None
) -> Leaderboard:
    """Measure several runs side by side; `each_block` is told the rows of each block that was joined."""
    policy = with_lengths(policy, measures)

    def work(run: _Run, seen: EachBlock) -> tuple[str, Scores]:
        joined = align(run.judgments, run.ranking, policy, index=run.judged, each_block=seen)
        return run.name, measured(run.judgments, joined, measures, policy, run.ranking.name)

    done = side_by_side(work, _indexed(sides), here=_may_wait, each_block=each_block)
    return Leaderboard(runs=dict(done))


class _Run(NamedTuple):
    name: str
    judgments: Judgments
    ranking: RankingSource
    judged: JudgmentIndex


def _indexed(sides: Iterable[Side]) -> Iterator[_Run]:
    """Yield the runs with the index of their judgments, made once for all that share them."""
    known: tuple[Judgments, JudgmentIndex] | None = None
    for name, judgments, ranking in sides:
        if known is None or known[0] is not judgments:
            known = judgments, JudgmentIndex(judgments)
        yield _Run(name, judgments, ranking, known[1])


def _may_wait(run: _Run) -> bool:
    """Tell whether a run comes from a pipe: a thread that waits for one could not be stopped."""
    return isinstance(run.ranking, TrecRun) and run.ranking.waits


def _are_measures(value: object, judgments: object, options: ReadOptions) -> bool:
    """Tell whether measures stand where a ranking would, behind judgments that hold a ranking, too."""
    if isinstance(value, str):
        both = isinstance(judgments, Matches) or holds_both(judgments, options)
        return both and not os.path.exists(value)  # noqa: PTH110 - Path.exists may raise
    if isinstance(value, Measure):
        return True
    return isinstance(value, list | tuple) and bool(value) and all(isinstance(v, str | Measure) for v in value)


def both_sides(judgments: object, ranking: object, options: ReadOptions) -> tuple[Judgments, RankingSource]:
    """Open judgments and one ranking, or what holds both: records, or texts that were matched."""
    if ranking is None and isinstance(judgments, Matches):
        return judgments.judgments, judgments.ranking
    if ranking is not None:
        _refuse_unequal(judgments, ranking)
        run = open_ranking(ranking, options)
        if not isinstance(run, TrecRun) or not _is_file(judgments):
            return read_judgments(judgments, options), run
        return _while_begins(run, judgments, options), run
    if not holds_both(judgments, options):
        raise _one_sided(judgments)
    return read_records(judgments, options)


def _one_sided(judgments: object) -> UsageError:
    """Return the refusal of what holds one side; of records it names the fields, which may only be called otherwise."""
    first = judgments[0] if isinstance(judgments, list) and judgments else None
    if not isinstance(first, Mapping):
        fix = "give the ranking too, or records with `retrieved` and `ground_truth`"
        return UsageError.of("E260", "there are judgments but no ranking", fix=fix)
    found = f"the first record has {', '.join(shown(name, 30) for name in [*first][:8])}"
    message = f"records hold `retrieved` and `ground_truth`, and {found}"
    fix = 'name them with options=ReadOptions(columns={"retrieved": ...}), or give the ranking too'
    return UsageError.of("E260", message, fix=fix)


def _while_begins(run: TrecRun, judgments: object, options: ReadOptions) -> Judgments:
    """Read judgments and the first block of a run at the same time; what is wrong with the run is said first.

    The join takes place in this thread, and what the judgments took of its memory serves it again. A run that waits for
    a pipe is read here, since its thread could not be stopped.
    """
    with ThreadPoolExecutor(1) as pool:
        if run.waits:
            reading = pool.submit(read_judgments, judgments, options)
            run.begin()
            try:
                return reading.result()
            finally:
                del reading  # its error would keep the run, and the threads that read it, until garbage is looked for
        beginning = pool.submit(run.begin)
        try:
            return read_judgments(judgments, options)
        finally:
            beginning.result()


def _is_file(where: object) -> bool:
    """Tell whether something is the path of a file: a thread that waits for a pipe could not be stopped."""
    return isinstance(where, str | os.PathLike) and os.path.isfile(where)  # noqa: PTH113 - Path.is_file may raise


def _refuse_unequal(judgments: object, ranking: object) -> None:
    """Refuse two lists, which are paired by position, when one is longer."""
    if not isinstance(judgments, list | tuple) or not isinstance(ranking, list | tuple):
        return
    if len(judgments) != len(ranking):
        message = f"{len(judgments):,} lists of judgments stand beside {len(ranking):,} rankings"
        raise InputError.of("E261", message, fix="give one of each for every query, or dicts with query ids")


def _notes(judgments: Judgments, aligned: Aligned, measures: tuple[Measure, ...], name: str) -> Iterator[Finding]:
    """Yield what is odd about these measures of this run."""
    yield from _unjudged_note(aligned, measures, name)
    yield from tie_note(aligned, measures, name)
    highest = aligned.arrays.items.grade.max(initial=0)
    steep = next((measure for measure in measures if measure.get("gain") == "exponential"), None)
    if steep is not None and highest > EXACT_EXPONENT:
        message = f"a grade is {highest:,.15g}, whose exponential gain in {steep} outweighs all others"
        yield Finding(code="W205", message=message, fix="use gain=linear, or smaller grades", file=judgments.name)


def _unjudged_note(aligned: Aligned, measures: tuple[Measure, ...], name: str) -> tuple[Finding, ...]:
    """Tell how much of what was looked at nobody has judged."""
    seen = unjudged_slots(aligned.arrays, measures)
    if not seen.unjudged:
        return ()
    share = seen.unjudged / seen.looked_at
    what = "documents that nobody judged" if aligned.match is None else "no gold text"
    message = f"{share:.1%} of {slots_down_to(seen.deepest)} hold {what}; they count as not relevant"
    fix = (_NOTHING_JUDGED if aligned.match is None else _NOTHING_MATCHED) if share == 1 else ""
    return (Finding(code="N229", message=message, fix=fix, file=name, count=seen.unjudged),)


_NOTHING_JUDGED = "check that both sides write document ids alike: `catchrate check` compares them"
_NOTHING_MATCHED = "look at the near misses: `catchrate match` shows them"

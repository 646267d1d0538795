"""Look for mistakes in inputs: all that reading refuses, and what is allowed and yet odd."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import polars as pl

from catchrate.alignment import Policy, align
from catchrate.errors import Finding, InputError
from catchrate.evaluation.kinds import Kind, kind_of
from catchrate.evaluation.matches import matched_sides, matching_options
from catchrate.evaluation.second_look import CUTOFF, Ids, RunLook, alike_across, upside_down
from catchrate.evaluation.tied import tie_note
from catchrate.evaluation.trec_rows import JUDGMENTS, RUN, trec_rows, whole_queries
from catchrate.formats import ReadOptions, Source, open_ranking, open_source, read_judgments, read_records
from catchrate.formats.folder import parquet_files
from catchrate.formats.sniff import format_of
from catchrate.matching.rules import Match
from catchrate.measures import parse
from catchrate.tables import Judgments, RankingSource


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedInput:
    """What one input is, and what was noticed."""

    name: str
    """The input, as the caller named it."""
    kind: Kind | None
    """What it holds; None when that cannot be told."""
    queries: int = 0
    """How many queries it has; 0 when it was refused."""
    rows: int = 0
    """How many judgments or returned documents it has."""
    findings: tuple[Finding, ...] = ()
    """Errors, warnings and notes."""
    more: int = 0
    """How many further errors are not listed."""

    @property
    def refused(self) -> bool:
        """Whether an evaluation would refuse the input."""
        return any(finding.severity == "error" for finding in self.findings)


class _Side:
    """The ids of one side of an input."""

    def __init__(self, file: str, blocks: Iterable[pl.DataFrame] = ()) -> None:
        self.queries = Ids("query", file, "query")
        self.docs = Ids("document", file, "doc")
        for block in blocks:
            self.add(block)

    def add(self, block: pl.DataFrame) -> None:
        self.queries.add(block)
        self.docs.add(block)

    def findings(self) -> Iterator[Finding]:
        yield from self.queries.comments()
        yield from self.queries.findings()
        yield from self.docs.findings()


def check(
    inputs: Sequence[str | Source],
    options: ReadOptions | None = None,
    policy: Policy | None = None,
    match: Match | None = None,
) -> tuple[CheckedInput, ...]:
    """Look for mistakes in judgments, runs and records, alone or together.

    Inputs are paths, `-` for standard input, or opened sources. The first one that can hold judgments does; the runs
    behind it are joined with them, by their texts where a rule of matching says so. Data errors are findings;
    UsageError is raised for options that cannot be.
    """
    look = _Check(matching_options(options, match), policy or Policy(), match)
    return tuple(look.at(where) for where in inputs)


@dataclass(slots=True)
class _Seen:
    """What is known so far of one input."""

    kind: Kind | None = None
    queries: int = 0
    rows: int = 0


class _Check:
    """Goes through the inputs and remembers the judgments for the runs that follow."""

    def __init__(self, options: ReadOptions, policy: Policy, match: Match | None) -> None:
        self._options = options
        self._policy = policy
        self._match = match
        self._known: tuple[Judgments, _Side] | None = None

    def at(self, where: str | Source) -> CheckedInput:
        """Return what one input is and what was noticed."""
        seen, found, more = _Seen(), dict[Finding, None](), 0
        try:
            found.update((finding, None) for finding in self._findings(where, seen))
        except InputError as error:
            found.update(dict.fromkeys(error.findings))
            more = max(error.total - len(error.findings), 0)
        name = where if isinstance(where, str) else where.name
        return CheckedInput(
            name=name, kind=seen.kind, queries=seen.queries, rows=seen.rows, findings=tuple(found), more=more
        )

    def _findings(self, where: str | Source, seen: _Seen) -> Iterator[Finding]:
        """Yield everything that is noticed; an error that ends the look is raised."""
        if isinstance(where, str) and Path(where).is_dir() and not parquet_files(where):
            seen.kind = "judgments"
            yield from self._in_judgments(where, seen)
            return
        source = open_source(where) if isinstance(where, str) else where
        seen.kind = kind_of(source, self._options) or ("ranking" if self._known else "judgments")
        look = {"judgments": self._in_judgments, "ranking": self._in_ranking, "records": self._in_records}[seen.kind]
        yield from look(source, seen)

    def _in_judgments(self, where: str | Source, seen: _Seen) -> Iterator[Finding]:
        judgments = read_judgments(where, self._options)
        seen.queries, seen.rows = judgments.queries.height, judgments.items.height
        side = _Side(judgments.name, [judgments.items])
        if isinstance(where, Source) and self._is_trec(where):
            side = _Side(judgments.name, trec_rows(where, self._options, JUDGMENTS))
        self._known = judgments, side
        yield from judgments.notes
        yield from side.findings()

    def _in_records(self, where: Source, seen: _Seen) -> Iterator[Finding]:
        judgments, ranking = read_records(where, self._options)
        seen.queries, seen.rows = judgments.queries.height, ranking.frame.height
        judged, returned = _Side(judgments.name, [judgments.items]), _Side(ranking.name, [ranking.frame])
        self._known = self._known or (judgments, judged)
        yield from (*judgments.notes, *judged.findings(), *returned.findings())
        yield from self._together(judgments, judged, ranking, returned)

    def _in_ranking(self, where: Source, seen: _Seen) -> Iterator[Finding]:
        ranking = open_ranking(where, self._options)
        if self._is_trec(where):
            side, look = self._second_look(where, ranking.name)
            yield from look.findings()
        else:
            side = _Side(ranking.name, ranking.blocks(gather=True))
        seen.queries = side.queries.frame.height + len(ranking.empty_queries())
        seen.rows = int(side.docs.frame["rows"].sum())
        yield from side.findings()
        if self._known:
            yield from self._together(*self._known, ranking, side)
        else:
            yield from self._alone(ranking, side)

    def _is_trec(self, where: Source) -> bool:
        return format_of(where, self._options) == "trec"

    def _second_look(self, where: Source, name: str) -> tuple[_Side, RunLook]:
        """Look at the lines of a run as text."""
        single = self._policy.dialect == "trec_eval-9"
        look, side = RunLook(name, single=single, ascending=self._options.ascending), _Side(name)
        for block in whole_queries(trec_rows(where, self._options, RUN)):
            look.add(block)
            side.add(block)
        return side, look

    def _alone(self, ranking: RankingSource, side: _Side) -> Iterator[Finding]:
        """Join a ranking with a row of its own, which finds all that is wrong with it."""
        queries = (*side.queries.frame["id"].head(1), *ranking.empty_queries(), "none")
        docs = (*side.docs.frame["id"].head(1), "none")
        row = pl.DataFrame({"query": queries[:1], "doc": docs[:1], "grade": [1.0]})
        align(Judgments.of(row), ranking, replace(self._policy, queries="judged"))
        yield from ranking.notes()

    def _together(
        self, judgments: Judgments, judged: _Side, ranking: RankingSource, returned: _Side
    ) -> Iterator[Finding]:
        """Yield what the join of both sides shows."""
        yield from alike_across(judged.queries, returned.queries)
        if self._match is None:
            yield from alike_across(judged.docs, returned.docs)
        aligned = align(*matched_sides(judgments, ranking, self._match), self._policy)
        yield from aligned.notes
        yield from tie_note(aligned, (parse(f"recall@{CUTOFF}"),), ranking.name)
        yield from upside_down(aligned, self._policy.rel, ranking.name)

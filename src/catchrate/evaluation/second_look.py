"""What is allowed and yet often a mistake: ids that look alike, ranks against scores, ties that reading made."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal, InvalidOperation

import polars as pl

from catchrate.alignment import Aligned
from catchrate.errors import Finding, shown
from catchrate.tables.checks import tell

INVISIBLE = r"[\p{Cc}\p{Cf}\p{Zs}\p{Zl}\p{Zp}&&[^ ]]"
MOSTLY = 0.95
"""Share from which a pattern is no accident."""
ENOUGH = 5
"""Fewer cases than these prove nothing."""
_FOLDED = pl.col("id").str.normalize("NFC").str.to_uppercase()
_LOOSE = _FOLDED.str.strip_chars().str.replace_all(r"(^|[^0-9])0+([0-9])", "$1$2").alias("key")
_ID_SCHEMA = {"id": pl.String, "line": pl.UInt32, "rows": pl.UInt32}


class Ids:
    """The different ids of one kind in one input, collected block by block."""

    def __init__(self, what: str, file: str, column: str) -> None:
        """Collect the ids of a column; `what` is `query` or `document`."""
        self.what = what
        self.file = file
        self._column = column
        self._parts = [pl.DataFrame(schema=_ID_SCHEMA)]

    def add(self, block: pl.DataFrame) -> None:
        """Take the ids of a block."""
        line = pl.col("line").min() if "line" in block.columns else pl.lit(None)
        ids = block.group_by(pl.col(self._column).alias("id"), maintain_order=True)
        self._parts.append(ids.agg(line.cast(pl.UInt32).alias("line"), pl.len().cast(pl.UInt32).alias("rows")))

    @property
    def frame(self) -> pl.DataFrame:
        """One row an `id`, with the `line` where it stands first, if known, and its `rows`."""
        rows = pl.concat(self._parts).group_by("id", maintain_order=True)
        self._parts = [rows.agg(pl.col("line").min(), pl.col("rows").sum())]
        return self._parts[0]

    def findings(self) -> Iterator[Finding]:
        """Yield what is odd about the ids of one input."""
        yield from self._invisible()
        yield from self._alike()

    def comments(self) -> Iterator[Finding]:
        """Yield a warning when query ids look like comments."""
        marked = self.frame.filter(pl.col("id").str.starts_with("#"))
        if not marked.is_empty():
            of_all = f"{marked['rows'].sum():,} of {self.frame['rows'].sum():,} rows begin with '#'"
            fix = "if they are comments, read the file with comments=True"
            yield self._finding("W118", of_all, marked, fix)

    def _invisible(self) -> Iterator[Finding]:
        odd = self.frame.filter(pl.col("id").str.contains(INVISIBLE))
        if not odd.is_empty():
            message = f"{_several(odd.height, self.what)} with invisible characters, such as {shown(odd['id'][0])}"
            yield self._finding("W106", message, odd, "remove them, in judgments and runs alike")

    def _alike(self) -> Iterator[Finding]:
        alike = self.frame.with_columns(key=_FOLDED).filter(pl.col("key").is_duplicated())
        if alike.is_empty():
            return
        alike = alike.sort("key", maintain_order=True)
        first, second = alike["id"].head(2).to_list()
        what = _several(alike.height, self.what)
        message = f"{what} that differ only in case or composed letters, such as {shown(first)} and {shown(second)}"
        fix = "they count as different; if they are one, spell them alike"
        yield replace(self._finding("W107", message, alike, fix), line=alike["line"][1])

    def _finding(self, code: str, message: str, ids: pl.DataFrame, fix: str) -> Finding:
        sample = tuple(ids["id"].head(5).to_list())
        line = ids["line"][0]
        return Finding(code=code, message=message, fix=fix, file=self.file, line=line, count=ids.height, sample=sample)


def _several(count: int, what: str) -> str:
    return f"{count:,} {what} {'id' if count == 1 else 'ids'}"


def alike_across(judged: Ids, run: Ids) -> Iterator[Finding]:
    """Yield a warning for ids that are on one side only and differ from the other's in case, blanks or zeros."""
    ours = judged.frame.join(run.frame, on="id", how="anti").with_columns(_LOOSE)
    theirs = run.frame.join(judged.frame, on="id", how="anti").with_columns(_LOOSE)
    pairs = ours.join(theirs, on="key", how="inner", maintain_order="left", suffix="_run")
    if pairs.is_empty():
        return
    one, other = pairs["id"][0], pairs["id_run"][0]
    count = pairs["id"].n_unique()
    message = (
        f"{_several(count, f'judged {judged.what}')} that this run spells with other case, blanks or zeros:"
        f" {shown(one)} is {shown(other)}"
    )
    sample = tuple(pairs["id_run"].head(5).to_list())
    fix = "they do not match; rename one side"
    line = pairs["line_run"][0]
    yield Finding(code="W107", message=message, fix=fix, file=run.file, line=line, count=count, sample=sample)


CUTOFF = 10
"""Where most measures stop."""
ORDINARY = 0.1
"""Share of queries up to which a tie at the cut-off is an accident that any run has."""


class RunLook:
    """Looks at the rows of a TREC run, a block of whole queries at a time."""

    def __init__(self, file: str, *, single: bool = False, ascending: bool = False) -> None:
        self._file = file
        self._float = pl.Float32 if single else pl.Float64
        self._sign = -1 if ascending else 1
        self._tags: dict[str, int] = {}
        self._rising = self._falling = self._rising_queries = self._tied_queries = 0
        self._first_rising: int | None = None
        self._first_tie: tuple[int, str, str] | None = None
        self._cut_ties: list[str] = []
        self._queries = 0

    def add(self, rows: pl.DataFrame) -> None:
        """Look at a block."""
        for tag, line in rows.group_by("tag", maintain_order=True).agg(pl.col("line").min()).iter_rows():
            self._tags.setdefault(tag, line)
        rows = rows.with_columns(value=pl.col("score").cast(pl.Float64, strict=False) * self._sign)
        self._add_ranks(rows)
        self._add_ties(rows)
        self._add_cut_ties(rows)

    def _add_ranks(self, rows: pl.DataFrame) -> None:
        ranked = rows.with_columns(pl.col("rank").cast(pl.Int64, strict=False)).drop_nulls("rank")
        ranked = ranked.sort("query", "rank", maintain_order=True)
        step = pl.when(pl.col("query") == pl.col("query").shift()).then(pl.col("value").diff()).alias("step")
        ranked = ranked.with_columns(step)
        rising = ranked.filter(pl.col("step") > 0)
        self._rising += rising.height
        self._falling += ranked.filter(pl.col("step") < 0).height
        self._rising_queries += rising["query"].n_unique()
        if self._first_rising is None and not rising.is_empty():
            self._first_rising = rising["line"].min()  # type: ignore[assignment]

    def _add_ties(self, rows: pl.DataFrame) -> None:
        rows = rows.with_columns(pl.col("value").cast(self._float)).sort("query", "value", "score", maintain_order=True)
        same = pl.all_horizontal(pl.col(name) == pl.col(name).shift() for name in ("query", "value"))
        before = pl.col("score").shift().alias("before")
        pairs = rows.select("query", "line", "score", before, same=same)
        pairs = pairs.filter(pl.col("same") & (pl.col("score") != pl.col("before")))
        made = [row for row in pairs.iter_rows() if _differ(row[2], row[3])]
        self._tied_queries += len({row[0] for row in made})
        if made and self._first_tie is None:
            _, *self._first_tie, _ = min(made, key=lambda row: row[1])  # type: ignore[assignment]

    def _add_cut_ties(self, rows: pl.DataFrame) -> None:
        """Remember the queries in which the usual cut-off lies inside a tie."""
        value = pl.col("value").cast(self._float)
        edge = rows.group_by("query", maintain_order=True).agg(
            value.drop_nulls().sort(descending=True).slice(CUTOFF - 1, 2)
        )
        self._queries += edge.height
        edge = edge.filter(pl.col("value").list.len() == 2, pl.col("value").list.n_unique() == 1)
        self._cut_ties += edge["query"].to_list()

    def findings(self) -> Iterator[Finding]:
        """Yield what was seen."""
        if len(self._cut_ties) > ORDINARY * self._queries:
            share = f"{len(self._cut_ties):,} of {_queries(self._queries)}"
            message = f"in {share} the cut-off at {CUTOFF} lies inside a tie of scores"
            fix = "there document ids decide, and another order could change measures; break ties where you rank"
            yield tell("N215", message, pl.Series(self._cut_ties), fix=fix, file=self._file)
        if len(self._tags) > 1:
            first = list(self._tags.items())[:5]
            message = f"the file holds {len(self._tags):,} tags: {', '.join(shown(tag, 30) for tag, _ in first)}"
            yield self._finding("W218", message, "write each run to a file of its own", first[1][1])
        yield from self._rank_findings()
        if self._first_tie:
            line, one, other = self._first_tie
            message = f"the scores {shown(one, 30)} and {shown(other, 30)} become one number and tie"
            fix = f"document ids decide now in {_queries(self._tied_queries)}; write fewer digits or scale the scores"
            yield self._finding("W215", message, fix, line, self._tied_queries)

    def _rank_findings(self) -> Iterator[Finding]:
        if not self._rising:
            return
        if self._rising >= max(ENOUGH, MOSTLY * (self._rising + self._falling)):
            message = "the scores grow with the rank, so that the last rank is evaluated as the first"
            yield self._finding("W220", message, "if smaller is better, use ascending=True", self._first_rising)
            return
        message = f"the ranks of {_queries(self._rising_queries)} contradict the scores; the scores count"
        fix = "if the ranks are right, write scores that fall with them"
        yield self._finding("W217", message, fix, self._first_rising, self._rising_queries)

    def _finding(self, code: str, message: str, fix: str, line: int | None, count: int = 1) -> Finding:
        return Finding(code=code, message=message, fix=fix, file=self._file, line=line, count=count)


def _queries(count: int) -> str:
    return "1 query" if count == 1 else f"{count:,} queries"


def _differ(one: str, other: str) -> bool:
    """Tell whether two spellings are different numbers, however many digits they have."""
    try:
        return Decimal(one) != Decimal(other)
    except InvalidOperation:
        return False


def upside_down(aligned: Aligned, rel: float, file: str) -> Iterator[Finding]:
    """Yield a warning when nearly all relevant documents that were found stand in the lower half of their lists."""
    hits, returned = aligned.arrays.hits, aligned.arrays.returned
    found = (hits.grade >= rel) & ~hits.repeat & (returned[hits.query] > 1)
    low = found & (2 * hits.slot > returned[hits.query] + 1)
    if found.sum() < ENOUGH or low.sum() < MOSTLY * found.sum():
        return
    share = f"{low.sum() / found.sum():.0%}"
    message = f"{share} of the relevant documents that were found stand in the lower half of their list"
    yield Finding(code="W220", message=message, fix="if smaller scores are better, use ascending=True", file=file)

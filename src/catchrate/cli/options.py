"""Options that several commands share."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal, cast

from cyclopts import Group, Parameter

from catchrate.alignment import Policy
from catchrate.alignment.policy import Dialect, Duplicates, QueryPolicy
from catchrate.errors import UsageError, shown
from catchrate.evaluation.intervals import Resampling
from catchrate.formats import Format, ReadOptions
from catchrate.reports.render import Form, form_of
from catchrate.tables.judgments import JudgmentDuplicates

OF_JUDGMENTS: tuple[JudgmentDuplicates, ...] = ("max", "first")
"""What `--duplicates` may say of judgments; the rest is said of runs."""
DuplicateChoice = Literal["refuse", "keep", "collapse", "max", "first"]

FLAG = Parameter(negative=(), show_default=False)
"""An option that is on or off, and off unless named."""
MANY = Parameter(negative=(), show_default=False, consume_multiple=False)
"""An option that may be given several times."""
LOAD = "Run a Python file that declares measures of your own."
Load = Annotated[tuple[Path, ...], MANY, Parameter(metavar="FILE.py", help=LOAD)]
OUTPUT = Group("Output", sort_key=5)
READING = Group("How inputs are read", sort_key=20)
POLICIES = Group("What counts", sort_key=10)
INTERVALS = Group("Intervals", sort_key=8)


@Parameter(name="*", group=OUTPUT)
@dataclass(frozen=True, kw_only=True)
class Output:
    """In which form results come, and where they go."""

    json: Annotated[bool, FLAG] = False
    """Print JSON."""
    csv: Annotated[bool, FLAG] = False
    """Print CSV."""
    output: Annotated[str | None, Parameter(alias="-o", metavar="FILE")] = None
    """Write to a file; .txt, .md, .html, .pdf, .tex, .json, .csv, .tsv or .parquet chooses the form."""

    def form(self) -> Form:
        """Return the form that was asked for, or that the suffix of the file says.

        Raises UsageError when two forms are asked for.
        """
        if self.json and self.csv:
            raise UsageError.of("E280", "both --json and --csv are given", fix="give one of the two")
        if self.json or self.csv:
            return "json" if self.json else "csv"
        return form_of(self.output or "") or "text"


@Parameter(name="*", group=INTERVALS)
@dataclass(frozen=True, kw_only=True)
class Intervals:
    """How intervals are made."""

    level: Annotated[float, Parameter(metavar="SHARE")] = 0.95
    """How often an interval should hold the true value."""
    cluster: Annotated[str | None, Parameter(metavar="COLUMN")] = None
    """What is known of the queries, such as a conversation; those that share it are drawn together."""
    samples: Annotated[int | None, Parameter(metavar="N")] = None
    """How many samples a bootstrap draws; 10,000, or fewer of very many queries, when left out."""
    seed: Annotated[int, Parameter(metavar="N")] = 0
    """Where its random numbers start."""

    def resampling(self) -> Resampling:
        """Return the choices as the intervals take them.

        Raises UsageError for a number out of range.
        """
        return Resampling(level=self.level, cluster=self.cluster, samples=self.samples, seed=self.seed)


@Parameter(name="*", group=READING)
@dataclass(frozen=True, kw_only=True)
class Reading:
    """How inputs are read whose content does not say."""

    format: Annotated[Format | None, Parameter(metavar="NAME")] = None
    """What the inputs hold; told from their content when left out."""
    column: Annotated[tuple[str, ...], MANY, Parameter(metavar="OURS=THEIRS")] = ()
    """Name a column or field, such as query=qid. Repeatable."""
    encoding: Annotated[str, Parameter(metavar="NAME")] = "utf-8"
    """Encoding of text."""
    comments: Annotated[bool, FLAG] = False
    """Lines that begin with # are comments."""
    fractions: Annotated[bool, FLAG] = False
    """Grades of TREC judgments may have fractions."""
    ascending: Annotated[bool, FLAG] = False
    """Smaller scores are better, as distances are."""
    duplicates: Annotated[tuple[DuplicateChoice, ...], MANY, Parameter(metavar="HOW")] = ()
    """Documents returned twice: refuse, keep (best place counts) or collapse (gaps close). Judged twice: max or
    first grade."""

    def read_options(self) -> ReadOptions:
        """Return the options as the readers take them."""
        judged = [choice for choice in self.duplicates if choice in OF_JUDGMENTS]
        return ReadOptions(
            format=self.format,
            columns=dict(map(_column, self.column)),
            encoding=self.encoding,
            comments=self.comments,
            fractions=self.fractions,
            ascending=self.ascending,
            duplicates=cast("JudgmentDuplicates", judged[-1]) if judged else "refuse",
        )

    def run_duplicates(self) -> Duplicates | None:
        """Return what is said of runs."""
        said = [choice for choice in self.duplicates if choice not in OF_JUDGMENTS]
        return cast("Duplicates", said[-1]) if said else None


@Parameter(name="*", group=POLICIES)
@dataclass(frozen=True, kw_only=True)
class Policies:
    """The choices that change numbers."""

    rel: Annotated[float, Parameter(metavar="GRADE")] = 1
    """Lowest grade that counts as relevant."""
    queries: QueryPolicy | None = None
    """All judged queries, which is usual, those in both inputs, or all after refusing any difference."""
    judged_only: Annotated[bool, FLAG] = False
    """Drop unjudged documents first."""
    max_rank: Annotated[int | None, Parameter(metavar="N")] = None
    """Cut every ranking after N slots."""
    dialect: Dialect = "catchrate"
    """trec_eval-9 compares scores as 32-bit floats."""
    length: Annotated[Literal["words", "chars"] | None, Parameter(show_default=False)] = None
    """What measures with a budget count in the texts of what was retrieved; words when left out."""
    match: Annotated[str | None, Parameter(metavar="RULE")] = None
    """Match texts with gold texts, such as covered(0.5) or contained, in place of ids."""

    def policy(self, reading: Reading) -> Policy:
        """Return the policy, with what was said of duplicates."""
        return Policy(
            rel=self.rel,
            queries=self.queries or "judged",
            duplicates=reading.run_duplicates(),
            judged_only=self.judged_only,
            max_rank=self.max_rank,
            dialect=self.dialect,
            length=self.length,
        )


def _column(text: str) -> tuple[str, str]:
    ours, equals, theirs = text.partition("=")
    if not (ours and equals and theirs):
        fix = "write our name, = and yours, such as --column query=qid"
        raise UsageError.of("E280", f"--column {shown(text)} names no column", fix=fix)
    return ours, theirs

"""Every error that leaves the library, and every code.

    CatchrateError
    ├── UsageError      the call itself is wrong: an unknown measure, an impossible option   (exit 2)
    ├── InputError      the data is refused: where, what was found, what is allowed          (exit 4)
    ├── OutputError     a result could not be written                                        (exit 5)
    └── MissingExtra    an optional library is not installed                                 (exit 2)

`UsageError` and `InputError` are `ValueError`s too, `OutputError` is an `OSError`, and `MissingExtra` an
`ImportError`, so that code which knows nothing of catchrate can catch them.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Self

from catchrate.limits import MAX_FINDINGS_SHOWN, MAX_FOUND_CHARS

CODES: dict[str, str] = {
    # bytes and lines
    "E101": "an input holds at least one row",
    "E102": "text is UTF-8",
    "E103": "lines end with LF or CRLF",
    "E104": "text is valid UTF-8",
    "E105": "text holds no NUL byte",
    "W106": "ids hold no invisible characters",
    "W107": "ids that look alike are the same id",
    "E108": "lines and ids have a sane length",
    "W109": "the last line ends with a line end",
    "E110": "the input exists",
    "E111": "the input is a file, not a folder (only BEIR folders are read)",
    "E112": "the input may be read",
    "E113": "the input is a regular file, a pipe or standard input",
    "E114": "a file does not change while it is read",
    "N115": "a byte order mark is not part of the first id",
    "N116": "the suffix of a file says what it holds",
    "E117": "the format of an input can be told from its content or from `format`",
    "W118": "lines that begin with '#' are comments only when that is declared",
    # judgments
    "E201": "a line of TREC judgments has four columns: query, iteration, document, grade",
    "E202": "a grade is a number (TREC judgments: a whole one)",
    "N203": "a negative grade means pooled but not judged",
    "E204": "a grade lies within 32 bits",
    "E205": "an exponential gain needs grades up to 1,000",
    "W205": "an exponential gain is exact for grades up to 53",
    "E206": "a query and document are judged once",
    "N207": "a query and document are judged once",
    "E208": "a line of preferences has five columns: query, group, subgroup, document, level",
    # runs
    "E211": "a score is a number, never NaN",
    "W212": "scores are finite",
    "E213": "a score fits a 64-bit float",
    "W213": "a score fits a 64-bit float",
    "E214": "a score is a number with a decimal point",
    "N215": "scores alone decide what a measure counts",
    "W215": "different scores stay different when they are read",
    "E216": "a document is returned once for a query",
    "W217": "the rank column agrees with the scores",
    "W218": "a run file holds one run",
    "E219": "a line of a TREC run has six columns: query, Q0, document, rank, score, tag",
    "W220": "a larger score is better",
    "N222": "a document is returned once for a query",
    "N223": "the order of a list agrees with its scores",
    "E224": "a rank is a whole number from 1 upwards, once for a query",
    # query sets
    "E221": "judgments and run share queries",
    "N225": "every judged query is in the run",
    "N226": "every query of the run is judged",
    "W226": "most queries of a run are judged",
    "E227": "judgments and run hold the same queries (queries='strict')",
    "N228": "a query has a relevant document",
    "N229": "what is returned has been judged",
    # JSON, tables
    "E230": "a line of JSONL is one JSON object",
    "E231": "a key stands once in a JSON object",
    "E232": "JSON is nested a few levels deep",
    "E233": "JSON numbers are finite",
    "E234": "an id is text or a whole number",
    "N235": "ids are text",
    "E236": "a record has the fields query, retrieved and ground_truth",
    "E237": "the parallel lists of a record have the same length",
    "E238": "a query id stands on one record",
    "E239": "a weight is a positive finite number",
    "E250": "a table has a column for the query, the document, and the grade, score or rank",
    "E251": "each column of a table has a name of its own",
    "E252": "every row of a table has the columns of its header",
    "E253": "quotes in a table are closed",
    "E254": "a column has a type that can hold what it means",
    "E255": "a key column holds no null",
    "E256": "a Parquet file is whole",
    "E257": "a table has a sane number of columns",
    "N258": "a quote before =, +, -, @ or a tab keeps spreadsheets from running a cell, and is no part of an id",
    "N259": "every row of a label sheet has a grade",
    # containers
    "E240": "a compressed file unpacks to a sane size",
    "E241": "a compressed file is whole",
    "E242": "a compressed file ends where its data ends",
    "E243": "a file is compressed once, with gzip or zstd",
    # Python objects
    "E260": "an object is a mapping, a list, a data frame, a path or text of a known shape",
    "E261": "two parallel lists have one entry a query",
    "E262": "a run has a name of its own",
    # measures
    "E270": "a measure is written name(parameter=value)@k",
    "E271": "a measure has a known name",
    "E272": "a parameter of a measure has a value in its range",
    "E273": "a measure of your own returns one finite number a query",
    "E274": "a measure is declared once, with everything its row needs",
    "E275": "a file of measures runs without errors",
    "E276": "a measure keeps the laws that its row declares",
    # matching and lengths
    "E290": "a rule of matching is written name(parameter=value) and has a known name",
    "N290": "a slot holds one gold text",
    "E291": "texts that are matched are there on both sides",
    "N291": "a gold text is not empty",
    "N292": "every chunk belongs to a document that is known",
    "E292": "a measure with a budget knows how long each returned slot is",
    "E288": "a measure of characters knows where gold spans and returned spans stand",
    "E289": "a span is (doc, start, end), whole numbers with 0 <= start <= end",
    # command line
    "E280": "a command line names commands, options and values that exist",
    "E281": "a line of a z-score file has four columns: topic, measure, mean, deviation",
    "W282": "a number is one to its last character",
    # gate, slices, saved scores, settings
    "E320": "a rule of a gate is written recall@10 >= 0.8, lower(recall@10) >= 0.8 or ndcg@10 by 0.01",
    "E321": "a gate has something to check, and a baseline where it compares",
    "E322": "saved scores are a file that `catchrate evaluate --save` wrote, and it is as it was written",
    "E323": "slices part the queries by something that is known of them and has few values",
    "N324": "the command line says everything",
    "E324": "catchrate.toml holds tables that are named like commands, with their options as keys",
    "N325": "queries are judged as they were when scores were saved",
    # curves
    "E330": "a curve is of a measure with a cut-off, at whole numbers above 0",
    "E331": "two runs are compared over the same queries",
    "E332": "a loss account has the part that is asked for",
    "E333": "a target names a measure that grows with k, and a share to reach",
    # reports
    "E340": "a report has the table that is asked for",
    "E341": "a result has the chart that is asked for",
    "E342": "the name of a report ends with what says its form",
    "E343": "stars of significance stand for differences from a baseline",
    # calculator, local app
    "E350": "a total is a whole number",
    "E351": "totals agree with each other",
    "E352": "a recall target is a share above 0 and up to 1",
    "E353": "the cut-offs of a curve rise, and what they find never falls",
    # texts, documents and data sets
    "N293": "every question of a data set has an answer to find",
    "E294": "an entry of LongMemEval has the fields of its release",
    "N295": "a relevant document has what documents are compared by",
    "E296": "a retriever returns ids, (id, score) pairs, or things with an id, a text and a score",
    "W297": "every question that was collected has an answer",
    "E298": "a saved collection is a JSONL file that belongs to the questions asked",
    "E299": "a retriever can be found and called, with numbers that make sense",
    "E354": "the local app is open to others only with a token",
    "E355": "a port is free",
    # explaining and reconciling
    "E360": "a query that is explained is one of the queries that count",
    "E361": "a number that another tool printed is a number, such as 0.731 or 73.1%",
    "E362": "a tool is one whose definitions are known",
    # output, resources
    "E301": "an output is not one of the inputs",
    "E302": "an output can be written",
    # statistics
    "E310": "a level, a seed, a number of samples and a guess lie in their range",
    "E311": "clusters are named by a column of the judged queries",
    "E312": "runs that are compared answer the same queries",
    "E313": "runs that are compared have the same judgments, measures and policies",
    "E314": "a test, a correction and a family are among those that are known",
    "E315": "a comparison has at least two runs, and no more differences than anyone reads",
    "N316": "every query is in all runs that are compared",
    "E317": "power is asked of one run, of two or of a guess, and of measures that are means",
    "N318": "the documents that measures look at have been judged",
    "N319": "runs that are compared at equal k return about as much text",
    # clusters
    "E370": "a cluster finishes the work that it is given",
    "E501": "the work fits into memory",
    "E502": "an optional library is installed before it is used",
}
"""Each code with the rule that was broken. E refuses, W warns of a likely mistake, N only tells."""


def shown(text: object, limit: int = MAX_FOUND_CHARS) -> str:
    """Return foreign text quoted for one line of a message: nothing invisible, nothing that steers a terminal."""
    raw = text if isinstance(text, str) else str(text)
    escaped = visible(raw[: limit + 1].replace("\\", "\\\\").replace("'", "\\'"))
    return f"'{escaped[:limit]}…'" if len(escaped) > limit or len(raw) > limit else f"'{escaped}'"


def visible(text: str) -> str:
    r"""Return text on one line in which nothing is invisible and nothing steers a terminal.

    >>> print(visible("a\x1b[2Jb\u202ec"))
    a\x1b[2Jb\u202ec
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(char if _is_plain(char) else char.encode("unicode_escape").decode("ascii") for char in text)


def _is_plain(char: str) -> bool:
    return char == " " or unicodedata.category(char)[0] not in "CZ"


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing that was noticed: where, what was found, what is allowed, what to do."""

    code: str
    """A key of `CODES`: E refuses, W warns, N tells."""
    message: str
    """What was found, in one line, foreign text escaped."""
    fix: str = ""
    """What to do about it, in one line."""
    file: str = ""
    """The input, as the caller named it."""
    line: int | None = None
    """Physical line, or row for inputs without lines, counted from 1."""
    count: int = 1
    """How often it was seen."""
    sample: tuple[str, ...] = ()
    """The first few ids that it concerns."""

    @property
    def rule(self) -> str:
        """What is allowed."""
        return CODES[self.code]

    @property
    def severity(self) -> str:
        """`error`, `warning` or `note`."""
        return {"E": "error", "W": "warning", "N": "note"}[self.code[0]]

    def as_dict(self) -> dict[str, object]:
        """Return the finding as plain data for JSON."""
        return {
            "code": self.code,
            "severity": self.severity,
            "file": self.file or None,
            "line": self.line,
            "count": self.count,
            "message": self.message,
            "rule": self.rule,
            "fix": self.fix or None,
            "sample": list(self.sample),
        }

    def __str__(self) -> str:
        file = visible(self.file)
        place = f"{file}:{self.line}: " if file and self.line else f"{file}: " if file else ""
        if self.line and not self.file:
            place = f"row {self.line}: "
        return f"{self.code} {place}{self.message}" + (f" - {self.fix}" if self.fix else "")


class CatchrateError(Exception):
    """Base of every error that the library raises on purpose."""

    exit_code: ClassVar[int] = 4

    findings: tuple[Finding, ...]
    """What was found, the first ones in full."""
    total: int
    """How many findings there were in all."""

    def __init__(self, findings: Finding | Sequence[Finding], *, total: int | None = None) -> None:
        self.findings = (findings,) if isinstance(findings, Finding) else tuple(findings)
        self.total = total if total is not None else len(self.findings)
        lines = [str(f) for f in self.findings[:MAX_FINDINGS_SHOWN]]
        if self.total > len(lines):
            lines.append(f"... and {self.total - len(lines):,} more")
        super().__init__("\n".join(lines))

    @classmethod
    def of(
        cls,
        code: str,
        message: str,
        *,
        fix: str = "",
        file: str = "",
        line: int | None = None,
        sample: Sequence[str] = (),
    ) -> Self:
        """Build an error from its one finding."""
        return cls(Finding(code=code, message=message, fix=fix, file=file, line=line, sample=tuple(sample)))

    def __reduce__(self) -> tuple[object, ...]:
        return (_rebuilt, (type(self), self.findings, self.total))

    @property
    def code(self) -> str:
        """The code of the first finding."""
        return self.findings[0].code


def _rebuilt(cls: type[CatchrateError], findings: tuple[Finding, ...], total: int) -> CatchrateError:
    return cls(findings, total=total)


class UsageError(CatchrateError, ValueError):
    """The call is wrong: an unknown measure, an impossible option."""

    exit_code = 2


class InputError(CatchrateError, ValueError):
    """The data is refused."""

    exit_code = 4


class OutputError(CatchrateError, OSError):
    """A result could not be written; what was there before is untouched."""

    exit_code = 5


class MissingExtra(CatchrateError, ImportError):
    """An optional library is not installed; the message names the extra that brings it."""

    exit_code = 2

    @classmethod
    def named(cls, library: str, extra: str) -> Self:
        """Return the one line that says which extra brings a library.

        >>> print(MissingExtra.named("rapidfuzz", "match"))
        E502 rapidfuzz is not installed - pip install 'catchrate[match]'
        """
        return cls.of("E502", f"{library} is not installed", fix=f"pip install 'catchrate[{extra}]'")

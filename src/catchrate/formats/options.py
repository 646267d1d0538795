"""How an input is to be read, where its content does not say."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal, get_args

from catchrate.errors import UsageError, shown
from catchrate.tables.judgments import JudgmentDuplicates

Format = Literal["trec", "jsonl", "json", "csv", "tsv", "parquet", "beir", "longmemeval-turns"]
FORMATS: tuple[Format, ...] = get_args(Format)
LONGMEMEVAL_TURNS: Final = "longmemeval-turns"
"""Says that turns are judged in a file of LongMemEval, not sessions; everything else is told from its content."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadOptions:
    """Choices that a caller may make about one input."""

    format: Format | None = None
    """What the input holds; None looks at its content."""
    columns: Mapping[str, str] = field(default_factory=dict[str, str])
    """Names of columns or fields that are not the usual ones: ours to theirs, such as `{"query": "qid"}`."""
    encoding: str = "utf-8"
    """Encoding of text, when it is not UTF-8."""
    comments: bool = False
    """Whether a line that begins with `#` is a comment."""
    fractions: bool = False
    """Whether grades of TREC judgments may have fractions."""
    duplicates: JudgmentDuplicates = "refuse"
    """What to do with a pair that was judged twice with different grades."""
    ascending: bool = False
    """Whether smaller scores are better, as distances are."""
    texts: bool = False
    """Whether entries are texts that will be matched: ids are made of them where there are none."""
    spans: bool = False
    """Whether entries are spans that will be matched: `(doc, start, end)`, or objects with these fields."""

    def __post_init__(self) -> None:
        """Refuse choices that do not exist, before any input is read."""
        if self.format is not None:
            _refuse_other("format", self.format, FORMATS)
        _refuse_other("duplicates", self.duplicates, get_args(JudgmentDuplicates))
        columns: Any = self.columns
        if not isinstance(columns, Mapping) or not all(isinstance(name, str) for name in columns.values()):
            fix = "pass a mapping of our names to yours, such as {'query': 'qid'}"
            raise UsageError.of("E272", f"columns is {shown(columns)}", fix=fix)
        _refuse_unknown_encoding(self.encoding)


def _refuse_other(name: str, value: object, allowed: tuple[str, ...]) -> None:
    if value not in allowed:
        raise UsageError.of("E272", f"{name} is {shown(value)}", fix=f"it is one of {', '.join(allowed)}")


def _refuse_unknown_encoding(encoding: Any) -> None:
    try:
        b"a".decode(encoding, "replace")
    except (LookupError, ValueError, TypeError) as error:
        fix = "use a name that Python knows, such as latin-1"
        raise UsageError.of("E102", f"unknown encoding {shown(encoding)}", fix=fix) from error

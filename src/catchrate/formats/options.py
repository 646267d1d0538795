"""How an input is to be read, where its content does not say."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from catchrate.tables.judgments import JudgmentDuplicates

Format = Literal["trec", "jsonl", "json", "csv", "tsv", "parquet", "beir"]
FORMATS: tuple[Format, ...] = ("trec", "jsonl", "json", "csv", "tsv", "parquet", "beir")


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

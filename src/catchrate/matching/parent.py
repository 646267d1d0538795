"""From chunk ids to the ids of the documents that the chunks are cut from."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal, get_args

import polars as pl

from catchrate.errors import Finding, InputError, UsageError, shown
from catchrate.matching.rules import Rule
from catchrate.tables import RankingSource

Collapse = Literal["first", "best"]
Parents = Callable[[str], str] | Mapping[str, str]
"""What says which document a chunk belongs to."""
SPELLINGS = (
    r"write parent(PATTERN) with the document's part in brackets, such as parent(^(.+)-\d+$), or parent(column=NAME)"
)


@dataclass(frozen=True, slots=True)
class Parent(Rule):
    r"""A chunk stands for its document: by a pattern of its id, a column of the run, a function or a mapping.

    >>> str(Parent(pattern=r"^(.+)-\d+$"))
    'parent(^(.+)-\\d+$)'
    """

    name: ClassVar[str] = "parent"
    texts: ClassVar[bool] = False

    pattern: str = ""
    """A regular expression; its first group is the id of the document."""
    column: str = ""
    """The column of the run, or the field of its objects, that holds the document."""
    by: Parents | None = None
    """A function of the chunk's id, or a mapping."""
    collapse: Collapse | None = None
    """Whether documents are listed once: in the order of their first chunks, or of their best by score."""

    def __post_init__(self) -> None:
        """Refuse a pattern that names nothing."""
        if (bool(self.pattern) + bool(self.column) + (self.by is not None)) != 1:
            raise UsageError.of("E290", "parent takes one of a pattern, a column and a function", fix=SPELLINGS)
        if self.collapse not in (None, *get_args(Collapse)):
            raise UsageError.of("E290", f"collapse is {shown(self.collapse)}", fix="give first or best")
        if self.pattern and not _has_group(self.pattern):
            raise UsageError.of("E290", f"{shown(self.pattern)} is no pattern with a group", fix=SPELLINGS)

    @classmethod
    def spelled(cls, inside: str) -> Parent:
        """Return the rule with what stands in its brackets."""
        collapse, _, rest = inside.partition(",") if inside.startswith("collapse=") else ("", "", inside)
        how, rest = collapse.removeprefix("collapse=").strip() or None, rest.strip()
        if rest.startswith("column="):
            return cls(column=rest.removeprefix("column=").strip(), collapse=how)  # type: ignore[arg-type]
        return cls(pattern=rest, collapse=how)  # type: ignore[arg-type]

    def documents(self, chunks: pl.Series) -> pl.Series:
        """Return the document of each chunk; null where none is known."""
        if self.pattern:
            return chunks.str.extract(self.pattern, 1)
        if self.by is None:
            return chunks
        known = {chunk: self._document(chunk) for chunk in chunks.unique().to_list()}
        return chunks.replace_strict(list(known), list(known.values()), return_dtype=pl.String)

    def _document(self, chunk: str) -> str | None:
        try:
            found = self.by.get(chunk) if isinstance(self.by, Mapping) else self.by(chunk)  # type: ignore[misc]
        except Exception as error:
            message = f"the function failed for {shown(chunk, 40)} with {type(error).__name__}: {shown(error)}"
            raise UsageError.of("E290", message, fix="return the id of the document") from error
        return None if found is None else str(found)

    def __str__(self) -> str:
        how = f"collapse={self.collapse}, " if self.collapse else ""
        given = self.pattern or (
            f"column={self.column}" if self.column else getattr(self.by, "__qualname__", "mapping")
        )
        return f"{self.name}({how}{given})"


def _has_group(pattern: str) -> bool:
    """Tell whether a pattern is one that polars and Python both know, with a group."""
    try:
        pl.Series(["a"]).str.extract(pattern, 1)
        return re.compile(pattern).groups > 0
    except (re.error, pl.exceptions.PolarsError):
        return False


class ParentRanking:
    """A ranking of chunks as a ranking of their documents. A document counts once, at its first chunk."""

    def __init__(self, ranking: RankingSource, rule: Parent) -> None:
        self._ranking = ranking
        self.rule = rule
        """How documents are found."""
        self._orphans = 0

    @property
    def name(self) -> str:
        """The input, as the caller named it."""
        return self._ranking.name

    @property
    def ordered(self) -> bool:
        """True when the order of the rows ranks; False when scores do."""
        return self._ranking.ordered

    def blocks(self, *, gather: bool = False) -> Iterator[pl.DataFrame]:
        """Yield the rows with documents for chunks; a chunk whose document is not known stands for itself."""
        self._orphans = 0
        for block in self._ranking.blocks(gather=gather):
            found = self.rule.documents(block["doc"])
            self._orphans += found.null_count()
            yield self._collapsed(block.with_columns(found.fill_null(block["doc"]).alias("doc")))

    def _collapsed(self, rows: pl.DataFrame) -> pl.DataFrame:
        if self.rule.collapse is None:
            return rows
        if self.rule.collapse == "best" and "score" not in rows.columns:
            fix = "give scores, or collapse=first"
            raise InputError.of("E290", "the best chunk is asked for and there are no scores", fix=fix, file=self.name)
        if self.rule.collapse == "best" or not self.ordered:
            rows = rows.sort("query", "score", "doc", descending=[False, True, True], maintain_order=True)
        return rows.unique(["query", "doc"], keep="first", maintain_order=True)

    def empty_queries(self) -> tuple[str, ...]:
        """Return the queries for which nothing was returned."""
        return self._ranking.empty_queries()

    def notes(self) -> tuple[Finding, ...]:
        """Return what was noticed while reading."""
        if not self._orphans:
            return self._ranking.notes()
        message = f"the documents of {self._orphans:,} chunks are not known by {self.rule}; these stand for themselves"
        note = Finding(code="N292", message=message, file=self.name, count=self._orphans)
        return (*self._ranking.notes(), note)

    def digest(self) -> str:
        """Return the digest of the content."""
        return self._ranking.digest()

    def lines_of(self, query: str, doc: str) -> tuple[int, ...]:
        """Return nothing: a document stands on the lines of all its chunks."""
        return ()

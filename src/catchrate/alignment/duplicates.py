"""The duplicate rule: a document counts once for a query, at its first place."""

from __future__ import annotations

import numpy as np
import polars as pl

from catchrate.alignment.block import Block
from catchrate.alignment.policy import Policy
from catchrate.errors import Finding, InputError, shown
from catchrate.matching.parent import ParentRanking
from catchrate.tables import RankingSource
from catchrate.tables.rows import lists_with_equals


class Repeats:
    """Watches the blocks of a run for documents that were returned twice for a query."""

    def __init__(self, source: RankingSource, policy: Policy) -> None:
        self._source = source
        self._how = policy.duplicates or ("keep" if source.ordered or isinstance(source, ParentRanking) else "refuse")
        self._count = 0
        self._sample: list[str] = []

    @property
    def collapse(self) -> bool:
        """Whether repeats are to be dropped and the gaps closed."""
        return self._how == "collapse"

    def found_in(self, block: Block) -> bool:
        """Return whether the block has repeats; raise when they are refused."""
        suspects = lists_with_equals(block.hashes, block.starts)
        if suspects.size == 0:
            return False
        rows = block.frame.filter(pl.Series(np.isin(block.query, suspects))).select("query", "doc")
        repeated = rows.filter(rows.is_duplicated())
        if repeated.is_empty():
            return False
        first = repeated.row(0)
        distinct = repeated.n_unique()
        if self._how == "refuse":
            raise self._refusal(first[0], first[1], distinct)
        self._count += repeated.height - distinct
        self._sample += repeated["doc"].unique(maintain_order=True).head(5).to_list()
        return True

    def _refusal(self, query: str, doc: str, distinct: int) -> InputError:
        lines = self._source.lines_of(query, doc)
        where = f" on lines {', '.join(str(line) for line in lines[:3])}" if lines else ""
        finding = Finding(
            code="E216",
            message=f"query {shown(query)} returned document {shown(doc)} more than once{where}",
            fix="correct the run, or choose duplicates='keep' (its best place counts) or 'collapse' (gaps close)",
            file=self._source.name,
            line=lines[1] if len(lines) > 1 else None,
        )
        return InputError(finding, total=distinct)

    def notes(self) -> tuple[Finding, ...]:
        """Return how many repeats there were."""
        if not self._count:
            return ()
        what = "dropped, closing the gaps" if self.collapse else "kept in their slots without credit"
        message = f"{self._count:,} repeated documents were {what}"
        sample = tuple(dict.fromkeys(self._sample))[:5]
        return (Finding(code="N222", message=message, file=self._source.name, count=self._count, sample=sample),)


def without_repeats(block: pl.DataFrame, *, by_score: bool) -> pl.DataFrame:
    """Keep each document of a query at its best place only, in the order of the ranking."""
    if by_score:
        number = (pl.col("query") != pl.col("query").shift()).fill_null(True).cum_sum().alias("number")
        block = block.with_columns(number).sort("number", "score", "doc", descending=[False, True, True]).drop("number")
    return block.unique(["query", "doc"], keep="first", maintain_order=True)

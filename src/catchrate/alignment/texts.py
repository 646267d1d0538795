"""The join for texts: which slots of a block hold which gold texts, by a rule of matching."""

from __future__ import annotations

import numpy as np
import polars as pl

from catchrate.alignment.block import Block
from catchrate.alignment.index import JudgmentIndex
from catchrate.alignment.spans import SpanPlaces
from catchrate.errors import Finding
from catchrate.matching.ranking import TEXT, Found, MatchedRanking
from catchrate.matching.spans import Spans
from catchrate.measures.arrays import Ints
from catchrate.measures.spans import SpanTable

_SCHEMA = {
    "query": pl.String,
    "slot": pl.Int64,
    "doc": pl.String,
    "item": pl.String,
    "strength": pl.Float64,
    "together": pl.Float64,
    "matched": pl.Boolean,
}


class TextJoin:
    """Matches the queries of every block, and keeps which chunk matched which gold text."""

    def __init__(self, index: JudgmentIndex, source: MatchedRanking) -> None:
        self._index = index
        self._source = source
        self._kept: list[pl.DataFrame] = [pl.DataFrame(schema=_SCHEMA)]
        self._crowded = 0
        self.of_spans = isinstance(source.rule, Spans)
        """Whether spans are matched, and no texts."""
        self._places = SpanPlaces()

    def find(self, block: Block, codes: Ints, slots: Ints) -> tuple[Ints, Ints]:
        """Return the rows that hold a judged item, by slot, and these items; `slots` has the slot of each row."""
        rows, items = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
        texts = block.frame[TEXT]
        for start, size, code in zip(block.starts.tolist(), block.sizes.tolist(), codes.tolist(), strict=True):
            if code < 0:
                continue
            order = start + np.argsort(slots[start : start + size], kind="stable")
            first, end = self._index.item_bounds[code : code + 2].tolist()
            chunks = texts.gather(order).to_list()
            if self.of_spans:
                self._places.add(code, chunks)
            found = self._source.found(chunks, first, end)
            row, item = order[found.pairs.slot], first + found.pairs.item
            self._keep(block, row, item, slots[row], found)
            rows.append(row[found.matches])
            items.append(item[found.matches])
        return np.concatenate(rows), np.concatenate(items)

    def _keep(self, block: Block, row: Ints, item: Ints, slot: Ints, found: Found) -> None:
        held = np.unique(slot[found.matches], return_counts=True)[1]
        self._crowded += int(np.count_nonzero(held > 1))
        self._kept.append(
            pl.DataFrame(
                {
                    "query": block.frame["query"].gather(row),
                    "slot": slot,
                    "doc": block.docs.gather(row),
                    "item": self._index.docs.gather(item),
                    "strength": found.pairs.strength,
                    "together": found.pairs.together,
                    "matched": found.matches,
                },
                schema=_SCHEMA,
            )
        )

    def frame(self) -> pl.DataFrame:
        """Return one row for each match and each near miss."""
        return pl.concat(self._kept)

    def spans(self) -> SpanTable | None:
        """Return where gold spans and returned spans stand, where these were matched."""
        return self._places.table(self._index, self._source.gold) if self.of_spans else None

    def notes(self) -> tuple[Finding, ...]:
        """Tell what is worth knowing of the matches."""
        return (*self._crowded_note(), *self._blank_note())

    def _crowded_note(self) -> tuple[Finding, ...]:
        if not self._crowded:
            return ()
        slots = "1 slot holds" if self._crowded == 1 else f"{self._crowded:,} slots hold"
        message = f"{slots} more than one gold text: recall counts each text, precision the slot"
        return (Finding(code="N290", message=message, file=self._source.name, count=self._crowded),)

    def _blank_note(self) -> tuple[Finding, ...]:
        blank = sum(not text.strip() for text in self._source.gold)
        if not blank:
            return ()
        message = f"{blank:,} gold {'text is' if blank == 1 else 'texts are'} empty, and nothing holds an empty text"
        return (Finding(code="N291", message=message, file=self._source.name, count=blank),)

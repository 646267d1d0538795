"""Parts of a run that are joined apart, on other machines too, and merged: any parting gives the same join."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Self

import numpy as np

from catchrate.alignment.align import alignment_of_hits
from catchrate.alignment.index import JudgmentIndex
from catchrate.alignment.join import SAMPLE, Joined
from catchrate.alignment.order import ranges
from catchrate.errors import Finding
from catchrate.later import Later
from catchrate.measures.arrays import Alignment, Ints


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Part:
    """The join of some whole queries of a run. Its size is bounded by their judgments, so that it is cheap to send."""

    codes: Ints
    """The judged queries that this part has, by number, rising."""
    returned: Ints
    """How many slots each of these returned."""
    query: Ints
    """The query of each hit, by number."""
    slot: Ints
    item: Ints
    first: Ints
    """The first slot of the tie in which each hit stands."""
    last: Ints
    strangers: int
    """How many queries of this part nobody judged."""
    strange: tuple[str, ...]
    """The first few of them."""
    notes: tuple[Finding, ...]
    """What was noticed in this part."""

    @classmethod
    def of(cls, joined: Joined) -> Self:
        """Keep what was found and nothing of the queries that are elsewhere."""
        codes = np.flatnonzero(joined.in_run)
        return cls(
            codes=codes,
            returned=joined.returned[codes],
            query=joined.query,
            slot=joined.slot,
            item=joined.item,
            first=joined.first,
            last=joined.last,
            strangers=joined.strangers,
            strange=joined.strange,
            notes=joined.notes,
        )

    def alignment(self, index: JudgmentIndex) -> Alignment:
        """Return what measures read of these queries alone."""
        items = ranges(index.item_bounds[self.codes], index.item_bounds[self.codes + 1])
        return alignment_of_hits(
            query=np.searchsorted(self.codes, self.query),
            slot=self.slot,
            item=np.searchsorted(items, self.item),
            item_query=np.searchsorted(self.codes, index.item_query[items]),
            item_grade=index.item_grade[items],
            returned=self.returned,
        )


def merged(index: JudgmentIndex, parts: Sequence[Part], digest: str) -> Joined:
    """Return the join of a run whose queries lie in several parts, each whole in one of them."""
    returned, in_run = np.zeros(index.queries, np.int64), np.zeros(index.queries, bool)
    for part in parts:
        returned[part.codes] = part.returned
        in_run[part.codes] = True
    return Joined(
        query=np.concatenate([part.query for part in parts]),
        slot=np.concatenate([part.slot for part in parts]),
        item=np.concatenate([part.item for part in parts]),
        first=np.concatenate([part.first for part in parts]),
        last=np.concatenate([part.last for part in parts]),
        returned=returned,
        in_run=in_run,
        strangers=sum(part.strangers for part in parts),
        strange=tuple(sorted(name for part in parts for name in part.strange))[:SAMPLE],
        notes=_summed_up(note for part in parts for note in part.notes),
        digest=Later.known(digest),
    )


def _summed_up(notes: Iterable[Finding]) -> tuple[Finding, ...]:
    """Make one note of those that say the same of several parts; what they count stands in their message."""
    alike = groupby(sorted(notes, key=_kind, reverse=True), key=_kind)
    return tuple(_one_of(list(group)) for _, group in alike)


def _kind(note: Finding) -> tuple[str, str]:
    return note.code, note.file


def _one_of(notes: list[Finding]) -> Finding:
    first, count = notes[0], sum(note.count for note in notes)
    message = first.message.replace(f"{first.count:,}", f"{count:,}", 1)
    sample = tuple(sorted({name for note in notes for name in note.sample}))[:SAMPLE]
    return replace(first, message=message, count=count, sample=sample)

"""How long what a slot holds is: what the budget of a context is spent on."""

from __future__ import annotations

from collections.abc import Callable
from numbers import Integral
from typing import Literal

import numpy as np
import polars as pl

from catchrate.alignment.block import Block
from catchrate.errors import UsageError, shown
from catchrate.limits import MAX_NUMBER
from catchrate.measures.arrays import Ints, Lengths

Length = Literal["words", "chars"] | Callable[[str], int]
"""How texts are measured: a function is given a text, and may count the tokens of a model."""


class SlotLengths:
    """The lengths of all slots of the judged queries, collected block by block."""

    def __init__(self, how: Length) -> None:
        self._how = how
        self._parts: list[tuple[Ints, Ints, Ints]] = []
        self._unknown = False

    def known_in(self, block: Block) -> bool:
        """Tell whether lengths are known; nothing is known any more once a block has no texts."""
        self._unknown = self._unknown or "text" not in block.frame.columns
        return not self._unknown

    def add(self, block: Block, codes: Ints, slots: Ints) -> None:
        """Measure the rows of a block with texts."""
        query = codes[block.query]
        known = np.flatnonzero(query >= 0)
        texts = block.frame["text"].fill_null("").gather(known)
        self._parts.append((query[known], slots[known], self._measured(texts)))

    def _measured(self, texts: pl.Series) -> Ints:
        if self._how == "chars":
            return texts.str.len_chars().to_numpy().astype(np.int64)
        return np.fromiter(map(self._counter(), texts.to_list()), np.int64, texts.len())

    def _counter(self) -> Callable[[str], int]:
        if self._how != "words":
            return self._counted
        from catchrate.matching.texts import words  # its patterns take a while to compile: few measures have a budget

        return lambda text: len(words(text))

    def _counted(self, text: str) -> int:
        try:
            length = self._how(text)  # type: ignore[operator]
        except Exception as error:
            message = f"the function that measures lengths failed with {type(error).__name__}: {shown(error)}"
            raise UsageError.of("E292", message, fix="return the number of tokens of a text") from error
        if not isinstance(length, Integral) or not 0 <= int(length) <= MAX_NUMBER:
            message = f"the function that measures lengths returned {shown(repr(length), 40)}"
            raise UsageError.of("E292", message, fix="return the number of tokens of a text")
        return int(length)

    def lengths(self) -> Lengths | None:
        """Return the lengths by query, then slot."""
        if self._unknown or not self._parts:
            return None
        query, slot, length = (np.concatenate(part) for part in zip(*self._parts, strict=True))
        order = np.lexsort((slot, query))
        return Lengths(query[order], length[order])

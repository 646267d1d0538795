"""Some whole queries of a run, with what the join needs to know of their rows."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import polars as pl

from catchrate.measures.arrays import Ints
from catchrate.tables.rows import query_starts


class Block:
    """Rows of a run, each query's in one piece."""

    def __init__(self, frame: pl.DataFrame) -> None:
        self.frame = frame
        """`query, doc[, score]`."""
        self.docs: pl.Series = frame["doc"]
        self.starts: Ints = query_starts(frame["query"])
        """The row at which each query begins."""
        self.names: pl.Series = frame["query"].gather(self.starts)
        """The id of each query."""
        self.sizes: Ints = np.diff(self.starts, append=frame.height)
        """How many rows each query has."""
        self.query: Ints = np.repeat(np.arange(self.starts.size), self.sizes)
        """For each row, which query of the block it belongs to."""
        self.hashes: npt.NDArray[np.uint64] = self.docs.hash().to_numpy()
        """A hash of each document. It only saves looking: the documents themselves decide."""

"""Recall and precision read together: what kind of mistake a retriever makes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from catchrate.evaluation.evaluate import remeasured
from catchrate.evaluation.scores import Scores
from catchrate.measures import parse_all

ModeName = Literal["sound", "selective", "wide net", "weak"]
"""Finds and is precise; precise, but misses; finds, but with junk; misses, and with junk."""
NAMES: tuple[ModeName, ...] = get_args(ModeName)
FINDS = 0.7
"""Recall from which a retriever counts as one that finds, where no target says otherwise."""
PRECISE = 0.5
"""Precision from which a list counts as precise: half of what a reader gets is relevant."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mode:
    """What kind of mistakes there are, over all queries and query by query."""

    name: ModeName
    """What recall and precision say together."""
    recall: float
    """Mean recall@k."""
    precision: float
    """Mean precision@k."""
    ceiling: float
    """The largest mean precision that these relevant documents allow at k, one a slot."""
    unjudged: float
    """Share of the first k slots that nobody judged: each counts as not relevant."""
    finds: float
    """Recall from which a retriever finds."""
    precise: float
    """Precision from which it is precise."""
    queries: dict[ModeName, int]
    """How many queries are of each kind; those without a relevant document are of none."""


def mode_of(scores: Scores, k: int = 10, *, finds: float = FINDS, precise: float = PRECISE) -> Mode:
    """Name the kind of mistakes that a run makes in its first k slots."""
    names = f"recall@{k} precision@{k} unjudged@{k}"
    measured = remeasured(scores, parse_all(names))
    recall, precision, unjudged = measured.means
    relevant = scores.aligned.arrays.relevant(scores.rel)
    weights = None if "weight" not in scores.aligned.queries.columns else scores.aligned.queries["weight"].fill_null(1)
    kind = _kind(measured.values[:, 0], measured.values[:, 1], finds, precise)[relevant > 0]
    return Mode(
        name=NAMES[int(_kind(np.array([recall]), np.array([precision]), finds, precise)[0])],
        recall=recall,
        precision=precision,
        ceiling=float(np.average(np.minimum(relevant, k) / k, weights=weights)),
        unjudged=unjudged,
        finds=finds,
        precise=precise,
        queries={name: int(np.count_nonzero(kind == place)) for place, name in enumerate(NAMES)},
    )


def _kind(recall: np.ndarray, precision: np.ndarray, finds: float, precise: float) -> np.ndarray:
    """Return the place among `NAMES`: one for missing, two for junk."""
    return (recall < finds) * 1 + (precision < precise) * 2

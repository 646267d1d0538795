"""Results as strict JSON: no NaN, stable keys, ASCII only, so that it passes any pipe and terminal."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import cast

from catchrate.errors import Finding
from catchrate.evaluation import Leaderboard, Scores


def scores_json(board: Leaderboard, *, per_query: bool = False) -> str:
    """Return the runs in the order given, with their notes and provenance, at full precision."""
    content = {
        "runs": {name: _run(scores, per_query=per_query) for name, scores in board.items()},
        "notes": [note.as_dict() for note in notes_of(board)],
        "provenance": _provenance(board),
    }
    return as_json(content)


def as_json(content: object) -> str:
    """Return plain data as indented JSON; numbers that JSON cannot hold become null."""
    return json.dumps(_finite(content), indent=2, allow_nan=False) + "\n"


def notes_of(board: Leaderboard) -> tuple[Finding, ...]:
    """Return the notes of all runs, each once."""
    return tuple(dict.fromkeys(note for scores in board.values() for note in scores.notes))


def _run(scores: Scores, *, per_query: bool) -> dict[str, object]:
    run: dict[str, object] = {
        "measures": {name: {"mean": mean} for name, mean in scores.as_dict().items()},
        "queries": scores.queries,
    }
    if per_query:
        names = [str(measure) for measure in scores.measures]
        queries = scores.aligned.queries["query"].to_list()
        values = scores.values.tolist()
        run["per_query"] = {q: dict(zip(names, row, strict=True)) for q, row in zip(queries, values, strict=True)}
    return run


def _provenance(board: Leaderboard) -> dict[str, object]:
    """Return what all runs share once, and the inputs of each run by its name."""
    shared = dict(next(iter(board.values())).provenance)
    shared["inputs"] = {name: scores.provenance["inputs"] for name, scores in board.items()}
    return shared


def _finite(content: object) -> object:
    if isinstance(content, float):
        return content if math.isfinite(content) else None
    if isinstance(content, Mapping):
        return {key: _finite(value) for key, value in cast("Mapping[str, object]", content).items()}
    if isinstance(content, list | tuple):
        return [_finite(value) for value in cast("list[object]", content)]
    return content

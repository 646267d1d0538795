"""Results as CSV at full precision, with no text that a spreadsheet would run."""

from __future__ import annotations

import polars as pl

from catchrate.evaluation import Leaderboard
from catchrate.evaluation.coverage import unjudged_share
from catchrate.formats.cells import guarded


def scores_csv(board: Leaderboard, *, per_query: bool = False) -> str:
    """Return one row a run, best first; or one row a run and query, runs in the order given."""
    frame = _per_query(board) if per_query else _per_run(board)
    return frame.with_columns(guarded(pl.col(pl.String))).write_csv()


def _per_run(board: Leaderboard) -> pl.DataFrame:
    rows = [
        {
            "run": name,
            **scores.as_dict(),
            "queries": scores.queries,
            "missing": scores.aligned.missing,
            "unjudged": unjudged_share(scores),
        }
        for name, scores in board.best_first()
    ]
    return pl.DataFrame(rows)


def _per_query(board: Leaderboard) -> pl.DataFrame:
    return pl.concat([scores.per_query.insert_column(0, _name(name, scores.queries)) for name, scores in board.items()])


def _name(name: str, rows: int) -> pl.Series:
    return pl.Series("run", [name], dtype=pl.String).new_from_index(0, rows)

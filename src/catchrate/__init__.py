"""catchrate: what a retriever finds, and what it misses."""

from catchrate.calculation import Calculation, calculator
from catchrate.collecting import Collected, collect
from catchrate.errors import CatchrateError, Finding, InputError, MissingExtra, OutputError, UsageError
from catchrate.evaluation import (
    Curve,
    DifferenceCurve,
    Leaderboard,
    Scores,
    ap_at_k,
    curve,
    difference_curve,
    evaluate,
    f1_at_k,
    hit_at_k,
    ndcg_at_k,
    precision_at_k,
    recall_all_at_k,
    recall_at_k,
    rr_at_k,
)
from catchrate.formats import (
    LongMemEval,
    ReadOptions,
    read_judgments,
    read_longmemeval,
    read_ranking,
    read_records,
    write_judgments,
    write_ranking,
    write_records,
)
from catchrate.measures import Measure, measure, parse
from catchrate.measures.laws import check_measure
from catchrate.tables import Judgments, Ranking
from catchrate.version import __version__

__all__ = [
    "Calculation",
    "CatchrateError",
    "Collected",
    "Curve",
    "DifferenceCurve",
    "Finding",
    "InputError",
    "Judgments",
    "Leaderboard",
    "LongMemEval",
    "Measure",
    "MissingExtra",
    "OutputError",
    "Ranking",
    "ReadOptions",
    "Scores",
    "UsageError",
    "__version__",
    "ap_at_k",
    "calculator",
    "check_measure",
    "collect",
    "curve",
    "difference_curve",
    "evaluate",
    "f1_at_k",
    "hit_at_k",
    "measure",
    "ndcg_at_k",
    "parse",
    "precision_at_k",
    "read_judgments",
    "read_longmemeval",
    "read_ranking",
    "read_records",
    "recall_all_at_k",
    "recall_at_k",
    "rr_at_k",
    "write_judgments",
    "write_ranking",
    "write_records",
]

"""What a retriever finds, and what it misses.

>>> import catchrate
>>> scores = catchrate.evaluate({"q1": {"d1": 2, "d7": 1}}, {"q1": ["d1", "d4", "d7"]}, "recall@2 rr")
>>> scores["recall@2"], scores["rr"]
(0.5, 1.0)

`evaluate` measures one run or several, `compare` says which is better, `explain` and `diagnose` say why, `report`
writes it down. `collect` asks a retriever; `measure` adds a measure of your own.
"""

from __future__ import annotations

import sys
from importlib import import_module
from typing import TYPE_CHECKING

from catchrate import showing
from catchrate.importing import ONE_AT_A_TIME
from catchrate.version import __version__

if TYPE_CHECKING:  # what type checkers and editors see; `_HOMES` says the same
    from catchrate.calculation import Calculation, calculator
    from catchrate.collecting import Collected, collect
    from catchrate.errors import CatchrateError, Finding, InputError, MissingExtra, OutputError, UsageError
    from catchrate.evaluation.comparison import Comparison, Difference, compare
    from catchrate.evaluation.curve import Curve, DifferenceCurve, curve, difference_curve
    from catchrate.evaluation.diagnosis import Diagnosis, LossAccount, choose_k, diagnose, diagnose_scores, loss_account
    from catchrate.evaluation.evaluate import evaluate
    from catchrate.evaluation.explain import explain
    from catchrate.evaluation.explanation import Explanation
    from catchrate.evaluation.gate import Gate, gate
    from catchrate.evaluation.match import Sensitivity, match, parent, sensitivity
    from catchrate.evaluation.matches import Matches
    from catchrate.evaluation.one_query import (
        ap_at_k,
        f1_at_k,
        hit_at_k,
        ndcg_at_k,
        precision_at_k,
        recall_all_at_k,
        recall_at_k,
        rr_at_k,
    )
    from catchrate.evaluation.power import Power, power
    from catchrate.evaluation.rankings import RankingComparison, compare_rankings
    from catchrate.evaluation.reconciling import Reconciliation, reconcile
    from catchrate.evaluation.saved import load_scores
    from catchrate.evaluation.scores import Leaderboard, Scores
    from catchrate.evaluation.stages import Stages, stages
    from catchrate.evaluation.unjudged import Scenario, scenarios
    from catchrate.formats import (
        LongMemEval,
        ReadOptions,
        read_judgments,
        read_labels,
        read_longmemeval,
        read_ranking,
        read_records,
        with_labels,
        write_judgments,
        write_labels,
        write_ranking,
        write_records,
    )
    from catchrate.measures import Measure, measure, parse
    from catchrate.measures.laws import check_measure
    from catchrate.reports.charts import chart
    from catchrate.reports.report import report
    from catchrate.tables import Judgments, Ranking

__all__ = [
    "Calculation",
    "CatchrateError",
    "Collected",
    "Comparison",
    "Curve",
    "Diagnosis",
    "Difference",
    "DifferenceCurve",
    "Explanation",
    "Finding",
    "Gate",
    "InputError",
    "Judgments",
    "Leaderboard",
    "LongMemEval",
    "LossAccount",
    "Matches",
    "Measure",
    "MissingExtra",
    "OutputError",
    "Power",
    "Ranking",
    "RankingComparison",
    "ReadOptions",
    "Reconciliation",
    "Scenario",
    "Scores",
    "Sensitivity",
    "Stages",
    "UsageError",
    "__version__",
    "ap_at_k",
    "calculator",
    "chart",
    "check_measure",
    "choose_k",
    "collect",
    "compare",
    "compare_rankings",
    "curve",
    "diagnose",
    "diagnose_scores",
    "difference_curve",
    "evaluate",
    "explain",
    "f1_at_k",
    "gate",
    "hit_at_k",
    "load_scores",
    "loss_account",
    "match",
    "measure",
    "ndcg_at_k",
    "parent",
    "parse",
    "power",
    "precision_at_k",
    "read_judgments",
    "read_labels",
    "read_longmemeval",
    "read_ranking",
    "read_records",
    "recall_all_at_k",
    "recall_at_k",
    "reconcile",
    "report",
    "rr_at_k",
    "scenarios",
    "sensitivity",
    "stages",
    "with_labels",
    "write_judgments",
    "write_labels",
    "write_ranking",
    "write_records",
]

_HOMES = {
    "calculation": "Calculation calculator",
    "collecting": "Collected collect",
    "errors": "CatchrateError Finding InputError MissingExtra OutputError UsageError",
    "evaluation.comparison": "Comparison Difference compare",
    "evaluation.curve": "Curve DifferenceCurve curve difference_curve",
    "evaluation.diagnosis": "Diagnosis LossAccount choose_k diagnose diagnose_scores loss_account",
    "evaluation.evaluate": "evaluate",
    "evaluation.explain": "explain",
    "evaluation.explanation": "Explanation",
    "evaluation.gate": "Gate gate",
    "evaluation.match": "Sensitivity match parent sensitivity",
    "evaluation.matches": "Matches",
    "evaluation.one_query": "ap_at_k f1_at_k hit_at_k ndcg_at_k precision_at_k recall_all_at_k recall_at_k rr_at_k",
    "evaluation.power": "Power power",
    "evaluation.rankings": "RankingComparison compare_rankings",
    "evaluation.reconciling": "Reconciliation reconcile",
    "evaluation.saved": "load_scores",
    "evaluation.scores": "Leaderboard Scores",
    "evaluation.stages": "Stages stages",
    "evaluation.unjudged": "Scenario scenarios",
    "formats": "LongMemEval ReadOptions read_judgments read_labels read_longmemeval read_ranking read_records "
    "with_labels write_judgments write_labels write_ranking write_records",
    "measures": "Measure measure parse",
    "measures.laws": "check_measure",
    "reports.charts": "chart",
    "reports.report": "report",
    "tables": "Judgments Ranking",
}
"""What each module offers here; it is imported when one of its names is first asked for."""
_HOME = {name: module for module, names in _HOMES.items() for name in names.split()}
_ROOMS = {*(module.partition(".")[0] for module in _HOMES), "alignment", "limits", "matching", "starting", "statistics"}

if not TYPE_CHECKING:  # a type checker would take it for leave to ask for anything

    def __getattr__(name: str) -> object:
        if name not in _HOME and name not in _ROOMS:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}", name=name, obj=sys.modules[__name__])
        with ONE_AT_A_TIME:
            module = import_module(f"{__name__}.{_HOME.get(name, name)}")
        value = globals()[name] = getattr(module, name) if name in _HOME else module
        return value


def __dir__() -> list[str]:
    return sorted({*__all__, *_ROOMS, *(name for name in globals() if name.startswith("__"))})


def _notebook_html(result: object) -> str | None:
    with ONE_AT_A_TIME:
        from catchrate.reports.notebook import notebook_html

    return notebook_html(result)


showing.Result.drawn_by = _notebook_html

"""The use cases, and their frozen results."""

from catchrate.evaluation.comparison import Comparison, Difference, compare
from catchrate.evaluation.curve import Curve, DifferenceCurve, curve, difference_curve
from catchrate.evaluation.diagnosis import Diagnosis, LossAccount, choose_k, diagnose, diagnose_scores, loss_account
from catchrate.evaluation.evaluate import DEFAULT_MEASURES, evaluate
from catchrate.evaluation.explain import explain
from catchrate.evaluation.explanation import Explanation
from catchrate.evaluation.gate import Gate, gate
from catchrate.evaluation.match import Matches, Sensitivity, match, parent, sensitivity
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

__all__ = [
    "DEFAULT_MEASURES",
    "Comparison",
    "Curve",
    "Diagnosis",
    "Difference",
    "DifferenceCurve",
    "Explanation",
    "Gate",
    "Leaderboard",
    "LossAccount",
    "Matches",
    "Power",
    "RankingComparison",
    "Reconciliation",
    "Scenario",
    "Scores",
    "Sensitivity",
    "Stages",
    "ap_at_k",
    "choose_k",
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
    "ndcg_at_k",
    "parent",
    "power",
    "precision_at_k",
    "recall_all_at_k",
    "recall_at_k",
    "reconcile",
    "rr_at_k",
    "scenarios",
    "sensitivity",
    "stages",
]

"""Every result with the function that says what it shows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from catchrate.calculation import Calculation
from catchrate.evaluation.comparison import Comparison
from catchrate.evaluation.curve import Curve, DifferenceCurve
from catchrate.evaluation.diagnosis import Choice, Diagnosis, LossAccount
from catchrate.evaluation.explanation import Explanation
from catchrate.evaluation.gate import Gate
from catchrate.evaluation.match import Sensitivity
from catchrate.evaluation.matches import Matches
from catchrate.evaluation.power import Power
from catchrate.evaluation.rankings import RankingComparison
from catchrate.evaluation.reconciling import Reconciliation
from catchrate.evaluation.scores import Leaderboard, Scores
from catchrate.evaluation.stages import Stages
from catchrate.reports.view import View
from catchrate.reports.views.calculator import calculator_view
from catchrate.reports.views.choosing import choice_view
from catchrate.reports.views.comparison import comparison_view
from catchrate.reports.views.curves import curve_view, difference_curve_view
from catchrate.reports.views.diagnosis import diagnosis_view
from catchrate.reports.views.explanation import explanation_view
from catchrate.reports.views.gate import gate_view
from catchrate.reports.views.loss import loss_view
from catchrate.reports.views.matches import matches_view, sensitivity_view
from catchrate.reports.views.power import power_view
from catchrate.reports.views.rankings import rankings_view
from catchrate.reports.views.reconciliation import reconciliation_view
from catchrate.reports.views.scores import leaderboard_view, scores_view
from catchrate.reports.views.stages import stages_view

VIEWS: dict[type, Callable[[Any], View]] = {
    Calculation: calculator_view,
    Curve: curve_view,
    DifferenceCurve: difference_curve_view,
    Explanation: explanation_view,
    Gate: gate_view,
    Comparison: comparison_view,
    Choice: choice_view,
    Diagnosis: diagnosis_view,
    LossAccount: loss_view,
    Leaderboard: leaderboard_view,
    Matches: matches_view,
    Power: power_view,
    RankingComparison: rankings_view,
    Reconciliation: reconciliation_view,
    Scores: scores_view,
    Sensitivity: sensitivity_view,
    Stages: stages_view,
}

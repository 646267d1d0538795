"""What each result says: one function a result, which returns a view."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from catchrate.calculation import Calculation
from catchrate.errors import UsageError
from catchrate.evaluation import (
    Comparison,
    Curve,
    Diagnosis,
    DifferenceCurve,
    Explanation,
    Gate,
    Leaderboard,
    LossAccount,
    Matches,
    Power,
    RankingComparison,
    Reconciliation,
    Scores,
    Sensitivity,
    Stages,
)
from catchrate.evaluation.diagnosis import Choice
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
"""Every result with the function that says what it shows."""


def view_of(result: object) -> View:
    """Return what a result shows; a view is one already.

    Raises UsageError for anything that is no result of ours.
    """
    if isinstance(result, View):
        return result
    if type(result) not in VIEWS:
        known = ", ".join(sorted(kind.__name__ for kind in VIEWS))
        raise UsageError.of("E260", f"a {type(result).__name__} is no result", fix=f"give one of {known}")
    return VIEWS[type(result)](result)

"""The way back from a number that another tool printed to what it is."""

from catchrate.evaluation.reconciling.reconcile import reconcile, reconciled
from catchrate.evaluation.reconciling.result import Candidate, QueryChange, Reconciliation

__all__ = ["Candidate", "QueryChange", "Reconciliation", "reconcile", "reconciled"]

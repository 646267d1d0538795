"""Gates: whether a run may pass."""

from catchrate.evaluation.gate.gate import gate, gate_scores
from catchrate.evaluation.gate.requirements import Floor, Margin, floor_of, margin_of
from catchrate.evaluation.gate.result import Check, Gate, Lost, MaxLost, Outcome, Part, Rules

__all__ = [
    "Check",
    "Floor",
    "Gate",
    "Lost",
    "Margin",
    "MaxLost",
    "Outcome",
    "Part",
    "Rules",
    "floor_of",
    "gate",
    "gate_scores",
    "margin_of",
]

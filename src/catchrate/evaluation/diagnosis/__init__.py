"""Why a run misses what it misses, and what to do about it: arithmetic on the alignment."""

from catchrate.evaluation.diagnosis.beside import Beside, beside
from catchrate.evaluation.diagnosis.choosing import Choice, Reached, Step, choose_k
from catchrate.evaluation.diagnosis.diagnose import diagnose, diagnose_scores
from catchrate.evaluation.diagnosis.kinds import Slice, really_worse, slice_kinds
from catchrate.evaluation.diagnosis.loss import LossAccount, loss_account, loss_by
from catchrate.evaluation.diagnosis.modes import Mode, mode_of
from catchrate.evaluation.diagnosis.positions import Positions, positions
from catchrate.evaluation.diagnosis.result import Diagnosis
from catchrate.evaluation.diagnosis.target import Target, target_of

__all__ = [
    "Beside",
    "Choice",
    "Diagnosis",
    "LossAccount",
    "Mode",
    "Positions",
    "Reached",
    "Slice",
    "Step",
    "Target",
    "beside",
    "choose_k",
    "diagnose",
    "diagnose_scores",
    "loss_account",
    "loss_by",
    "mode_of",
    "positions",
    "really_worse",
    "slice_kinds",
    "target_of",
]

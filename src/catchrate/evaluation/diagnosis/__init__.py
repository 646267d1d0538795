"""Why a run misses what it misses, and what to do about it: arithmetic on the alignment."""

from catchrate.evaluation.diagnosis.diagnose import diagnose, diagnose_scores
from catchrate.evaluation.diagnosis.loss import LossAccount, loss_account, loss_by
from catchrate.evaluation.diagnosis.modes import Mode, mode_of
from catchrate.evaluation.diagnosis.result import Diagnosis

__all__ = ["Diagnosis", "LossAccount", "Mode", "diagnose", "diagnose_scores", "loss_account", "loss_by", "mode_of"]

"""Why a run misses what it misses, and what to do about it: arithmetic on the alignment."""

from catchrate.evaluation.diagnosis.beside import Beside, beside
from catchrate.evaluation.diagnosis.choosing import Choice, Reached, Step, choose_k
from catchrate.evaluation.diagnosis.crowd import Alike, Crowd, Hub, crowd
from catchrate.evaluation.diagnosis.diagnose import diagnose, diagnose_scores
from catchrate.evaluation.diagnosis.first import first_documents
from catchrate.evaluation.diagnosis.kinds import Slice, really_worse, slice_kinds
from catchrate.evaluation.diagnosis.loss import LossAccount, loss_account, loss_by
from catchrate.evaluation.diagnosis.misses import Miss, MissedOften, NothingFound, missed_often, misses, nothing_found
from catchrate.evaluation.diagnosis.modes import Mode, mode_of
from catchrate.evaluation.diagnosis.positions import Positions, positions
from catchrate.evaluation.diagnosis.result import Diagnosis
from catchrate.evaluation.diagnosis.target import Target, target_of
from catchrate.evaluation.diagnosis.worklist import worklist

__all__ = [
    "Alike",
    "Beside",
    "Choice",
    "Crowd",
    "Diagnosis",
    "Hub",
    "LossAccount",
    "Miss",
    "MissedOften",
    "Mode",
    "NothingFound",
    "Positions",
    "Reached",
    "Slice",
    "Step",
    "Target",
    "beside",
    "choose_k",
    "crowd",
    "diagnose",
    "diagnose_scores",
    "first_documents",
    "loss_account",
    "loss_by",
    "missed_often",
    "misses",
    "mode_of",
    "nothing_found",
    "positions",
    "really_worse",
    "slice_kinds",
    "target_of",
    "worklist",
]

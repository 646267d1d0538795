"""What a diagnosis found: frozen, plain data."""

from __future__ import annotations

from dataclasses import dataclass

import polars as pl

from catchrate.errors import Finding
from catchrate.evaluation.diagnosis.beside import Beside
from catchrate.evaluation.diagnosis.choosing import Choice
from catchrate.evaluation.diagnosis.crowd import Crowd
from catchrate.evaluation.diagnosis.kinds import Slice
from catchrate.evaluation.diagnosis.loss import LossAccount
from catchrate.evaluation.diagnosis.misses import Miss, MissedOften, NothingFound
from catchrate.evaluation.diagnosis.modes import Mode
from catchrate.evaluation.diagnosis.positions import Positions
from catchrate.evaluation.provenance import Provenance
from catchrate.evaluation.scores import Scores
from catchrate.showing import Result


@dataclass(frozen=True, slots=True, eq=False, kw_only=True, repr=False)
class Diagnosis(Result):
    """Why a run misses what it misses."""

    k: int
    """How many slots are looked at."""
    scores: Scores
    """Recall, precision, hit rate and the judged share at k."""
    loss: LossAccount
    """Where the relevant documents are."""
    mode: Mode
    """What kind of mistakes there are."""
    choice: Choice
    """What every cut-off finds and costs, and where the target is reached."""
    positions: Positions
    """Where relevant documents stand."""
    slices: tuple[Slice, ...]
    """Each kind of query, compared with the rest."""
    beside: tuple[Beside, ...]
    """What else is known of the queries, and how it goes with recall."""
    misses: tuple[Miss, ...]
    """Every relevant document that was missed."""
    nothing_found: tuple[NothingFound, ...]
    """The queries of whose relevant documents none was found."""
    missed_often: tuple[MissedOften, ...]
    """The documents that several queries miss."""
    crowd: Crowd | None
    """What takes slots without adding anything; None where the ranking was not at hand."""
    worklist: pl.DataFrame | None
    """The unjudged documents that are worth judging most, as a label sheet; None where the ranking was not at hand."""

    @property
    def notes(self) -> tuple[Finding, ...]:
        """What was noticed."""
        return self.scores.notes

    @property
    def provenance(self) -> Provenance:
        """Version, definitions, policies, dialect and digests of the inputs."""
        return self.scores.provenance

    def __repr__(self) -> str:
        means = ", ".join(f"{name} {mean:.4f}" for name, mean in self.scores.as_dict().items())
        count = self.scores.queries
        queries = "1 query" if count == 1 else f"{count:,} queries"
        return f"Diagnosis over {queries}: {means}\n  {self.loss}\n  {self.mode.name}"

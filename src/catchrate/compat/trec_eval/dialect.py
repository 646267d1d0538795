"""The two trec_evals that people run, as the few choices in which they differ."""

from __future__ import annotations

from dataclasses import dataclass

from catchrate.alignment.policy import Dialect as ScoreRule
from catchrate.errors import UsageError, shown


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialect:
    """What one version of trec_eval decides otherwise than the other."""

    version: str
    """The version that it reproduces."""
    scores: ScoreRule
    """How scores are compared: as 32-bit or as 64-bit floats."""
    rounding: str
    """How many documents a level of recall stands for: `up` or `nearest`."""
    comments: bool
    """Whether a line that begins with `#` is a comment; it is data otherwise."""
    completes: bool
    """Whether `-c` evaluates a topic that the run lacks; otherwise `-c` only divides by it."""
    stops_at_missing: bool
    """Whether the original stops at a judged topic that the run lacks, without `-c`."""
    later_measures: bool
    """Whether it has the measures that came after 9.0.8."""


DIALECTS: dict[str, Dialect] = {
    dialect.version: dialect
    for dialect in (
        Dialect(
            version="9.0.8",
            scores="trec_eval-9",
            rounding="up",
            comments=False,
            completes=False,
            stops_at_missing=False,
            later_measures=False,
        ),
        Dialect(
            version="10",
            scores="catchrate",
            rounding="nearest",
            comments=True,
            completes=True,
            stops_at_missing=True,
            later_measures=True,
        ),
    )
}
DEFAULT_DIALECT = "10"


def dialect_named(version: str) -> Dialect:
    """Return the dialect of a version; raise UsageError for one that is not known."""
    if version not in DIALECTS:
        raise UsageError.of("E280", f"--dialect is {shown(version)}", fix=f"it is one of {', '.join(DIALECTS)}")
    return DIALECTS[version]

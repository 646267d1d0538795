"""Where a number comes from: version, definitions, policies, dialect and content digests of the inputs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict

from catchrate.alignment import Aligned, Policy
from catchrate.measures import Measure
from catchrate.tables import Judgments
from catchrate.version import __version__

Provenance = Mapping[str, object]


def provenance(
    judgments: Judgments, ranking: str, aligned: Aligned, described: Mapping[str, object], policy: Policy
) -> Provenance:
    """Say everything that the numbers depend on; `described` are the definitions of the measures."""
    policies = {name: value for name, value in asdict(policy).items() if name not in ("dialect", "length")}
    if policy.length is not None and aligned.arrays.lengths is not None:
        policies["length"] = policy.length if isinstance(policy.length, str) else "a function"
    return {
        "catchrate": __version__,
        "dialect": policy.dialect,
        "policies": policies | ({"match": aligned.match} if aligned.match else {}),
        "measures": described,
        "inputs": {
            "judgments": {"name": judgments.name, "digest": judgments.digest()},
            "ranking": {"name": ranking, "digest": aligned.digest.value},
        },
    }


def definitions(measures: Mapping[Measure, Measure]) -> dict[str, object]:
    """Say how each measure was computed; `measures` maps what was asked to what was computed."""
    return {
        str(asked): {"computed": str(computed), "formula": computed.row.formula, "aggregate": computed.row.aggregate}
        for asked, computed in measures.items()
    }

"""What trec_eval 9.0.8 printed for its own test collection, query by query, in its four digits."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

import catchrate
from catchrate.measures import parse

ORACLE = Path(os.environ.get("CATCHRATE_ORACLE", Path(__file__).parents[2] / "shared" / "oracle" / "trec_eval"))
TEXT = {"runid", "relstring"}

pytestmark = pytest.mark.skipif(not ORACLE.is_dir(), reason="CATCHRATE_ORACLE names no folder")


def printed(name: str) -> dict[str, dict[str, float]]:
    """Return what a file prints: measure to query to value."""
    values: dict[str, dict[str, float]] = {}
    for line in (ORACLE / "v9.0.8" / name).read_text().splitlines():
        measure, query, value = line.split()
        if measure not in TEXT:
            values.setdefault(measure, {})[query] = float(value)
    return values


@pytest.mark.parametrize(
    ("file", "judgments", "policies"),
    [
        ("official.txt", "qrels.test", {}),
        ("all_trec_q.txt", "qrels.test", {}),
        ("all_trec_q_J.txt", "qrels.test", {"judged_only": True}),
        ("all_trec_q_l2_graded.txt", "qrels.rel_level", {"rel": 2}),
    ],
)
def test_every_line_of_trec_eval_is_reproduced(file: str, judgments: str, policies: dict[str, object]):
    expected = printed(file)
    inputs = ORACLE / "inputs"
    scores = catchrate.evaluate(
        inputs / judgments,
        inputs / "results.test",
        list(expected),
        queries="both",
        dialect="trec_eval-9",
        **policies,  # type: ignore[arg-type]
    )
    per_query = {row["query"]: row for row in scores.per_query.to_dicts()}
    for measure, values in expected.items():
        for query, value in values.items():
            ours = scores[measure] if query == "all" else per_query[query][str(parse(measure))]
            if query != "all" and measure.startswith("gm_"):
                ours = np.log(max(ours, 1e-5))
            assert ours == pytest.approx(value, abs=0.5001e-4), (measure, query)

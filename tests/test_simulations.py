"""What the documents say of small sets: the published table, and its simulation with fewer sets."""

from __future__ import annotations

import importlib.util
from math import sqrt
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="module")
def simulate() -> ModuleType:
    spec = importlib.util.spec_from_file_location("simulate", ROOT / "scripts" / "simulate.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def published(simulate: ModuleType) -> dict[int, list[float]]:
    text = (ROOT / "docs" / "verdict.md").read_text(encoding="utf-8")
    table = text.partition(simulate.BEGIN)[2].partition(simulate.END)[0]
    rows = [[cell.strip(" %") for cell in line.strip("|").split("|")] for line in table.strip().splitlines()[2:]]
    return {int(n): [float(share) / 100 for share in shares] for n, *shares in rows}


def test_the_published_table_keeps_what_is_promised(simulate):
    table = published(simulate)
    assert tuple(table) == simulate.SIZES
    for n, (*held, alarms) in table.items():
        assert alarms <= 0.06
        if n >= 100:
            assert all(0.93 <= share <= 0.97 for share in held)


@pytest.mark.parametrize("n", [10, 100])
def test_the_simulation_gives_the_published_shares_within_chance(simulate, n):
    trials = 200
    held = simulate.coverage(simulate.graded, simulate.GRADED_MEAN, n, trials, seed=1)
    high = simulate.coverage(simulate.high, simulate.HIGH_MEAN, n, trials, seed=1)
    share, alarms = simulate.share_coverage(n, trials, seed=1), simulate.false_alarms(n, trials, seed=1)
    for found, told in zip((held, high, share, alarms), published(simulate)[n], strict=True):
        assert abs(found - told) <= 4 * sqrt(told * (1 - told) / trials) + 0.005


def test_the_values_have_the_means_that_are_looked_for(simulate):
    random = np.random.default_rng(0)
    for draw, mean in ((simulate.graded, simulate.GRADED_MEAN), (simulate.high, simulate.HIGH_MEAN)):
        assert draw(random, 200_000).mean() == pytest.approx(mean, abs=0.003)

"""The pytest plugin, in test runs of its own."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import catchrate
import pytest_catchrate

SOURCE = Path(catchrate.__file__).parents[1]
ROOT = SOURCE.parent
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(SOURCE), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "NO_COLOR": "1"}
DATA = """
import pytest

QUERIES = [f"q{i:02}" for i in range(20)]
JUDGED = {q: {"a": 1, "b": 1} for q in QUERIES}
GOOD = {q: ["a", "b"] for q in QUERIES}
LATE = {q: ["x", "a", "b"] if i % 3 else ["a", "b"] for i, q in enumerate(QUERIES)}
RECORDS = [
    {"id": q, "retrieved": LATE[q], "ground_truth": ["a", "b"], "kind": "odd" if i % 3 else "even"}
    for i, q in enumerate(QUERIES)
]
"""
TESTS = """
def test_good(catchrate):
    found = catchrate.gate(JUDGED, GOOD, require="rr >= 0.9")
    assert found.passed
    assert catchrate.evaluate(JUDGED, GOOD, "rr")["rr"] == 1.0

def test_late(catchrate):
    catchrate.gate(JUDGED, LATE, baseline=GOOD, no_worse="rr by 0.01", max_lost=0)

def test_unsure(catchrate):
    catchrate.gate(JUDGED, {**GOOD, "q03": ["x"]}, baseline=GOOD, no_worse="rr by 0.01")

@pytest.mark.catchrate(by="kind")
class TestSlices:
    def test_both(self, catchrate):
        catchrate.gate(RECORDS, require="rr >= 0.6")

    @pytest.mark.catchrate(by=())
    def test_neither(self, catchrate):
        catchrate.gate(RECORDS, require="rr >= 0.6")

def test_wrong(catchrate):
    catchrate.gate(JUDGED, GOOD, require="recal@10 >= 0.9")
"""
STORED = """
def test_stored(catchrate):
    catchrate.gate(JUDGED, RUN, stored="kept/search", no_worse="rr by 0.01", max_lost=0, lost_at=1)
"""


def ran(folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pytest", "-p", "pytest_catchrate", "-W", "error", "--strict-markers", *options]
    return subprocess.run(command, cwd=folder, env=ENVIRONMENT, capture_output=True, text=True, timeout=120)


def written(folder: Path, text: str) -> Path:
    (folder / "test_it.py").write_text(DATA + text)
    (folder / "pytest.ini").write_text("[pytest]\n")
    return folder


@pytest.mark.parametrize("options", [(), ("-p", "xdist", "-n", "2")], ids=["alone", "xdist"])
def test_gates_fail_tests_and_are_summed_up(tmp_path, options):
    done = ran(written(tmp_path, TESTS), *options)
    out = done.stdout
    assert done.returncode == 1, out + done.stderr
    assert "4 failed, 2 passed" in out
    assert "✘ rr is worse by more than 0.01: -0.3" in out
    assert "Queries that lost most at rr" in out
    assert "b down from 2 to 3" in out
    assert "? Cannot tell whether rr is worse by 0.01" in out
    assert "✘ rr is 0.5000 in kind=odd: below 0.6. Worst of 2 slices." in out
    assert "E320 'recal@10 >= 0.9', at character 1: no measure is called 'recal'" in out
    summary = out.partition("== catchrate ==")[2].partition("short test summary")[0]
    assert "test_it.py::test_good\n  ✔ The gate is passed over 20 queries: 1 passed.\n" in summary
    assert "test_it.py::TestSlices::test_neither\n" in summary
    assert "  ? Cannot tell over 20 queries" in summary


def test_an_option_updates_the_stored_baseline(tmp_path):
    folder = written(tmp_path, "RUN = GOOD\n" + STORED)
    first = ran(folder)
    assert (first.returncode, "pytest --catchrate-update" in first.stdout) == (1, True)
    saved = ran(folder, "--catchrate-update")
    assert (saved.returncode, "saved " in saved.stdout) == (0, True), saved.stdout
    assert (tmp_path / "kept" / "search.parquet").exists()
    assert ran(folder).returncode == 0
    worse = ran(written(tmp_path, "RUN = LATE\n" + STORED))
    assert (worse.returncode, "13 queries lost a relevant document from the first 1 slots" in worse.stdout) == (1, True)


def test_a_test_run_without_gates_loads_nothing_and_says_nothing(tmp_path):
    test = "def test_light():\n    import sys\n    assert not {'catchrate', 'polars', 'numpy'} & set(sys.modules)\n"
    (tmp_path / "test_it.py").write_text(test)
    done = ran(tmp_path)
    assert (done.returncode, "catchrate ==" in done.stdout) == (0, False), done.stdout


def test_importing_the_plugin_loads_pytest_and_nothing_else():
    code = "import sys, pytest; before = set(sys.modules); import pytest_catchrate; print(set(sys.modules) - before)"
    done = subprocess.run([sys.executable, "-c", code], env=ENVIRONMENT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "{'pytest_catchrate'}"


def test_pytest_finds_the_plugin():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    assert project["project"]["entry-points"]["pytest11"] == {"catchrate": pytest_catchrate.__name__}
    assert "src/pytest_catchrate" in project["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]

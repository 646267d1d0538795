"""Run jobs in fresh processes, in turns, and hold their numbers against each other."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from math import inf, isnan
from pathlib import Path
from shutil import disk_usage
from typing import Any

from bench.cases import ALL_TOOLS, ROOT, Case, Job, has_command, installed
from bench.shapes import BYTES_A_ROW, Collection

REFERENCE = "pytrec_eval"
"""Whose means are right, where it takes part."""


class JobFailedError(Exception):
    """A measurement ended with an error."""


class DisagreementError(Exception):
    """catchrate found another number than the reference: its speed is worth nothing."""


class SkippedError(Exception):
    """A case cannot be measured here; the text says why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """What was measured of one contender at one case."""

    case: Case
    contender: str
    seconds: float
    """The best or median time, as the case says."""
    memory: int
    """The smallest peak of resident bytes."""
    times: float
    """Its time as a multiple of the first contender's."""
    memory_times: float
    """Its memory as a multiple of the first contender's."""
    deviation: float | None
    """The largest difference of a mean from the reference's; None where there are no means."""


Results = Mapping[str, Sequence[Mapping[str, Any]]]


def measure(case: Case, folder: Path, repeat: int) -> list[Row]:
    """Measure the contenders of a case in turns.

    Raises SkippedError when the case cannot be measured here and DisagreementError when catchrate's numbers are wrong.
    """
    _refuse_missing_commands(case)
    for collection in case.collections:
        provide(collection, folder)
    results = _in_turns(case, case.repeat or repeat)
    deviations = check_numbers(case, results)
    return _rows(case, results, deviations)


def run_job(job: Job, module: str = "bench.job") -> dict[str, Any]:
    """Do a job of a module in a fresh process and return its result.

    Every tool has its compiled files, as after any installation, whatever Python is told here.
    """
    command = [sys.executable, "-m", module, json.dumps(job)]
    settings = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    done = subprocess.run(command, cwd=ROOT, env=settings, capture_output=True, text=True, check=False)
    if done.returncode:
        raise JobFailedError(f"{json.dumps(job)} ended with {done.returncode}\n{done.stderr}")
    return json.loads(done.stdout.splitlines()[-1])


def check_numbers(case: Case, results: Results) -> dict[str, float | None]:
    """Return the largest deviation of each contender's means from the reference's.

    Raises DisagreementError when catchrate deviates; others may break ties in their own way, which is only reported.
    """
    reference = results.get(REFERENCE) or next(iter(results.values()))
    expected = reference[0]["means"]
    deviations = {
        name: deviation_of([result["means"] for result in found], expected) for name, found in results.items()
    }
    for name, deviation in deviations.items():
        if name.startswith("catchrate") and deviation is not None and deviation > case.tolerance:
            found = results[name][0]["means"]
            raise DisagreementError(f"case {case.key}: {name} deviates by {deviation:g}\n{found}\nis not\n{expected}")
    return deviations


def deviation_of(found: Sequence[Mapping[str, float]], expected: Mapping[str, float]) -> float | None:
    """Return the largest difference from anything that is expected; what is missing or NaN is infinitely far away."""
    differences = [abs(means.get(name, inf) - value) for means in found for name, value in expected.items()]
    return max((inf if isnan(difference) else difference for difference in differences), default=None)


def _in_turns(case: Case, repeat: int) -> Results:
    present = [name for name in case.jobs if name not in ALL_TOOLS or installed(name)]
    results: dict[str, list[dict[str, Any]]] = {name: [] for name in present}
    for _ in range(repeat):
        for name, found in results.items():
            found.append(run_job(case.jobs[name]))
    return results


def _rows(case: Case, results: Results, deviations: Mapping[str, float | None]) -> list[Row]:
    seconds = {name: case.summary([result["seconds"] for result in found]) for name, found in results.items()}
    memory = {name: min(result["memory"] for result in found) for name, found in results.items()}
    first = next(iter(results))
    return [
        Row(
            case=case,
            contender=name,
            seconds=seconds[name],
            memory=memory[name],
            times=seconds[name] / seconds[first],
            memory_times=memory[name] / memory[first],
            deviation=deviations[name],
        )
        for name in results
    ]


def _refuse_missing_commands(case: Case) -> None:
    for name in case.needs:
        if not has_command(name):
            raise SkippedError(f"the command line has no {name!r}")


def provide(collection: Collection, folder: Path) -> None:
    """Generate the files of a collection on first use; they are kept."""
    if all(path.exists() for path in collection.files(folder)):
        return
    folder.mkdir(parents=True, exist_ok=True)
    needed = 2 * collection.rows * BYTES_A_ROW
    if disk_usage(folder).free < needed:
        raise SkippedError(f"its files need {needed / 1e9:.1f} GB of disk space to be safe")
    print(f"writing {collection.files(folder)[1].name} ...", file=sys.stderr)
    run_job({"job": "generate", "shape": asdict(collection), "folder": str(folder)})

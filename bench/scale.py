"""`python -m bench.scale`: runs larger than memory, Spark, hundreds of runs, and how cost grows; all in one run."""

from __future__ import annotations

import argparse
import shutil
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from shutil import disk_usage
from typing import Any

from bench.cases import ROOT, Job
from bench.growth import Series, estimate, measured, table
from bench.measure import deviation_of, provide, run_job
from bench.shapes import DEEP, POOLED, SMALL, SPARSE, TENFOLD, Collection
from bench.table import provenance, write_into

DATA = ROOT / "bench" / "data" / "scale"
PAGE = ROOT / "docs" / "scale.md"
RUNS = 200
GIGABYTES = 8
"""Free space that the generated files need, to be safe."""
TOLERANCE = 1e-9


class WrongNumberError(Exception):
    """Two ways to the same number differ: their speed is worth nothing."""


@dataclass(slots=True)
class Report:
    """What is found on the way."""

    lines: list[str] = field(default_factory=list[str])
    cluster: dict[int, float] = field(default_factory=dict[int, float])
    """The seconds on Spark by the number of executors."""
    rows: int = 0
    """The rows that these took."""
    missed: bool = False

    def say(self, line: str) -> None:
        """Keep a line, and show it at once."""
        self.lines.append(line)
        print(line, flush=True)

    def judge(self, what: str, value: float, low: float, high: float, *, judged: bool) -> None:
        """Say a ratio, and whether it is what was aimed at."""
        bounds = (
            f"{low:g} to {high:g}" if low and high < 1e9 else f"at most {high:g}" if high < 1e9 else f"at least {low:g}"
        )
        met = low <= value <= high
        self.missed |= judged and not met
        self.say(f"  {what}: {value:.2f}" + (f" (aim: {bounds}: {'yes' if met else 'NO'})" if judged else ""))


def tenfold(report: Report, folder: Path, shrink: int) -> None:
    """Compare 7 and 70 million rows on one machine."""
    shapes = [shape.shrunk(shrink) for shape in (SMALL, SPARSE, TENFOLD)]
    for shape in shapes:
        provide(shape, folder)
    small, *both = ([str(path) for path in shape.files(folder)] for shape in shapes)
    jobs: list[Job] = [{"job": "files", "tool": "catchrate", "files": files, "warm_up": small} for files in both]
    found = [run_job(job) for job in (jobs[0], jobs[1], jobs[0], jobs[1])]
    (one, ten), (rows, more) = (_best(found[::2]), _best(found[1::2])), (shapes[1].rows, shapes[2].rows)
    _refuse_other(ten["means"], one["means"])
    report.say(f"a  one machine, TREC files, {rows:,} and {more:,} rows")
    for count, result in ((rows, one), (more, ten)):
        report.say(f"  {count:>12,} rows {result['seconds']:8.2f} s {result['memory'] / 1e6:8,.0f} MB")
    judged = shrink == 1
    report.judge("memory of tenfold rows", ten["memory"] / one["memory"], 0, 1.5, judged=judged)
    report.judge(
        "time of tenfold rows, of ten times the time", ten["seconds"] / one["seconds"] / 10, 0.8, 1.2, judged=judged
    )


def cluster(report: Report, folder: Path, shrink: int) -> None:
    """Compare one and two executors of one core each."""
    shape = SPARSE.shrunk(shrink)
    provide(shape, folder)
    judgments, run = shape.files(folder)
    ranking = run.with_suffix(".parquet")
    _job({"job": "parquet", "source": str(run), "target": str(ranking)})
    files = {"judgments": str(judgments), "ranking": str(ranking)}
    alone = _job({"job": "one_machine", **files})
    report.say(f"b  Spark, local-cluster, {shape.rows:,} rows of Parquet; executors of one core each")
    report.say(f"  {'without Spark':<15}{alone['seconds']:8.2f} s")
    report.rows = shape.rows
    for executors in (1, 2):
        found = _job({"job": "spark", "executors": executors, **files})
        if found["means"] != alone["means"]:
            raise WrongNumberError(f"{executors} executors: {found['means']} is not {alone['means']}")
        report.cluster[executors] = found["seconds"]
        what = f"{executors} executor{'s' if executors > 1 else ''}"
        report.say(f"  {what:<15}{found['seconds']:8.2f} s, means equal bit for bit")
    ratio = report.cluster[1] / report.cluster[2]
    report.judge("two executors are faster by", ratio, 0, 1e9, judged=False)


def many_runs(report: Report, folder: Path, shrink: int) -> None:
    """Compare a leaderboard of many runs with a loop over pytrec_eval; then a quarter as many, judged tenfold."""
    report.say("c  many runs from TREC files, five measures, and pytrec_eval run by run")
    for shape, count in ((POOLED, RUNS), (DEEP, RUNS // 4)):
        _leaderboard(report, folder, shape.shrunk(shrink), max(2, count // shrink), judged=shrink == 1)


def _leaderboard(report: Report, folder: Path, shape: Collection, count: int, *, judged: bool) -> None:
    target = folder / f"{shape.name}-runs-{count}"
    target.mkdir(parents=True, exist_ok=True)
    _job({"job": "runs", "shape": asdict(shape), "folder": str(target), "count": count})
    paths = [str(path) for path in sorted(target.glob("*.trec"))]
    job = {"job": "many", "judgments": str(target / "judgments.qrels"), "runs": paths}
    ours, loop = (_job({**job, "tool": tool}) for tool in ("catchrate", "pytrec_eval"))
    shutil.rmtree(target)
    _refuse_other(ours["means"], loop["means"])
    size = f"{count} runs x {shape.queries} queries x {shape.depth:,} documents"
    report.say(f"  {size}, about {shape.judged:,} judgments a query")
    for name, found in (("catchrate", ours), ("pytrec_eval", loop)):
        report.say(f"  {name:<15}{found['seconds']:8.2f} s {found['memory'] / 1e6:8,.0f} MB")
    report.judge("times faster", loop["seconds"] / ours["seconds"], 6, 1e9, judged=judged)


def growth(report: Report, folder: Path, shrink: int) -> None:
    """Measure how cost grows, and say what a billion rows would take."""
    series: list[Series] = list(measured(folder, shrink))
    report.say("d  one evaluation from TREC files, one amount at a time, and the line of least squares")
    for line in (*table(series), *estimate(series, report.cluster, report.rows)):
        report.say(line)


CASES: dict[str, Callable[[Report, Path, int], None]] = {"a": tenfold, "b": cluster, "c": many_runs, "d": growth}


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print, and write when asked; 1 when a target is missed or a number is wrong."""
    parser = _parser()
    options = parser.parse_args(arguments)
    chosen = [key for key in CASES if not options.only or key in options.only.split(",")]
    if options.write and (options.only or options.shrink > 1):
        parser.error("--write needs a full run, without --only and --shrink")
    options.data.mkdir(parents=True, exist_ok=True)
    if disk_usage(options.data).free < GIGABYTES * 1e9 / options.shrink:
        parser.error(f"{options.data} needs {GIGABYTES} GB of free space; name another folder with --data")
    report = Report()
    try:
        for key in chosen:
            CASES[key](report, options.data, options.shrink)
    finally:
        if not options.keep:
            shutil.rmtree(options.data, ignore_errors=True)
    for line in ("", *provenance()):
        report.say(line)
    if options.write:
        write_into(PAGE, "\n".join(report.lines))
    return int(report.missed)


def _job(job: Job) -> dict[str, Any]:
    return run_job(job, "bench.scale_job")


def _best(found: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return the best time and the smallest peak."""
    return {**found[0], **{name: min(one[name] for one in found) for name in ("seconds", "memory")}}


def _refuse_other(found: dict[str, float], expected: dict[str, float]) -> None:
    deviation = deviation_of([found], expected)
    if deviation is None or deviation > TOLERANCE:
        raise WrongNumberError(f"the means differ by {deviation}")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bench.scale", description=__doc__)
    parser.add_argument("--only", default="", help="letters of the cases to measure: a,b")
    parser.add_argument("--shrink", type=int, default=1, help="so many times less, to try things out")
    parser.add_argument("--data", type=Path, default=DATA, help="folder of the generated files")
    parser.add_argument("--keep", action="store_true", help="keep the generated files, which are removed otherwise")
    parser.add_argument("--write", action="store_true", help=f"put the figures into {PAGE.relative_to(ROOT)}")
    return parser


if __name__ == "__main__":
    sys.exit(main())

"""How the time of one evaluation grows with rows, queries, judgments, runs and measures: measured, and fitted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from bench.measure import provide, run_job
from bench.shapes import Collection

BASE = Collection(name="growth", queries=1_000, depth=500, judged=10, graded=True)
"""What is changed in one respect at a time."""
FEW = ("recall@10", "ap", "ndcg@10")
REPEAT = 5
BILLION = 1_000_000_000
LAYOUT = "  {:<11}{:>10}{:>12}{:>18}{:>26}{:>8}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """One evaluation: its amounts, and how long it took."""

    rows: int
    queries: int
    judgments: int
    runs: int
    measures: int
    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Series:
    """Evaluations that differ in one amount, and the line through them."""

    amount: str
    points: Sequence[Point]
    unit: int
    """So many of the amount are one step of the price."""

    @property
    def price(self) -> float:
        """Seconds for each one more of the amount: the slope of the line of least squares."""
        return float(np.polyfit([getattr(point, self.amount) for point in self.points], self._seconds, 1)[0])

    @property
    def straight(self) -> float:
        """The share of the variation that the line explains."""
        return float(np.corrcoef([getattr(point, self.amount) for point in self.points], self._seconds)[0, 1] ** 2)

    @property
    def _seconds(self) -> list[float]:
        return [point.seconds for point in self.points]


def measured(folder: Path, shrink: int) -> Iterator[Series]:
    """Yield each series, measured in turns of one process a point."""
    base = BASE.shrunk(shrink)
    deep = [replace(base, depth=depth) for depth in (250, 500, 1_000, 2_000, 4_000)]
    wide = [replace(base, queries=base.queries * n, depth=base.depth * 2 // n) for n in (1, 2, 4, 8, 16)]
    judged = [replace(base, judged=count) for count in (10, 50, 100, 200, 400)]
    yield Series(amount="rows", points=[_point(shape, folder) for shape in deep], unit=1_000_000)
    yield Series(amount="queries", points=[_point(shape, folder) for shape in wide], unit=1_000)
    yield Series(amount="judgments", points=[_point(shape, folder) for shape in judged], unit=100_000)
    yield Series(amount="runs", points=[_point(base, folder, runs=n) for n in (1, 2, 4, 8, 16)], unit=1)
    many = [f"ndcg@{k}" for k in range(1, 65)]
    yield Series(amount="measures", points=[_point(base, folder, many[:n]) for n in (1, 8, 16, 32, 64)], unit=1)


def _point(shape: Collection, folder: Path, measures: Sequence[str] = FEW, runs: int = 1) -> Point:
    named = replace(shape, name=f"growth-j{shape.judged:g}")
    provide(named, folder)
    judgments, run = named.files(folder)
    job = {"job": "growth", "judgments": str(judgments), "runs": [str(run)] * runs, "measures": list(measures)}
    found = run_job({**job, "repeat": REPEAT}, "bench.scale_job")
    with judgments.open("rb") as file:
        count = sum(1 for _ in file)
    return Point(
        rows=named.rows * runs,
        queries=named.queries,
        judgments=count,
        runs=runs,
        measures=len(measures),
        seconds=found["seconds"],
    )


def table(series: Sequence[Series]) -> list[str]:
    """Return a line for each amount: the range, the price and how straight the line is."""
    lines = [LAYOUT.format("amount", "from", "to", "time", "each more", "R2")]
    for one in series:
        first, last = one.points[0], one.points[-1]
        ends = [f"{getattr(point, one.amount):,}" for point in (first, last)]
        times = f"{first.seconds:.3f} - {last.seconds:.3f} s"
        price = f"{one.price * one.unit * 1e3:.3g} ms for {one.unit:,}"
        lines.append(LAYOUT.format(one.amount, *ends, times, price, f"{one.straight:.3f}"))
    return lines


def estimate(series: Sequence[Series], cluster: Mapping[int, float], rows: int) -> list[str]:
    """Return what a billion rows would take by these prices; `cluster` has the seconds of `rows` rows by executors."""
    price = next(one.price for one in series if one.amount == "rows")
    minutes = BILLION * price / 60
    lines = [f"A billion rows of TREC files, by the price of a row: {minutes:.0f} minutes on this machine."]
    for executors, seconds in cluster.items():
        minutes = BILLION / rows * seconds / 60
        many = "1 executor" if executors == 1 else f"{executors} executors"
        lines.append(f"On Spark with {many} of one core, from Parquet, by case b: {minutes:.0f} minutes.")
    return lines

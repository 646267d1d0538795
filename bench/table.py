"""The table of ratios, for the terminal and for the documentation."""

from __future__ import annotations

import os
import platform
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from textwrap import wrap

from bench.cases import COLD_STARTS
from bench.measure import Row

BEGIN, END = "<!-- benchmark table: begin -->", "<!-- benchmark table: end -->"
PACKAGES = ("catchrate", "polars", "numpy", "pytrec_eval-terrier", "ir_measures", "ranx", "numba")
WIDTH = 100
HEAD = ("time", "x", "memory", "x", "differs", "target")
LAYOUT = "  {:<19}{:>9}{:>8}{:>10}{:>8}{:>9}  {}"


def render(rows: Sequence[Row], skipped: Sequence[str], *, repeat: int, shrink: int) -> str:
    """Return everything that is to be said about a run of the benchmark, at most `WIDTH` columns wide."""
    lines = [LAYOUT.format("", *HEAD)]
    for i, row in enumerate(rows):
        if i == 0 or rows[i - 1].case is not row.case:
            lines.append(f"{row.case.key} {row.case.title}")
        lines.append(_line(row, judge=shrink == 1).rstrip())
    return "\n".join([*lines, *skipped, "", *_legend(repeat, shrink), "", *provenance()])


def write_into(page: Path, table: str) -> None:
    """Put the table between the markers of a page and leave the rest of it alone."""
    before, begin, rest = page.read_text(encoding="utf-8").partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"{page} lacks the markers {BEGIN} and {END}")
    page.write_text(f"{before}{BEGIN}\n```text\n{table}\n```\n{END}{after}", encoding="utf-8")


def provenance() -> list[str]:
    """Say on what the numbers were measured; without a date, so that equal facts give equal text."""
    versions = ", ".join(f"{name} {found}" for name in PACKAGES if (found := _version(name)))
    system = f"{platform.system()} {platform.machine()}, {processor()}, {os.cpu_count()} cores"
    return [f"{platform.python_implementation()} {platform.python_version()} on {system}", *_wrapped(versions)]


def processor() -> str:
    """Return the model of the processor, as far as the system tells."""
    facts = Path("/proc/cpuinfo")
    lines = facts.read_text(encoding="utf-8").splitlines() if facts.exists() else []
    models = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(models, platform.processor() or "unknown processor")


def _line(row: Row, *, judge: bool) -> str:
    first = row.contender == next(iter(row.case.jobs))
    deviation = "" if row.deviation is None else f"{row.deviation:.0e}" if row.deviation else "0"
    ratios = ("", "") if first else (f"{row.times:.3g}x", f"{row.memory_times:.3g}x")
    numbers = (_time(row.seconds), ratios[0], f"{row.memory / 1e6:,.0f} MB", ratios[1], deviation)
    return LAYOUT.format(row.contender, *numbers, _targets(row) if judge else "")


def _targets(row: Row) -> str:
    wanted = row.case.targets.get(row.contender, ())
    return ", ".join(f"{target} {'yes' if target.met_by(getattr(row, target.number)) else 'NO'}" for target in wanted)


def _time(seconds: float) -> str:
    return f"{seconds * 1e3:.3g} ms" if seconds < 0.1 else f"{seconds:.2f} s"


def _legend(repeat: int, shrink: int) -> list[str]:
    lines = [
        f"time: best of {repeat} fresh processes, all in turns (d: of median calls; e: median of {COLD_STARTS})",
        "memory: smallest peak of a process; x: multiple of the first line of its case",
        "differs: most that a number differs from pytrec_eval's (f, h, i: the first line's; g: as printed)",
    ]
    return lines if shrink == 1 else [*lines, f"quick: {shrink} times fewer queries, so that no target is judged"]


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def _wrapped(text: str) -> list[str]:
    return wrap(text, WIDTH)

"""`python -m bench`: measure everything in one run and print a table of ratios."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from bench.cases import ALL_TOOLS, ROOT, Case, cases, installed
from bench.measure import DisagreementError, JobFailedError, Row, SkippedError, measure
from bench.table import render, write_into

DATA = ROOT / "bench" / "data"
PAGE = ROOT / "docs" / "benchmarks.md"
QUICK = 10
NEEDED = ("catchrate", "pytrec_eval")
HUGE = "f"


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print, and write when asked; 1 when a number is wrong or a tool breaks."""
    parser = _parser()
    options = parser.parse_args(arguments)
    if options.write and (options.only or options.shrink != 1):
        parser.error("--write needs a full run, without --only, --quick and --shrink")
    if missing := [tool for tool in NEEDED if not installed(tool)]:
        parser.error(f"{' and '.join(missing)} cannot be imported; install requirements/bench.txt and catchrate")
    chosen = _chosen(cases(options.data, options.shrink), options.only, quick=options.shrink != 1)
    if not chosen:
        parser.error("--only names no case")
    try:
        rows, skipped = _measure_all(chosen, options.data, options.repeat)
    except (DisagreementError, JobFailedError) as error:
        print(error, file=sys.stderr)
        return 1
    table = render(rows, skipped, repeat=options.repeat, shrink=options.shrink)
    print(table)
    if options.write:
        write_into(PAGE, table)
    return 0


def _chosen(all_cases: Sequence[Case], only: str, *, quick: bool) -> list[Case]:
    """Return the cases that were named; otherwise all, except the huge one when time is short."""
    if only:
        return [case for case in all_cases if case.key in only.split(",")]
    return [case for case in all_cases if not (quick and case.key == HUGE)]


def _measure_all(chosen: Sequence[Case], folder: Path, repeat: int) -> tuple[list[Row], list[str]]:
    rows: list[Row] = []
    skipped = [f"{tool}: skipped, it is not installed" for tool in ALL_TOOLS if not installed(tool)]
    for case in chosen:
        print(f"{case.key}: {case.title} ...", file=sys.stderr)
        try:
            rows += measure(case, folder, repeat)
        except SkippedError as reason:
            skipped.append(f"{case.key} {case.title}: skipped, {reason}")
    return rows, skipped


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    size = parser.add_mutually_exclusive_group()
    size.add_argument("--quick", dest="shrink", action="store_const", const=QUICK, help=f"the same as --shrink {QUICK}")
    size.add_argument("--shrink", type=_at_least_one, help="so many times fewer queries, to try things out")
    parser.add_argument("--only", default="", help="letters of the cases to measure: a,b")
    parser.add_argument("--repeat", type=_at_least_one, default=3, help="fresh processes for each tool and case")
    parser.add_argument("--data", type=Path, default=DATA, help="folder of the generated files, which are kept")
    parser.add_argument("--write", action="store_true", help=f"put the table into {PAGE.relative_to(ROOT)}")
    parser.set_defaults(shrink=1)
    return parser


def _at_least_one(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("must be at least 1")
    return number


if __name__ == "__main__":
    sys.exit(main())

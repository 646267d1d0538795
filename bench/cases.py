"""What is measured, and what is aimed at."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from typing import Any, Literal

from bench.shapes import DEEP, MEDIUM, SMALL, SPARSE, TENFOLD, Collection

Job = Mapping[str, Any]
ROOT = Path(__file__).resolve().parents[1]

ALL_TOOLS = ("catchrate", "pytrec_eval", "ir_measures", "ranx")
COMMAND_LINE = ("-m", "catchrate")
"""What the installed script does, also where it is not installed."""
FIRST_CALL = "import catchrate; catchrate.evaluate({'q': {'a': 1}}, {'q': ['a']})"
"""What an import alone leaves for later, this loads."""
DEMO = ROOT / "src" / "catchrate" / "demo"
COLD_STARTS = 7
WARM_CALLS = 300
FLIPS, SAMPLES = 100_000, 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """A bound for one number of one contender."""

    number: Literal["seconds", "times", "memory_times"]
    """Time, time as a multiple of the first contender's, or memory as such a multiple."""
    least: float | None = None
    """Smallest value that meets the target."""
    most: float | None = None
    """Largest value that meets the target."""

    def met_by(self, value: float) -> bool:
        """Return whether a value lies within the bounds."""
        return (self.least is None or value >= self.least) and (self.most is None or value <= self.most)

    def __str__(self) -> str:
        bound = f">={self.least:g}" if self.least is not None else f"<={self.most:g}"
        return bound + {"seconds": " s", "times": "x time", "memory_times": "x memory"}[self.number]


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """Contenders at one piece of work; the first one, catchrate, is what the others are compared with."""

    key: str
    """The letter by which it is chosen."""
    title: str
    """What is done, in a few words."""
    jobs: Mapping[str, Job]
    """The measurement of each contender by its name."""
    targets: Mapping[str, Sequence[Target]] = field(default_factory=dict[str, Sequence[Target]])
    """What is aimed at, by contender."""
    collections: Sequence[Collection] = ()
    """The files that must lie there before."""
    summary: Callable[[Sequence[float]], float] = min
    """How repeated times become one: the best, or the median where the start is what is measured."""
    repeat: int | None = None
    """How often each contender is measured, when the caller has no say."""
    tolerance: float = 1e-9
    """How far two means may differ."""
    needs: Sequence[str] = ()
    """The subcommand without which the case cannot be measured."""


def cases(folder: Path, shrink: int) -> list[Case]:
    """Return all cases, on collections with `shrink` times fewer queries than they should have."""
    sparse, tenfold, deep, medium = (shape.shrunk(shrink) for shape in (SPARSE, TENFOLD, DEEP, MEDIUM))
    return [
        _from_files("a", sparse, folder, {"pytrec_eval": (_faster(7), _leaner(2)), "ranx": (_faster(25), _leaner(2))}),
        _from_files("b", deep, folder, {"pytrec_eval": (_faster(5),)}),
        _from_dicts(medium),
        _small_calls(),
        _cold_starts(),
        _tenfold(sparse, tenfold, folder),
        _scripts(sparse, folder),
        _everything(sparse, folder),
        _sampling(
            "h",
            "flips",
            "sign flips",
            FLIPS,
            sparse.queries,
            {"catchrate": FLIPS, "ranx": 500},
            {"catchrate": (), "ranx": (_faster(20),)},
        ),
        _sampling(
            "i",
            "samples",
            "bootstrap samples",
            SAMPLES,
            sparse.queries,
            {"catchrate": SAMPLES, "scipy": 500},
            {"catchrate": (Target(number="seconds", most=3),), "scipy": ()},
        ),
        _matching(shrink),
    ]


def installed(tool: str) -> bool:
    """Return whether a tool can be imported, without importing it."""
    return find_spec(tool) is not None


def has_command(name: str) -> bool:
    """Return whether the command line knows a subcommand."""
    asked = subprocess.run([sys.executable, *COMMAND_LINE, name, "--help"], cwd=ROOT, capture_output=True, check=False)
    return asked.returncode == 0


def _from_files(key: str, shape: Collection, folder: Path, targets: Mapping[str, Sequence[Target]]) -> Case:
    return Case(
        key=key,
        title=f"{shape} from TREC files",
        jobs={tool: _files_job(tool, shape, folder) for tool in ALL_TOOLS},
        targets=targets,
        collections=[SMALL, shape],
    )


def _from_dicts(shape: Collection) -> Case:
    return Case(
        key="c",
        title=f"{shape} from dicts",
        jobs={tool: {"job": "dicts", "tool": tool, "shape": asdict(shape)} for tool in ALL_TOOLS},
        targets={"pytrec_eval": (_faster(2),)},
    )


def _small_calls() -> Case:
    work = {"job": "calls", "shape": asdict(SMALL), "count": WARM_CALLS}
    return Case(
        key="d",
        title=f"{SMALL} from dicts, a warm call",
        jobs={tool: {**work, "tool": tool} for tool in ("catchrate", "pytrec_eval")},
        targets={"catchrate": (Target(number="seconds", most=0.005),)},
    )


def _cold_starts() -> Case:
    demo = [str(DEMO / "qrels" / "test.tsv"), str(DEMO / "runs" / "bm25.trec")]
    commands = {
        "catchrate evaluate": [*COMMAND_LINE, "evaluate", *demo],
        "import catchrate": ["-c", "import catchrate"],
        "import, evaluate": ["-c", FIRST_CALL],
        "import libraries": ["-c", "import polars, numpy, cyclopts"],
    }
    return Case(
        key="e",
        title="the demo on the command line, cold",
        jobs={name: {"job": "command", "arguments": arguments} for name, arguments in commands.items()},
        targets={
            "catchrate evaluate": (Target(number="seconds", most=0.9),),
            "import catchrate": (Target(number="seconds", most=0.6),),
        },
        summary=median,
        repeat=COLD_STARTS,
        needs=["evaluate"],
    )


def _tenfold(shape: Collection, tenfold: Collection, folder: Path) -> Case:
    return Case(
        key="f",
        title=f"{tenfold} from TREC files, ten times a",
        jobs={
            "catchrate, as a": _files_job("catchrate", shape, folder),
            "catchrate, tenfold": _files_job("catchrate", tenfold, folder),
        },
        targets={"catchrate, tenfold": (Target(number="memory_times", most=1.5),)},
        collections=[SMALL, shape, tenfold],
    )


def _scripts(shape: Collection, folder: Path) -> Case:
    """Compare what a person waits for who starts a script: imports, and kernels that are loaded, too."""
    files = [str(path) for path in shape.files(folder)]
    commands = {tool: ["-m", "bench.tools", tool, *files] for tool in ALL_TOOLS}
    return Case(
        key="j",
        title=f"{shape} from TREC files by a script of its own, cold",
        jobs={tool: {"job": "command", "arguments": arguments} for tool, arguments in commands.items()},
        collections=[shape],
    )


def _everything(shape: Collection, folder: Path) -> Case:
    """Compare with a print-out, hence the tolerance: half of its last digit."""
    asked = ["trec_eval", "-m", "all_trec", "-q", *map(str, shape.files(folder)), "--dialect", "9.0.8"]
    command = {"job": "command", "arguments": [*COMMAND_LINE, *asked], "summary": True}
    return Case(
        key="g",
        title=f"all_trec of {shape}",
        jobs={
            "catchrate trec_eval": command,
            "pytrec_eval": {**_files_job("pytrec_eval", shape, folder), "call": "everything"},
        },
        targets={"pytrec_eval": (_faster(4),)},
        collections=[SMALL, shape],
        tolerance=5.1e-5,
        needs=["trec_eval"],
    )


def _sampling(
    key: str,
    work: str,
    what: str,
    of: int,
    queries: int,
    counts: Mapping[str, int],
    targets: Mapping[str, Sequence[Target]],
) -> Case:
    """Compare times of equally many samples; how many a tool really draws is its own count."""
    job = {"job": "sampling", "work": work, "queries": queries, "of": of}
    return Case(
        key=key,
        title=f"{of:,} {what} of five measures over {queries:,} queries",
        jobs={tool: {**job, "tool": tool, "count": count} for tool, count in counts.items()},
        targets=targets,
        tolerance=1e-12,
    )


def _matching(shrink: int) -> Case:
    """Compare rules that must find the same: gold texts that stand in the chunks as they are, or not at all."""
    texts = {"queries": max(500 // shrink, 1), "chunks": 50, "gold": 5, "chars": 10_000}
    rules = {"contained": 10, "covered": 10, "containment": 10, "fuzzy": 50}
    return Case(
        key="m",
        title=f"{texts['queries']} queries x 50 chunks x 5 gold texts, each 10 kB, matched",
        jobs={f"catchrate {rule}": {"job": "matching", "rule": rule, "texts": texts} for rule in rules},
        targets={f"catchrate {rule}": (Target(number="seconds", most=most),) for rule, most in rules.items()},
    )


def _files_job(tool: str, shape: Collection, folder: Path) -> Job:
    files, warm_up = ([str(path) for path in collection.files(folder)] for collection in (shape, SMALL))
    return {"job": "files", "tool": tool, "files": files, "warm_up": warm_up}


def _faster(times: float) -> Target:
    return Target(number="times", least=times)


def _leaner(times: float) -> Target:
    return Target(number="memory_times", least=times)

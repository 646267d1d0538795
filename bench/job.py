"""One measurement in a process of its own: `python -m bench.job '{"job": ..., ...}'` prints its result as JSON.

A tool first handles a tiny collection, so that neither imports nor compilation are timed; cold starts are measured
by the jobs that start a command. A job that starts a command imports next to nothing itself, because a process
hands its own peak of memory on to the processes that it starts.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from statistics import median
from tempfile import TemporaryFile
from time import perf_counter
from typing import IO, Any

from bench.shapes import SMALL, Collection
from bench.tools import NO_NUMBERS, TOOLS

Result = dict[str, Any]


def files(*, tool: str, files: list[str], warm_up: list[str], call: str = "from_files") -> Result:
    """Time a tool from TREC files, judgments and run, to means."""
    evaluate = getattr(TOOLS[tool](), call)
    evaluate(*map(Path, warm_up))
    return timed(lambda: evaluate(*map(Path, files)))


def dicts(*, tool: str, shape: dict[str, Any]) -> Result:
    """Time a tool from dicts in memory to means: the best of five calls, as a program that lives makes them."""
    from bench.generate import as_dicts

    evaluate = TOOLS[tool]().from_dicts
    evaluate(*as_dicts(SMALL))
    judgments, run = as_dicts(Collection(**shape))
    return min((timed(lambda: evaluate(judgments, run)) for _ in range(5)), key=lambda result: result["seconds"])


def calls(*, tool: str, shape: dict[str, Any], count: int) -> Result:
    """Time many warm calls on small dicts and return their median."""
    from bench.generate import as_dicts

    evaluate = TOOLS[tool]().from_dicts
    judgments, run = as_dicts(Collection(**shape))
    evaluate(judgments, run)
    results = [timed(lambda: evaluate(judgments, run)) for _ in range(count)]
    return {**results[-1], "seconds": median(result["seconds"] for result in results)}


def sampling(*, work: str, tool: str, queries: int, count: int, of: int) -> Result:
    """Time `count` random samples of a tool and return the time of `of` such samples."""
    from bench import sampling

    result = timed(getattr(sampling, work)(tool, queries, count))
    return {**result, "seconds": result["seconds"] * of / count}


def matching(*, rule: str, texts: dict[str, int]) -> Result:
    """Time the matching of texts in memory by a rule, to means."""
    import catchrate
    from bench.texts import as_texts

    judged, returned = as_texts(**texts)
    warm_up = {query: ["some text"] for query in list(judged)[:1]}
    catchrate.evaluate(warm_up, warm_up, "rr", match=rule)

    def work() -> dict[str, float]:
        scores = catchrate.evaluate(judged, returned, ["recall@10", "recall", "rr"], match=rule)
        return {} if isinstance(scores, catchrate.Leaderboard) else scores.as_dict()

    return timed(work)


def command(*, arguments: list[str], summary: bool = False) -> Result:
    """Time a command from its cold start to its end; `summary` reads the means that it prints as trec_eval does."""
    with TemporaryFile() as output:
        start = perf_counter()
        subprocess.run([sys.executable, *arguments], stdout=output, check=True)
        seconds = perf_counter() - start
        output.seek(0)
        means = _summary(output) if summary else {}
    return {"seconds": seconds, "memory": _peak(resource.RUSAGE_CHILDREN), "means": means}


def generate(*, shape: dict[str, Any], folder: str) -> Result:
    """Write a collection; a job too, because the process that starts all jobs must stay small."""
    from bench.generate import write

    write(Collection(**shape), Path(folder))
    return {}


def timed(work: Callable[[], dict[str, float]]) -> Result:
    """Return how long some work takes, the peak of memory so far, and the means that it finds."""
    start = perf_counter()
    means = work()
    seconds = perf_counter() - start
    return {"seconds": seconds, "memory": _peak(resource.RUSAGE_SELF), "means": means}


def _peak(who: int) -> int:
    """Return the most bytes that were resident at once; macOS counts them in bytes, Linux in kilobytes."""
    return resource.getrusage(who).ru_maxrss * (1 if sys.platform == "darwin" else 1_024)


def _summary(output: IO[bytes]) -> dict[str, float]:
    rows = (line.decode().split() for line in output if b"\tall\t" in line)
    return {name: float(value) for name, _, value in rows if name not in NO_NUMBERS}


JOBS: dict[str, Callable[..., Result]] = {
    "files": files,
    "dicts": dicts,
    "calls": calls,
    "sampling": sampling,
    "matching": matching,
    "command": command,
    "generate": generate,
}


def run(jobs: dict[str, Callable[..., Result]]) -> None:
    """Do the job that the first argument describes."""
    order = json.loads(sys.argv[1])
    print(json.dumps(jobs[order.pop("job")](**order)))


if __name__ == "__main__":
    run(JOBS)

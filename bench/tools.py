"""The tools that are compared, each read and called the way its own documentation shows.

`python -m bench.tools TOOL JUDGMENTS RUN` prints the means that a tool finds in files.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from statistics import fmean
from typing import Any, Protocol

Judged = Mapping[str, Mapping[str, int]]
Run = Mapping[str, Mapping[str, float]]
Means = dict[str, float]

MEASURES = ("recall@10", "recall@100", "ap", "ndcg@10", "rr")
"""What every tool computes, in catchrate's spelling."""

NO_NUMBERS = {"runid", "relstring"}
"""Measures of trec_eval whose values are texts."""


class Tool(Protocol):
    """One way from files, or from dicts, to the means of `MEASURES`."""

    def from_files(self, judgments: Path, run: Path) -> Means:
        """Read TREC files and evaluate them."""
        ...

    def from_dicts(self, judgments: Judged, run: Run) -> Means:
        """Evaluate dicts of dicts."""
        ...


class Catchrate:
    """`catchrate.evaluate`, which checks everything and refuses duplicates."""

    def __init__(self) -> None:
        self._evaluate: Callable[..., Any] = import_module("catchrate").evaluate

    def from_files(self, judgments: Path, run: Path) -> Means:
        """Hand over the paths."""
        return self._evaluate(judgments, run, MEASURES).as_dict()

    def from_dicts(self, judgments: Judged, run: Run) -> Means:
        """Hand over the dicts."""
        return self._evaluate(judgments, run, MEASURES).as_dict()


class PytrecEval:
    """pytrec_eval-terrier, with its parsers for TREC files."""

    names = ("recall_10", "recall_100", "map", "ndcg_cut_10", "recip_rank")

    def __init__(self) -> None:
        self._library: Any = import_module("pytrec_eval")

    def from_files(self, judgments: Path, run: Path) -> Means:
        """Parse the files into dicts, then evaluate these."""
        return self.from_dicts(*self._parsed(judgments, run))

    def from_dicts(self, judgments: Judged, run: Run) -> Means:
        """Evaluate, and average the queries."""
        scores = self._library.RelevanceEvaluator(judgments, set(self.names)).evaluate(run).values()
        return _named([fmean(query[name] for query in scores) for name in self.names])

    def everything(self, judgments: Path, run: Path) -> Means:
        """Compute all measures that the library supports, under trec_eval's names."""
        judged, returned = self._parsed(judgments, run)
        evaluator = self._library.RelevanceEvaluator(judged, self._library.supported_measures)
        scores = list(evaluator.evaluate(returned).values())
        mean = self._library.compute_aggregated_measure
        names = scores[0].keys() - NO_NUMBERS
        return {name: float(mean(name, [query[name] for query in scores])) for name in names}

    def _parsed(self, judgments: Path, run: Path) -> tuple[Judged, Run]:
        with judgments.open() as judgments_file, run.open() as run_file:
            return self._library.parse_qrel(judgments_file), self._library.parse_run(run_file)


class IrMeasures:
    """ir_measures with its default providers."""

    def __init__(self) -> None:
        self._library: Any = import_module("ir_measures")
        recall, gain = self._library.R, self._library.nDCG
        self._measures = [recall @ 10, recall @ 100, self._library.AP, gain @ 10, self._library.RR]

    def from_files(self, judgments: Path, run: Path) -> Means:
        """Stream the files through its readers."""
        judged = self._library.read_trec_qrels(str(judgments))
        return self._means(judged, self._library.read_trec_run(str(run)))

    def from_dicts(self, judgments: Judged, run: Run) -> Means:
        """Hand over the dicts."""
        return self._means(judgments, run)

    def _means(self, judgments: object, run: object) -> Means:
        means = self._library.calc_aggregate(self._measures, judgments, run)
        return _named([means[measure] for measure in self._measures])


class Ranx:
    """ranx, with the building of its own structures, which all of its users pay."""

    names = ("recall@10", "recall@100", "map", "ndcg@10", "mrr")

    def __init__(self) -> None:
        self._library: Any = import_module("ranx")

    def from_files(self, judgments: Path, run: Path) -> Means:
        """Load both files as TREC."""
        judged = self._library.Qrels.from_file(str(judgments), kind="trec")
        return self._means(judged, self._library.Run.from_file(str(run), kind="trec"))

    def from_dicts(self, judgments: Judged, run: Run) -> Means:
        """Build its structures, then evaluate them."""
        return self._means(self._library.Qrels(judgments), self._library.Run(run))

    def _means(self, judgments: object, run: object) -> Means:
        means = self._library.evaluate(judgments, run, list(self.names))
        return _named([float(means[name]) for name in self.names])


def _named(values: Sequence[float]) -> Means:
    return dict(zip(MEASURES, values, strict=True))


TOOLS: dict[str, Callable[[], Tool]] = {
    "catchrate": Catchrate,
    "pytrec_eval": PytrecEval,
    "ir_measures": IrMeasures,
    "ranx": Ranx,
}
"""Each tool by the name of its module; building one imports it."""


if __name__ == "__main__":
    print(TOOLS[sys.argv[1]]().from_files(*map(Path, sys.argv[2:])))

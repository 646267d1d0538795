"""What the `catchrate` fixture of the pytest plugin gives; the hooks are in the package `pytest_catchrate`."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from catchrate.errors import visible
from catchrate.evaluation.comparison.then_and_now import ready_scores
from catchrate.evaluation.evaluate import evaluate
from catchrate.evaluation.gate import Gate
from catchrate.evaluation.gate import gate as use_case
from catchrate.evaluation.saved import SUFFIX
from catchrate.evaluation.scores import Scores
from catchrate.reports.terminal import as_text, view_lines
from catchrate.reports.values import SIGNS
from catchrate.reports.views.gate import MARKS, gate_view, headline, sentence

WIDTH = 100
"""How wide the report in a failure message is."""
OF_GATE = frozenset(inspect.signature(use_case).parameters) - {"queries", "policies"}
"""What a gate takes that `evaluate` does not."""


class Gatekeeper:
    """Everything that catchrate offers, with a gate that fails the test where a run may not pass."""

    def __init__(
        self, *, folder: Path, update: bool, options: Mapping[str, Any], tell: Callable[[str], None] = lambda _: None
    ) -> None:
        self._folder = folder
        self._update = update
        self._options = options
        self._tell = tell

    def __getattr__(self, name: str) -> Any:
        import catchrate

        return getattr(catchrate, name)

    def gate(self, judgments: object = None, run: object = None, *, stored: str | None = None, **options: Any) -> Gate:
        """Fail the test where a run may not pass, with the differences and the queries to look at.

        Takes what `catchrate.gate` takes; the marker `catchrate` gives defaults. `stored` names a baseline that is kept
        beside the test, in its folder: `pytest --catchrate-update` saves the run as that baseline.
        """
        __tracebackhide__ = True
        options = {**self._options, **options}
        if stored is not None:
            run = self._scores(judgments, run, options)
            options["baseline"] = self._baseline(run, stored)
        found = use_case(judgments, run, **options)
        self._tell(f"{SIGNS[MARKS[found.outcome]].sign} {visible(headline(found))}")
        for check in found:
            self._tell(f"  {SIGNS[MARKS[check.outcome]].sign} {visible(sentence(check))}")
        if not found:
            pytest.fail(_report(found), pytrace=False)
        return found

    def _scores(self, judgments: object, run: object, options: Mapping[str, Any]) -> Scores:
        ready = ready_scores(run, None)
        policies = {name: value for name, value in options.items() if name not in OF_GATE}
        scores = ready or evaluate(judgments, run, **policies)
        assert isinstance(scores, Scores)  # noqa: S101 - one run is evaluated
        return scores

    def _baseline(self, scores: Scores, stored: str) -> Path:
        """Return the file of a stored baseline, which an update writes first."""
        __tracebackhide__ = True
        path = self._folder / stored
        path = path if path.suffix == SUFFIX else path.with_name(path.name + SUFFIX)
        if self._update:
            path.parent.mkdir(parents=True, exist_ok=True)
            scores.save(path)
            self._tell(f"saved {visible(str(path))}")
        elif not path.exists():
            message = f"there is no stored baseline {visible(str(path))}"
            pytest.fail(f"{message}: `pytest --catchrate-update` saves this run as one", pytrace=False)
        return path


def _report(found: Gate) -> str:
    notes = "".join(f"{visible(str(note))}\n" for note in found.notes)
    return as_text(view_lines(gate_view(found), WIDTH)) + (f"\n{notes}" if notes else "")

"""Ask a retriever every question, and keep what it returns as evaluation records."""

from __future__ import annotations

import inspect
import os
import statistics
import sys
from collections.abc import Callable, Iterable
from typing import Any

from catchrate.collecting.answers import answer_of
from catchrate.collecting.calls import Call, Done, run_calls
from catchrate.collecting.questions import Question, questions_of
from catchrate.collecting.saving import FAILURE, Record, Saved
from catchrate.errors import CatchrateError, InputError, UsageError, shown
from catchrate.formats import ReadOptions

METHODS = ("invoke", "retrieve", "search", "run")
"""What retrievers that cannot be called themselves call it: LangChain, LlamaIndex, vector stores, Haystack."""
HOW_MANY = ("k", "top_k", "n_results", "limit")
"""What functions call the number of results."""
WHOLE = "record"
"""The parameter by which a function gets all fields of a question."""
LATENCY = "latency"
MAX_REASON = 300
"""Characters of what a retriever raised that are kept."""

Tell = Callable[[int, int], None]
"""Is told how many questions are done, and of how many."""


class Collected(tuple[Record, ...]):
    """Evaluation records, one a question in the order asked; `catchrate.evaluate` takes them as they are.

    A question that failed is among them with the field `failure` and without results. It is not scored, and the result
    of an evaluation says so.
    """

    __slots__ = ()

    @property
    def failures(self) -> dict[str, str]:
        """Why each question that failed has no results, by its id."""
        return {str(row.get("id", row["query"])): row[FAILURE] for row in self if row.get(FAILURE)}

    @property
    def latencies(self) -> tuple[float, ...]:
        """How many seconds each answer took; of the questions that have one."""
        return tuple(row[LATENCY] for row in self if not row.get(FAILURE) and LATENCY in row)

    def __repr__(self) -> str:
        failed = f", {len(self.failures):,} failed" if self.failures else ""
        usual = f", median latency {statistics.median(self.latencies):.3f} s" if self.latencies else ""
        return f"Collected({len(self):,} questions{failed}{usual})"


def collect(
    retriever: object,
    questions: object,
    *,
    k: int | None = 10,
    concurrency: int = 4,
    timeout: float | None = 60,
    save: str | os.PathLike[str] | None = None,
    progress: bool | Tell = False,
    options: ReadOptions | None = None,
) -> Collected:
    """Ask a retriever every question, and return evaluation records.

    `retriever` is any function of a question's text, plain or async, or an object with `invoke`, `retrieve`, `search`
    or `run`. It returns ids, (id, score) pairs, dicts, or objects with an id, a text and a score, best first. A
    parameter `k`, `top_k`, `n_results` or `limit` gets the number of results, a parameter `record` all fields of the
    question. `questions` are texts, `{id: text}`, records with `query`, judgments with texts, or a file of these; what
    they say beside (ground truth, gold texts, anything) goes into the records.

    At most `concurrency` questions are under way at once. One that takes longer than `timeout` seconds or raises has
    failed: it is listed in `failures`, and not scored. With `save`, a JSONL file, answers are written as they come, and
    a second call goes on where the first one stopped. `progress` shows a line on a terminal, or calls a function.

    Raises InputError when there are no questions or all of them fail, and UsageError for impossible choices.

    >>> import catchrate
    >>> records = catchrate.collect(lambda question: ["d2", "d1"], [{"query": "Who?", "ground_truth": ["d1"]}])
    >>> catchrate.evaluate(records, ["recall@1", "recall@2"]).as_dict()
    {'recall@1': 0.0, 'recall@2': 1.0}
    """
    _refuse_odd("k", k, 1)
    _refuse_odd("concurrency", concurrency, 1)
    _refuse_odd("timeout", timeout, 0.001)
    asked = questions_of(questions, options or ReadOptions())
    saved = None if save is None else Saved(save)
    records = {} if saved is None else saved.answered(asked, k)
    todo = [question for question in asked if question.id not in records]
    tell = _teller(progress)
    try:
        calls = run_calls(_call(retriever, k), todo, concurrency=concurrency, timeout=timeout)
        for number, done in enumerate(calls, start=len(records) + 1):
            records[done.question.id] = record = _record(done, k)
            if saved:
                saved.add(record)
            tell(number, len(asked))
    finally:
        if saved:
            saved.close()
    collected = Collected(records[question.id] for question in asked)
    if saved and todo:
        saved.finish(collected)
    _refuse_total_failure(collected)
    return collected


def _refuse_odd(name: str, value: float | None, least: float) -> None:
    if value is None and name != "concurrency":
        return
    kind = int if least == 1 else int | float
    if not isinstance(value, kind) or isinstance(value, bool) or not least <= value < float("inf"):
        raise UsageError.of("E299", f"{name} is {shown(repr(value), 40)}", fix=f"give a number from {least:g} upwards")


def _call(retriever: object, k: int | None) -> Call:
    """Return the function that asks one question.

    Raises UsageError for what cannot be called.
    """
    ask: Any = retriever
    if not callable(retriever):
        ask = next((method for name in METHODS if callable(method := getattr(retriever, name, None))), None)
    if ask is None:
        fix = f"give a function of the question, or an object with {', '.join(METHODS)}"
        raise UsageError.of("E299", f"a {type(retriever).__name__} cannot be called", fix=fix)
    names = _parameters(ask)
    how_many = next((name for name in HOW_MANY if name in names), None)
    fixed = {} if how_many is None or k is None else {how_many: k}

    def call(question: Question) -> object:
        whole = {WHOLE: question.record} if WHOLE in names else {}
        # components of Haystack take named arguments alone
        named = {"query": question.text} if ask is getattr(retriever, "run", None) and "query" in names else None
        return ask(**named, **fixed, **whole) if named else ask(question.text, **fixed, **whole)

    return call


def _parameters(function: Any) -> frozenset[str]:
    """Return the parameters that may be given by name; nothing for functions that do not tell."""
    try:
        found = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return frozenset()
    return frozenset(one.name for one in found if one.kind in (one.POSITIONAL_OR_KEYWORD, one.KEYWORD_ONLY))


def _record(done: Done, k: int | None) -> Record:
    kept = {name: value for name, value in done.question.record.items() if name not in _OURS}
    failure, fields = done.failure, dict[str, Any]()
    if not failure:
        try:
            fields = answer_of(done.result, k).fields()
        except CatchrateError as error:
            failure = str(error)
        except Exception as error:  # noqa: BLE001 - iterating over what came back runs the retriever's code
            failure = f"{type(error).__name__}: {error}"
    outcome = {FAILURE: shown(failure, MAX_REASON)[1:-1]} if failure else fields
    return {**kept, **outcome, LATENCY: round(done.seconds, 6)}


_OURS = frozenset(("retrieved", "scores", "texts", LATENCY, FAILURE))
"""Fields that an earlier collection may have left on the questions."""


def _teller(progress: bool | Tell) -> Tell:  # noqa: FBT001
    if not isinstance(progress, bool):
        return progress
    return _line_on_terminal if progress and sys.stderr.isatty() else lambda _done, _total: None


def _line_on_terminal(done: int, total: int) -> None:
    sys.stderr.write(f"\r{done:,} of {total:,} questions" + ("\n" if done == total else ""))
    sys.stderr.flush()


def _refuse_total_failure(collected: Collected) -> None:
    if len(collected.failures) == len(collected):
        first: Iterable[tuple[str, str]] = list(collected.failures.items())[:3]
        reasons = "; ".join(f"{shown(name, 30)}: {why}" for name, why in first)
        message = f"all {len(collected):,} questions failed: {reasons}"
        raise InputError.of("E296", message, fix="call the retriever with one question by hand")

"""Which totals can be true together. Every problem is found at once, and belongs to the field that shows it best."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from catchrate.calculation.entries import FIELDS, EntryError, Problem, Totals, share, whole, wholes
from catchrate.errors import Finding

Readers = dict[str, Callable[[object], Any]]

READERS: Readers = {
    "queries": lambda value: whole(value, 1),
    "relevant": lambda value: whole(value, 1),
    "k": lambda value: whole(value, 1),
    "found": lambda value: whole(value, 0),
    "hits": lambda value: whole(value, 0),
    "retrieved": lambda value: whole(value, 1),
    "target": share,
    "cutoffs": lambda value: wholes(value, 1),
    "found_at": lambda value: wholes(value, 0),
}


def read_totals(entries: Mapping[str, object]) -> Totals | tuple[Problem, ...]:
    """Return the entries as numbers, or everything that is wrong with them, each with its field.

    Entries are numbers, or text as it was typed. Blank text is an entry left out.
    """
    numbers: dict[str, Any] = {}
    problems: list[Problem] = []
    for name, field in FIELDS.items():
        value = entries.get(name)
        if _is_blank(value):
            if not field.optional:
                problems.append(
                    _problem(name, "E350", "nothing is given", field.help[:1].lower() + field.help[1:].rstrip("."))
                )
            continue
        try:
            numbers[name] = READERS[name](value)
        except EntryError as error:
            problems.append(Problem(name, error.finding))
    problems += _first_of_each(_contradictions(numbers, problems))
    if problems:
        return tuple(sorted(problems, key=lambda problem: list(FIELDS).index(problem.field)))
    numbers.setdefault("retrieved", numbers["k"] * numbers["queries"])
    return Totals(**numbers)


def _is_blank(value: object) -> bool:
    return (
        value is None
        or (isinstance(value, str) and not value.strip())
        or (isinstance(value, list | tuple) and not value)
    )


def _contradictions(numbers: dict[str, Any], problems: list[Problem]) -> Iterator[Problem]:
    """Compare what could be read; an entry that could not is no party to a contradiction."""
    n = _Known(numbers)
    yield from _of_found(n)
    yield from _of_hits(n)
    yield from _of_retrieved(n)
    if not {problem.field for problem in problems} & {"cutoffs", "found_at"}:
        yield from _of_curve(n)


class _Known:
    """The numbers that could be read; comparing with one that could not is never true."""

    def __init__(self, numbers: dict[str, Any]) -> None:
        nothing = float("nan")
        self.queries, self.relevant, self.k, self.found, self.hits, self.retrieved = (
            numbers.get(name, nothing) for name in ("queries", "relevant", "k", "found", "hits", "retrieved")
        )
        self.cutoffs: tuple[int, ...] = numbers.get("cutoffs", ())
        self.found_at: tuple[int, ...] = numbers.get("found_at", ())


def _of_found(n: _Known) -> Iterator[Problem]:
    if n.found > n.relevant:
        yield _contradiction(
            "found", f"{n.found:,} found of {n.relevant:,} relevant documents", "no more can be found than there are"
        )
    if n.found > n.queries * n.k:
        yield _contradiction(
            "found", f"{n.found:,} found in {n.queries:,} x {n.k:,} results", "each result is one document"
        )


def _of_hits(n: _Known) -> Iterator[Problem]:
    if n.hits > n.queries:
        yield _contradiction("hits", f"{n.hits:,} of {n.queries:,} queries have a hit", "count each query once")
    if n.hits > n.found:
        yield _contradiction(
            "hits",
            f"{n.hits:,} queries have a hit, and only {n.found:,} documents were found",
            "a query with a hit has found one or more",
        )
    if n.found > 0 and n.hits == 0:
        yield _contradiction(
            "hits", f"{n.found:,} documents were found, and no query has a hit", "count the queries that found them"
        )
    elif n.found > n.hits * n.k:
        message = f"{n.hits:,} queries with {n.k:,} results each cannot have found {n.found:,} documents"
        yield _contradiction("hits", message, f"they hold at most {n.hits * n.k:,}")


def _of_retrieved(n: _Known) -> Iterator[Problem]:
    if n.found > n.retrieved:
        yield _contradiction(
            "retrieved", f"{n.found:,} found among {n.retrieved:,} retrieved documents", "what was found was retrieved"
        )
    if n.retrieved > n.queries * n.k:
        message = f"{n.retrieved:,} retrieved is more than {n.queries:,} x {n.k:,}"
        yield _contradiction("retrieved", message, "count the first K results only, or leave it out")


def _of_curve(n: _Known) -> Iterator[Problem]:
    if len(n.cutoffs) != len(n.found_at):
        field = "found_at" if n.cutoffs else "cutoffs"
        message = f"{len(n.cutoffs):,} cut-offs stand beside {len(n.found_at):,} found counts"
        yield _problem(field, "E353", message, "give one count for each cut-off")
        return
    for before, after in zip(n.cutoffs, n.cutoffs[1:], strict=False):
        if after <= before:
            what = f"{after:,} stands twice" if after == before else f"{after:,} follows {before:,}"
            yield _problem("cutoffs", "E353", what, "write each cut-off once, smallest first")
            return
    yield from _of_found_at(n)


def _of_found_at(n: _Known) -> Iterator[Problem]:
    for before, after in zip(n.found_at, n.found_at[1:], strict=False):
        if after < before:
            fix = "a deeper cut-off holds all that a smaller one holds"
            yield _problem("found_at", "E353", f"{after:,} follows {before:,}", fix)
    for cutoff, found in zip(n.cutoffs, n.found_at, strict=True):
        if found > n.relevant:
            yield _problem(
                "found_at",
                "E353",
                f"{found:,} found of {n.relevant:,} relevant documents at {cutoff:,}",
                "no more can be found than there are",
            )
        if found > n.queries * cutoff:
            yield _problem(
                "found_at",
                "E353",
                f"{found:,} found in {n.queries:,} x {cutoff:,} results",
                "each result is one document",
            )
        if (
            (cutoff == n.k and found != n.found)
            or (cutoff < n.k and found > n.found)
            or (cutoff > n.k and found < n.found)
        ):
            message = f"{found:,} found at {cutoff:,} does not agree with {n.found:,} at the main cut-off {n.k:,}"
            yield _problem("found_at", "E353", message, "make both say the same")


def _first_of_each(problems: Iterator[Problem]) -> list[Problem]:
    first: dict[str, Problem] = {}
    for problem in problems:
        first.setdefault(problem.field, problem)
    return list(first.values())


def _contradiction(field: str, message: str, fix: str) -> Problem:
    return _problem(field, "E351", message, fix)


def _problem(field: str, code: str, message: str, fix: str) -> Problem:
    return Problem(field, Finding(code=code, message=message, fix=fix))

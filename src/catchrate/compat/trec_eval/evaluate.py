"""From a command to its table: read, join, measure. Who gets which rows is decided here, how they look elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from catchrate.alignment import Aligned
from catchrate.compat.trec_eval.columns import AnyColumn, Column, Fact, Strings, Table, logarithms
from catchrate.compat.trec_eval.command import Command
from catchrate.compat.trec_eval.grouped import GroupMeans
from catchrate.compat.trec_eval.grouped_files import read_grouped
from catchrate.compat.trec_eval.inputs import join, read_qrels
from catchrate.compat.trec_eval.preferences import Preferences
from catchrate.compat.trec_eval.ranked_text import relevance_strings, run_id
from catchrate.compat.trec_eval.rows import Entry, Needs, Selection
from catchrate.compat.trec_eval.zscores import converted, read_references
from catchrate.errors import Finding, UsageError
from catchrate.formats import Source, open_source
from catchrate.measures import Alignment, Measure
from catchrate.measures.parameters import Value

_ROUTINE = frozenset({"N203", "N228"})
"""Notes on what trec_eval's users do every day."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class _Joined:
    """Both files, joined, and how a measure is computed from them."""

    aligned: Aligned
    columns_of: Callable[[Entry, str | None], Sequence[AnyColumn]]
    notes: tuple[Finding, ...] = ()


def evaluate(command: Command, selection: Selection) -> Table:
    """Compute everything that a command prints.

    Raises InputError for files that are refused and UsageError for measures that the format of the judgments lacks.
    """
    read, needs = _FORMATS[command.rel_format]
    _refuse_wrong_format(command, selection, needs)
    run = open_source(command.run).unhashed()  # no digest is printed
    joined = read(command, run)
    arrays = joined.aligned.arrays
    columns: list[AnyColumn] = []
    for entry, text in selection.entries:
        columns += [_fact(entry, run, arrays, command)] if entry.needs == "any" else joined.columns_of(entry, text)
    table = Table(
        topics=joined.aligned.queries["query"].to_list(),
        printed=(arrays.returned > 0) | command.dialect.completes,
        columns=tuple(columns),
        notes=_worth_telling((*joined.notes, *joined.aligned.notes), command),
    )
    return _with_silent_topics(_with_zscores(table, command))


def _refuse_wrong_format(command: Command, selection: Selection, needs: Needs) -> None:
    for entry, _ in selection.entries:
        if entry.needs not in ("any", needs):
            fix = f"{entry.name} needs -R {entry.needs}; -R {command.rel_format} has -m {_NICKNAMES[needs]}"
            raise UsageError.of("E280", f"{entry.name} cannot be computed from {command.rel_format}", fix=fix)


_NICKNAMES: dict[Needs, str] = {"qrels": "official", "prefs": "all_prefs", "qrels_jg": "qrels_jg"}


def _from_qrels(command: Command, run: Source) -> _Joined:
    judgments = read_qrels(command)
    aligned = join(judgments, run, command)
    arrays = aligned.arrays.only_judged() if command.judged_only else aligned.arrays
    return _Joined(
        aligned=aligned,
        columns_of=lambda entry, text: _columns(entry, text, arrays, command),
        notes=judgments.notes,
    )


def _from_preferences(command: Command, run: Source) -> _Joined:
    grouped = read_grouped(command, run)
    preferences = Preferences(grouped)
    return _Joined(aligned=grouped.aligned, columns_of=lambda entry, _: [preferences.column(entry.name)])


def _from_groups(command: Command, run: Source) -> _Joined:
    grouped = read_grouped(command, run)
    means = GroupMeans(grouped, judged_only=command.judged_only)
    settings = _settings(command)
    return _Joined(
        aligned=grouped.aligned, columns_of=lambda entry, text: means.columns(entry.measures(text, settings))
    )


_FORMATS: dict[str, tuple[Callable[[Command, Source], _Joined], Needs]] = {
    "qrels": (_from_qrels, "qrels"),
    "prefs": (_from_preferences, "prefs"),
    "qrels_prefs": (_from_preferences, "prefs"),
    "qrels_jg": (_from_groups, "qrels_jg"),
}


def _settings(command: Command) -> dict[str, Value]:
    """Return what the options and the dialect decide for every measure that asks."""
    return {"rel": command.level, "rounding": command.dialect.rounding, "collection": command.collection}


def _fact(entry: Entry, run: Source, arrays: Alignment, command: Command) -> Fact:
    text = run_id(run, comments=command.dialect.comments) if entry.name == "runid" else str(arrays.queries)
    return Fact(name=entry.name, text=text)


def _columns(entry: Entry, text: str | None, arrays: Alignment, command: Command) -> Sequence[AnyColumn]:
    if entry.name == "relstring":
        return [Strings(name=name, values=relevance_strings(arrays, length)) for name, length in entry.lengths(text)]
    columns = [_column(name, measure, arrays) for name, measure in entry.measures(text, _settings(command))]
    if entry.name == "num_rel" and command.complete:
        # every grade above 0 counts then, whatever -l says
        return [replace(columns[0], summary=float(np.count_nonzero(arrays.items.grade > 0)))]
    return columns


def _column(name: str, measure: Measure, arrays: Alignment) -> Column:
    values = measure.per_query(arrays)
    if measure.row.aggregate == "geometric":
        return Column(name=name, values=logarithms(values), aggregate="geometric")
    return Column(name=name, values=values, aggregate="sum" if measure.row.aggregate == "sum" else "mean")


def _with_zscores(table: Table, command: Command) -> Table:
    if command.zscores is None:
        return table
    references = read_references(command.zscores)
    return replace(table, columns=tuple(converted(c, table.topics, references) for c in table.columns))


def _with_silent_topics(table: Table) -> Table:
    """Let topics without rows add nothing to any sum but their count."""

    def silenced(column: AnyColumn) -> AnyColumn:
        if not isinstance(column, Column):
            return column
        nothing = logarithms(np.zeros(1)) if column.aggregate == "geometric" else 0.0
        return replace(column, values=np.where(table.printed, column.values, nothing))

    return table if table.printed.all() else replace(table, columns=tuple(silenced(c) for c in table.columns))


def _worth_telling(notes: tuple[Finding, ...], command: Command) -> tuple[Finding, ...]:
    quiet = _ROUTINE | {"N225"} if command.complete else _ROUTINE
    return tuple(note for note in notes if note.code not in quiet)

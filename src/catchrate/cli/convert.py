"""catchrate convert: any format to any."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from catchrate.cli.app import DASH
from catchrate.cli.inputs import Input, open_input
from catchrate.cli.messages import print_findings, say
from catchrate.cli.options import MANY, Reading
from catchrate.errors import Finding, UsageError
from catchrate.evaluation.kinds import Kind, kind_of
from catchrate.formats import (
    ReadOptions,
    open_source,
    read_judgments,
    read_labels,
    read_ranking,
    read_records,
    with_labels,
    write_judgments,
    write_ranking,
    write_records,
)
from catchrate.formats.encode import encoded_judgments, encoded_ranking, encoded_records
from catchrate.reports.output import deliver
from catchrate.tables import Judgments, Ranking

SOURCE = "What to read. - is standard input."
TARGET = "What to write; its suffix names the format, and .gz or .zst behind it packs it. - is standard output."
TO = "The format to write, when the suffix does not say."
AS = "What to read, when the content does not say or holds both sides."
ADD = "A label sheet whose grades become judgments, too: CSV with query, doc and grade. Repeatable."
Written = Literal["trec", "jsonl", "json", "csv", "tsv", "parquet"]


def convert(
    source: Annotated[str, Parameter(help=SOURCE)],
    target: Annotated[str, Parameter(help=TARGET)],
    /,
    *,
    to: Annotated[Written | None, Parameter(metavar="NAME", help=TO)] = None,
    as_: Annotated[Kind | None, Parameter(name="--as", metavar="KIND", help=AS)] = None,
    add: Annotated[tuple[str, ...], MANY, Parameter(metavar="FILE", help=ADD)] = (),
    reading: Reading | None = None,
) -> None:
    """Write judgments, a run or records in another format; `--add` takes what labellers filled in."""
    one = open_input(source)
    options = (reading or Reading()).read_options()
    tables = _read(one, as_ or _kind(one, options), options)
    if add:
        tables = _with_added(tables, add, options)
    if target == DASH:
        deliver(_encoded(tables, to), None)
    else:
        _write(tables, Path(target), to)
        say(f"{target}: {', '.join(repr(table) for table in tables)}")
    print_findings(_notes(tables))


Tables = tuple[Judgments] | tuple[Ranking] | tuple[Judgments, Ranking]


def _kind(one: Input, options: ReadOptions) -> Kind:
    """Return what an input holds. Raises UsageError when that is not clear."""
    kind = "judgments" if isinstance(one.where, str) else kind_of(one.where, options)
    if kind is None:
        fix = "say which with --as judgments or --as ranking"
        raise UsageError.of("E117", "this could be judgments or a ranking", fix=fix, file=one.path)
    return kind


def _read(one: Input, kind: Kind, options: ReadOptions) -> Tables:
    if kind == "records":
        return read_records(one.where, options)
    return (read_judgments(one.where, options),) if kind == "judgments" else (read_ranking(one.where, options),)


def _with_added(tables: Tables, add: tuple[str, ...], options: ReadOptions) -> Tables:
    """Add label sheets to what holds judgments."""
    first, *rest = tables
    if not isinstance(first, Judgments):
        raise UsageError.of("E280", "--add is given for a ranking", fix="name judgments or records to add them to")
    sheets = [read_labels(open_source(path), options) for path in add]
    return (with_labels(first, *sheets, options=options), *rest)  # type: ignore[return-value]


def _write(tables: Tables, target: Path, to: Written | None) -> None:
    if len(tables) == 2:
        write_records(*tables, target, to)
    elif isinstance(tables[0], Judgments):
        write_judgments(tables[0], target, to)
    else:
        write_ranking(tables[0], target, to)


def _encoded(tables: Tables, to: Written | None) -> bytes:
    if to is None:
        raise UsageError.of("E117", "standard output has no suffix", fix="name the format, such as --to csv")
    if len(tables) == 2:
        return encoded_records(*tables, to)
    return encoded_judgments(tables[0], to) if isinstance(tables[0], Judgments) else encoded_ranking(tables[0], to)


def _notes(tables: Tables) -> list[Finding]:
    found = [note for table in tables for note in (table.notes if isinstance(table, Judgments) else table.findings)]
    return list(dict.fromkeys(found))

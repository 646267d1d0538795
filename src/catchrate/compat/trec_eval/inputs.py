"""Reading the files of a command line, and joining them, with `--strict-compat` or without."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TypeVar

from catchrate.alignment import Aligned, Policy, align
from catchrate.compat.trec_eval import strict
from catchrate.compat.trec_eval.command import Command
from catchrate.errors import InputError, shown
from catchrate.formats import ReadOptions, Source, open_ranking, open_source, read_judgments
from catchrate.tables import Judgments

Read = TypeVar("Read", Judgments, Aligned)


def read_qrels(command: Command) -> Judgments:
    """Return the judgments."""
    read = partial(read_judgments, options=_options(command))
    return _read(open_source(command.judgments), read, strict.GRADES if command.strict else None)


def join(judgments: Judgments, run: Source, command: Command) -> Aligned:
    """Return the run joined with the judgments: all topics of the judgments under `-c`, else those of both."""
    policy = Policy(
        rel=command.level,
        queries="judged" if command.complete else "both",
        max_rank=command.max_rank,
        dialect=command.dialect.scores,
    )

    def joined(source: Source) -> Aligned:
        return align(judgments, open_ranking(source, _options(command)), policy)

    aligned = _read(run, joined, strict.SCORES if command.strict else None)
    _refuse_missing(aligned, command, run.name)
    return aligned


def _read(source: Source, read: Callable[[Source], Read], lenient: strict.Lenient | None) -> Read:
    """Read a source; where its numbers are refused and may be read as C reads them, read them so."""
    try:
        return read(source)
    except InputError as error:
        if lenient is None or error.code not in lenient.codes:
            raise strict.with_own_fixes(error) from None
    data, note = lenient.rewritten(source)
    result = _read(open_source(data, name=source.name), read, None)
    return replace(result, notes=(note, *result.notes))


def _refuse_missing(aligned: Aligned, command: Command, name: str) -> None:
    """Stop where the original stops, when that is asked for."""
    if command.strict and command.dialect.stops_at_missing and not command.complete and aligned.missing:
        sample = next((note.sample for note in aligned.notes if note.code == "N225"), ("",))
        message = f"{aligned.missing:,} judged topics are not in the run, such as {shown(sample[0])}"
        fix = "count them with -c, or leave out --strict-compat"
        raise InputError.of("E227", message, fix=fix, file=name, sample=sample)


def _options(command: Command) -> ReadOptions:
    return ReadOptions(format="trec", comments=command.dialect.comments)

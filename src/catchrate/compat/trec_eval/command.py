"""The command line of trec_eval: clustered flags, values with or without a blank, long names and their beginnings."""

from __future__ import annotations

import getopt
import re
from collections.abc import Sequence
from dataclasses import dataclass

from catchrate.compat.trec_eval.dialect import DEFAULT_DIALECT, Dialect, dialect_named
from catchrate.errors import UsageError, shown

LONG_NAMES = {
    "help": "-h",
    "version": "-v",
    "query_eval_wanted": "-q",
    "measure=": "-m",
    "complete_rel_info_wanted": "-c",
    "level_for_rel=": "-l",
    "nosummary": "-n",
    "Debug_level=": "-D",
    "Judged_docs_only": "-J",
    "Number_docs_in_coll=": "-N",
    "Max_retrieved_per_topic=": "-M",
    "Rel_info_format=": "-R",
    "Results_format=": "-T",
    "Output_old_results_format": "-o",
    "Zscore=": "-Z",
}
"""trec_eval's long names; `=` marks those that take a value."""
_SHORT = "hvqm:cl:nD:JN:M:R:T:oZ:"
_OURS = ("dialect=", "strict-compat")
_WHOLE = re.compile(r"[-+]?[0-9]{1,18}")

REL_FORMATS = ("qrels", "prefs", "qrels_prefs", "qrels_jg")
UNKNOWN_COLLECTION = 2**63 - 1
"""The number of documents in the collection when nobody says: trec_eval takes the largest number that it can hold."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """What a command line asks for."""

    judgments: str = ""
    run: str = ""
    requests: tuple[str, ...] = ("official",)
    """The values of `-m`."""
    dialect: Dialect
    per_topic: bool = False
    summary: bool = True
    complete: bool = False
    """Whether topics that the run lacks count."""
    level: int = 1
    """The lowest relevant grade."""
    judged_only: bool = False
    collection: int = UNKNOWN_COLLECTION
    max_rank: int | None = None
    rel_format: str = "qrels"
    zscores: str | None = None
    strict: bool = False
    """Whether malformed numbers and missing topics are read as the original reads them."""
    help: bool = False
    version: bool = False
    remarks: tuple[str, ...] = ()
    """Options that were accepted and do nothing."""


def parse(argv: Sequence[str]) -> Command:
    """Read a command line.

    Raises UsageError for options, values and numbers of files that trec_eval does not have.
    """
    try:
        found, files = getopt.gnu_getopt(list(argv), _SHORT, [*LONG_NAMES, *_OURS])
    except getopt.GetoptError as error:
        raise UsageError.of("E280", error.msg, fix="-h lists the options") from None
    options = [(_short(name), value) for name, value in found]
    flags = {name for name, _ in options}
    last = dict(options)
    dialect = dialect_named(last.get("--dialect", DEFAULT_DIALECT))
    requests = tuple(value for name, value in options if name == "-m")
    if not flags & {"-h", "-v"}:
        _refuse_wrong_files(files)
    return Command(
        judgments=files[0] if files else "",
        run=files[1] if len(files) > 1 else "",
        requests=requests or (() if "-h" in flags else ("official",)),
        dialect=dialect,
        per_topic="-q" in flags,
        summary="-n" not in flags,
        complete="-c" in flags,
        level=_whole("-l", last.get("-l", "1"), least=0),
        judged_only="-J" in flags,
        collection=_whole("-N", last["-N"], least=0) if "-N" in flags else UNKNOWN_COLLECTION,
        max_rank=_whole("-M", last["-M"], least=1) if "-M" in flags else None,
        rel_format=_one_of("-R", last.get("-R", "qrels"), REL_FORMATS),
        zscores=last.get("-Z"),
        strict="--strict-compat" in flags,
        help="-h" in flags,
        version="-v" in flags,
        remarks=_remarks(last),
    )


def _short(name: str) -> str:
    """Return the short form of an option, whichever form was used."""
    plain = name.removeprefix("--")
    return LONG_NAMES.get(plain) or LONG_NAMES.get(plain + "=") or name


def _refuse_wrong_files(files: list[str]) -> None:
    if len(files) != 2:
        message = f"{len(files)} files are named: {', '.join(shown(f, 40) for f in files[:4]) or 'none'}"
        raise UsageError.of("E280", message, fix="name the judgments, then the run")
    if files == ["-", "-"]:
        raise UsageError.of("E280", "both files are standard input", fix="name a file for one of the two")


def _whole(option: str, text: str, least: int | None = None) -> int:
    bound = "" if least is None else f" from {least} upwards"
    if not _WHOLE.fullmatch(text) or (least is not None and int(text) < least):
        raise UsageError.of("E280", f"{option} is {shown(text)}", fix=f"it is a whole number{bound}")
    return int(text)


def _one_of(option: str, text: str, allowed: tuple[str, ...]) -> str:
    if text not in allowed:
        raise UsageError.of("E280", f"{option} is {shown(text)}", fix=f"it is one of {', '.join(allowed)}")
    return text


def _remarks(options: dict[str, str]) -> tuple[str, ...]:
    _one_of("-T", options.get("-T", "trec_results"), ("trec_results",))
    idle = {
        "-o": "-o changes nothing, as in trec_eval since version 9",
        "-D": "-D was ignored: there is no debug output",
    }
    return tuple(remark for option, remark in idle.items() if option in options)

"""The help of `catchrate trec_eval`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from textwrap import fill

from catchrate.compat.trec_eval.rows import NICKNAMES, ROWS, Entry
from catchrate.measures import TABLE

_WIDTH = 80
_ABOUT = (
    "Print what trec_eval prints, byte for byte. Judgments have the columns topic, iteration, document, grade; a run "
    "has topic, Q0, document, rank, score, run id. `-` is standard input; gzip and zstd files are unpacked."
)
_OPTIONS = {
    "-q": "rows for every topic, too",
    "-n": "no rows for all topics together",
    "-m NAME[.LIST]": "what to print, repeatable; LIST holds parameters, such as P.5,10 or ndcg.1=3,2=9",
    "-c": "count the topics that the run lacks",
    "-l N": "a grade of N or more is relevant (1)",
    "-J": "leave out documents that are not judged",
    "-M N": "look at the first N documents only",
    "-N N": "documents in the collection, for utility",
    "-R FORMAT": "format of the judgments: qrels (usual), prefs, qrels_prefs, qrels_jg",
    "-T FORMAT": "format of the run: trec_results",
    "-Z FILE": "print distances from the mean in standard deviations; FILE has topic, measure, mean, deviation",
    "-o, -D N": "accepted, without effect",
    "-v, -h": "print the version, or this; with -m also what a measure means",
    "--dialect V": "behave as version 9.0.8 or 10 (10)",
    "--strict-compat": "take malformed numbers as C does, and stop where version 10 stops at missing topics",
}


def help_text(entries: Iterable[Entry]) -> str:
    """Return the help, with a paragraph for each measure that was asked for."""
    singles = (name for name in ROWS if not any(name in members for members in NICKNAMES.values()))
    parts = [
        f"Usage: catchrate trec_eval [OPTIONS] JUDGMENTS RUN\n\n{fill(_ABOUT, _WIDTH)}\n",
        *_table("Options", _OPTIONS),
        *_table("Names for several measures", {name: " ".join(members) for name, members in NICKNAMES.items()}),
        *_table("Other measures", {"": " ".join(singles)}),
        *map(_described, entries),
    ]
    return "\n".join(parts)


def _table(title: str, rows: Mapping[str, str]) -> list[str]:
    lines = [
        fill(text, _WIDTH, initial_indent=f"  {name:<18}", subsequent_indent=" " * 20) for name, text in rows.items()
    ]
    return [title, *lines, ""]


def _described(entry: Entry) -> str:
    row = TABLE.get(entry.measure)
    if row is None:
        return f"{entry.name}\n"
    each = ", averaged over the groups of judgments" if entry.needs == "qrels_jg" else ""
    formula = fill(row.formula + each, _WIDTH, initial_indent="  ", subsequent_indent="  ")
    return f"{fill(f'{entry.name}: {row.meaning}', _WIDTH)}\n{formula}\n"

"""What an input holds, told from its first bytes; a suffix is never asked."""

from __future__ import annotations

from catchrate.errors import InputError, shown
from catchrate.formats.delimited import separator_of
from catchrate.formats.options import LONGMEMEVAL_TURNS, Format, ReadOptions
from catchrate.formats.parquet import MAGIC
from catchrate.formats.source import Source

ARROW = b"ARROW1"
"""How an Arrow IPC file begins."""
_TREC_COLUMNS = (4, 6)


def format_of(source: Source, options: ReadOptions) -> Format:
    """Return the format that the caller named, or the one that the content shows.

    Raises InputError when it cannot be told, with the first line that was seen.
    """
    if options.format is not None and options.format != LONGMEMEVAL_TURNS:
        return options.format
    head = source.head()
    if head.startswith(MAGIC):
        return "parquet"
    if head.startswith(ARROW):
        fix = "write it as Parquet, or pass it as a data frame"
        raise InputError.of("E117", "this is an Arrow IPC file, which is not read", fix=fix, file=source.name)
    text = head.decode(options.encoding, errors="replace").removeprefix("\ufeff").lstrip()
    if text[:1] in ("{", "["):
        return "jsonl" if text[0] == "{" else "json"
    return _format_of_lines(text, options, source.name)


def _format_of_lines(text: str, options: ReadOptions, name: str) -> Format:
    line = _first_line(text, options)
    if line.lower().startswith("sep="):
        return "csv"
    separator = separator_of(line, options)
    if separator is not None:
        return "tsv" if separator == "\t" else "csv"
    tabs, commas, words = line.count("\t"), max(line.count(","), line.count(";")), len(line.split())
    if tabs and tabs + 1 not in _TREC_COLUMNS:
        return "tsv"
    if words >= 3 or not line:
        return "trec"
    if commas:
        return "csv"
    fix = "name the format, such as format='csv'"
    if line.startswith("#"):
        fix = f"if lines that begin with '#' are comments, read it with comments=True; else {fix}"
    raise InputError.of("E117", f"the first line is {shown(line)}", fix=fix, file=name)


def _first_line(text: str, options: ReadOptions) -> str:
    lines = text.split("\n") if not options.comments else [ln for ln in text.split("\n") if not ln.startswith("#")]
    return (lines[0] if lines else "").rstrip("\r")

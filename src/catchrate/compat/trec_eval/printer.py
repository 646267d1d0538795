"""The bytes that trec_eval prints: name, topic and value between tabs, the name padded to 22."""

from __future__ import annotations

from collections.abc import Iterator

from catchrate.compat.trec_eval.columns import Column, Fact, Strings, Table

_HOLE = "\0"
"""Stands for the topic in the template of a topic's rows: no id holds it."""


def printed(table: Table, *, per_topic: bool, summary: bool) -> str:
    """Return the rows of each topic, if wanted, and those of all topics, if wanted."""
    return "".join((*(_topic_rows(table) if per_topic else ()), *(_summary_rows(table) if summary else ())))


def _topic_rows(table: Table) -> Iterator[str]:
    shown = [c for c in table.columns if isinstance(c, Strings) or (isinstance(c, Column) and c.per_topic)]
    template = "".join(f"{c.name:<22}\t{_HOLE}\t{_format(c)}\n" for c in shown)
    values = zip(*(c.values if isinstance(c, Strings) else c.values.tolist() for c in shown), strict=True)
    for topic, wanted, row in zip(table.topics, table.printed.tolist(), values, strict=False):
        if wanted:
            yield template.replace(_HOLE, topic.replace("%", "%%")) % row


def _summary_rows(table: Table) -> Iterator[str]:
    for column in table.columns:
        if isinstance(column, Fact):
            yield f"{column.name:<22}\tall\t{column.text}\n"
        elif isinstance(column, Column):
            yield f"{column.name:<22}\tall\t{_format(column) % column.total(len(table.topics))}\n"


def _format(column: Column | Strings) -> str:
    if isinstance(column, Strings):
        return "'%s'"
    return "%d" if column.is_count else "%6.4f"

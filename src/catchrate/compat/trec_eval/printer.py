"""The bytes that trec_eval prints: name, topic and value between tabs, the name padded to 22."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from catchrate.compat.trec_eval.columns import Column, Fact, Strings, Table


def printed(table: Table, *, per_topic: bool, summary: bool) -> str:
    """Return the rows of each topic, if wanted, and those of all topics, if wanted."""
    return "".join((*(_topic_rows(table) if per_topic else ()), *(_summary_rows(table) if summary else ())))


def _topic_rows(table: Table) -> Iterator[str]:
    """Yield the rows of each topic, which stands between all that is the same for many topics."""
    shown = [c for c in table.columns if isinstance(c, Strings) or (isinstance(c, Column) and c.per_topic)]
    first, *following = [*(f"{column.name:<22}\t" for column in shown), ""]
    behind = map(_texts, shown, following)
    for topic, wanted, texts in zip(table.topics, table.printed.tolist(), zip(*behind, strict=True), strict=False):
        if wanted:
            yield topic.join((first, *texts))


def _texts(column: Column | Strings, following: str) -> list[str]:
    """Return what stands behind each topic: its value, and the beginning of the next row.

    Most values are those of many topics, and are formatted once.
    """
    form = f"\t{_format(column)}\n{following}"
    values = column.values if isinstance(column, Strings) else column.values.tolist()
    if isinstance(column, Column) and np.signbit(column.values).any():  # 0.0 equals -0.0 and prints otherwise
        return [form % value for value in values]
    known = {value: form % value for value in set(values)}
    return [known[value] for value in values]


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

"""The table of measures as it was before a test declared its own."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from catchrate.measures import TABLE, names


@contextmanager
def restored_table() -> Iterator[None]:
    """Forget what is declared inside."""
    before = dict(TABLE)
    try:
        yield
    finally:
        TABLE.clear()
        TABLE.update(before)
        names._spellings.cache_clear()
        names._parse.cache_clear()

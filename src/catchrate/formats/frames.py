"""Data frames of either shape, long or with list columns; any library that speaks the Arrow stream interface."""

from __future__ import annotations

from typing import Any, cast

import polars as pl

from catchrate.errors import Finding, InputError, MissingExtra, shown
from catchrate.formats.long_table import judgments_from_long, ranking_from_long
from catchrate.formats.names import field_of
from catchrate.formats.nested import Origin
from catchrate.formats.options import ReadOptions
from catchrate.formats.records import (
    JUDGED,
    RETURNED,
    TEXTS,
    Records,
    judgments_from_records,
    ranking_from_records,
    records_of,
)
from catchrate.tables import Judgments, Ranking

INDEX_PREFIX = "__index_level_"
"""How the Arrow form of a pandas frame names an index that has no name."""


class _Stream:
    """The Arrow side of a frame and nothing else, so that no adapter for its library is tried."""

    def __init__(self, frame: Any) -> None:
        self._frame = frame

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self._frame.__arrow_c_stream__(requested_schema)


def frame_of(value: object) -> pl.DataFrame | None:
    """Return any data frame as one of polars, or None for what is no data frame."""
    if isinstance(value, pl.DataFrame):
        return value
    if isinstance(value, pl.LazyFrame):
        return value.collect()
    if isinstance(value, pl.Series) or not hasattr(value, "__arrow_c_stream__"):
        return None
    frame = _imported(value)
    return frame.select(name for name in frame.columns if not name.startswith(INDEX_PREFIX))


def _imported(value: object) -> pl.DataFrame:
    try:
        return pl.DataFrame(cast("Any", _Stream(value)))
    except ImportError as error:
        message = f"reading a {type(value).__name__} needs another library: {shown(error)}"
        raise MissingExtra.of("E260", message, fix="install it, or pass plain lists") from error
    except (Exception, pl.exceptions.PanicException) as error:
        message = f"a {type(value).__name__} cannot be read: {shown(error)}"
        raise InputError.of("E254", message, fix="keep to columns of text and numbers") from error


def judgments_from_frame(
    frame: pl.DataFrame, options: ReadOptions, name: str = "", notes: tuple[Finding, ...] = ()
) -> Judgments:
    """Return the judgments of a long frame, or of one with a list column `ground_truth`."""
    if holds_lists(frame.schema, options):
        return judgments_from_records(frame_records(frame, options, name, notes), options)
    return judgments_from_long(frame, options, name, notes)


def ranking_from_frame(
    frame: pl.DataFrame, options: ReadOptions, name: str = "", notes: tuple[Finding, ...] = ()
) -> Ranking:
    """Return the ranking of a long frame, or of one with a list column `retrieved`."""
    if holds_lists(frame.schema, options):
        return ranking_from_records(frame_records(frame, options, name, notes), options)
    return ranking_from_long(frame, options, name, notes)


def holds_lists(schema: pl.Schema, options: ReadOptions) -> bool:
    """Tell whether a frame has one row a query."""
    columns = {field_of(schema, field, options.columns) for field in (JUDGED, RETURNED)}
    columns |= set(TEXTS.values()) if options.texts else set()
    return any(schema[column].is_nested() for column in columns & set(schema))


def holds_both_lists(schema: pl.Schema, options: ReadOptions) -> bool:
    """Tell whether a frame has one row a query, with what was judged and what was returned."""
    return holds_lists(schema, options) and all(
        field_of(schema, field, options.columns) in schema or (options.texts and TEXTS[field] in schema)
        for field in (JUDGED, RETURNED)
    )


def frame_records(
    frame: pl.DataFrame, options: ReadOptions, name: str = "", notes: tuple[Finding, ...] = ()
) -> Records:
    """Return the rows of a frame with list columns as records."""
    lines = range(1, frame.height + 1)
    return records_of(frame.to_dicts(), Origin(name, lines), options, notes)

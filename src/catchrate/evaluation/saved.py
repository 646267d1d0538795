"""Scores in a file, so that a later run can be held against them: one Parquet table, one row a query.

The file holds what was judged and what was found, not numbers alone. So it can be asked for any measure, it says which
documents each query had, and its values are checked: they follow from the rest, or the file is refused.
"""

from __future__ import annotations

import io
import json
import os
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl

from catchrate.errors import CatchrateError, Finding, InputError, UsageError
from catchrate.evaluation.rebuilt import SavedTable, rebuilt
from catchrate.evaluation.scores import Scores
from catchrate.formats import Source, open_source
from catchrate.formats.folder import parquet_files
from catchrate.formats.json_text import parse_whole
from catchrate.formats.parquet import MAGIC, SAVED_SCORES, ParquetTable
from catchrate.formats.write import store
from catchrate.tables.digest import query_digests

FORM = 1
SUFFIX = ".parquet"
LOADED = "loaded"
"""What provenance calls the file that scores came from."""
PathLike = str | os.PathLike[str]


def save_scores(scores: Scores, where: PathLike, *, inputs: Iterable[str] = ()) -> None:
    """Write scores to a Parquet file, whole or not at all.

    Raises UsageError when the name does not end with .parquet, and OutputError when it cannot be written.
    """
    if Path(where).suffix.lower() != SUFFIX:
        raise UsageError.of("E322", "scores are saved as Parquet", fix=f"end the name with {SUFFIX}", file=str(where))
    store(where, encoded_scores(scores), inputs=inputs)


def encoded_scores(scores: Scores) -> bytes:
    """Return scores as the bytes of a Parquet file."""
    held = io.BytesIO()
    head = {
        "form": FORM,
        "measures": [str(measure) for measure in scores.measures],
        "missing": scores.aligned.missing,
        "ignored": scores.aligned.ignored,
        "digest": scores.aligned.digest.value,
        "notes": [note.as_dict() for note in scores.notes],
        "provenance": {name: value for name, value in scores.provenance.items() if name != LOADED},
    }
    _rows(scores).write_parquet(held, metadata={SAVED_SCORES: _json(head)})
    return held.getvalue()


def _json(head: object) -> str:
    """Return JSON without the half characters that the names of files may have."""
    return json.dumps(head, allow_nan=False, ensure_ascii=False).encode(errors="replace").decode()


def load_scores(where: PathLike | bytes | Source) -> Scores:
    """Return the scores that `Scores.save` or `catchrate evaluate --save` wrote.

    Raises InputError for any other file, and for one whose numbers do not follow from what it holds.

    >>> import catchrate, tempfile, pathlib
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "scores.parquet")
    ...     catchrate.evaluate({"q1": {"a": 1}}, {"q1": ["b", "a"]}, "rr").save(path)
    ...     catchrate.load_scores(path)["rr"]
    0.5
    """
    source = where if isinstance(where, Source) else open_source(where)
    found = _loaded(source)
    if found is None:
        fix = "give a file that `catchrate evaluate --save` wrote"
        raise InputError.of("E322", "this file holds no saved scores", fix=fix, file=source.name)
    return found


def saved_scores(where: object) -> Scores | None:
    """Return the scores in a file that was saved, and nothing for anything else that may stand for a run."""
    if isinstance(where, str | os.PathLike) and (os.path.isdir(where) or parquet_files(where)):  # noqa: PTH112
        return None
    if not isinstance(where, str | os.PathLike | bytes | Source):
        return None
    source = where if isinstance(where, Source) else open_source(where)
    return _loaded(source)


def _rows(scores: Scores) -> pl.DataFrame:
    """Return one row a query: its values, what was judged, what was found, and what is known of it."""
    aligned, arrays = scores.aligned, scores.aligned.arrays
    queries, items, hits = aligned.queries, arrays.items, arrays.hits
    number = pl.DataFrame({"number": np.arange(scores.queries)})
    judged = pl.DataFrame({"number": items.query, "judged.docs": aligned.items["doc"], "judged.grades": items.grade})
    first = np.searchsorted(items.query, np.arange(scores.queries))
    found = pl.DataFrame({"number": hits.query, "found.slots": hits.slot, "found.items": hits.item - first[hits.query]})
    lists = number
    for part in (judged, found, *_lengths(scores)):
        grouped = part.group_by("number", maintain_order=True).agg(pl.exclude("number"))
        lists = lists.join(grouped, on="number", how="left", maintain_order="left")
    lists = lists.drop("number").with_columns(pl.all().fill_null([]))
    known = queries.select(pl.exclude("query").name.prefix("query."))
    facts = {
        "judged.digest": query_digests(queries, aligned.items),
        "run.known": aligned.in_run,
        "run.returned": arrays.returned,
    }
    return pl.concat([scores.per_query, pl.DataFrame(facts), lists, known], how="horizontal")


def _lengths(scores: Scores) -> list[pl.DataFrame]:
    lengths = scores.aligned.arrays.lengths
    return [] if lengths is None else [pl.DataFrame({"number": lengths.query, "run.lengths": lengths.length})]


def _loaded(source: Source) -> Scores | None:
    """Return the scores in a Parquet file; None for any other file."""
    if not source.head().startswith(MAGIC):
        return None
    table = ParquetTable(source)
    text = table.metadata.get(SAVED_SCORES)
    if text is None:
        return None
    try:
        saved = SavedTable.of(parse_whole(text, source.name), table.frame(), FORM)
        scores = rebuilt(saved, source.name)
    except InputError:
        raise
    except CatchrateError as error:
        raise _refused(source, error.findings[0]) from error
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError, pl.exceptions.PolarsError) as error:
        raise _refused(source, Finding(code="E322", message="what belongs to saved scores is missing")) from error
    return _named(scores, source)


def _named(scores: Scores, source: Source) -> Scores:
    loaded = {"name": source.name, "digest": source.digest()}
    return replace(scores, origin=scores.origin.then(lambda said: {**said, LOADED: loaded}))


def _refused(source: Source, found: Finding) -> InputError:
    fix = found.fix or "evaluate and save again"
    return InputError.of("E322", f"these scores cannot be used: {found.message}", fix=fix, file=source.name)

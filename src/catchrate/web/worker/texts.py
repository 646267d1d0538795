"""The texts of documents, where something that was opened knows them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from catchrate.formats import Source
from catchrate.tables import Judgments
from catchrate.web.worker.files import Looked

CORPUS_FILE = "corpus.jsonl"
MAX_CORPUS_BYTES = 128 << 20
"""A larger corpus is not searched: a page should not wait for it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Texts:
    """Where to look."""

    judged: tuple[pl.DataFrame, ...]
    """Judged items with texts."""
    corpus: Path | None
    """The corpus of a BEIR folder."""

    @classmethod
    def of(cls, files: Sequence[Looked], judgments: Mapping[str, Judgments]) -> Texts:
        """Find what knows texts."""
        frames = {id(j): j.items for j in judgments.values() if "text" in j.items.columns}
        corpus = next((path for one in files if (path := _corpus_beside(one))), None)
        return cls(judged=tuple(frames.values()), corpus=corpus)

    def of_docs(self, docs: Iterable[str], returned: pl.DataFrame | None = None) -> dict[str, str]:
        """Return the texts of some documents; what a run returned beside them comes first."""
        wanted = pl.Series("doc", list(dict.fromkeys(docs)), dtype=pl.String)
        found = dict(_of_corpus(self.corpus, wanted)) if self.corpus else {}
        frames = [*self.judged, *([] if returned is None or "text" not in returned.columns else [returned])]
        for frame in frames:
            rows = frame.filter(pl.col("doc").is_in(wanted.implode()) & pl.col("text").is_not_null())
            found |= dict(rows.select("doc", "text").iter_rows())
        return found


def _of_corpus(corpus: Path, wanted: pl.Series) -> Iterable[tuple[str, str]]:
    schema = {"_id": pl.String, "title": pl.String, "text": pl.String}
    found = pl.scan_ndjson(corpus, schema=schema, ignore_errors=True).filter(pl.col("_id").is_in(wanted.implode()))
    for doc, title, text in found.collect().iter_rows():
        yield doc, f"{title}. {text}" if title else text or ""


def _corpus_beside(one: Looked) -> Path | None:
    """Return the corpus that lies where a BEIR folder has it."""
    where = one.source.path if isinstance(one.source, Source) else one.source and Path(one.source)
    if one.kind != "judgments" or where is None:
        return None
    where = Path(where)
    folder = where if where.is_dir() else where.parent.parent if where.parent.name == "qrels" else None
    corpus = folder and folder / CORPUS_FILE
    return corpus if corpus and corpus.is_file() and corpus.stat().st_size <= MAX_CORPUS_BYTES else None

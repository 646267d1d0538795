"""Texts of long tables and of BEIR's corpus, which are matched."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest

import catchrate
from catchrate.errors import InputError

GOLD = pl.DataFrame({"query": ["q", "q"], "doc": ["p1", "p2"], "grade": [1, 2], "text": ["I like tea.", "I hike."]})
RUN = pl.DataFrame({"query": ["q"] * 3, "doc": ["c1", "c2", "c3"], "rank": [1, 2, 3]})
RUN = RUN.with_columns(text=pl.Series(["no", "So, I like tea. Yes", None]))


@pytest.mark.parametrize("kind", ["csv", "tsv", "parquet", "frame"])
def test_a_column_of_texts_is_matched(kind: str, tmp_path: Path):
    judged, run = tmp_path / f"gold.{kind}", tmp_path / f"run.{kind}"
    for path, table in ((judged, GOLD), (run, RUN)):
        if kind == "parquet":
            table.write_parquet(path)
        else:
            table.write_csv(path, separator="\t" if kind == "tsv" else ",")
    sides = (GOLD, RUN) if kind == "frame" else (judged, run)
    assert catchrate.evaluate(*sides, ["recall@1", "recall@2"], match="contained").means == (0.0, 0.5)
    assert catchrate.evaluate(*sides, "recall")["recall"] == 0.0


def test_texts_in_a_column_of_another_name_and_two_grades_for_one_pair(tmp_path: Path):
    judged = tmp_path / "gold.csv"
    judged.write_text("query,doc,grade,words\nq,p,1,tea\nq,p,2,tea\n", encoding="utf-8")
    options = catchrate.ReadOptions(columns={"text": "words"})
    with pytest.raises(InputError, match=r"E206 .*line 2 and here"):
        catchrate.evaluate(judged, RUN, "recall", match="contained", options=options)
    judged.write_text("query,doc,grade,words\nq,p,1,tea\n", encoding="utf-8")
    assert catchrate.evaluate(judged, RUN, "recall", match="contained", options=options)["recall"] == 1.0


def beir(folder: Path, corpus: str) -> Path:
    (folder / "qrels").mkdir()
    (folder / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\nq\tp1\t1\nq\tp2\t1\n", encoding="utf-8")
    (folder / "queries.jsonl").write_text(json.dumps({"_id": "q", "text": "tea?"}) + "\n", encoding="utf-8")
    (folder / "corpus.jsonl").write_text(corpus, encoding="utf-8")
    return folder


ROWS = [
    {"_id": doc, "title": "t", "text": text, "metadata": {}}
    for doc, text in zip(["p1", "p2", "p3"], "abc", strict=True)
]


def test_the_corpus_of_a_beir_folder_has_the_texts_of_judged_documents(tmp_path: Path):
    folder = beir(tmp_path, "".join(json.dumps({**row, "text": f"I like {row['text']}."}) + "\n" for row in ROWS))
    run = {"q": ["I like b. I like c.", "I like a."]}
    for judged in (folder, folder / "qrels" / "test.tsv"):
        assert catchrate.evaluate(judged, run, ["recall@1", "recall@2"], match="contained").means == (0.5, 1.0)


@pytest.mark.parametrize(
    ("corpus", "code"), [('{"_id": "p1", "text": "a"\n', "E230"), ('{"_id": "p1", "text": "a"}\n' * 2, "E238")]
)
def test_a_corpus_that_is_none_is_refused(corpus: str, code: str, tmp_path: Path):
    with pytest.raises(InputError, match=rf"{code} .*corpus\.jsonl|corpus\.jsonl.*{code}"):
        catchrate.evaluate(beir(tmp_path, corpus), {"q": ["a"]}, "recall", match="contained")

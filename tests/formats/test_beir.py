"""BEIR folders."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from catchrate.errors import InputError
from catchrate.formats import holds_both, read_judgments, read_ranking

QRELS = "query-id\tcorpus-id\tscore\nq1\td1\t2\nq1\td2\t0\nq2\td1\t1\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "qrels").mkdir()
    (tmp_path / "qrels" / "test.tsv").write_text(QRELS)
    rows = [
        {"_id": "q2", "text": "why?", "metadata": {"n": 1}, "lang": "en"},
        {"_id": "q1", "text": "who?", "metadata": {}},
        {"_id": "unjudged", "text": "where?", "metadata": {}},
    ]
    (tmp_path / "queries.jsonl").write_text("\n".join(map(json.dumps, rows)))
    return tmp_path


def refusal(where: Path) -> InputError:
    with pytest.raises(InputError) as caught:
        read_judgments(where)
    return caught.value


def test_a_folder_gives_judgments_with_the_texts_of_their_queries(folder: Path) -> None:
    judged = read_judgments(folder)
    assert judged.items.rows() == [("q1", "d1", 2.0), ("q1", "d2", 0.0), ("q2", "d1", 1.0)]
    assert judged.queries.to_dicts() == [
        {"query": "q1", "text": "who?", "metadata": None, "lang": None},
        {"query": "q2", "text": "why?", "metadata": '{"n": 1}', "lang": "en"},
    ]
    assert not holds_both(folder)


def test_one_split_by_its_path_has_texts_too(folder: Path) -> None:
    assert read_judgments(folder / "qrels" / "test.tsv").queries["text"].to_list() == ["who?", "why?"]


def test_queries_without_a_file_have_no_text(folder: Path) -> None:
    (folder / "queries.jsonl").unlink()
    assert read_judgments(str(folder)).queries.columns == ["query"]


def test_the_test_split_is_preferred_and_a_single_one_is_enough(folder: Path) -> None:
    (folder / "qrels" / "dev.tsv").write_text(QRELS.replace("d1", "x"))
    assert "d1" in set(read_judgments(folder).items["doc"])
    (folder / "qrels" / "test.tsv").unlink()
    assert "x" in set(read_judgments(folder).items["doc"])


def test_several_splits_without_test_are_refused_and_listed(folder: Path) -> None:
    (folder / "qrels" / "test.tsv").rename(folder / "qrels" / "dev.tsv")
    (folder / "qrels" / "train.tsv").write_text(QRELS)
    error = refusal(folder)
    assert error.code == "E117"
    assert "'dev.tsv', 'train.tsv'" in str(error)


def test_other_folders_are_refused(tmp_path: Path) -> None:
    assert refusal(tmp_path).code == "E111"
    with pytest.raises(InputError, match="E111"):
        read_ranking(tmp_path)


@pytest.mark.parametrize(
    ("line", "code"),
    [('{"id": "q1", "text": "x"}', "E236"), ('{"_id": "q1", "text": "x"}', "E238"), ("{", "E230"), ("[]", "E230")],
)
def test_an_odd_query_is_refused_with_its_line(folder: Path, line: str, code: str) -> None:
    with (folder / "queries.jsonl").open("a") as file:
        file.write("\n" + line)
    finding = refusal(folder).findings[0]
    assert (finding.code, finding.line) == (code, 4)
    assert finding.file.endswith("queries.jsonl")

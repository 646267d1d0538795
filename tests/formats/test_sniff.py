"""Telling formats by content."""

from __future__ import annotations

import io
import os
from pathlib import Path
from typing import Any

import pytest

from catchrate.errors import InputError, UsageError
from catchrate.formats import (
    Format,
    ReadOptions,
    holds_both,
    open_ranking,
    open_source,
    read_judgments,
    read_ranking,
    read_records,
)
from catchrate.formats.sniff import format_of
from catchrate.formats.trec import TrecRun

QRELS = "q1 0 a 1\nq1 0 b 0\n"
RUN = "q1 Q0 a 1 0.9 tag\nq1 Q0 b 2 0.8 tag\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (QRELS, "trec"),
        (RUN, "trec"),
        (QRELS.replace(" ", "\t"), "trec"),
        (RUN.replace(" ", "\t"), "trec"),
        ("# made by hand\n" + QRELS, "trec"),
        ("q1 a 1\n", "trec"),
        ("query,doc,grade\n", "csv"),
        ("query;doc;grade\n", "csv"),
        ("sep=|\nquery|doc|grade\n", "csv"),
        ("a,b,c\n", "csv"),
        ("query-id\tcorpus-id\tscore\n", "tsv"),
        ("query\tdoc\trank\tscore\n", "tsv"),
        ("x\ty\n", "tsv"),
        ('{"query": "q"}', "jsonl"),
        (' \n[{"query": "q"}]', "json"),
        ("\ufeff[]", "json"),
        ("PAR1...", "parquet"),
        ("", "trec"),
    ],
)
def test_content_tells_the_format(text: str, expected: Format) -> None:
    assert format_of(open_source(text.encode()), ReadOptions()) == expected


def test_columns_that_the_caller_names_make_a_header() -> None:
    options = ReadOptions(columns={"query": "a", "doc": "b"})
    assert format_of(open_source(b"a\tb\tc\td\n"), options) == "tsv"


def test_a_suffix_says_nothing(tmp_path: Path) -> None:
    path = tmp_path / "run.csv"
    path.write_text(RUN)
    assert read_ranking(path).frame.height == 2


@pytest.mark.parametrize("text", ["hello\n", "hello world\n", "\x00\x01\x02\x03"])
def test_what_cannot_be_told_is_refused_with_what_was_seen(text: str) -> None:
    with pytest.raises(InputError) as caught:
        read_judgments(text.encode())
    assert caught.value.code == "E117"
    assert "format=" in str(caught.value)


def test_a_run_where_judgments_are_expected_says_so_and_the_other_way_round() -> None:
    with pytest.raises(InputError, match="TREC run"):
        read_judgments(RUN.encode())
    with pytest.raises(InputError, match="TREC judgments"):
        read_ranking(QRELS.encode())


def test_runs_are_streamed_and_everything_else_is_in_memory() -> None:
    assert isinstance(open_ranking(RUN.encode()), TrecRun)
    assert open_ranking(b"query,doc,score\nq,a,1\n").empty_queries() == ()
    assert read_ranking(RUN.encode()).frame.rows() == [("q1", "a", 0.9), ("q1", "b", 0.8)]


@pytest.mark.parametrize("wrap", [bytes, bytearray, io.BytesIO, open_source])
def test_bytes_files_and_sources_are_read(wrap: Any) -> None:
    assert read_judgments(wrap(QRELS.encode())).items.height == 2


def test_a_source_may_be_looked_at_before_it_is_read() -> None:
    reading, writing = os.pipe()
    os.write(writing, b'{"query": "q", "retrieved": ["a"], "ground_truth": ["a"]}')
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        source = open_source(pipe)
        assert holds_both(source)
        assert read_judgments(source).items.height == 1
        assert read_ranking(source).frame.height == 1


def test_only_records_hold_both_sides() -> None:
    assert not holds_both(QRELS.encode())
    assert not holds_both(b"query,doc,grade\n")
    assert not holds_both(b'{"q1": {"a": 1}}', ReadOptions(format="json"))


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    for read in (read_judgments, read_ranking, open_ranking, holds_both):
        with pytest.raises(InputError, match="E110"):
            read(tmp_path / "nothing.jsonl")


@pytest.mark.parametrize("wrong", [{"format": "xml"}, {"duplicates": "last"}, {"columns": [("query", "q")]}])
def test_an_unknown_choice_is_a_wrong_call(wrong: Any) -> None:
    with pytest.raises(UsageError, match="E272"):
        ReadOptions(**wrong)


@pytest.mark.parametrize("name", ["klingon", "hex", "rot13", "undefined", "idna", "", "\0", "é", "\ud800", None])
def test_an_encoding_that_python_does_not_know_as_one_of_text_is_a_wrong_call(name: Any) -> None:
    with pytest.raises(UsageError, match="E102"):
        ReadOptions(encoding=name)


@pytest.mark.parametrize("text", ["x" * 300, "x" * 5_000_000, "q1 0 a 1\nq1 0 b 0\n" * 20, "a\rb", "a\0b"])
def test_a_text_that_is_no_path_is_refused_in_one_short_line(text: str) -> None:
    for read in (read_judgments, read_ranking, open_ranking, read_records, holds_both):
        with pytest.raises(InputError) as caught:
            read(text)
        assert caught.value.code == "E110"
        assert len(str(caught.value)) < 1_000
        assert ("passed as bytes" in str(caught.value)) == ("\n" in text or "\r" in text)


def test_a_comment_before_a_table_is_refused_naming_the_option_that_skips_it() -> None:
    with pytest.raises(InputError, match=r"E117 .*comments=True"):
        read_judgments(b"#notes\nquery,doc,grade\nq,a,1\n")


@pytest.mark.parametrize("nothing", [b"", b" \n\n", b"[]", b" [ ] ", []])
def test_records_without_a_row_are_refused_as_empty(nothing: Any) -> None:
    for read in (holds_both, read_records):
        with pytest.raises(InputError, match="E101"):
            read(nothing)


@pytest.mark.parametrize("nothing", [b"{}", b"[{}]", [{}]])
def test_a_record_without_fields_is_refused(nothing: Any) -> None:
    for read in (holds_both, read_records):
        with pytest.raises(InputError, match="E236"):
            read(nothing)


def test_an_arrow_file_is_named_as_such():
    with pytest.raises(InputError, match=r"E117 .*this is an Arrow IPC file, which is not read - write it as Parquet"):
        open_ranking(b"ARROW1\0\0 and more")

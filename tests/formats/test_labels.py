"""What is handed out to be labelled comes back as judgments, whatever ids and texts hold."""

from __future__ import annotations

import csv
import io

import hypothesis.strategies as st
import polars as pl
import pytest
from hypothesis import given, settings

import catchrate
from catchrate import InputError, ReadOptions
from catchrate.formats import label_sheet, read_labels, with_labels, write_labels
from hostile_texts import HOSTILE

IDS = st.sampled_from([text for text in HOSTILE if "\0" not in text and len(text) < 200 and "\udc80" not in text])


def filled(sheet: str, grades: list[str]) -> bytes:
    """Fill in the grades as a spreadsheet would write them."""
    header, *rows = csv.reader(io.StringIO(sheet))
    assert header[:3] == ["query", "doc", "grade"]
    assert {row[2] for row in rows} <= {""}
    out = io.StringIO()
    lines = ([*row[:2], grade, *row[3:]] for row, grade in zip(rows, grades, strict=True))
    csv.writer(out).writerows([header, *lines])
    return out.getvalue().encode()


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(IDS, IDS), min_size=1, max_size=8, unique=True), st.data())
def test_a_filled_sheet_is_read_back_and_no_cell_runs(pairs, data):
    rows = pl.DataFrame(pairs, schema=["query", "doc"], orient="row").with_columns(query_text=pl.col("doc"), runs=2)
    sheet = label_sheet(rows)
    risky = ("=", "+", "-", "@", "\t", "\r", "＝")
    assert not any(cell.startswith(risky) for row in csv.reader(io.StringIO(sheet)) for cell in row)
    some = st.sampled_from(("0", "1", "2", " 1 ", "1.0"))
    grades = data.draw(st.lists(some, min_size=len(pairs), max_size=len(pairs)))
    judged = read_labels(filled(sheet, grades))
    found = {(query, doc): grade for query, doc, grade in judged.items.select("query", "doc", "grade").iter_rows()}
    assert found == {pair: float(grade) for pair, grade in zip(pairs, grades, strict=True)}


def test_rows_without_a_grade_are_left_out_and_counted():
    judged = read_labels(b'query,doc,grade,why\nq1,a,1,"x\ny"\nq1,b, ,\nq2,c,,\nq2,d,0,\n')
    assert judged.items["doc"].to_list() == ["a", "d"]
    (note,) = [note for note in judged.notes if note.code == "N259"]
    assert note.message == "2 of 4 rows have no grade yet and were left out"
    with pytest.raises(InputError, match=r"E101 .*no grade is filled in"):
        read_labels(b"query,doc,grade\nq1,a,\n")
    with pytest.raises(InputError, match=r"E202 .*:3: the grade 'yes' is not a number"):
        read_labels(b"query,doc,grade\nq1,a,\nq1,b,yes\n")


def test_labels_are_added_to_what_was_judged():
    old = catchrate.read_judgments(
        [{"query": "q1", "ground_truth": {"a": 2}, "kind": "why"}, {"query": "q0", "ground_truth": []}]
    )
    new = with_labels(old, read_labels(b"query,doc,grade\nq1,b,1\nq3,c,0\nq1,a,2\n"))
    assert new.items.select("query", "doc", "grade").rows() == [("q1", "a", 2), ("q1", "b", 1), ("q3", "c", 0)]
    assert new.queries.rows() == [("q0", None), ("q1", "why"), ("q3", None)]
    clash = read_labels(b"query,doc,grade\nq1,a,0\n")
    with pytest.raises(InputError, match=r"E206 .*document 'a' has the grades 2 and 0 - correct one of the two"):
        with_labels(old, clash)
    kept = with_labels(old, clash, options=ReadOptions(duplicates="first"))
    assert kept.items["grade"].to_list() == [2.0]


def test_a_sheet_is_written_whole_and_never_over_an_input(tmp_path):
    rows = pl.DataFrame({"query": ["q"], "doc": ["d"], "rank": [3]})
    write_labels(rows, tmp_path / "sheet.csv")
    assert (tmp_path / "sheet.csv").read_text() == "query,doc,grade,rank\nq,d,,3\n"
    with pytest.raises(catchrate.OutputError, match="E301"):
        write_labels(rows, tmp_path / "sheet.csv", inputs=[str(tmp_path / "sheet.csv")])

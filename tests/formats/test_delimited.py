"""CSV and TSV tables."""

from __future__ import annotations

import csv
import io
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catchrate.errors import CatchrateError, Finding, InputError
from catchrate.formats import ReadOptions, read_judgments, read_ranking
from catchrate.formats.delimited import careful_rows, fast_rows, layout_of

GRADED = "query,doc,grade\nq1,a,1\nq1,b,0.5\nq2,c,2\n"
SCORED = "query,doc,score\nq1,b,0.5\nq1,a,1e-3\nq2,c,-2\n"


def judged(text: str, **options: Any) -> list[tuple[object, ...]]:
    return read_judgments(text.encode(), ReadOptions(**options)).items.rows()


def ranked(text: str, **options: Any) -> list[tuple[object, ...]]:
    return read_ranking(text.encode(), ReadOptions(**options)).frame.rows()


def refusal(read: Any, text: str, **options: Any) -> Finding:
    with pytest.raises(InputError) as caught:
        read(text.encode(), ReadOptions(**options))
    return caught.value.findings[0]


def test_a_table_of_judgments_is_read() -> None:
    assert judged(GRADED) == [("q1", "a", 1.0), ("q1", "b", 0.5), ("q2", "c", 2.0)]


def test_a_table_of_scores_is_read_in_its_order() -> None:
    assert ranked(SCORED) == [("q1", "b", 0.5), ("q1", "a", 0.001), ("q2", "c", -2.0)]
    assert not read_ranking(SCORED.encode()).ordered


@pytest.mark.parametrize("separator", [",", ";", "\t"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("quote", ["", '"'])
def test_separators_line_ends_and_quotes_change_nothing(separator: str, end: str, quote: str) -> None:
    rows = [[quote + cell + quote for cell in line.split(",")] for line in GRADED.splitlines()]
    text = end.join(map(separator.join, rows))
    assert judged(text) == judged(text + end) == judged("\ufeff" + text) == judged(GRADED)


def test_the_separator_line_of_excel_is_obeyed() -> None:
    assert judged("sep=;\r\n" + GRADED.replace(",", ";")) == judged(GRADED)
    assert judged("sep=|\n" + GRADED.replace(",", "|")) == judged(GRADED)


@pytest.mark.parametrize("separator", ["é", '"', "\x01", "😀"])
def test_a_separator_that_is_no_plain_character_is_refused(separator: str) -> None:
    text = f"sep={separator}\n" + GRADED.replace(",", separator)
    finding = refusal(read_judgments, text, format="csv")
    assert (finding.code, finding.line) == ("E117", 1)
    assert "ASCII" in finding.fix


@pytest.mark.parametrize("query", ["query", "Query ID", "query_id", "query-id", "qid", "q_id", "topic"])
@pytest.mark.parametrize(
    "doc", ["doc", "docid", "doc_id", "docno", "corpus-id", "pid", "passage_id", "chunk_id", "item"]
)
def test_the_usual_names_are_known(query: str, doc: str) -> None:
    for grade in ("grade", "relevance", "rel", "label", "score", "judgment"):
        assert judged(f"{query},{doc},{grade}\nq,a,1\n") == [("q", "a", 1.0)]
    for score in ("score", "sim", "similarity"):
        assert ranked(f"{score},{doc},x,{query}\n1,a,,q\n") == [("q", "a", 1.0)]


def test_other_names_are_chosen() -> None:
    text = "a,b,c,query\nq,d,1,x\n"
    assert judged(text, columns={"query": "a", "doc": "b", "grade": "c"}) == [("q", "d", 1.0)]
    assert refusal(read_judgments, text, columns={"query": "A", "doc": "b", "grade": "c"}).code == "E250"


def test_ranks_order_the_rows_when_there_is_no_score() -> None:
    ranking = read_ranking(b"query,doc,rank\nq1,b,2\nq2,c,7\nq1,a,1\n")
    assert ranking.ordered
    assert ranking.frame.rows() == [("q1", "a"), ("q1", "b"), ("q2", "c")]
    assert ranked("query,doc,rank,score\nq,a,9,1\n") == [("q", "a", 1.0)]


@pytest.mark.parametrize("rank", ["0", "-1", "1.5", "", "x", "inf"])
def test_odd_ranks_are_refused_with_their_line(rank: str) -> None:
    finding = refusal(read_ranking, f"query,doc,rank\nq,a,1\nq,b,{rank}\n")
    assert (finding.code, finding.line) == ("E224", 3)


def test_a_rank_that_stands_twice_in_a_query_is_refused() -> None:
    finding = refusal(read_ranking, "query,doc,rank\nq,a,1\nr,a,1\nq,b,1\n")
    assert (finding.code, finding.line) == ("E224", 4)


def test_distances_are_turned_around_only_when_asked() -> None:
    text = "query,doc,distance\nq,a,0.1\nq,b,0.2\n"
    assert "ascending=True" in refusal(read_ranking, text).fix
    assert ranked(text, columns={"score": "distance"}, ascending=True) == [("q", "a", -0.1), ("q", "b", -0.2)]


def test_a_ranking_where_judgments_are_expected_is_refused() -> None:
    assert "ranking" in refusal(read_judgments, "query,doc,rank,score\nq,a,1,2\n").message
    finding = refusal(read_judgments, "query,doc,score\nq,a,1\nq,b,0.75\n")
    assert (finding.code, finding.line) == ("E250", 3)
    assert judged("query,doc,score\nq,a,0.75\n", columns={"grade": "score"}) == [("q", "a", 0.75)]


@pytest.mark.parametrize(
    ("header", "near"),
    [("query,doc,grades", "grades"), ("queries,doc,grade", "queries"), ("query,documents,grade", "documents")],
)
def test_a_misspelt_column_is_named(header: str, near: str) -> None:
    finding = refusal(read_judgments, f"{header}\nq,a,1\n", format="csv")
    assert finding.code == "E250"
    assert repr(near) in finding.fix


def test_a_chosen_column_that_is_absent_falls_back_to_the_usual_names() -> None:
    options = {"columns": {"query": "frage", "doc": "text_id", "grade": "note"}}
    assert judged("qid,docno,rel\nq,a,1\n", **options) == [("q", "a", 1.0)]
    assert judged("frage,qid,docno,note,rel\nq,x,a,1,9\n", **options) == [("q", "a", 1.0)]
    assert "'frage'" in refusal(read_judgments, "topics,docno,rel\nq,a,1\n", format="csv", **options).message


def test_a_column_chosen_for_the_ranks_of_a_run_does_not_disturb_judgments() -> None:
    assert judged("query,doc,score\nq,a,1\n", columns={"rank": "platz"}) == [("q", "a", 1.0)]


def test_two_columns_that_could_be_the_query_are_refused() -> None:
    assert refusal(read_judgments, "query,query_id,doc,grade\nwho?,q,a,1\n").code == "E250"
    assert judged("query,query_id,doc,grade\nwho?,q,a,1\n", columns={"query": "query_id"}) == [("q", "a", 1.0)]


def test_a_table_without_a_header_is_refused_with_a_hint() -> None:
    for text in ("q1,a,1\nq1,b,2\n", "q1\ta\t1\n"):
        finding = refusal(read_judgments, text)
        assert (finding.code, finding.line) == ("E250", 1)
        assert "header" in finding.fix


def test_a_name_that_stands_twice_in_the_header_is_refused() -> None:
    assert refusal(read_judgments, "query,doc,grade,x,x\nq,a,1,2,3\n").code == "E251"


@pytest.mark.parametrize("row", ["q1,b", "q1,b,1,x", "", "q1"])
@pytest.mark.parametrize("quote", ["", '"a"'])
def test_ragged_and_blank_rows_are_refused_with_their_line(row: str, quote: str) -> None:
    finding = refusal(read_judgments, f"query,doc,grade\nq1,{quote or 'a'},1\n{row}\nq2,c,2\n")
    assert (finding.code, finding.line) == ("E252", 3)


@pytest.mark.parametrize("quoted", ['"b', '"b"x', '"b""'])
def test_a_quote_that_stays_open_is_refused_with_the_line_that_opens_it(quoted: str) -> None:
    finding = refusal(read_judgments, f'query,doc,grade\nq1,"a\na",1\nq1,{quoted},1\nq2,c,2\n')
    assert (finding.code, finding.line) == ("E253", 4)


def test_quoted_line_ends_separators_and_quotes_belong_to_the_id() -> None:
    assert judged('query,doc,grade\n"q,1","a\nb",1\n"q\r2","say ""x""",2\n') == [
        ("q\r2", 'say "x"', 2.0),
        ("q,1", "a\nb", 1.0),
    ]


def test_a_huge_cell_is_refused() -> None:
    for quote in ("", '"'):
        text = f"query,doc,grade,text\nq,a,1,x\nq,b,1,{quote}{'x' * 200_000}{quote}\n"
        finding = refusal(read_judgments, text)
        assert (finding.code, finding.line) == ("E108", 3)


def test_a_huge_id_is_refused() -> None:
    finding = refusal(read_judgments, f"query,doc,grade\nq,a,1\nq,{'x' * 5_000},1\n")
    assert (finding.code, finding.line) == ("E108", 3)


def test_too_many_columns_are_refused() -> None:
    header = "query,doc,grade," + ",".join(f"c{i}" for i in range(10_000))
    assert refusal(read_judgments, header + "\n", format="csv").code == "E257"


@pytest.mark.parametrize("number", ["abc", "", " 1", "1 ", "1_0", "١", "0x1", "1,5", "0x1p3", "--1", "1e", "e5", "."])
def test_what_is_no_number_is_refused_with_its_line(number: str) -> None:
    for text, read, code in ((GRADED, read_judgments, "E202"), (SCORED, read_ranking, "E214")):
        finding = refusal(read, text.replace(",", ";") + f"q9;a;{number}\n")
        assert (finding.code, finding.line) == (code, 5)


def test_a_decimal_comma_is_named() -> None:
    assert "decimal point" in refusal(read_ranking, SCORED.replace(",", ";") + "q9;a;1,5\n").fix


@pytest.mark.parametrize(("score", "code"), [("NaN", "E211"), ("-nan", "E211"), ("1e400", "E213")])
def test_scores_without_an_order_are_refused(score: str, code: str) -> None:
    finding = refusal(read_ranking, SCORED + f"q9,a,{score}\n")
    assert (finding.code, finding.line) == (code, 5)


def test_grades_beyond_the_range_are_refused_with_their_line() -> None:
    for grade in ("1e10", "1e400"):
        finding = refusal(read_judgments, GRADED + f"q9,a,{grade}\n")
        assert (finding.code, finding.line) == ("E204", 5)


def test_infinite_scores_are_accepted_with_a_note() -> None:
    ranking = read_ranking((SCORED + "q9,a,-inf\nq9,b,Infinity\n").encode())
    assert ranking.frame["score"].to_list()[-2:] == [float("-inf"), float("inf")]
    assert [note.code for note in ranking.notes()] == ["W212"]


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_scores_are_read_to_the_last_bit(score: float) -> None:
    assert ranked(f"query,doc,score\nq,a,{score!r}\nq,b,+{abs(score)!r}\n") == [
        ("q", "a", score),
        ("q", "b", abs(score)),
    ]


def test_a_pair_with_two_grades_is_refused_with_both_lines() -> None:
    finding = refusal(read_judgments, GRADED + "q1,b,0.5\nq1,a,3\n")
    assert (finding.code, finding.line) == ("E206", 6)
    assert "line 2" in finding.message
    assert ("q1", "a", 3.0) in judged(GRADED + "q1,a,3\n", duplicates="max")


def test_empty_ids_are_refused_with_their_line() -> None:
    finding = refusal(read_judgments, GRADED + "q9,,1\n")
    assert (finding.code, finding.line) == ("E255", 5)


def test_a_header_alone_is_no_table() -> None:
    assert refusal(read_judgments, "query,doc,grade\n").code == "E101"
    assert refusal(read_ranking, "query,doc,score\n").code == "E101"


@pytest.mark.parametrize(
    "text", [GRADED.replace("\n", "\r"), GRADED + "q9,a\r,1\n", '"query",doc,grade\nq,a,1\rq,b,1\n']
)
def test_a_lone_carriage_return_is_refused(text: str) -> None:
    assert refusal(read_judgments, text, format="csv").code == "E103"


def test_a_formula_guard_is_taken_off_and_other_quotes_stay() -> None:
    ids = [row[1] for row in ranked("query,doc,score\nq,'=a,4\nq,''+b,3\nq,'c,2\nq,=d,1\n")]
    assert ids == ["=a", "'+b", "'c", "=d"]


def test_a_guard_that_is_taken_off_is_told_with_the_ids_it_concerns() -> None:
    ranking = read_ranking(b"query,doc,score\n'=q,'@a,4\n'=q,b,3\n'=q,''+c,2\n")
    (note,) = ranking.notes()
    assert (note.code, note.count, note.sample) == ("N258", 3, ("'=q", "'@a", "''+c"))
    assert read_judgments("query,doc,grade\nq,'\uff1da,1\n".encode()).notes[0].code == "N258"
    assert read_judgments(b"query,doc,grade\nq,'a,1\nq,=b,1\n").notes == ()


cells = st.text(st.sampled_from("ab'= 1.;\t"), max_size=4) | st.sampled_from(["1", "0.5", "q1", "é", "﻿"])


@given(st.lists(st.lists(cells, min_size=1, max_size=4), max_size=5), st.sampled_from(["\n", "\r\n"]))
def test_both_readers_agree_on_what_the_fast_one_accepts(rows: list[list[str]], end: str) -> None:
    text = end.join(["query,doc,grade", *map(",".join, rows)]) + end
    layout = layout_of(text.replace("\r\n", "\n") if end == "\n" else text, ReadOptions(), "x")
    fast = fast_rows(text, layout)
    if fast is not None:
        careful, lines = careful_rows(text, layout, "x")
        assert fast.equals(careful)
        assert lines == list(range(2, 2 + len(rows)))


@given(st.lists(st.lists(st.text(max_size=4), min_size=3, max_size=3), max_size=4))
def test_the_careful_reader_reads_what_the_csv_module_writes(rows: list[list[str]]) -> None:
    buffer = io.StringIO(newline="")
    csv.writer(buffer, quoting=csv.QUOTE_ALL).writerows([["query", "doc", "grade"], *rows])
    text = buffer.getvalue()
    frame, _ = careful_rows(text, layout_of(text, ReadOptions(), "x"), "x")
    assert [list(row) for row in frame.iter_rows()] == rows


@given(st.text(st.sampled_from("q,a1.\"'\n\r\t;=-eN"), max_size=30))
def test_damaged_tables_are_refused_or_read_but_never_crash(noise: str) -> None:
    for text in (GRADED + noise, noise + GRADED, "query,doc,grade\n" + noise):
        for read in (read_judgments, read_ranking):
            with suppress(CatchrateError):
                read(text.encode(), ReadOptions(format="csv"))

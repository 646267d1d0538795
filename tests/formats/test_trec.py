from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import hypothesis.strategies as st
import polars as pl
import pytest
from hypothesis import example, given, settings

from catchrate.errors import InputError
from catchrate.formats import lines, read_judgments, read_ranking, trec
from catchrate.formats.lines import has_long_line, in_threads, is_tidy, line_blocks, tidied
from catchrate.formats.options import ReadOptions
from catchrate.formats.source import open_source
from catchrate.formats.trec import TrecRun, read_trec_judgments
from catchrate.formats.trec_careful import CarefulReader, Findings
from catchrate.tables import InterleavedError

PLAIN = ReadOptions()
EXAMPLES = int(os.environ.get("CATCHRATE_EXAMPLES", "300"))
GOOD = b"q1 Q0 d1 1 9.5 t\nq1 Q0 d2 2 8.5 t\nq2 Q0 d1 1 7 t\n"


def frame_of(data: bytes, options: ReadOptions = PLAIN) -> pl.DataFrame:
    return pl.concat(list(TrecRun(open_source(data), options).blocks()))


def refusal(data: bytes, options: ReadOptions = PLAIN) -> InputError:
    with pytest.raises(InputError) as caught:
        list(TrecRun(open_source(data, name="run.trec"), options).blocks())
    return caught.value


def judgments_refusal(data: bytes, options: ReadOptions = PLAIN) -> InputError:
    with pytest.raises(InputError) as caught:
        read_trec_judgments(open_source(data, name="qrels"), options)
    return caught.value


# the fast reader agrees with the careful one

NUMBERS = """1 -1 +1 0 -0.0 .5 5. 1e5 1E-5 1e+05 1e400 -1e400 1e-400 0e9 nan -NaN inf -Infinity 1_0 0x1 1,5 ٣ 1٣ . - e5
1e --1 1d5 null true 9007199254740993 4.9e-324 2e-324 1.7976931348623159e308 00012 2147483648 0000000001"""
TINY, HUGE = "0." + "0" * 400 + "1", "1" * 400
numbers = st.sampled_from([*NUMBERS.split(), "", "1\xa0", TINY, HUGE]) | st.floats().map(repr)
ids = st.sampled_from(
    ["q1", "q2", "d1", "d2", '"d"', '"', "#q", "é", "中", "\ufeffq", "a,b", "a\x0cb", "\u2028", "x" * 4096, "x" * 4097]
)
blanks = st.sampled_from([" ", " ", " ", "\t", "  ", " \t "])
ends = st.sampled_from(["\n", "\n", "\n", "\r\n", " \n", "\t\r\n", "\n\n", "\n \n", "\r"])
damage = st.sampled_from(
    [b"\0", b"\xff", b"\xc0\x80", b"\xed\xa0\x80", b"\r", b"\n", b" ", b"\t", b"#", b"\xef\xbb\xbf", b"\xc3", b'"']
)


@st.composite
def files(draw: st.DrawFn, width: int) -> bytes:
    """Draw lines that are mostly right, with blanks, numbers, columns and bytes that are not."""
    text = draw(st.sampled_from(["", "", " ", "\n", "# c\n", "\ufeff"]))
    for _ in range(draw(st.integers(0, 6))):
        columns = [draw(ids), "Q0", draw(ids), "1", *([draw(numbers), "t"] if width == 6 else [])]
        columns[3:4] = ["1"] if width == 6 else [draw(numbers)]
        columns = columns[: draw(st.sampled_from([width] * 8 + [width - 1, 3, 1]))]
        columns += draw(st.sampled_from([[]] * 6 + [["x"], ["#"]]))
        text += "".join(column + draw(blanks) for column in columns[:-1]) + columns[-1] + draw(ends)
    data = text.encode()
    for _ in range(draw(st.sampled_from([0, 0, 0, 1, 2]))):
        at = draw(st.integers(0, len(data)))
        data = data[:at] + draw(damage) + data[at + draw(st.integers(0, 1)) :]
    return data.removesuffix(b"\n") if draw(st.booleans()) else data


def assert_agreement(data: bytes, kind: trec._Kind, options: ReadOptions) -> None:
    fast, lines = trec._fast(data, kind, options)
    if fast is None:
        return
    found = Findings("x")
    careful = CarefulReader(found, options)
    slow = kind.explain(careful, data)
    assert not found.errors
    assert not {note.code for note in found.notes()}
    assert fast.rows() == slow.rows()
    assert lines == careful.line


@settings(max_examples=EXAMPLES, deadline=None)
@given(files(6), st.booleans())
@example(b"q Q0 d  5.0 t\n", False)
@example(b"q  d 1 5.0 t\n", False)
@example(b"a\tb c d e 5.0 7.0 x\n", False)
@example(b" \xef\xbb\xbfq Q0 d 1 5.0 t\n", False)
@example(b"\n\xef\xbb\xbfq Q0 d 1 5.0 t\n", False)
@example(b"q \xff d 1 5.0 t\n", False)
@example(b"q Q0 d 1 5.0 t\rq Q0 e 2 4.0 t\n", False)
@example(b"# a b c 5.0 d\n", True)
@example(b"q Q0 d 1 5.0 t\nq Q0 e 2 4.0\nq Q0 f 3 3.0 t x\n", False)
@example(b"q Q0 d 1 5.0 1\nq Q0 e 2 4.1\nq Q0 f 3 3.0 1 1\n", False)
@example(b"q Q0 d 1 5.0 bm25\nq Q0 bm25 4.0 25\nq Q0 f 3 3.0 bm25 x\n", False)
@example(b"q Q0 d 1 5.0 t \nq Q0 e 2 4.0 \n", False)
@example(b"q Q0 d 1 5.0 t\nq Q0 e 2 4.0 t", False)
@example(b"q Q0 d 1 1e-400 t\n", False)
@example(b"q Q0 d 1 0.0 t\nq Q0 e 2 1.0 t\nq Q0 f 3 0e5 t", False)
@example(b"q Q0 d 1 0.0 t\nq Q0 e 2 1.0 t\nq Q0 f 3 1e-400 t", False)
def test_what_the_fast_reader_takes_from_a_run_the_careful_one_reads_alike(data: bytes, comments: bool) -> None:
    assert_agreement(data, trec._RUN, ReadOptions(comments=comments))


@settings(max_examples=EXAMPLES, deadline=None)
@given(files(4), st.booleans(), st.booleans())
@example(b"q 0 d 1\n\nq 0 e 1\n", False, False)
@example(b"q 0 d 1 \n", False, False)
@example(b"q  d 1\n", False, False)
@example(b"q 0 d 1\n ", False, False)
@example(b"q 0 d 2147483648.0\n", False, True)
@example(b"q 0 d 0000000001\n", False, True)
def test_what_the_fast_reader_takes_from_judgments_the_careful_one_reads_alike(
    data: bytes, comments: bool, fractions: bool
) -> None:
    assert_agreement(data, trec._JUDGMENTS, ReadOptions(comments=comments, fractions=fractions))


Outcome = tuple[object, ...]


def run_outcome(data: bytes, options: ReadOptions) -> Outcome:
    """Return everything that a reader lets out: rows and notes, or the errors; other errors are not caught."""
    run = TrecRun(open_source(data), options)
    try:
        rows = [row for block in run.blocks(gather=True) for row in block.rows()]
    except InputError as error:
        return error.total, error.findings
    return rows, run.notes()


def judgments_outcome(data: bytes, options: ReadOptions) -> Outcome:
    try:
        judgments = read_trec_judgments(open_source(data), options)
    except InputError as error:
        return error.total, error.findings
    return judgments.items.rows(), judgments.notes


@settings(max_examples=EXAMPLES // 3, deadline=None)
@given(files(6) | files(4) | st.binary(max_size=60), st.booleans(), st.integers(1, 80))
def test_without_the_fast_reader_and_in_blocks_of_any_size_the_outcome_is_the_same(
    data: bytes, comments: bool, size: int
) -> None:
    options = ReadOptions(comments=comments, duplicates="first")
    for outcome in (run_outcome, judgments_outcome):
        expected = outcome(data, options)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(trec, "line_blocks", partial(line_blocks, size=size))
            assert outcome(data, options) == expected
            patch.setattr(trec, "_fast", lambda *_: (None, 0))
            assert outcome(data, options) == expected


@settings(max_examples=60, deadline=None)
@given(st.text("ab 1\n", max_size=80).map(str.encode), st.sampled_from([b"a", b"b1", b" 1"]), st.integers(8, 40))
def test_looks_at_a_block_in_steps_see_what_a_look_at_all_of_it_sees(block: bytes, ending: bytes, step: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lines, "STEP_BYTES", step)
        patch.setattr(trec, "STEP_BYTES", step)
        assert lines.blanks(block) == block.count(b" ")
        assert lines.lines_ending_in(block, ending) == sum(line.endswith(ending) for line in block.split(b"\n"))
        judged = b"".join(b"q 0 d %s\n" % word for word in block.replace(b"1", b"1111").split())
        for end in (judged, judged.removesuffix(b"\n")):
            assert trec._short_grades(end) == all(len(line.split()[-1]) <= 9 for line in end.splitlines())


@settings(max_examples=200, deadline=None)
@given(st.floats(allow_nan=False, allow_infinity=False))
def test_both_readers_read_every_float_to_the_last_bit(score: float) -> None:
    line = f"q Q0 d 1 {score!r} t\n".encode()
    fast, _ = trec._fast(line, trec._RUN, PLAIN)
    assert fast is not None
    assert fast["score"].to_list() == [score]
    assert CarefulReader(Findings("x"), PLAIN).run_rows(line)["score"].to_list() == [score]


@pytest.mark.parametrize(
    "data",
    [
        GOOD.replace(b" ", b"\t"),
        GOOD.replace(b" ", b"  \t "),
        GOOD.replace(b"\n", b"\r\n"),
        GOOD.replace(b"\n", b" \t\n"),
        GOOD.replace(b"q", b"  q"),
        GOOD.replace(b"\n", b"\n\n\n"),
        GOOD.replace(b"\n", b" x y\n"),
        b"\xef\xbb\xbf" + GOOD,
        GOOD.removesuffix(b"\n"),
        b"\n" + GOOD,
    ],
)
def test_a_harmless_oddity_changes_nothing_and_stays_fast(data: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = [("q1", "d1", 9.5), ("q1", "d2", 8.5), ("q2", "d1", 7.0)]
    monkeypatch.setattr(trec, "_RUN", trec._RUN._replace(explain=pytest.fail))
    assert frame_of(data).rows() == expected


# runs


def test_a_run_keeps_query_document_and_score_in_the_order_of_the_file() -> None:
    assert frame_of(GOOD).rows() == [("q1", "d1", 9.5), ("q1", "d2", 8.5), ("q2", "d1", 7.0)]
    assert frame_of(GOOD).schema == {"query": pl.String, "doc": pl.String, "score": pl.Float64}


def test_a_short_run_that_was_begun_is_one_block(tmp_path: Path) -> None:
    assert [block.rows() for block in begun(tmp_path, GOOD).blocks()] == [frame_of(GOOD).rows()]
    with pytest.raises(InterleavedError):
        list(begun(tmp_path, GOOD + b"q1 Q0 d3 3 1 t\n").blocks())


def begun(folder: Path, data: bytes) -> TrecRun:
    path = folder / "run.trec"
    path.write_bytes(data)
    run = TrecRun(open_source(path), PLAIN)
    run.begin()
    return run


def test_ascending_negates_the_scores_of_both_readers() -> None:
    data = GOOD + b"q3 Q0 d 1 -inf t\n"
    assert frame_of(data, ReadOptions(ascending=True))["score"].to_list() == [-9.5, -8.5, -7.0, float("inf")]


@pytest.mark.parametrize("size", [1, 2, 20, 55, 1 << 20])
def test_the_size_of_the_blocks_never_splits_a_query(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [(f"q{q}", f"é{d}", float(-d)) for q in range(9) for d in range(q + 1)]
    data = "".join(f"{q} Q0 {d} 1 {s} t\n" for q, d, s in rows).encode()
    monkeypatch.setattr(trec, "line_blocks", partial(line_blocks, size=size))
    blocks = list(TrecRun(open_source(data), PLAIN).blocks())
    assert [row for block in blocks for row in block.rows()] == rows
    queries = [query for block in blocks for query in block["query"].unique()]
    assert sorted(queries) == sorted(set(queries))
    assert all(block.height for block in blocks)


@pytest.mark.parametrize("size", [1, 30, 1 << 20])
def test_a_query_that_comes_back_is_told_and_gathered_stably(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    data = b"a Q0 x 1 1 t\nb Q0 y 1 2 t\na Q0 z 2 3 t\nb Q0 a 2 2 t\n"
    monkeypatch.setattr(trec, "line_blocks", partial(line_blocks, size=size))
    run = TrecRun(open_source(data), PLAIN)
    with pytest.raises(InterleavedError):
        list(run.blocks())
    rows = pl.concat(list(run.blocks(gather=True))).rows()
    assert rows == [("a", "x", 1.0), ("a", "z", 3.0), ("b", "y", 2.0), ("b", "a", 2.0)]


def test_blocks_can_be_read_again_and_notes_are_not_doubled() -> None:
    run = TrecRun(open_source(GOOD + b"q3 Q0 d 1 inf t"), PLAIN)
    first = pl.concat(list(run.blocks())).rows()
    again = pl.concat(list(run.blocks())).rows()
    assert first == again
    assert [(note.code, note.count) for note in run.notes()] == [("W212", 1), ("W109", 1)]
    assert run.digest() == open_source(GOOD + b"q3 Q0 d 1 inf t").digest()
    assert run.empty_queries() == ()


def test_leaving_a_run_in_the_middle_leaves_no_thread_behind() -> None:
    before = threading.active_count()
    blocks = TrecRun(open_source(GOOD), PLAIN).blocks()
    next(blocks)
    del blocks
    assert threading.active_count() == before


def test_the_lines_of_a_pair_are_physical_lines() -> None:
    run = TrecRun(open_source(b"# c\n\n" + GOOD + b"\r\nq1\tQ0  d1 9 1 t"), ReadOptions(comments=True))
    assert run.lines_of("q1", "d1") == (3, 7)
    assert run.lines_of("q1", "nothing") == ()


def test_line_numbers_and_byte_offsets_go_on_across_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trec, "line_blocks", partial(line_blocks, size=17))
    error = refusal(b"\xef\xbb\xbf" + GOOD + b"\nq2 Q0 d4 1 6 t\nq \xff d 1 1 t\nr Q0 d 1 1 t\nr Q0 e 1 x t\n")
    assert [(finding.code, finding.line) for finding in error.findings] == [("E104", 6), ("E214", 8)]
    offset = 3 + len(GOOD) + len(b"\nq2 Q0 d4 1 6 t\nq ")
    assert f"byte {offset:,} " in error.findings[0].message


def test_the_first_twenty_findings_are_shown_and_all_are_counted() -> None:
    error = refusal(b"q Q0 d 1 x t\n" * 57)
    assert len(error.findings) == 20
    assert error.total == 57
    assert "and 37 more" in str(error)


@pytest.mark.parametrize(
    ("line", "guess"),
    [
        (b"q 0 d 1", "judgments"),
        (b"q d 1.5", "format='tsv'"),
        (b"q Q0 d 1 2.5", "may be missing"),
        (b'{"query": "a"}', "format='jsonl'"),
        (b"[1]", "format='json'"),
        (b"q,d,1", "format='csv'"),
        (b"# made by hand", "comments=True"),
    ],
)
def test_a_line_with_other_columns_is_refused_with_a_guess_what_it_is(line: bytes, guess: str) -> None:
    error = refusal(GOOD + line + b"\n")
    assert error.code == "E219"
    assert error.findings[0].line == 4
    assert guess in error.findings[0].fix


@pytest.mark.parametrize("options", [ReadOptions(encoding="latin-1"), ReadOptions(encoding="utf-16")])
def test_another_encoding_is_read_when_it_is_named(options: ReadOptions) -> None:
    data = "q Q0 é 1 1 t\nq Q0 ü 2 0.5 t\n".encode(options.encoding)
    assert frame_of(data, options)["doc"].to_list() == ["é", "ü"]


def test_an_unknown_encoding_and_bytes_that_do_not_decode_are_refused() -> None:
    assert refusal(GOOD + b"q Q0 \xe9 1 1 t\n", ReadOptions(encoding="ascii")).code == "E104"
    with pytest.raises(ValueError, match="unknown encoding 'klingon'"):
        list(TrecRun(open_source(GOOD), ReadOptions(encoding="klingon")).blocks())


def test_comments_are_skipped_only_when_they_are_declared() -> None:
    data = b"# a b c 1 2 d\n" + GOOD + b"#x"
    assert frame_of(data, ReadOptions(comments=True)).height == 3
    run = TrecRun(open_source(b"#a Q0 d 1 2 t\n#b Q0 d 1 2 t\n"), PLAIN)
    assert [query for block in run.blocks() for query in block["query"]] == ["#a", "#b"]
    assert [note.code for note in run.notes()] == ["W118"]


# judgments


def test_judgments_keep_grades_and_their_sign() -> None:
    judgments = read_trec_judgments(open_source(b"q 0 a +2\nq x b -1\nq 0 c 007\n"), PLAIN)
    assert dict(judgments.items.select("doc", "grade").rows()) == {"a": 2.0, "b": -1.0, "c": 7.0}
    assert [note.code for note in judgments.notes] == ["N203"]


def test_fractions_are_grades_only_when_they_are_declared() -> None:
    data = b"q 0 a 1.5\nq 0 b 1e-2\n"
    assert judgments_refusal(data).code == "E202"
    judgments = read_trec_judgments(open_source(data), ReadOptions(fractions=True))
    assert judgments.items["grade"].to_list() == [1.5, 0.01]


@pytest.mark.parametrize(
    ("line", "guess"),
    [
        (b"q Q0 d 1 2.5 t", "TREC run"),
        (b"q d 1", "format='tsv'"),
        (b"q 0 my doc 1", "blank"),
        (b"", "remove the line"),
        (b"q 0", "remove the line"),
    ],
)
def test_a_judgment_with_other_columns_is_refused_with_a_guess_what_it_is(line: bytes, guess: str) -> None:
    error = judgments_refusal(b"q 0 d 1\n" + line + b"\nq 0 e 1\n")
    assert (error.code, error.findings[0].line) == ("E201", 2)
    assert guess in error.findings[0].fix


def test_a_pair_judged_twice_is_refused_with_both_lines() -> None:
    error = judgments_refusal(b"# c\nq 0 d 1\nq 0 e 1\nq 0 d 2\n", ReadOptions(comments=True))
    assert error.code == "E206"
    assert "lines 2 and 4" in str(error)


# blocks of lines


@given(st.lists(st.sampled_from([b"a", b"\n", b"bc\n", b"ddd"]), max_size=30), st.integers(1, 9))
def test_blocks_end_at_line_ends_and_join_to_the_whole(parts: list[bytes], size: int) -> None:
    data = b"".join(parts)
    blocks = [block for block in line_blocks(open_source(data), size=size) if block]
    assert b"".join(blocks) == data
    assert all(block.endswith(b"\n") for block in blocks[:-1])


@given(st.text("a \t\r\n#", max_size=40), st.booleans(), st.booleans())
def test_a_tidied_block_is_tidy_and_holds_the_same_columns(text: str, comments: bool, blank_lines: bool) -> None:
    data = text.replace("\r", "\r\n").encode()
    again = tidied(data, comments=comments, blank_lines=blank_lines)
    lines = [line.split() for line in data.split(b"\n")]
    kept = [line for line in lines if not (comments and line and line[0].startswith(b"#"))]
    assert [line.split() for line in again.split(b"\n") if line] == [line for line in kept if line]
    assert is_tidy(again)


def test_a_line_is_long_wherever_it_stands() -> None:
    long, short = b"x" * (1 << 20) + b"\n", b"y\n" * 300_000
    assert all(has_long_line(data) for data in (long, short + long, long + short, short + long + short))
    assert not has_long_line(short)


def test_results_of_threads_keep_their_order_and_errors_come_out() -> None:
    def work(number: int) -> float:
        return 1 / number

    results: Iterator[float] = in_threads(work, iter([4, 2, 1, 0, 1]))
    assert [next(results) for _ in range(3)] == [0.25, 0.5, 1.0]
    with pytest.raises(ZeroDivisionError):
        next(results)


def test_three_columns_are_called_a_table_only_when_the_last_is_a_number() -> None:
    for read in (read_judgments, read_ranking):
        with pytest.raises(InputError, match="table"):
            read(b"q a 1\n")
        with pytest.raises(InputError, match="missing"):
            read(b"1 0 a\n")


def test_a_note_on_infinite_scores_says_why_it_matters_and_what_to_do() -> None:
    for data in (b"q Q0 a 1 inf t\n", b"query,doc,score\nq,a,inf\n"):
        (note,) = read_ranking(data).notes()
        assert note.code == "W212"
        assert "tie" in note.message
        assert note.fix

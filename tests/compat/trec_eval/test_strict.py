"""Where the original stops or guesses: what we do, and what `--strict-compat` does."""

from __future__ import annotations

import pytest

QRELS = "t 0 a 1\nt 0 b 1\n"
RUN = "t Q0 a 1 2 tag\nt Q0 b 2 1 tag\n"


@pytest.mark.parametrize(
    ("grade", "taken"), [("1.9", "1"), ("1_0", "1"), ("rel", "0"), ("0x1", "0"), ("-1.5", "0"), ("2;", "2")]
)
def test_a_grade_that_is_no_whole_number_is_refused_or_read_up_to_there(trec_eval, values, file, grade, taken):
    files = file("q", f"t 0 a {grade}\nt 0 b 1\n"), file("r", RUN)
    outcome = trec_eval(*files)
    assert outcome.code == 4
    assert "E202" in outcome.err
    assert "--strict-compat" in outcome.err
    found = values("--strict-compat", "-q", "-m", "relstring", "-m", "num_rel", *files)
    assert found["relstring", "t"] == ("'.1'" if grade.startswith("-") else f"'{taken}1'")


@pytest.mark.parametrize(
    ("score", "first"), [("1,5", "b"), ("0x1p3", "a"), ("0x1p5000", "a"), ("abc", "b"), ("1e999", "a"), ("-1e999", "b")]
)
def test_a_score_that_is_no_number_is_refused_or_read_up_to_there(trec_eval, values, file, score, first):
    files = file("q", "t 0 a 1\n"), file("r", f"t Q0 a 1 {score} tag\nt Q0 b 2 1.2 tag\n")
    refused = trec_eval(*files)
    assert refused.code == 4
    assert "E214" in refused.err or "E213" in refused.err
    found = values("--strict-compat", "-m", "recip_rank", *files)
    assert found["recip_rank", "all"] == ("1.0000" if first == "a" else "0.5000")


def test_what_was_read_otherwise_is_told_with_its_line(trec_eval, file):
    outcome = trec_eval("--strict-compat", file("q", "t 0 b 1\nt 0 a 1.9\n"), file("r", RUN))
    assert "W282" in outcome.err
    assert "q:2: '1.9' was read as 1" in outcome.err


@pytest.mark.parametrize("flags", [[], ["--strict-compat"]])
@pytest.mark.parametrize(
    ("qrels", "run", "code"),
    [
        ("t 0 a\0b 1\n", RUN, "E105"),
        (QRELS, "t Q0 a\0 1 2 tag\n", "E105"),
        (QRELS, "t Q0 a 1 nan tag\n", "E211"),
        (QRELS, "t Q0 a 1 2\n", "E219"),
        (QRELS, RUN + RUN, "E216"),
        ("t 0 a\n", RUN, "E201"),
        (QRELS + "\n", RUN, "E201"),
        (QRELS + "t 0 a 2\n", RUN, "E206"),
        (QRELS, "u Q0 a 1 2 tag\n", "E221"),
    ],
)
def test_what_no_reading_can_define_stays_refused(trec_eval, file, flags, qrels, run, code):
    outcome = trec_eval(*flags, file("q", qrels), file("r", run))
    assert (outcome.code, outcome.out) == (4, "")
    assert code in outcome.err
    assert "=True" not in outcome.err
    assert "duplicates=" not in outcome.err


def test_a_missing_topic_is_left_out_and_told_or_stops_the_run(trec_eval, file):
    files = file("q", QRELS + "u 0 a 1\n"), file("r", RUN)
    scored = trec_eval("-m", "map", *files)
    assert scored.out == "map                   \tall\t1.0000\n"
    assert "N225" in scored.err
    stopped = trec_eval("--strict-compat", *files)
    assert (stopped.code, stopped.out) == (4, "")
    assert "E227" in stopped.err
    assert "'u'" in stopped.err
    assert trec_eval("--strict-compat", "-c", *files).code == 0
    assert trec_eval("--strict-compat", "--dialect", "9.0.8", *files).code == 0


def test_lines_that_begin_with_a_hash_are_comments_in_version_10_and_data_in_9(trec_eval, values, file):
    qrels = file("q", "# t 0 c 1\n#t 0 c 1\n" + QRELS + "# the end")
    run = file("r", "# Q0 a b c d\n" + RUN + "# one two three four five")
    found = values("-m", "num_rel", "-m", "runid", qrels, run)
    assert found == {("num_rel", "all"): "2", ("runid", "all"): "tag"}
    assert trec_eval("--dialect", "9.0.8", qrels, run).code == 4
    data = file("d", "#t 0 a 1\n"), file("e", "#t Q0 a 1 1 tag\n")
    assert values("--dialect", "9.0.8", "-m", "num_rel", *data)["num_rel", "all"] == "1"


def test_the_run_id_is_found_behind_a_long_comment(values, file):
    run = file("r", RUN + "# x\n" * 600_000)
    assert values("-m", "runid", file("q", QRELS), run)["runid", "all"] == "tag"


def test_a_missing_file_is_refused(trec_eval, tmp_path):
    outcome = trec_eval(tmp_path / "nosuch", tmp_path / "neither")
    assert outcome.code == 4
    assert "E110" in outcome.err


def test_the_same_judgment_twice_is_read_once_and_told(trec_eval, file):
    outcome = trec_eval("-m", "num_rel", file("q", QRELS + "t 0 a 1\n"), file("r", RUN))
    assert outcome.out == "num_rel               \tall\t2\n"
    assert "N207" in outcome.err

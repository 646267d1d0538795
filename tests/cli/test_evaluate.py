from __future__ import annotations

import csv
import gzip
import io
import json
import os
import subprocess
import sys

import pytest

import catchrate
from cli.program import ENVIRONMENT, PROGRAM

QRELS = "q1 0 a 1\nq1 0 b 1\nq2 0 c 1\n"
GOOD = "q1 Q0 a 1 9 t\nq1 Q0 x 2 8 t\nq1 Q0 b 3 7 t\nq2 Q0 c 1 9 t\n"
BAD = "q1 Q0 x 1 9 t\nq1 Q0 a 2 8 t\n"
RECORDS = '{"id": "q1", "query": "?", "retrieved": ["a", "x"], "ground_truth": ["a", "b"]}\n'


def strict(text: str) -> object:
    def refuse(token: str) -> object:
        raise AssertionError(token)

    return json.loads(text, parse_constant=refuse)


def test_the_leaderboard_is_best_first_and_marks_the_best_of_each_measure(run, files):
    done = run("evaluate", *files(judged_txt=QRELS, bad_trec=BAD, good_trec=GOOD), "-m", "recall@2 miss@1")
    assert done.code == 0
    assert [line.split() for line in done.out.splitlines()] == [
        ["run", "recall@2", "miss@1", "queries", "missing", "unjudged"],
        ["good", "0.7500*", "0.0000*", "2", "0", "33.3%"],
        ["bad", "0.2500", "1.0000", "2", "1", "50.0%"],
        ["*", "best"],
        ["no", "interval:", "there", "are", "only", "two", "queries"],
    ]
    assert "note: N225 " in done.err


def test_equal_runs_are_not_marked(run, files):
    done = run("evaluate", *files(judged_txt=QRELS, a_trec=GOOD, b_trec=GOOD))
    assert "*" not in done.out


def test_counts_have_no_better_side_and_are_printed_whole(run, files):
    done = run("evaluate", *files(judged_txt=QRELS, a_trec=GOOD, b_trec=BAD), "-m", "num_ret")
    assert "*" not in done.out
    assert [line.split()[1] for line in done.out.splitlines()[:3]] == ["num_ret", "4", "2"]


def test_json_has_the_shape_of_the_contract_at_full_precision(run, files):
    paths = files(judged_txt=QRELS, good_trec=GOOD)
    done = run("evaluate", *paths, "-m", "R@2 map", "--json", "--per-query")
    content = strict(done.out)
    scores = catchrate.evaluate(str(paths[0]), str(paths[1]), "recall@2 ap")
    assert list(content) == ["runs", "notes", "provenance"]
    assert content["runs"] == {
        "good": {
            "measures": {
                "recall@2": {"mean": scores["recall@2"], "ci": None, "n": 2, "reason": "there are only two queries"},
                "ap": {"mean": scores["ap"], "ci": None, "n": 2, "reason": "there are only two queries"},
            },
            "queries": 2,
            "per_query": {"q1": {"recall@2": 0.5, "ap": (1 + 2 / 3) / 2}, "q2": {"recall@2": 1.0, "ap": 1.0}},
        }
    }
    assert content["provenance"]["catchrate"] == catchrate.__version__
    assert list(content["provenance"]["inputs"]) == ["good"]
    assert done.out.isascii()


def test_per_query_values_are_left_out_unless_asked_for(run, files):
    done = run("evaluate", *files(judged_txt=QRELS, good_trec=GOOD), "--json")
    assert list(strict(done.out)["runs"]["good"]) == ["measures", "queries"]


def test_csv_holds_full_precision_and_no_formulas(run, files):
    judged, good = files(judged_txt=QRELS, good_trec=GOOD)
    done = run("evaluate", judged, f"=1+1={good}", f"third={good}", "-m", "ap", "--csv")
    assert done.code == 4  # the name is empty before the first sign
    done = run("evaluate", judged, f"@sum={good}", "-m", "ap", "--csv")
    (row,) = csv.DictReader(io.StringIO(done.out))
    assert row["run"] == "'@sum"
    assert float(row["ap"]) == catchrate.evaluate(str(judged), str(good), "ap")["ap"]


def test_csv_per_query_has_a_row_for_each_run_and_query(run, files):
    done = run("evaluate", *files(judged_txt=QRELS, a_trec=GOOD, b_trec=BAD), "-m", "hit@1", "--csv", "--per-query")
    assert done.out.splitlines() == ["query,run,hit@1", "q1,a,1.0", "q1,b,0.0", "q2,a,1.0", "q2,b,0.0"]


def test_per_query_text_shows_yes_or_no_as_one_or_zero(run, files):
    done = run("evaluate", *files(judged_txt=QRELS, a_trec=GOOD), "-m", "hit@1 recall@2", "--per-query")
    table, board = done.out.split("\n\n")
    assert [line.split() for line in table.splitlines()] == [
        ["query", "hit@1", "recall@2"],
        ["q1", "1", "0.5000"],
        ["q2", "1", "1.0000"],
    ]
    assert board.startswith("run ")


@pytest.mark.parametrize(
    ("suffix", "begins"),
    [("json", '{\n  "runs"'), ("csv", "run,"), ("tsv", "run\t"), ("txt", "run  "), ("md", "# Eval")],
)
def test_the_suffix_of_the_output_chooses_its_form(run, files, tmp_path, suffix, begins):
    target = tmp_path / f"scores.{suffix}"
    done = run("evaluate", *files(judged_txt=QRELS, good_trec=GOOD), "--output", target)
    assert (done.code, done.out) == (0, "")
    assert target.read_text().startswith(begins)


def test_an_input_is_never_written_over(run, files):
    judged, good = files(judged_txt=QRELS, good_trec=GOOD)
    done = run("evaluate", judged, good, "--output", good)
    assert done.code == 5
    assert done.err.startswith("error: E301 ")
    assert good.read_text() == GOOD


def test_a_run_is_named_by_its_stem_or_as_asked(run, files):
    judged, good = files(judged_txt=QRELS, good_trec=GOOD)
    packed = good.with_name("lr=0.1.trec.gz")
    packed.write_bytes(gzip.compress(GOOD.encode()))
    done = run("evaluate", judged, good, packed, f"third={good}", "--json")
    assert list(strict(done.out)["runs"]) == ["good", "lr=0.1", "third"]


def test_two_runs_of_one_name_are_refused(run, files):
    judged, good = files(judged_txt=QRELS, good_trec=GOOD)
    done = run("evaluate", judged, good, good)
    assert done.code == 2
    assert done.err.startswith("error: E262 two runs are called 'good'")
    assert "NAME=" in done.err


def test_records_alone_are_a_run(run, files):
    done = run("evaluate", *files(evals_jsonl=RECORDS), "-m", "recall@2", "--json")
    assert strict(done.out)["runs"]["evals"]["measures"] == {
        "recall@2": {"mean": 0.5, "ci": None, "n": 1, "reason": "there is only one query"}
    }


def test_records_are_each_judged_by_their_own_ground_truth(run, files):
    other = RECORDS.replace('["a", "b"]', '["x"]')
    done = run("evaluate", *files(one_jsonl=RECORDS, two_jsonl=other), "-m", "rr", "--json")
    runs = strict(done.out)["runs"]
    assert {name: runs[name]["measures"]["rr"]["mean"] for name in runs} == {"one": 1.0, "two": 0.5}


def test_records_before_a_plain_run_judge_both(run, files):
    done = run("evaluate", *files(one_jsonl=RECORDS, plain_trec=BAD), "-m", "rr", "--json")
    runs = strict(done.out)["runs"]
    assert {name: runs[name]["measures"]["rr"]["mean"] for name in runs} == {"one": 1.0, "plain": 0.5}


def test_judgments_without_a_run_are_a_wrong_call(run, files):
    done = run("evaluate", *files(judged_txt=QRELS))
    assert done.code == 2
    assert "there are judgments but no run" in done.err


def test_data_errors_end_with_four_and_name_file_and_line(run, files):
    done = run("evaluate", *files(judged_txt=QRELS, run_trec=GOOD.replace(" 8 ", " 8,5 ")))
    assert (done.code, done.out) == (4, "")
    assert "run.trec:2: score '8,5' is not a number" in done.err


def test_advice_names_flags_of_the_command(run, files):
    done = run("evaluate", *files(judged_txt=QRELS, run_trec=GOOD + GOOD))
    assert done.code == 4
    assert "--duplicates keep" in done.err
    assert run("evaluate", *files(judged_txt=QRELS, run_trec=GOOD + GOOD), "--duplicates", "keep").code == 0


def test_duplicates_of_judgments_and_of_runs_are_told_apart_by_their_words(run, files):
    paths = files(judged_txt=QRELS + "q1 0 a 0\n", run_trec=GOOD + GOOD)
    assert run("evaluate", *paths, "--duplicates", "keep").code == 4
    assert run("evaluate", *paths, "--duplicates", "keep", "--duplicates", "max").code == 0


def test_reading_options_reach_the_readers(run, files):
    paths = files(judged_csv="topic,doc,stars\nq1,a,2\n", run_csv="topic,doc,distance\nq1,x,9\nq1,a,1\n")
    names = ["--column", "query=topic", "--column", "grade=stars", "--column", "score=distance"]
    done = run("evaluate", *paths, *names, "--ascending", "-m", "rr", "--json")
    assert strict(done.out)["runs"]["run"]["measures"]["rr"]["mean"] == 1.0


def test_policies_reach_the_join(run, files):
    paths = files(judged_txt=QRELS, bad_trec=BAD)
    done = run("evaluate", *paths, "--queries", "both", "--judged-only", "--max-rank", "2", "--json", "-m", "rr")
    content = strict(done.out)
    assert content["runs"]["bad"]["queries"] == 1
    assert content["provenance"]["policies"]["max_rank"] == 2
    assert content["runs"]["bad"]["measures"]["rr"]["mean"] == 1.0


def test_measures_of_your_own_are_loaded(run, files, tmp_path):
    own = tmp_path / "own.py"
    own.write_text(
        "import catchrate\n\n"
        "@catchrate.measure(per_query=True)\n"
        "def list_length_of_test(slots, grades, returned, relevant):\n"
        "    'How long the list is.'\n"
        "    return returned\n"
    )
    paths = files(judged_txt=QRELS, good_trec=GOOD)
    assert run("evaluate", *paths, "-m", "list_length_of_test").code == 2
    done = run("evaluate", *paths, "-m", "list_length_of_test", "--load", own, "--json")
    assert strict(done.out)["runs"]["good"]["measures"]["list_length_of_test"]["mean"] == 2.0


def test_hostile_names_are_shown_escaped(run, files):
    judged, good = files(judged_txt=QRELS, good_trec=GOOD)
    out = run("evaluate", judged, f"\x1b[31mred\u202e={good}").out
    assert "\x1b" not in out
    assert "\\x1b[31mred\\u202e" in out


def test_a_hundred_runs_are_one_command_and_one_readable_table(run, files, monkeypatch):
    monkeypatch.setattr("catchrate.cli.show.columns_of", lambda _: 80)
    judged, *_ = files(judged_txt=QRELS, **{f"run{n:03}_trec": BAD if n % 3 else GOOD for n in range(100)})
    done = run("evaluate", judged, *sorted(judged.parent.glob("*.trec")), "-m", "recall@10 ndcg@10 ap")
    *lines, legend = done.out.splitlines()
    assert (len(lines), legend) == (101, "* best")
    assert max(map(len, lines)) <= 80
    assert [line.split()[0] for line in lines[1:4]] == ["run000", "run003", "run006"]
    assert done.err.count("N229") == 4
    assert "N229 was found 97 more times" in done.err
    assert "intervals of more than 12 runs are shown with --intervals" in done.err


def test_a_folder_of_parquet_files_is_an_input_like_a_file(run, files, tmp_path):
    judged, plain = files(judged_txt=QRELS, plain_trec=GOOD)
    parts = tmp_path / "parts.parquet"
    parts.mkdir()
    frame = catchrate.read_ranking(plain).frame
    for number in range(2):
        frame[2 * number : 2 * number + 2].write_parquet(parts / f"part-{number}.parquet")
    done = run("evaluate", judged, plain, parts, "-m", "rr", "--json")
    found = strict(done.out)["runs"]
    assert found["parts"] == found["plain"]
    assert "parts.parquet: run, 2 queries, 4 returned" in run("check", judged, parts).out
    assert (
        run("convert", parts, "-", "--to", "csv", "--as", "ranking").out
        == run("convert", plain, "-", "--to", "csv").out
    )


def test_long_runs_show_how_far_they_are_on_a_terminal(run, files, monkeypatch):
    judged, *runs = files(judged_txt=QRELS, good_trec=GOOD, bad_trec=BAD)
    monkeypatch.setattr("catchrate.cli.progress.LONG_BYTES", 1)
    assert "reading" not in run("evaluate", judged, *runs).err
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    monkeypatch.setenv("TERM", "xterm")
    assert "reading 2 runs" in run("evaluate", judged, *runs).err
    assert "reading good.trec" in run("evaluate", judged, runs[0]).err


@pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX pipes")
@pytest.mark.parametrize("content", [GOOD, "query,doc,score\nq1,a,9\nq2,c,1\n"])
def test_a_run_may_come_from_standard_input(files, content):
    (judged,) = files(judged_txt=QRELS)
    done = subprocess.run(
        [*PROGRAM, "evaluate", str(judged), "-", "-m", "rr", "--json"],
        input=content.encode(),
        capture_output=True,
        env=ENVIRONMENT,
        check=True,
    )
    assert strict(done.stdout.decode())["runs"]["stdin"]["measures"]["rr"]["mean"] == 1.0


@pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX pipes")
def test_pipes_are_read_once(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    command = [*PROGRAM, "evaluate", str(pipe), "-m", "recall@2", "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=ENVIRONMENT) as working:
        with open(pipe, "w") as writer:
            writer.write(RECORDS)
        out, _ = working.communicate(timeout=20)
    assert strict(out.decode())["runs"]["pipe"]["measures"]["recall@2"]["mean"] == 0.5


def test_a_note_says_what_unjudged_documents_could_do(run, files):
    paths = files(judged_txt=QRELS, good_trec=GOOD, bad_trec=BAD)
    assert (
        "note: N318 if all unjudged documents in the first 2 slots were relevant, "
        "recall@2 would be 0.8333 for good and 0.3333 for bad\n"
    ) in run("evaluate", *paths, "-m", "ap recall@2").err
    assert (
        "note: N318 however the unjudged documents in the first 2 slots are judged, precision@2 is 0.5000 to 0.7500\n"
    ) in run("evaluate", *paths[:2], "-m", "precision@2").err
    assert "N318" not in run("evaluate", *paths[:2], "-m", "ap hit@1").err


def test_scenarios_of_every_measure_are_shown_when_asked_for(run, files):
    paths = files(judged_txt=QRELS, good_trec=GOOD)
    shown = run("evaluate", *paths, "-m", "dcg@2 ap", "--if-relevant", "2").out.splitlines()
    assert [line.split()[0] for line in shown[-3:]] == ["measure", "dcg@2", "ap"]
    assert shown[-2].split()[-1] == "bounds"
    done = run("evaluate", *paths, "-m", "precision@2", "--if-relevant", "1", "--json")
    means = strict(done.out)["runs"]["good"]["measures"]
    assert means["precision@2"]["unjudged"] == {
        "irrelevant": 0.5, "relevant": 0.75, "grade": 1.0, "slots": 1, "bounds": True,
    }  # fmt: skip
    refused = run("evaluate", *paths, "--if-relevant", "-1")
    assert (refused.code, refused.out) == (2, "")

from __future__ import annotations

import json

import pytest

QRELS = "q1 0 a 1\nq1 0 b 1\nq2 0 c 1\nq2 0 d 1\nq3 0 e 1\n"
RUN = "q1 Q0 a 1 9 t\nq1 Q0 x 2 8 t\nq2 Q0 c 1 9 t\n"


def test_the_number_is_named_and_the_queries_that_make_the_difference(run, files):
    done = run(
        "reconcile", *files(judged_txt=QRELS, run_trec=RUN), "--got", "1.000", "-m", "recall@2", "--as", "haystack"
    )
    assert done.code == 0
    verdict, _, queries = done.out.partition("The same is ")
    assert verdict == (
        "1.000 is Haystack's DocumentRecallEvaluator(mode='single_hit') with the 1 missing query dropped: 1.0000\n"
        "1 as soon as any relevant document is there. It is over 2 queries. recall@2 is 0.3333 over 3 queries.\n"
        "\n"
    )
    assert queries.startswith("hit@2 with the 1 missing query dropped, ")
    assert (
        "These 3 queries make the difference\n"
        "query  recall@2  printed\n"
        "q3       0.0000        –\n"
        "q1       0.5000   1.0000\n"
        "q2       0.5000   1.0000\n"
        "– left out\n"
    ) in queries
    assert "different values were looked at" in done.out


def test_a_number_that_nothing_gives_is_told(run, files):
    done = run("reconcile", *files(judged_txt=QRELS, run_trec=RUN), "--got", "0.98765", "-m", "recall@2")
    assert done.out.startswith("Nothing that is known gives 0.98765\nrecall@2 is 0.3333 over 3 queries.\n")
    assert "Check that the tool read the same lists" in done.out


def test_a_number_that_is_taken_as_percent_is_told_as_read(run, files):
    done = run("reconcile", *files(judged_txt=QRELS, run_trec=RUN), "--got", "1.5", "-m", "recall@2")
    assert done.out.startswith("Nothing that is known gives 1.5, read as 1.5%\n")


def test_the_measure_itself_is_told_and_json_holds_all(run, files):
    paths = files(judged_txt=QRELS, run_trec=RUN)
    done = run("reconcile", *paths, "--got", "33.3%", "-m", "recall@2")
    assert done.out.startswith("33.3% is recall@2\nIt is the measure itself: recall@2 is 0.3333 over 3 queries.\n")
    content = json.loads(run("reconcile", *paths, "--got", "0.5", "-m", "recall@2", "--json").out)
    assert [row["query"] for row in content["tables"]["queries"]] == ["q3"]
    assert content["text"][0] == "0.5 is recall@2 with the 1 missing query dropped: 0.5000"


def test_slips_are_told_before_anything_is_read(run):
    assert "E361 '73,1' is no number" in run("reconcile", "nowhere", "nothing", "--got", "73,1").err
    assert "E362 'pytrek' is no tool" in run("reconcile", "nowhere", "nothing", "--got", "1", "--as", "pytrek").err
    assert run("reconcile", "nowhere", "nothing").code == 2


@pytest.mark.parametrize("command", [("explain",), ("reconcile", "--got", "0.5")], ids=lambda command: command[0])
def test_a_long_run_shows_how_far_it_is_on_a_terminal(command, run, files, monkeypatch):
    judged, returned = files(judged_txt=QRELS, run_trec=RUN)
    monkeypatch.setattr("catchrate.cli.progress.LONG_BYTES", 1)
    name, *options = command
    assert "reading" not in run(name, judged, returned, *options).err
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    monkeypatch.setenv("TERM", "xterm")
    assert "reading run.trec" in run(name, judged, returned, *options).err

from __future__ import annotations

import io
import sys

import pytest

from catchrate.compat.trec_eval import parse
from catchrate.errors import UsageError

LONG = (
    "--query_eval_wanted --complete_rel_info_wanted --level_for_rel=2 --Max_retrieved_per_topic 100 "
    "--Judged_docs_only --nosummary --Number_docs_in_coll 7 --measure=map --measure P.5 Q R"
)
SHORTENED = "--query --complete --level 2 --Max 100 --Judged --nosum --Num=7 --meas map --meas P.5 Q R"


def _refusal(*arguments: str) -> UsageError:
    with pytest.raises(UsageError) as caught:
        parse(arguments)
    return caught.value


@pytest.mark.parametrize(
    "arguments",
    [
        ["-q", "-c", "-l", "2", "-M", "100", "-J", "-n", "-N", "7", "-m", "map", "-m", "P.5", "Q", "R"],
        ["-qcl2", "-M100", "-JnN7", "-mmap", "-mP.5", "Q", "R"],
        ["Q", "-qc", "R", "-l", "2", "-JM", "100", "-nN7", "-m", "map", "-mP.5"],
        LONG.split(),
        SHORTENED.split(),
    ],
)
def test_options_may_be_clustered_joined_long_shortened_and_anywhere(arguments):
    command = parse(arguments)
    assert (command.judgments, command.run) == ("Q", "R")
    assert command.per_topic
    assert command.complete
    assert command.judged_only
    assert not command.summary
    assert (command.level, command.max_rank, command.collection) == (2, 100, 7)
    assert command.requests == ("map", "P.5")


def test_nothing_said_means_the_official_measures_of_version_10():
    command = parse(["Q", "R"])
    assert command.requests == ("official",)
    assert command.dialect.version == "10"
    assert (command.summary, command.per_topic, command.level, command.rel_format) == (True, False, 1, "qrels")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["-x", "Q", "R"], "option -x not recognized"),
        (["--nosuch", "Q", "R"], "--nosuch"),
        (["Q"], "1 files are named: 'Q'"),
        (["Q", "R", "S"], "3 files"),
        ([], "none"),
        (["-", "-"], "both files are standard input"),
        (["-l", "1.5", "Q", "R"], "-l is '1.5'"),
        (["-l", "-1", "Q", "R"], "-l is '-1'"),
        (["-M", "0", "Q", "R"], "-M is '0'"),
        (["-N", "-5", "Q", "R"], "-N is '-5'"),
        (["-R", "nosuch", "Q", "R"], "qrels_jg"),
        (["-T", "nosuch", "Q", "R"], "trec_results"),
        (["--dialect", "8", "Q", "R"], "9.0.8, 10"),
    ],
)
def test_what_the_grammar_lacks_is_refused(arguments, said):
    error = _refusal(*arguments)
    assert error.code == "E280"
    assert said in str(error)


def test_options_without_effect_are_told(trec_eval, file):
    files = file("q", "t 0 a 1\n"), file("r", "t Q0 a 1 1 tag\n")
    outcome = trec_eval("-o", "-D1", *files)
    assert outcome.code == 0
    assert outcome.err.count("note: ") == 2


def test_usage_errors_exit_with_2_and_print_nothing(trec_eval):
    outcome = trec_eval("--nosuch")
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err.startswith("error: E280")


def test_help_lists_every_option_and_explains_the_measures_that_are_asked_for(trec_eval):
    outcome = trec_eval("-h", "-m", "map", "-m", "prefs_simp")
    assert outcome.code == 0
    assert all(f" -{option}" in outcome.out for option in "qnmclJMNRTZoDvh")
    assert "\nmap: Mean of the precisions" in outcome.out
    assert max(map(len, outcome.out.splitlines())) <= 120


def test_the_version_names_the_dialect(trec_eval):
    assert trec_eval("-v", "--dialect", "9.0.8").out.endswith(" as trec_eval 9.0.8\n")


@pytest.mark.parametrize("piped", [0, 1])
def test_either_file_may_be_standard_input(trec_eval, file, monkeypatch, piped):
    contents = [b"t 0 a 1\n", b"t Q0 a 1 1 tag\n"]
    arguments = [str(file("q", contents[0])), str(file("r", contents[1]))]
    arguments[piped] = "-"
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(contents[piped])))
    outcome = trec_eval("-m", "runid", "-m", "map", *arguments)
    assert outcome.out == "runid                 \tall\ttag\nmap                   \tall\t1.0000\n"


def test_the_program_hands_the_command_over_untouched(capfd, file):
    from catchrate.cli import main

    files = str(file("q", "t 0 a 1\n")), str(file("r", "t Q0 a 1 1 tag\n"))
    assert main(["trec_eval", "-mP.5", *files]) == 0
    assert capfd.readouterr().out == "P_5                   \tall\t0.2000\n"
    assert main(["trec_eval", "-h"]) == 0
    assert "--strict-compat" in capfd.readouterr().out

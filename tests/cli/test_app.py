from __future__ import annotations

import os
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import catchrate
from catchrate.cli.app import COMMANDS
from catchrate.cli.messages import as_flags
from cli.program import ENVIRONMENT, PROGRAM


def test_the_program_alone_prints_its_help(run):
    assert run() == run("--help")
    assert run().code == 0
    assert all(name in run().out for name in COMMANDS)


PARSED = [name for name in COMMANDS if name != "trec_eval"]
"""Commands with options of ours; trec_eval has its own."""


@pytest.mark.parametrize("command", [(), *((name,) for name in PARSED)])
def test_help_fits_eighty_columns_and_holds_no_control_characters(run, command):
    done = run(*command, "--help")
    assert done.code == 0
    assert done.err == ""
    assert max(map(len, done.out.splitlines())) <= 80
    assert "\x1b" not in done.out


@pytest.mark.parametrize("command", PARSED)
def test_the_example_of_a_help_page_can_be_pasted_into_a_shell(run, command):
    page = run(command, "--help").out
    assert "\n\n\n" not in page
    example = page.partition("\nExample: ")[2].replace("\\\n", "")
    assert shlex.split(example.splitlines()[0]) == shlex.split(COMMANDS[command].example)


def test_the_version_is_printed(run):
    assert run("--version") == (0, f"{catchrate.__version__}\n", "")


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        (["evalute", "a", "b"], 'did you mean "evaluate"'),
        (["evaluate", "a", "b", "--mesures", "ap"], "did you mean --measures"),
        (["evaluate", "a", "--format", "xml"], '"trec"'),
        (["evaluate", "a", "--rel", "high"], "catchrate evaluate --help"),
        (["evaluate"], "JUDGMENTS is missing - see `catchrate evaluate --help`"),
        (["report", "a", "b"], "--output is missing - see `catchrate report --help`"),
        (["report", "a", "b", "-o"], "-o requires an argument"),
        (["explain", "a", "b", "more"], "'more' is more than the command takes - see `catchrate explain --help`"),
        (["calc", "-"], "'-' is more than the command takes"),
        (["--bogus"], "catchrate --help"),
        (["evaluate", "a", "b", "--column", "query"], "--column query=qid"),
        (["evaluate", "a", "b", "--json", "--csv"], "give one of the two"),
    ],
)
def test_a_wrong_call_ends_with_two_and_one_line_that_helps(run, demo, arguments, hint):
    arguments = [str(demo) if argument == "a" else argument for argument in arguments]
    arguments = [str(demo / "runs/bm25.trec") if argument == "b" else argument for argument in arguments]
    done = run(*arguments)
    assert done.code == 2
    assert done.out == ""
    assert len(done.err.splitlines()) == 1
    assert done.err.startswith("error: E280 ")
    assert hint in done.err


def test_hostile_arguments_are_shown_escaped(run):
    assert "\x1b" not in run("evaluate", "--\x1b[2J").err
    assert "\x1b" not in run("evaluate", "\x1b[2J\u202e", "x").err


def test_advice_is_spelled_as_flags():
    assert as_flags("read it with format='csv'") == "read it with --format csv"
    assert as_flags("use queries='judged' or 'both'") == "use --queries judged or 'both'"
    assert as_flags("columns={'query': 'topic'} and ascending=True") == "--column query=topic and --ascending"
    assert as_flags("name it with columns={...}") == "name it with --column OURS=THEIRS"


def test_a_reader_that_leaves_early_is_no_error():
    with subprocess.Popen(
        [*PROGRAM, "measures", "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=ENVIRONMENT
    ) as measures:
        measures.stdout.close()
        assert measures.stderr.read() == b""
    assert measures.returncode == 0


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_full_standard_output_ends_with_five():
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [*PROGRAM, "measures", "--json"], stdout=full, stderr=subprocess.PIPE, env=ENVIRONMENT, check=False
        )
    assert done.returncode == 5
    assert done.stderr.startswith(b"error: E302 <stdout>: ")
    assert done.stderr.count(b"\n") == 1


@pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX signals and pipes")
@pytest.mark.parametrize(("sent", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_an_interrupted_evaluation_ends_at_once_and_leaves_nothing(tmp_path, demo, sent, code):
    pipe = tmp_path / "slow.trec"
    os.mkfifo(pipe)
    command = [*PROGRAM, "evaluate", str(demo), str(pipe), "--output", str(tmp_path / "out.json")]
    with (
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=ENVIRONMENT) as working,
        open(pipe, "wb"),  # opened for writing only once the program reads
    ):
        sent_at = time.monotonic()
        working.send_signal(sent)
        out, err = working.communicate(timeout=20)
    assert time.monotonic() - sent_at < 1.5
    assert working.returncode == code
    assert out == b""
    assert err.decode() == ("interrupted\n" if code == 130 else "")
    assert list(tmp_path.iterdir()) == [pipe]


INSTALLED = [sys.executable, "-X", "importtime", str(Path(sys.executable).with_name("catchrate"))]


@pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX signals")
@pytest.mark.parametrize("program", [[sys.executable, "-X", "importtime", "-m", "catchrate"], INSTALLED])
@pytest.mark.parametrize(
    ("command", "reached"),
    [
        ("measures", b"catchrate.limits"),
        ("measures", b"numpy.linalg"),
        ("measures", b"polars.series"),
        ("measures", b"cyclopts.token"),
        ("trec_eval", b"polars.series"),
    ],
)
def test_an_interruption_while_libraries_are_imported_leaves_no_traceback(program, command, reached):
    with subprocess.Popen([*program, command], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as starting:
        before = next(line for line in starting.stderr if reached in line)
        starting.send_signal(signal.SIGINT)
        out, err = starting.communicate(timeout=20)
    said = [line for line in err.splitlines() if not line.startswith(b"import time:")]
    assert (starting.returncode, out, said) == (130, b"", [b"interrupted"]), before


def loaded_by(*arguments: str) -> set[str]:
    """Return the modules that a command imports."""
    command = [sys.executable, "-X", "importtime", "-m", "catchrate", *arguments]
    told = subprocess.run(command, capture_output=True, text=True, check=True).stderr
    return {line.rpartition("|")[2].strip() for line in told.splitlines()}


@pytest.mark.parametrize("arguments", [["--version"], ["--help"]])
def test_what_needs_no_data_loads_no_library_of_data(arguments):
    assert not {"numpy", "polars"} & loaded_by(*arguments)


def test_trec_eval_does_not_wait_for_the_parser_of_the_other_commands(tmp_path, demo):
    (tmp_path / "qrels").write_text("q01 0 d1 1\n")
    loaded = loaded_by("trec_eval", "-c", str(tmp_path / "qrels"), str(demo / "runs/bm25.trec"))
    assert "catchrate.compat.trec_eval" in loaded
    assert not {"cyclopts", "rich", "scipy"} & loaded


def test_a_command_loads_its_own_use_case_and_view_alone(demo):
    loaded = loaded_by("evaluate", str(demo / "qrels/test.tsv"), str(demo / "runs/bm25.trec"))
    views = {name for name in loaded if name.startswith("catchrate.reports.views.")}
    assert views == {"catchrate.reports.views.scores", "catchrate.reports.views.unjudged"}
    assert not {"catchrate.evaluation.comparison", "catchrate.matching.grammar", "rich", "scipy"} & loaded


def test_garbage_is_looked_for_again_once_the_program_has_started(tmp_path):
    own = '@catchrate.measure\ndef told(a):\n    """Nothing."""\n    return a.query_terms(0.0)\n'
    told = "print(gc.isenabled(), gc.get_freeze_count() > 10_000, file=sys.stderr)"
    (tmp_path / "tell.py").write_text(f"import catchrate, gc, sys\n{own}{told}\n")
    command = [sys.executable, "-m", "catchrate", "measures", "--load", str(tmp_path / "tell.py")]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stderr == "True True\n"
    code = "import gc, catchrate.cli; print(gc.isenabled(), gc.get_freeze_count())"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "True 0\n"


@pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX signals")
def test_an_interruption_is_left_to_the_program_that_imports_the_library():
    code = "import signal, catchrate, catchrate.cli; signal.raise_signal(signal.SIGINT)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
    assert done.stderr.endswith(b"KeyboardInterrupt\n")


@pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX signals and pipes")
def test_interrupted_runs_side_by_side_end_at_once(tmp_path, demo):
    (tmp_path / "long.trec").write_text("".join(f"q{i // 1000} Q0 d{i} 1 {-i} t\n" for i in range(2_000_000)))
    pipe = tmp_path / "slow.trec"
    os.mkfifo(pipe)
    command = [
        *PROGRAM,
        "evaluate",
        str(demo),
        str(tmp_path / "long.trec"),
        f"again={tmp_path / 'long.trec'}",
        str(pipe),
    ]
    with (
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=ENVIRONMENT) as working,
        open(pipe, "wb"),
    ):
        sent_at = time.monotonic()
        working.send_signal(signal.SIGINT)
        _, err = working.communicate(timeout=20)
    assert time.monotonic() - sent_at < 1.5
    assert (working.returncode, err) == (130, b"interrupted\n")


def test_running_out_of_memory_is_told(run, demo, monkeypatch):
    def exhausted(*_: object, **__: object) -> object:
        raise MemoryError

    monkeypatch.setattr("catchrate.cli.scoring.score_all", exhausted)
    done = run("evaluate", demo, demo / "runs/bm25.trec")
    assert done.code == 4
    assert done.err.startswith("error: E501 ")


def test_an_unforeseen_error_keeps_its_traceback(run, demo, monkeypatch):
    def broken(*_: object, **__: object) -> object:
        raise RuntimeError("a bug")

    monkeypatch.setattr("catchrate.cli.scoring.score_all", broken)
    with pytest.raises(RuntimeError, match="a bug"):
        run("evaluate", demo, demo / "runs/bm25.trec")

"""catchrate.toml: what it says holds where the command line says nothing, and every mistake in it is named."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest


@pytest.fixture
def here(tmp_path, monkeypatch):
    """Work in a folder, and write the settings there."""
    monkeypatch.chdir(tmp_path)

    def write(text: str, name: str = "catchrate.toml") -> None:
        (tmp_path / name).write_text(text, encoding="utf-8")

    return write


@pytest.fixture
def sides(demo):
    return demo, demo / "runs/bm25.trec"


def provenance(done) -> dict:
    assert done.code == 0, done.err
    return json.loads(done.out)["provenance"]


def test_a_command_takes_its_own_table_before_that_of_all(run, here, sides):
    of_all = '[all]\nseed = 3\nmeasures = ["ap", "rr"]\nconcurrency = 2\n'
    here(of_all + '[evaluate]\nmeasures = "hit@1"\n[compare]\ncare = 0.1\n')
    found = provenance(run("evaluate", *sides, "--json"))
    assert (list(found["measures"]), found["intervals"]["seed"]) == (["hit@1"], 3)
    both = provenance(run("compare", *sides, f"again={sides[1]}", "--json"))["comparison"]
    assert (both["care"], both["seed"]) == (0.1, 3)


def test_the_command_line_comes_first(run, here, sides):
    here('[evaluate]\nmeasures = ["ap", "rr"]\nlevel = 0.9\n')
    found = provenance(run("evaluate", *sides, "--json", "-m", "hit@1"))
    assert (list(found["measures"]), found["intervals"]["level"]) == (["hit@1"], 0.9)


def test_a_gate_may_stand_in_a_file_of_any_name(run, here, sides):
    here('[gate]\nrequire = ["recall@10 >= 0.7", "rr >= 0.9"]\nno_worse = "ap by 0.1"\nlost-at = 5\n', "mine.toml")
    rules = ["gate", *sides, "--baseline", sides[1], "--json"]
    for arguments in ([*rules, "--config", "mine.toml"], ["--config=mine.toml", *rules]):
        done = run(*arguments)
        assert done.code == 3
        checks = [check["check"] for check in json.loads(done.out)["checks"]]
        assert checks == ["recall@10 >= 0.7", "rr >= 0.9", "ap no worse by 0.1"]
    assert run(*rules).code == 2


def test_a_file_that_nobody_named_is_told_of_where_it_says_anything(run, here, sides):
    here("[all]\nrel = 2\nconcurrency = 2\n[evaluate]\nlevel = 0.9\n")
    said = "note: N324 catchrate.toml: where the command line says nothing, this file does: level, rel"
    assert said in " ".join(run("evaluate", *sides).err.split())
    assert "N324" not in run("evaluate", *sides, "--config", "catchrate.toml").err
    assert "N324" not in run("measures").err


def test_switches_are_on_or_off(run, here, sides):
    here("[evaluate]\nintervals = false\nper-query = true\n")
    done = run("evaluate", *sides)
    assert "[" not in done.out.replace("[low", "")
    assert "q40" in done.out


WRONG = {
    "[gate]\nrequre = 'x'": "[gate] has the key 'requre' - did you mean require?",
    "[gte]\nx = 1": "no command is called 'gte' - did you mean gate?",
    "[all]\nsed = 3": "[all] has the key 'sed' - did you mean seed?",
    "seed = 3": "the key 'seed' stands in no table - put it below [all]",
    "gate = 3": "'gate' is no table - write [gate] above its keys",
    "[trec_eval]\nx = 1": "no command is called 'trec_eval'",
    "[gate]\nmax-lost = 'many'": '[gate][max-lost]: unable to convert "many" into int',
    "[gate]\nmax-lost = [1, 2]": "[gate][max-lost]: unable to convert",
    "[gate]\ncannot-tell = 'maybe'": 'for [gate][cannot-tell] - choose from "fail", "pass"',
    "[gate]\njson = 'perhaps'": "[gate][json]: unable to convert",
    "[gate]\nrequire = {a = 1}": "'require' of [gate] is",
    "[gate]\nrequire = [['a']]": "give a value, or a list of values",
    "[gate]\nrequire = []": "give a value, or a list of values",
    "[gate": "this is no TOML",
    "[gate]\nrel = 1\nrel = 2": "this is no TOML",
    "[gate]\n\x1b[2J = 1": "this is no TOML",
    '[gate]\n"\\u001b[2J" = 1': r"has the key '\x1b[2J'",
    "x = " + "[" * 5_000: "this is no TOML",
    "# " + "x" * 300_000: "the file is too long for settings",
}


@pytest.mark.parametrize(("text", "said"), WRONG.items(), ids=[text[:30] for text in WRONG])
def test_a_mistake_is_named_with_file_and_key(run, here, sides, text, said):
    here(text)
    done = run("gate", *sides, "--require", "rr >= 0")
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("error: E324 catchrate.toml: ")
    assert said in done.err
    assert "\x1b" not in done.err
    assert len(done.err.splitlines()) == 1


@pytest.mark.parametrize("key", ["load", "output", "junit", "markdown"])
@pytest.mark.parametrize("table", ["gate", "all"])
def test_a_file_that_was_only_found_runs_no_code_and_writes_no_file(run, here, sides, tmp_path, key, table):
    here(f"[{table}]\n{key} = 'made.txt'\n")
    done = run("gate", *sides, "--require", "rr >= 0")
    assert (done.code, "if you trust the file, name it: --config catchrate.toml" in done.err) == (2, True)
    run("gate", *sides, "--require", "rr >= 0", "--config", "catchrate.toml")
    assert (tmp_path / "made.txt").exists() is (key != "load")


def test_bytes_that_are_no_text_are_no_settings(run, sides, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "catchrate.toml").write_bytes(b"[gate]\nrel = '\xff'\n")
    assert "E324 catchrate.toml: this is no TOML" in run("gate", *sides, "--require", "rr >= 0").err


def test_a_file_that_is_named_has_to_be_there(run, here, sides):
    assert run("evaluate", *sides, "--config", "none.toml").code == 4
    done = run("evaluate", *sides, "--config")
    assert (done.code, "E280 --config names no file" in done.err) == (2, True)


def test_the_example_of_the_documents_is_a_gate(run, here, sides):
    page = (Path(__file__).parents[2] / "docs" / "ci.md").read_text()
    (example,) = re.findall(r"```toml\n(.*?)```", page, flags=re.DOTALL)
    here(example)
    done = run("gate", *sides, "--baseline", sides[1], "--json")
    assert done.code == 3, done.err
    content = json.loads(done.out)
    assert (len(content["checks"]), content["provenance"]["gate"]["by"]) == (4, ["kind"])


def test_help_works_beside_a_broken_file(run, here):
    here("[gate")
    assert run("gate", "--help").code == 0
    assert "--config FILE" in run("--help").out

"""catchrate gate: exit codes, and everything that it writes."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from xml.etree import ElementTree

import pytest
import xmlschema

SCHEMA = xmlschema.XMLSchema(Path(__file__).parents[1] / "reports" / "junit.xsd")


@pytest.fixture
def sides(run, demo, tmp_path):
    """Return judgments, a run, and a baseline that was saved."""
    path = tmp_path / "base.parquet"
    assert run("evaluate", demo, demo / "runs/bm25.trec", "--save", path).code == 0
    return demo, demo / "runs/dense.trec", path


EXITS = {
    "passed": (["--require", "recall@10 >= 0.7"], 0),
    "failed": (["--require", "recall@10 >= 0.9"], 3),
    "cannot tell": (["--baseline", "BASE", "--no-worse", "ndcg@10 by 0.01"], 6),
    "cannot tell may pass": (["--baseline", "BASE", "--no-worse", "ndcg@10 by 0.01", "--cannot-tell", "pass"], 0),
    "failed wins": (["--baseline", "BASE", "--no-worse", "ndcg@10 by 0.01", "--max-lost", "0"], 3),
    "no rule": ([], 2),
    "no baseline": (["--max-lost", "0"], 2),
    "no such rule": (["--require", "recall@10"], 2),
    "no such file": (["--baseline", "nowhere.parquet", "--max-lost", "0"], 4),
    "a bad slice": (["--require", "rr >= 0", "--by", "color"], 2),
    "no place to write": (["--require", "rr >= 0", "--junit", "no/such/folder.xml"], 5),
}


@pytest.mark.parametrize(("arguments", "code"), EXITS.values(), ids=EXITS)
def test_the_exit_code_says_what_became_of_it(run, sides, arguments, code):
    judged, new, base = sides
    done = run("gate", judged, new, *(base if argument == "BASE" else argument for argument in arguments))
    assert done.code == code
    assert bool(done.out) is (code in (0, 3, 6))


def test_a_baseline_may_be_a_run_and_the_run_may_be_saved(run, sides, demo):
    judged, new, base = sides
    rules = ["--no-worse", "ap by 0.2", "--max-lost", "20", "--json"]
    saved = run("gate", judged, new, "--baseline", base, *rules)
    raw = run("gate", judged, f"new={new}", "--baseline", f"old={demo / 'runs/bm25.trec'}", *rules)
    assert json.loads(saved.out)["checks"] == json.loads(raw.out)["checks"]
    same = run("gate", judged, base, "--baseline", base, *rules)
    assert json.loads(same.out)["outcome"] == "passed"


def test_records_alone_are_both_sides(run, files):
    (records,) = files(run_jsonl='{"query": "a", "retrieved": ["x", "y"], "ground_truth": ["y"]}\n')
    assert run("gate", records, "--require", "rr >= 0.5").code == 0
    assert run("gate", records, "--require", "rr >= 0.6").code == 3
    assert run("gate", records, "--max-lost", "0", "--baseline", f"x={records}").code == 0
    (judged,) = files(judged_txt="a 0 y 1\n")
    done = run("gate", judged, "--require", "rr >= 0.6")
    assert (done.code, "E260" in done.err) == (2, True)


def test_json_and_csv_are_strict(run, sides):
    judged, new, base = sides
    rules = ["--require", "recall@10 >= 0.7", "--baseline", base, "--no-worse", "ap by 0.01", "--by", "kind"]
    content = json.loads(run("gate", judged, new, *rules, "--json").out, parse_constant=pytest.fail)
    assert [check["check"] for check in content["checks"]] == ["recall@10 >= 0.7", "ap no worse by 0.01"]
    rows = list(csv.DictReader(io.StringIO(run("gate", judged, new, *rules, "--csv").out)))
    assert {row["slice"] for row in rows} == {"all", "kind=comparison", "kind=fact", "kind=how-to", "kind=why"}


def test_build_servers_get_files_beside_the_text(run, sides, tmp_path):
    judged, new, base = sides
    rules = ["--require", "recall@10 >= 0.9", "--baseline", base, "--no-worse", "ap by 0.01"]
    done = run("gate", judged, new, *rules, "--junit", tmp_path / "g.xml", "--markdown", tmp_path / "g.md")
    assert done.out == run("gate", judged, new, *rules).out
    SCHEMA.validate(tmp_path / "g.xml")
    root = ElementTree.parse(tmp_path / "g.xml").getroot()
    assert (root.get("failures"), root.get("errors")) == ("1", "1")
    assert "**✘ The gate failed over 40 queries" in (tmp_path / "g.md").read_text()


def test_github_gets_annotations_and_a_summary(run, sides, tmp_path, monkeypatch):
    judged, new, _ = sides
    summary = tmp_path / "summary.md"
    summary.write_text("before\n")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
    done = run("gate", judged, new, "--require", "recall@10 >= 0.9", "--github")
    first, second, *_, last = done.out.splitlines()
    assert first == "::error title=catchrate gate::recall@10 is 0.7846: below 0.9."
    assert second.startswith("::stop-commands::")
    assert last == f"::{second.removeprefix('::stop-commands::')}::"
    assert summary.read_text().startswith("before\n# Gate\n")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path / "no" / "summary"))
    assert run("gate", judged, new, "--require", "recall@10 >= 0.9", "--github").code == 5


def test_annotations_do_not_stand_among_data(run, sides, tmp_path):
    judged, new, _ = sides
    mixed = run("gate", judged, new, "--require", "rr >= 0.1", "--github", "--json")
    assert (mixed.code, mixed.out, "E280" in mixed.err) == (2, "", True)
    apart = run("gate", judged, new, "--require", "rr >= 0.1", "--github", "-o", tmp_path / "g.json")
    assert apart.code == 0
    assert json.loads((tmp_path / "g.json").read_text())["passed"]


def test_no_output_is_written_over_an_input(run, sides):
    judged, new, base = sides
    for option in ("--junit", "--markdown", "--output"):
        done = run("gate", judged, new, "--baseline", base, "--max-lost", "40", option, base)
        assert (done.code, "E301" in done.err) == (5, True)

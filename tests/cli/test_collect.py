from __future__ import annotations

import json
import signal
import subprocess
import time
from pathlib import Path

import pytest

from cli.program import ENVIRONMENT, PROGRAM

QUESTIONS = [
    {"id": "a", "query": "Where?", "ground_truth": ["d1"]},
    {"id": "b", "query": "When?", "ground_truth": {"d2": 2, "d3": 1}},
]


def test_the_command_line_asks_saves_and_evaluates(tmp_path, run, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("finder.py").write_text("def search(q, k):\n    return ['d1', 'd2'][:k]\n")
    Path("q.jsonl").write_text("".join(json.dumps(q) + "\n" for q in QUESTIONS))
    done = run("collect", "finder.py:search", "q.jsonl", "-o", "run.jsonl", "-k", 1)
    assert (done.code, done.out) == (0, "")
    assert "Collected(2 questions" in done.err
    assert "0.5000" in run("evaluate", "run.jsonl", "-m", "recall@1").out


@pytest.mark.parametrize("name", ["finder.py:serch", "finder.py", "nowhere:search", "nowhere.py:search", "broken.py:x"])
def test_a_retriever_that_is_not_there_is_refused(tmp_path, run, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    Path("finder.py").write_text("def search(q):\n    return []\n")
    Path("broken.py").write_text("1 / 0\n")
    Path("q.jsonl").write_text(json.dumps(QUESTIONS[0]))
    done = run("collect", name, "q.jsonl", "-o", "run.jsonl")
    assert done.code == 2
    assert "E299" in done.err
    assert not Path("run.jsonl").exists()


def test_an_interrupt_keeps_what_is_there(tmp_path):
    (tmp_path / "finder.py").write_text(
        "import time\n\ndef search(q):\n    time.sleep(0 if q == 'Where?' else 60)\n    return ['d1']\n"
    )
    (tmp_path / "q.jsonl").write_text("".join(json.dumps(q) + "\n" for q in QUESTIONS))
    command = [*PROGRAM, "collect", "finder.py:search", "q.jsonl", "-o", "run.jsonl"]
    process = subprocess.Popen(command, cwd=tmp_path, env=ENVIRONMENT, stderr=subprocess.PIPE)
    saved = tmp_path / "run.jsonl"
    while process.poll() is None and not (saved.exists() and saved.read_bytes()):
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=30)
    assert process.returncode == 130, said
    assert [json.loads(line)["id"] for line in saved.read_text().splitlines()] == ["a"]

"""What the documents say is true: examples run, and nothing is left out."""

from __future__ import annotations

import doctest
import importlib.util
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from catchrate.cli.app import COMMANDS, build
from catchrate.errors import CODES

ROOT = Path(__file__).resolve().parents[1]
PAGES = [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")]


def _generator():
    spec = importlib.util.spec_from_file_location("make_docs", ROOT / "scripts" / "make_docs.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_python_examples_of_the_readme_run():
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), flags=re.DOTALL)
    example = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, "README.md", "README.md", 0)
    assert len(example.examples) > 8
    assert doctest.DocTestRunner(optionflags=doctest.FAIL_FAST).run(example).failed == 0


@pytest.fixture
def workplace(tmp_path: Path) -> Path:
    """Return a folder with the files that the examples of the README name."""
    demo = ROOT / "src" / "catchrate" / "demo"
    qrels = [line.split("\t") for line in (demo / "qrels" / "test.tsv").read_text().splitlines()[1:]]
    (tmp_path / "qrels.txt").write_text("".join(f"{q} 0 {d} {g}\n" for q, d, g in qrels))
    for name in ("bm25", "dense"):
        (tmp_path / f"{name}.trec").write_bytes((demo / "runs" / f"{name}.trec").read_bytes())
    (tmp_path / "run.trec").write_bytes((demo / "runs" / "bm25.trec").read_bytes())
    (tmp_path / "evals.jsonl").write_text('{"query": "a", "retrieved": ["x"], "ground_truth": ["x"]}\n')
    (tmp_path / "src").symlink_to(ROOT / "src")
    return tmp_path


def test_the_commands_of_the_readme_run(workplace: Path):
    blocks = re.findall(r"```console\n(.*?)```", (ROOT / "README.md").read_text(), flags=re.DOTALL)
    lines = [line[2:] for block in blocks for line in block.splitlines() if line.startswith("$ ")]
    assert len(lines) > 8
    for line in lines:
        program, *arguments = shlex.split(line, comments=True)
        assert program == "catchrate"
        done = subprocess.run(
            [sys.executable, "-m", "catchrate", *arguments], cwd=workplace, capture_output=True, text=True
        )
        assert done.returncode == 0, (line, done.stderr)
        assert done.stdout or "convert" in line, line


@pytest.mark.parametrize("page", ["commands.md", "errors.md", "measures.md"])
def test_a_written_page_is_what_the_code_says_now(page: str):
    assert (ROOT / "docs" / page).read_text() == _generator().PAGES[page](), "run python scripts/make_docs.py"


def test_every_code_is_on_its_page_once():
    page = (ROOT / "docs" / "errors.md").read_text()
    assert [code for code in CODES if page.count(f"| {code} |") != 1] == []


def test_every_code_is_raised_by_some_line_and_held_by_some_test():
    source = "".join(p.read_text() for p in (ROOT / "src").rglob("*.py") if p.name != "errors.py")
    tests = "".join(p.read_text() for p in (ROOT / "tests").rglob("*") if p.suffix in (".py", ".toml"))
    assert [code for code in CODES if f'"{code}"' not in source] == []
    assert [code for code in CODES if code not in tests] == []


def test_every_command_and_option_is_documented():
    commands = (ROOT / "docs" / "commands.md").read_text()
    app = build()
    assert [name for name in COMMANDS if f"## catchrate {name}" not in commands] == []
    for name in COMMANDS.keys() - {"trec_eval"}:  # its options are the original's, not the parser's
        section = commands.partition(f"## catchrate {name}\n")[2].partition("\n## ")[0]
        options = {o for a in app[name].assemble_argument_collection() for o in a.names if o.startswith("--")}
        assert [option for option in sorted(options) if option not in section] == [], name


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_between_pages_lead_somewhere(page: Path):
    links = re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", page.read_text())
    assert [link for link in links if not (page.parent / link).exists()] == []

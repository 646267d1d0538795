"""What the documents say is true: examples run, and nothing is left out."""

from __future__ import annotations

import doctest
import importlib.util
import re
import shlex
from pathlib import Path

import pytest

from catchrate.cli import main
from catchrate.cli.app import COMMANDS, build
from catchrate.errors import CODES
from restored import restored_table

ROOT = Path(__file__).resolve().parents[1]
PAGES = [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")]


def _generator():
    spec = importlib.util.spec_from_file_location("make_docs", ROOT / "scripts" / "make_docs.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _blocks(page: str, language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", (ROOT / page).read_text(), flags=re.DOTALL)


@pytest.mark.parametrize(
    ("page", "least"),
    [
        ("README.md", 8),
        ("docs/python.md", 30),
        ("docs/your-own-measures.md", 10),
        ("docs/compat.md", 30),
        ("docs/explain.md", 5),
        ("docs/matching.md", 5),
        ("docs/ci.md", 4),
        ("docs/reconcile.md", 4),
        ("docs/verdict.md", 8),
        ("docs/diagnose.md", 5),
        ("docs/reports.md", 6),
    ],
)
def test_the_python_examples_of_a_page_run(page: str, least: int, workplace: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(workplace)
    text = "\n\n".join(block for block in _blocks(page, "python") if ">>>" in block)
    example = doctest.DocTestParser().get_doctest(text, {"__name__": "__main__"}, page, page, 0)
    assert len(example.examples) >= least
    with restored_table():
        assert doctest.DocTestRunner(optionflags=doctest.FAIL_FAST).run(example).failed == 0


@pytest.fixture
def workplace(tmp_path: Path) -> Path:
    """Return a folder with the files that the examples of the pages name."""
    demo = ROOT / "src" / "catchrate" / "demo"
    qrels = [line.split("\t") for line in (demo / "qrels" / "test.tsv").read_text().splitlines()[1:]]
    (tmp_path / "qrels.txt").write_text("".join(f"{q} 0 {d} {g}\n" for q, d, g in qrels))
    for name in ("bm25", "dense"):
        (tmp_path / f"{name}.trec").write_bytes((demo / "runs" / f"{name}.trec").read_bytes())
    (tmp_path / "run.trec").write_bytes((demo / "runs" / "bm25.trec").read_bytes())
    (tmp_path / "evals.jsonl").write_text('{"query": "a", "retrieved": ["x"], "ground_truth": ["x"]}\n')
    (mine,) = (block for block in _blocks("docs/your-own-measures.md", "python") if ">>>" not in block)
    (tmp_path / "mine.py").write_text(mine)
    (tmp_path / "src").symlink_to(ROOT / "src")
    return tmp_path


def _commands(page: str) -> list[tuple[str, str]]:
    """Return the commands of a page, each with the output that stands under it."""
    found: list[tuple[str, str]] = []
    for block in _blocks(page, "console"):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, output = part.partition("\n")
            found.append((command, output.rstrip("\n")))
    return found


@pytest.mark.parametrize(
    ("page", "least"),
    [
        ("README.md", 9),
        ("docs/your-own-measures.md", 2),
        ("docs/explain.md", 1),
        ("docs/ci.md", 2),
        ("docs/reconcile.md", 1),
        ("docs/diagnose.md", 1),
        ("docs/verdict.md", 1),
    ],
)
def test_the_commands_of_a_page_run_and_print_what_it_shows(
    page: str, least: int, workplace: Path, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
):
    monkeypatch.chdir(workplace)
    commands = _commands(page)
    assert len(commands) >= least
    assert any(output for _, output in commands)
    for command, output in commands:
        program, *arguments = shlex.split(command, comments=True)
        assert program == "catchrate"
        with restored_table():
            code = main(arguments)
        shown, said = (stream.decode() for stream in capfdbinary.readouterr())
        assert code == 0, (command, said)
        assert shown or "convert" in command or " -o " in command, command
        assert not output or shown.rstrip("\n") == output, command


def test_the_commands_of_the_page_on_reports_write_what_they_name(workplace: Path, monkeypatch: pytest.MonkeyPatch):
    commands = [shlex.split(command, comments=True) for command, _ in _commands("docs/reports.md")]
    assert len(commands) >= 4
    monkeypatch.chdir(workplace)
    for command in commands:
        assert main(command[1:]) == 0
        assert (workplace / command[command.index("-o") + 1]).stat().st_size > 500


@pytest.mark.parametrize("page", ["commands.md", "errors.md", "measures.md"])
def test_a_written_page_is_what_the_code_says_now(page: str):
    assert (ROOT / "docs" / page).read_text() == _generator().PAGES[page](), "run python scripts/make_docs.py"


def test_every_code_is_on_its_page_once():
    page = (ROOT / "docs" / "errors.md").read_text()
    assert [code for code in CODES if page.count(f"| {code} |") != 1] == []


def test_every_code_is_raised_by_some_line_and_held_by_some_test():
    source = "".join(p.read_text() for p in (ROOT / "src").rglob("*.py"))
    tests = "".join(p.read_text() for p in (ROOT / "tests").rglob("*") if p.suffix in (".py", ".toml"))
    assert [code for code in CODES if source.count(f'"{code}"') < 2] == []
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

from __future__ import annotations

import pytest

import catchrate
from catchrate.errors import UsageError
from catchrate.evaluation import plugins
from restored import restored_table

OWN = """
import catchrate

@catchrate.measure(per_query=True)
def NAME(slots, grades, returned, relevant):
    "Length of the list."
    return returned
"""


@pytest.fixture(autouse=True)
def _same_table():
    with restored_table():
        yield


def written(tmp_path, text: str, name: str = "own.py"):
    path = tmp_path / name
    path.write_text(text)
    return path


def test_a_file_brings_its_measures(tmp_path):
    path = written(tmp_path, OWN.replace("NAME", "length_one"))
    assert plugins.load_measures(path) == ("length_one",)
    assert catchrate.evaluate({"q": ["a"]}, {"q": ["b", "c"]}, "length_one")["length_one"] == 2


def test_a_file_may_be_loaded_again(tmp_path):
    path = written(tmp_path, OWN.replace("NAME", "length_two"))
    assert plugins.load_measures(path) == plugins.load_measures(path)


@pytest.mark.parametrize(
    ("text", "line", "found"),
    [
        ("x = 1\n1 / 0\n", 2, "ZeroDivisionError"),
        ("def broken(:\n", 1, "SyntaxError"),
        ("import no_module_of_this_name\n", 1, "ModuleNotFoundError"),
        ("\n\nraise SystemExit(3)\n", 3, "SystemExit"),
        (OWN.replace("NAME", "recall"), 4, "declared twice"),
        ("x = 1\n", None, "declares no measure"),
    ],
)
def test_what_is_wrong_with_a_file_is_told_with_its_line(tmp_path, text, line, found):
    path = written(tmp_path, text)
    with pytest.raises(UsageError, match=found) as caught:
        plugins.load_measures(path)
    (finding,) = caught.value.findings
    assert (finding.code, finding.file, finding.line) == ("E275", str(path), line)
    assert caught.value.exit_code == 2


@pytest.mark.parametrize("name", ["missing.py", "folder", "own.txt"])
def test_what_is_no_python_file_is_refused(tmp_path, name):
    (tmp_path / "folder").mkdir()
    written(tmp_path, "x = 1", "own.txt")
    with pytest.raises(UsageError, match="E275"):
        plugins.load_measures(tmp_path / name)


class Point:
    value = "somewhere"
    dist = None

    def __init__(self, load):
        self.load = load


def test_packages_announce_their_measures(monkeypatch, tmp_path):
    path = written(tmp_path, OWN.replace("NAME", "length_three"))
    monkeypatch.setattr(plugins, "entry_points", lambda group: [Point(lambda: plugins.load_measures(path))])
    assert plugins.load_entry_points() == ("length_three",)


def test_a_package_that_does_not_load_is_named(monkeypatch):
    def broken():
        raise ImportError("gone")

    monkeypatch.setattr(plugins, "entry_points", lambda group: [Point(broken)])
    with pytest.raises(UsageError, match="E275 the measures of 'somewhere' do not load"):
        plugins.load_entry_points()

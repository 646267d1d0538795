from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest

import catchrate
from catchrate.cli import main
from restored import restored_table

DEMO = Path(catchrate.__file__).parent / "demo"


class Outcome(NamedTuple):
    code: int
    out: str
    err: str


@pytest.fixture
def run(capfd, monkeypatch):
    """Run the program in this process and return exit code, standard output and standard error."""
    monkeypatch.delenv("FORCE_COLOR", raising=False)

    def call(*arguments: object) -> Outcome:
        code = main([str(argument) for argument in arguments])
        return Outcome(code, *capfd.readouterr())

    return call


@pytest.fixture(autouse=True)
def _same_table():
    with restored_table():
        yield


@pytest.fixture
def demo() -> Path:
    return DEMO


@pytest.fixture
def files(tmp_path):
    """Write small files and return their paths."""

    def write(**contents: str) -> list[Path]:
        paths = [tmp_path / name.replace("_", ".") for name in contents]
        for path, content in zip(paths, contents.values(), strict=True):
            path.write_text(content, encoding="utf-8")
        return paths

    return write

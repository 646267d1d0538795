from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest

from catchrate.compat.trec_eval import main


class Outcome(NamedTuple):
    code: int
    out: str
    err: str


@pytest.fixture
def trec_eval(capfd):
    """Run the command in this process and return exit code, standard output and standard error."""

    def call(*arguments: object) -> Outcome:
        code = main([str(argument) for argument in arguments])
        return Outcome(code, *capfd.readouterr())

    return call


@pytest.fixture
def file(tmp_path):
    """Write a small file and return its path."""

    def write(name: str, content: str | bytes) -> Path:
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


@pytest.fixture
def values(trec_eval):
    """Run the command and return its values by printed name and topic."""

    def call(*arguments: object) -> dict[tuple[str, str], str]:
        outcome = trec_eval(*arguments)
        assert outcome.code == 0, outcome.err
        rows = (line.split("\t") for line in outcome.out.splitlines())
        return {(name.strip(), topic): value for name, topic, value in rows}

    return call

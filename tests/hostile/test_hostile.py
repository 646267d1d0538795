"""Every row of table.toml gets what it must get, and only our own errors leave the library."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from catchrate.errors import CODES, InputError
from catchrate.formats import ReadOptions, open_source, read_judgments

from .generators import GENERATORS, RUN, Made
from .reading import READERS, Outcome, outcome_of

TABLE = tomllib.loads((Path(__file__).parent / "table.toml").read_text(encoding="utf-8"))["case"]
KEYS = {"id", "text", "bytes", "made", "reader", "options", "code", "line", "notes", "rows", "child"}
SECONDS, MEGABYTES = 20, 2_000
"""What reading one input may take: seconds of the processor's time, since others may share it, and memory."""
HANGS = 30 * SECONDS
Case = dict[str, Any]


@pytest.mark.parametrize("case", TABLE, ids=lambda case: case["id"])
def test_a_hostile_input_gets_what_the_table_says(case: Case, tmp_path: Path) -> None:
    data = data_of(case, tmp_path)
    read = in_child if case.get("child") else in_this_process
    outcome = read(case, data, tmp_path)
    assert outcome.code == case.get("code", "")
    assert outcome.line == case.get("line", outcome.line)
    assert sorted(outcome.notes) == sorted(case.get("notes", []))
    assert outcome.rows == [tuple(row) for row in case.get("rows", outcome.rows)]


def data_of(case: Case, folder: Path) -> Made:
    if "made" in case:
        return GENERATORS[case["made"]](folder)
    return case["text"].encode() if "text" in case else case["bytes"].encode("latin-1")


def in_this_process(case: Case, data: Made, _: Path) -> Outcome:
    return outcome_of(case["reader"], data, ReadOptions(**case.get("options", {})))


def in_child(case: Case, data: Made, folder: Path) -> Outcome:
    """Read in a child process, so that a crash, a hang or a flood of memory is only the child's."""
    path = data if isinstance(data, Path) else folder / "input"
    if isinstance(data, bytes):
        path.write_bytes(data)
    command = [
        sys.executable,
        "-m",
        "reading",
        case["reader"],
        str(path),
        repr(case.get("options", {})),
        str(MEGABYTES),
        str(SECONDS),
    ]
    child = subprocess.run(
        command, cwd=Path(__file__).parent, capture_output=True, text=True, timeout=HANGS, check=False
    )
    assert child.returncode == 0, child.stderr
    return Outcome.parse(child.stdout)


def test_the_table_is_well_formed() -> None:
    ids = [case["id"] for case in TABLE]
    assert len(set(ids)) == len(ids)
    for case in TABLE:
        assert case.keys() <= KEYS
        assert len(case.keys() & {"text", "bytes", "made"}) == 1
        assert case["reader"] in READERS
        assert {case.get("code", "E101"), *case.get("notes", [])} <= CODES.keys()
    assert {case["made"] for case in TABLE if "made" in case} == GENERATORS.keys()


@pytest.mark.parametrize("cut", range(1, 201))
def test_a_file_cut_short_is_refused_or_gives_exactly_the_rows_that_are_left(cut: int) -> None:
    whole = b"".join(b"q%d Q0 d%d %d %d.5 tag\n" % (i // 5, i, i, i) for i in range(30))
    rows = outcome_of("ranking", whole, ReadOptions()).rows
    left = whole[:-cut]
    outcome = outcome_of("ranking", left, ReadOptions())
    complete = left.count(b"\n")
    if left.endswith(b"\n"):
        assert (outcome.code, outcome.notes, outcome.rows) == ("", [], rows[:complete])
    elif left.rsplit(b"\n", 1)[1].count(b" ") == 5 and not left.endswith(b" "):
        assert (outcome.code, outcome.notes, outcome.rows) == ("", ["W109"], rows[: complete + 1])
    else:
        assert (outcome.code, outcome.line) == ("E219", complete + 1)


def test_a_file_that_grows_while_it_is_read_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "qrels"
    path.write_bytes(b"q 0 d 1\n")
    source = open_source(path)
    path.write_bytes(b"q 0 d 1\nq 0 e 1\n")
    with pytest.raises(InputError, match="E114"):
        read_judgments(source)


def test_the_outcome_of_a_child_is_the_outcome_of_this_process(tmp_path: Path) -> None:
    case: Case = {"reader": "ranking", "options": {"ascending": True}}
    for data in (RUN.rstrip(), RUN + b"q Q0 d 1 nan t\n"):
        assert in_child(case, data, tmp_path) == in_this_process(case, data, tmp_path)

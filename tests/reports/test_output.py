from __future__ import annotations

import errno
import os

import pytest

from catchrate.errors import OutputError
from catchrate.reports.output import deliver, stdout_error


def test_a_report_replaces_what_was_there_and_leaves_nothing_else(tmp_path):
    target = tmp_path / "report.txt"
    target.write_text("old")
    deliver("new: \u00fc", str(target))
    assert target.read_bytes() == "new: \u00fc".encode()
    assert list(tmp_path.iterdir()) == [target]


def test_an_input_is_never_written_over_under_any_name(tmp_path):
    source, link = tmp_path / "run.trec", tmp_path / "link"
    source.write_text("rows")
    os.link(source, link)
    with pytest.raises(OutputError, match="E301"):
        deliver("new", str(link), inputs=[str(source)])
    assert source.read_text() == "rows"


@pytest.mark.parametrize("where", ["missing/report.txt", "folder"])
def test_what_cannot_be_written_is_told(tmp_path, where):
    (tmp_path / "folder").mkdir()
    with pytest.raises(OutputError, match="E302") as caught:
        deliver("new", str(tmp_path / where))
    assert caught.value.exit_code == 5
    assert [path.name for path in tmp_path.iterdir()] == ["folder"]


def test_standard_output_gets_utf8_whatever_its_encoding(capfdbinary):
    deliver("\u00fc\u65e5\udcff", None)
    assert capfdbinary.readouterr().out == "\u00fc\u65e5\\udcff".encode()


def test_a_reader_that_left_is_told_from_a_full_disk():
    assert isinstance(stdout_error(BrokenPipeError()), BrokenPipeError)
    assert isinstance(stdout_error(OSError(errno.ENOSPC, "no space left")), OutputError)

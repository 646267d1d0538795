from __future__ import annotations

import io

import pytest

import catchrate
from catchrate.evaluation import Leaderboard
from catchrate.reports.layout import labelled, wrapped
from catchrate.reports.terminal import as_text, leaderboard_table, per_query_table, write_lines

JUDGED = {"q1": {"a": 1}, "q2": {"b": 1}}
GOOD = {"q1": ["a", "x"], "q2": ["b"]}
BAD = {"q1": ["x", "a"], "q2": ["b"]}


def board(measures="rr ndcg@10 miss@1", **runs) -> Leaderboard:
    found = catchrate.evaluate(JUDGED, measures=measures, runs=runs or {"bad": BAD, "good": GOOD})
    assert isinstance(found, Leaderboard)
    return found


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_runs_are_rows_where_they_fit():
    first, *rows = as_text(leaderboard_table(board(), 80)).splitlines()
    assert first.split() == ["run", "rr", "ndcg@10", "miss@1", "queries", "missing", "unjudged"]
    assert [row.split()[0] for row in rows] == ["good", "bad"]


def test_a_table_that_is_too_wide_is_turned():
    first, *rows = as_text(leaderboard_table(board(), 40)).splitlines()
    assert first.split() == ["good", "bad"]
    assert [row.split()[0] for row in rows] == ["rr", "ndcg@10", "miss@1", "queries", "missing", "unjudged"]
    assert rows[0].split() == ["rr", "1.0000*", "0.7500"]
    assert rows[2].split() == ["miss@1", "0.0000*", "0.5000"]


def test_many_runs_and_measures_are_shared_out_to_several_tables():
    many = board("rr ap ndcg@10 recall@1 recall@5", **{f"run number {n}": GOOD for n in range(9)})
    text = as_text(leaderboard_table(many, 60))
    tables = text.split("\n\n")
    assert len(tables) > 1
    assert all(len(table.splitlines()) == 10 for table in tables)
    headers = [name for table in tables for name in table.splitlines()[0].split()[1:]]
    assert headers == ["rr", "ap", "ndcg@10", "recall@1", "recall@5", "queries", "missing", "unjudged"]


@pytest.mark.parametrize("columns", [40, 60, 80, 120])
def test_no_line_is_wider_than_the_terminal(columns):
    runs = {"x" * 100: GOOD, "日本" * 50: BAD, "short": BAD}
    lines = [*leaderboard_table(board(**runs), columns), *per_query_table(board(**runs), max(columns, 80))]
    from rich.cells import cell_len

    assert max(cell_len("".join(text for text, _ in line)) for line in lines) <= max(columns, 80)


def test_every_column_is_aligned():
    lines = as_text(leaderboard_table(board(**{"a": GOOD, "a much longer name": BAD}))).splitlines()
    ends = [line.index(word) + len(word) for line, word in zip(lines, ["queries", " 2 ", " 2 "], strict=True)]
    assert ends[1] - 1 == ends[2] - 1 == ends[0]


def test_queries_stand_together_where_runs_are_compared():
    _, *rows = as_text(per_query_table(board())).splitlines()
    assert [row.split()[:2] for row in rows] == [["q1", "bad"], ["q1", "good"], ["q2", "bad"], ["q2", "good"]]


def test_a_terminal_gets_colour_and_the_same_text(monkeypatch):
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    lines = leaderboard_table(board())
    terminal, pipe = Terminal(), io.StringIO()
    write_lines(lines, terminal)
    write_lines(lines, pipe)
    assert "\x1b[" in terminal.getvalue()
    assert "\x1b" not in pipe.getvalue()
    assert pipe.getvalue() == as_text(lines)


@pytest.mark.parametrize(("name", "value"), [("NO_COLOR", "1"), ("TERM", "dumb")])
def test_a_terminal_that_wants_no_colour_gets_none(monkeypatch, name, value):
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv(name, value)
    terminal = Terminal()
    write_lines(leaderboard_table(board()), terminal)
    assert "\x1b" not in terminal.getvalue()


def test_text_is_wrapped_behind_its_label():
    text = as_text(labelled("  name", "one two three four", 20, room=10))
    assert text == "  name    one two\n          three four\n"
    assert as_text(labelled("  a long name", "text", 20, room=10)) == "  a long name\n          text\n"


def test_text_without_a_width_stays_on_one_line():
    assert as_text(wrapped("word " * 100, None)).count("\n") == 1

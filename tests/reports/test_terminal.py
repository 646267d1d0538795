from __future__ import annotations

import io

import pytest

import catchrate
from catchrate.evaluation.scores import Leaderboard
from catchrate.reports.layout import labelled, wrapped
from catchrate.reports.terminal import as_text, view_lines, write_lines
from catchrate.reports.view import Bullets, Cell, Column, Figure, Grid, Heading, Text, View
from catchrate.reports.views.scores import leaderboard_view

JUDGED = {"q1": {"a": 1}, "q2": {"b": 1}}
GOOD = {"q1": ["a", "x"], "q2": ["b"]}
BAD = {"q1": ["x", "a"], "q2": ["b"]}


def board(measures="rr ndcg@10 miss@1", **runs) -> Leaderboard:
    found = catchrate.evaluate(JUDGED, measures=measures, runs=runs or {"bad": BAD, "good": GOOD})
    assert isinstance(found, Leaderboard)
    return found


def leaderboard_table(found: Leaderboard, columns: int | None = None) -> list:
    return list(view_lines(leaderboard_view(found, how=None), columns))


def per_query_table(found: Leaderboard, columns: int | None = None) -> list:
    first, *_ = leaderboard_view(found, per_query=True).blocks
    return list(view_lines(View(title="", blocks=(first,)), columns))


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_runs_are_rows_where_they_fit():
    first, *rows, _legend = as_text(leaderboard_table(board(), 80)).splitlines()
    assert first.split() == ["run", "rr", "ndcg@10", "miss@1", "queries", "missing", "unjudged"]
    assert [row.split()[0] for row in rows] == ["good", "bad"]


def test_a_table_that_is_too_wide_is_turned():
    first, *rows, _legend = as_text(leaderboard_table(board(), 40)).splitlines()
    assert first.split() == ["good", "bad"]
    assert [row.split()[0] for row in rows] == ["rr", "ndcg@10", "miss@1", "queries", "missing", "unjudged"]
    assert rows[0].split() == ["rr", "1.0000*", "0.7500"]
    assert rows[2].split() == ["miss@1", "0.0000*", "0.5000"]


def test_a_star_is_explained_below_the_table_where_there_is_one():
    starred, plain = (as_text(leaderboard_table(found, 80)).splitlines() for found in (board(), board(a=GOOD, b=GOOD)))
    assert starred[-1] == "* best"
    assert not any("*" in line for line in plain)
    chosen = Grid(name="", columns=(Column(name="threshold", kind="share"),), rows=((Cell(0.5, mark="chosen"),),))
    assert as_text(view_lines(View(title="", blocks=(chosen,)))).splitlines() == ["threshold", "50.0%←", "← chosen"]


def test_a_wide_table_is_turned_in_a_file_too_where_that_makes_it_narrow_enough_to_read():
    from catchrate.reports.layout import Piece, Table

    names = tuple(f"column {i}" for i in range(16))
    row = (Piece("a"), *(Piece("0.5") for _ in names[1:]))
    turned, tall = (Table(headers=names, rows=(row,) * n, texts=frozenset((0,))) for n in (3, 60))
    assert [len(table.rows) for table in turned.fitted(None)] == [15]
    assert list(tall.fitted(None)) == [tall]


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
    *lines, _legend = as_text(leaderboard_table(board(**{"a": GOOD, "a much longer name": BAD}))).splitlines()
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


def lines_of(*blocks, columns=None) -> list[str]:
    return as_text(view_lines(View(title="", blocks=blocks), columns)).splitlines()


GRID = Grid(
    name="g",
    caption="What it shows.",
    columns=(Column(name="query", kind="id"), Column(name="text"), Column(name="recall@5", kind="score")),
    rows=(
        (Cell("q1"), Cell("long " * 40), Cell(0.5, 0.25, 0.75, mark="better")),
        (Cell("q2\x1b[2J"), Cell("short"), Cell(reason="nothing is relevant")),
    ),
)


def test_intervals_marks_and_gaps_are_shown_in_words_and_signs():
    caption, _, first, second, reason = lines_of(GRID)
    assert caption == "What it shows."
    assert first.endswith("0.5000 [0.2500, 0.7500]▲")
    assert second.rstrip().endswith("–")
    assert reason == "– nothing is relevant"


def test_text_is_cut_before_a_table_is_torn():
    lines = lines_of(GRID, columns=80)
    assert len(lines) == 5
    assert max(map(len, lines)) == 80
    assert "…" in lines[2]
    assert lines[2].endswith("0.5000 [0.2500, 0.7500]▲")


def test_rows_that_are_not_worth_showing_are_counted():
    rows = tuple((Cell(f"q{i}"), Cell(i)) for i in range(1234))
    grid = Grid(name="g", columns=(Column(name="q"), Column(name="n", kind="count")), rows=rows, shown=2)
    assert [line.split() for line in lines_of(grid)[1:]] == [["q0", "0"], ["q1", "1"], ["...", "and", "1,232", "more"]]


def test_a_view_reads_from_top_to_bottom():
    blocks = (
        Heading(text="Verdict"),
        Text(text="dense is worse.", style="verdict", mark="worse"),
        Text(text="Raise k.", style="advice"),
        Bullets(items=("one", "two")),
        Figure(chart="x", title="Recall grows.", summary="From 0 to 1.", data=GRID),
    )
    assert lines_of(*blocks)[:10] == [
        "Verdict",
        "▼ dense is worse.",
        "",
        "-> Raise k.",
        "",
        "- one",
        "- two",
        "",
        "Recall grows.",
        "From 0 to 1.",
    ]


def test_foreign_text_cannot_steer_a_terminal():
    hostile = "a\x1b[2J\u202e\r\n\x07"
    grid = Grid(name="g", columns=(Column(name=hostile),), rows=((Cell(hostile, reason=hostile),),), caption=hostile)
    figure = Figure(chart="x", title=hostile, summary=hostile, data=grid)
    text = "\n".join(lines_of(Heading(text=hostile), Text(text=hostile), Bullets(items=(hostile,)), figure))
    assert all(line.isprintable() for line in text.split("\n"))

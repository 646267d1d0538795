from __future__ import annotations

import csv
import io
import json

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import catchrate
from catchrate.errors import UsageError
from catchrate.evaluation.scores import Leaderboard
from catchrate.formats.cells import unguarded
from catchrate.reports.csv_report import grid_csv
from catchrate.reports.json_report import as_json
from catchrate.reports.records import frame_of, table_of
from catchrate.reports.render import render
from catchrate.reports.view import Bullets, Cell, Column, Figure, Grid, Heading, Text, View
from catchrate.reports.views.scores import leaderboard_view, scores_content
from hostile_texts import HOSTILE, view_of_texts

JUDGED = {"q1": {"a": 1}, "=q2": {"b": 1, "c": 1}}
RUNS = {"bad": {"q1": ["x", "a", "b"]}, "+good": {"q1": ["a", "x"], "=q2": ["x", "y", "b"]}}


def scores_json(board: Leaderboard, *, per_query: bool = False) -> str:
    return as_json(scores_content(board, per_query=per_query))


def scores_csv(board: Leaderboard, *, per_query: bool = False) -> str:
    return render(leaderboard_view(board, per_query=per_query), "csv")


@pytest.fixture
def board() -> Leaderboard:
    found = catchrate.evaluate(JUDGED, measures="recall@3 rr", runs=RUNS)
    assert isinstance(found, Leaderboard)
    return found


def test_json_keeps_the_order_of_the_runs_and_every_digit(board):
    content = json.loads(scores_json(board, per_query=True))
    assert list(content["runs"]) == ["bad", "+good"]
    good = board["+good"]
    assert content["runs"]["+good"]["measures"]["rr"]["mean"] == good["rr"]
    assert content["runs"]["+good"]["per_query"]["=q2"] == {"recall@3": 0.5, "rr": 1 / 3}


def test_json_tells_each_note_once(board):
    twice = Leaderboard(runs={"one": board["bad"], "two": board["bad"]})
    notes = json.loads(scores_json(twice))["notes"]
    assert len({json.dumps(note) for note in notes}) == len(notes)
    assert {note["code"] for note in notes} >= {"N225", "N229"}


def test_json_never_holds_what_json_does_not_have():
    text = as_json({"a": float("nan"), "b": [float("inf"), -float("inf"), 1.5], "c": (None, "x\u202e")})
    assert json.loads(text) == {"a": None, "b": [None, None, 1.5], "c": [None, "x\u202e"]}
    assert text.isascii()


def test_the_same_board_gives_the_same_bytes(board):
    assert scores_json(board, per_query=True) == scores_json(board, per_query=True)
    assert scores_csv(board) == scores_csv(board)


def test_csv_is_best_first_with_the_counts(board):
    rows = list(csv.DictReader(io.StringIO(scores_csv(board))))
    assert [row["run"] for row in rows] == ["'+good", "bad"]
    assert [row["missing"] for row in rows] == ["0", "1"]
    assert [float(row["rr"]) for row in rows] == [board["+good"]["rr"], board["bad"]["rr"]]
    assert float(rows[0]["unjudged"]) == pytest.approx(3 / 5)


def test_csv_guards_text_and_leaves_numbers(board):
    rows = list(csv.DictReader(io.StringIO(scores_csv(board, per_query=True))))
    assert {row["query"] for row in rows} == {"q1", "'=q2"}
    assert all(float(row["rr"]) >= 0 for row in rows)


CURVE = Grid(
    name="curve",
    columns=(Column(name="k", kind="rank"), Column(name="recall", kind="score")),
    rows=((Cell(1), Cell(0.5, 0.25, 0.75)), (Cell(2), Cell(reason="too few queries"))),
)
WORDS = Grid(name="words", columns=(Column(name="="), Column(name="=")), rows=((Cell("=1+1"), Cell(-1.5)),))
VIEW = View(
    title="All of it",
    blocks=(
        Heading(text="Head"),
        Text(text="Words"),
        Bullets(items=("one", "two")),
        Figure(chart="recall_curve", title="It grows.", summary="From 0 to 1.", data=CURVE),
        WORDS,
    ),
    provenance={"catchrate": "1"},
)


def test_any_view_is_json_with_its_tables_as_records():
    assert json.loads(render(VIEW, "json")) == {
        "title": "All of it",
        "text": ["Head", "Words", "one", "two", "From 0 to 1."],
        "tables": {
            "curve": [
                {"k": 1, "recall": 0.5, "recall_low": 0.25, "recall_high": 0.75, "recall_reason": None},
                {"k": 2, "recall": None, "recall_low": None, "recall_high": None, "recall_reason": "too few queries"},
            ],
            "words": [{"=": "=1+1", "=_2": "-1.5"}],
        },
        "notes": [],
        "provenance": {"catchrate": "1"},
    }


def test_csv_holds_the_first_table_or_the_one_that_is_named():
    assert render(VIEW, "csv").splitlines()[0] == "k,recall,recall_low,recall_high,recall_reason"
    assert render(VIEW, "tsv", table="words") == "'=\t'=_2\n'=1+1\t'-1.5\n"


@pytest.mark.parametrize("view", [VIEW, View(title="", blocks=())])
def test_a_table_that_is_not_there_is_a_wrong_call(view):
    with pytest.raises(UsageError, match="E340"):
        render(view, "csv", table="curves")


@given(st.lists(st.tuples(st.text(st.characters(exclude_categories=["Cs"])), st.floats(allow_nan=False)), min_size=1))
def test_what_csv_holds_is_read_back_to_the_last_bit(rows):
    grid = Grid(
        name="g",
        columns=(Column(name="id", kind="id"), Column(name="x", kind="number")),
        rows=tuple((Cell(text), Cell(value)) for text, value in rows),
    )
    _, *back = csv.reader(io.StringIO(grid_csv(grid), newline=""))
    assert unguarded(pl.Series([text for text, _ in back])).to_list() == [text for text, _ in rows]
    assert [float(value) for _, value in back] == [value for _, value in rows]


def test_lone_surrogates_are_spelled_out():
    grid = Grid(name="g", columns=(Column(name="a\udc80"),), rows=((Cell("\udcff"),),))
    assert grid_csv(grid) == "a\\udc80\n\\udcff\n"


@pytest.mark.parametrize("hostile", HOSTILE)
def test_parquet_holds_what_the_table_holds(hostile):
    view = view_of_texts(hostile)
    data = render(view, "parquet")
    assert data == render(view, "parquet")
    assert pl.read_parquet(io.BytesIO(data)).equals(frame_of(table_of(view)))


@pytest.mark.parametrize(("form", "begins"), [("svg", "<svg"), ("png", b"\x89PNG\r\n")])
def test_a_chart_alone_is_a_form(form, begins):
    view = view_of_texts("x")
    assert render(view, form).startswith(begins)
    assert render(view, form, chart="recall_curve") == render(view, form)
    with pytest.raises(UsageError, match="E341"):
        render(view, form, chart="slices")

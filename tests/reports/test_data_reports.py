from __future__ import annotations

import csv
import io
import json

import pytest

import catchrate
from catchrate.evaluation import Leaderboard
from catchrate.reports import scores_csv, scores_json
from catchrate.reports.json_report import as_json

JUDGED = {"q1": {"a": 1}, "=q2": {"b": 1, "c": 1}}
RUNS = {"bad": {"q1": ["x", "a", "b"]}, "+good": {"q1": ["a", "x"], "=q2": ["x", "y", "b"]}}


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

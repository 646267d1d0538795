from __future__ import annotations

import json

import pytest

from catchrate.measures import TABLE, parse
from catchrate.measures.chosen import example
from catchrate.reports.measure_help import signature


def test_every_measure_is_listed_with_its_meaning(run):
    done = run("measures")
    words = " ".join(done.out.split())
    assert done.code == 0
    assert all(f" {signature(row)} " in f" {words} " for row in TABLE.values())
    assert all(" ".join(row.meaning.split()) in words for row in TABLE.values())


def test_every_measure_can_be_explained(run):
    for row in TABLE.values():
        done = run("measures", example(row))
        words = " ".join(done.out.split())
        assert done.code == 0
        assert done.out.startswith(f"{parse(example(row))}\n")
        assert " ".join(row.formula.split()) in words
        assert all(f"parameter {parameter.name} " in words for parameter in row.parameters)


@pytest.mark.parametrize("spelling", ["recall@10", "R@10", "recall_10"])
def test_any_spelling_is_explained(run, spelling):
    assert run("measures", spelling).out.startswith("recall@10\n")


def test_an_unknown_measure_is_a_wrong_call_with_a_suggestion(run):
    done = run("measures", "recal@10")
    assert done.code == 2
    assert "did you mean recall@10" in done.err


def test_json_holds_the_whole_table(run):
    rows = json.loads(run("measures", "--json").out)
    assert [row["name"] for row in rows] == list(TABLE)
    assert all(row["meaning"] and row["family"] for row in rows)
    (row,) = json.loads(run("measures", "P@5", "--json").out)
    assert (row["name"], row["range"], row["aggregate"]) == ("precision", [0, 1], "mean")


def test_measures_of_your_own_are_listed_as_such(run, tmp_path):
    own = tmp_path / "own.py"
    own.write_text("import catchrate\n\n@catchrate.measure\ndef own_listed(a):\n    'Nothing.'\n    return None\n")
    done = run("measures", "--load", own)
    assert done.code == 0
    assert "Measures of your own." in done.out
    assert "own_listed" in done.out

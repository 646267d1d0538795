"""Entries that cannot be true: each gets its message at its field, and only there."""

from __future__ import annotations

import pytest

from catchrate.calculation import EXAMPLE, FIELDS, Totals, read_totals

WRONG = [
    # changes, field of the message, code, words
    ({"found": "121"}, "found", "E351", "121 found of 120"),
    ({"queries": "8", "hits": "8", "retrieved": ""}, "found", "E351", "83 found in 8 x 10 results"),
    ({"hits": "41"}, "hits", "E351", "41 of 40 queries"),
    ({"queries": "100", "hits": "84"}, "hits", "E351", "only 83 documents"),
    ({"hits": "0"}, "hits", "E351", "no query has a hit"),
    ({"hits": "8"}, "hits", "E351", "cannot have found 83"),
    ({"retrieved": "82"}, "retrieved", "E351", "83 found among 82"),
    ({"retrieved": "401"}, "retrieved", "E351", "more than 40 x 10"),
    ({"found_at": "18, 39, 57, 84, 102"}, "found_at", "E353", "84 found at 10 does not agree with 83"),
    ({"cutoffs": "1, 20", "found_at": "18, 82"}, "found_at", "E353", "82 found at 20 does not agree"),
    ({"cutoffs": "1, 5", "found_at": "18, 84"}, "found_at", "E353", "84 found at 5 does not agree"),
    ({"found_at": "18, 39, 57, 83"}, "found_at", "E353", "5 cut-offs stand beside 4"),
    ({"cutoffs": ""}, "cutoffs", "E353", "0 cut-offs stand beside 5"),
    ({"found_at": ""}, "found_at", "E353", "5 cut-offs stand beside 0"),
    ({"cutoffs": "1, 3, 3, 10, 20"}, "cutoffs", "E353", "3 stands twice"),
    ({"cutoffs": "1, 5, 3, 10, 20"}, "cutoffs", "E353", "3 follows 5"),
    ({"found_at": "18, 57, 39, 83, 102"}, "found_at", "E353", "39 follows 57"),
    ({"found_at": "18, 39, 57, 83, 130"}, "found_at", "E353", "130 found of 120"),
    ({"found_at": "41, 41, 57, 83, 102"}, "found_at", "E353", "41 found in 40 x 1 results"),
    ({"queries": "0"}, "queries", "E350", "below"),
    ({"relevant": "0"}, "relevant", "E350", "below"),
    ({"k": "0"}, "k", "E350", "below"),
    ({"retrieved": "0"}, "retrieved", "E350", "below"),
    ({"found": "-1"}, "found", "E350", "below"),
    ({"found": "many"}, "found", "E350", "'many' is not a whole number"),
    ({"found": "8.3"}, "found", "E350", "not a whole number"),
    ({"found": 8.3}, "found", "E350", "not a whole number"),
    ({"found": True}, "found", "E350", "not a whole number"),
    ({"found": "٨٣"}, "found", "E350", "not a whole number"),
    ({"found": "8_3"}, "found", "E350", "not a whole number"),
    ({"found": "1e2"}, "found", "E350", "not a whole number"),
    ({"found": "9" * 5000}, "found", "E350", "above"),
    ({"queries": "1000000001"}, "queries", "E350", "above"),
    ({"queries": ""}, "queries", "E350", "nothing is given"),
    ({"queries": None}, "queries", "E350", "nothing is given"),
    ({"cutoffs": "1, x"}, "cutoffs", "E350", "'x'"),
    ({"cutoffs": 7}, "cutoffs", "E350", "not a list"),
    ({"cutoffs": list(range(1, 300))}, "cutoffs", "E353", "more than a curve can show"),
    ({"cutoffs": "0, 3, 5, 10, 20"}, "cutoffs", "E350", "below"),
    ({"target": "0"}, "target", "E352", "'0'"),
    ({"target": "-5%"}, "target", "E352", "'-5%'"),
    ({"target": "101"}, "target", "E352", "'101'"),
    ({"target": "high"}, "target", "E352", "'high'"),
    ({"target": "nan"}, "target", "E352", "'nan'"),
    ({"target": float("nan")}, "target", "E352", "'nan'"),
    ({"target": "1e400"}, "target", "E352", "'1e400'"),
    ({"target": "<script>"}, "target", "E352", "'<script>'"),
]


@pytest.mark.parametrize(("changes", "field", "code", "words"), WRONG)
def test_an_impossible_entry_is_refused_at_its_field(changes, field, code, words):
    problems = read_totals({**EXAMPLE, **changes})
    assert not isinstance(problems, Totals)
    first = next(problem for problem in problems if problem.field == field)
    assert first.finding.code == code
    assert words in first.finding.message
    assert first.finding.fix
    fields = [problem.field for problem in problems]
    assert len(fields) == len(set(fields)), "one message a field"


def test_only_the_wrong_entry_is_named_where_the_others_agree():
    for changes, field, _, _ in WRONG:
        if field in ("target", "retrieved", "cutoffs"):
            assert [p.field for p in read_totals({**EXAMPLE, **changes})] == [field], changes


def test_problems_come_in_the_order_of_the_form():
    problems = read_totals({"target": "x", "queries": "y"})
    places = [list(FIELDS).index(problem.field) for problem in problems]
    assert places == sorted(places)
    assert [p.field for p in problems] == ["queries", "relevant", "k", "found", "hits", "target"]


def test_the_example_is_fine_and_fills_every_field():
    assert isinstance(read_totals(EXAMPLE), Totals)
    assert set(EXAMPLE) == set(FIELDS)


def test_blank_text_is_an_entry_left_out():
    assert read_totals({**EXAMPLE, "target": "  ", "retrieved": None}) == read_totals(
        {name: text for name, text in EXAMPLE.items() if name not in ("target", "retrieved")}
    )

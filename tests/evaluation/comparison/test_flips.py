"""Verdicts that another reading of the unjudged documents would change."""

from __future__ import annotations

import catchrate
from catchrate.evaluation.comparison import flips
from catchrate.reports.render import render
from catchrate.reports.views import view_of
from catchrate.reports.views.comparison import comparison_content

QUERIES = [f"q{i:02}" for i in range(40)]
JUDGED = {q: {"a": 1} for q in QUERIES}
FRESH = {q: ["x", "y"] for q in QUERIES}
KNOWN = {q: ["a"] for q in QUERIES}


def compared(measures: str, judged: object = JUDGED, **options: object) -> catchrate.Comparison:
    return catchrate.compare(judged, {"fresh": FRESH, "known": KNOWN}, measures, **options)


def test_a_run_of_unjudged_documents_may_be_the_better_one():
    (flip,) = flips(compared("precision@2 recall@2 ndcg@2"))
    assert (str(flip.found.measure), flip.found.verdict) == ("precision@2", "better")
    assert (flip.if_relevant.verdict, flip.if_relevant.difference) == ("worse", -0.5)


def test_the_other_verdict_is_that_of_comparing_such_judgments():
    full = {q: {"a": 1, "x": 1, "y": 1} for q in QUERIES}
    there = compared("precision@2 hit@2 rr")
    asked = compared("precision@2 hit@2 rr", full)
    assert {str(f.if_relevant.measure): f.if_relevant.verdict for f in flips(there)} == {
        str(one.measure): one.verdict for one, old in zip(asked, there, strict=True) if one.verdict != old.verdict
    }


def test_nothing_flips_where_all_is_judged():
    full = {q: {"a": 1, "x": 0, "y": 0} for q in QUERIES}
    assert flips(compared("precision@2 hit@1", full)) == ()
    assert "could flip" not in render(view_of(compared("precision@2", full)), "text")


def test_a_verdict_that_could_flip_says_so_in_words_and_as_data():
    comparison = compared("precision@2 hit@2")
    text = render(view_of(comparison), "text")
    assert (
        "? This could flip: if all unjudged documents were relevant, known would be worse than fresh at precision@2; "
        "known and fresh would be the same at hit@2.\n"
    ) in text
    assert comparison_content(comparison)["flips"][0] == {
        "run": "known", "against": "fresh", "measure": "precision@2", "verdict": "better", "if_relevant": "worse",
        "difference": -0.5,
    }  # fmt: skip

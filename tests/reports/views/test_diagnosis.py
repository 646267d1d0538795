"""A diagnosis in every form: what is wrong first, every number from the result, and foreign text inert."""

from __future__ import annotations

import json

import pytest

import catchrate
from catchrate.reports.charts import can_be_drawn, specification
from catchrate.reports.render import render
from catchrate.reports.terminal import as_text, view_lines
from catchrate.reports.view import Figure
from catchrate.reports.views import view_of
from catchrate.reports.views.diagnosis import diagnosis_view
from hostile_texts import HOSTILE


def records(text: str = "") -> list[dict[str, object]]:
    return [
        {"id": f"q{i:02}{text}", "query": f"what {text} is {i}?", "ground_truth": {f"a{text}": 1, f"b{i}{text}": 1}}
        | {"retrieved": [f"a{text}", "hub", f"b{i}{text}"] if i % 3 else ["hub", "other"], "ms": i % 7}
        | {f"kind {text}": f"{'odd' if i % 2 else 'even'}{text}"}
        for i in range(24)
    ]


def diagnosed(text: str = "", **options: object) -> catchrate.Diagnosis:
    return catchrate.diagnose(records(text), k=2, **options)


@pytest.mark.parametrize("full", [True, False])
def test_every_line_fits_the_terminal(full):
    view = diagnosis_view(diagnosed(target="recall@k >= 0.5", tokens=90, price=2), full=full)
    lines = as_text(view_lines(view, 80)).splitlines()
    assert [line for line in lines if len(line) > 80] == []
    assert lines[0].startswith("▼ Misses and junk: 67% of what is relevant is missed, and only")


def test_every_chart_of_a_diagnosis_is_drawn():
    figures = [block for block in view_of(diagnosed()).blocks if isinstance(block, Figure)]
    assert [figure.chart for figure in figures] == ["loss_account", "recall_curve", "rank_positions", "slices"]
    assert all(can_be_drawn(figure) and specification(figure) for figure in figures)
    catchrate.chart(diagnosed().loss, "loss_account")


def test_the_parts_have_views_of_their_own():
    found = diagnosed(target="hit@k >= 0.6")
    assert "hit@k >= 0.6: k = 1" in render(view_of(found.choice), "text")
    assert "never returned" in render(view_of(found.loss), "md")


@pytest.mark.parametrize("hostile", [text for text in HOSTILE if "\udc80" not in text and "\0" not in text][::3])
@pytest.mark.parametrize("form", ["text", "json", "csv", "md", "html"])
def test_foreign_text_stays_text(hostile, form):
    said = render(diagnosis_view(diagnosed(hostile)), form)
    assert "\x1b" not in said
    assert "\u202e" not in said
    assert "<script>alert" not in said if form == "html" else True
    if form == "json":
        assert len(json.loads(said)["tables"]["slices"]) >= 2


def test_slots_that_say_nothing_new_are_counted():
    twice = [{"query": "q", "retrieved": ["a", "b", "a"], "ground_truth": ["a"], "texts": ["one two three"] * 3}]
    text = render(diagnosis_view(catchrate.diagnose(twice, k=3)), "text")
    assert "2 slots (66.7%) say what a slot above said already" in text
    assert "The same document again: 1; the same text, or nearly: 1. Drop duplicates" in text


def test_a_budget_is_named_in_what_it_was_counted():
    record = {"ground_truth": ["a"], "retrieved": ["x", "a"], "texts": ["one two three four", "five six"]}
    found = catchrate.diagnose([{"query": f"q{i}"} | record for i in range(6)], target="hit@k >= 0.9")
    text = render(diagnosis_view(found, full=False), "text")
    assert "hit@k >= 0.9: k = 2 is the smallest that reaches it, and surely" not in text
    assert "hit@k >= 0.9: a budget of 6 words reaches it in the mean, but even a budget of 6 words" in text
    assert "cut-off  recall     gain  precision  hit rate  words\n" in text

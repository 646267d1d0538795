"""What a comparison shows: verdicts first, and nothing that its numbers do not say."""

from __future__ import annotations

import re

import pytest

import catchrate
from catchrate.reports.render import render
from catchrate.reports.terminal import as_text, view_lines
from catchrate.reports.view import Text
from catchrate.reports.views import view_of
from catchrate.reports.views.comparison import comparison_content, differences_view
from catchrate.reports.views.comparison_words import ORDER, verdicts

QUERIES = [f"q{i:02}" for i in range(40)]
JUDGED = {q: {"a": 1, "b": 1} for q in QUERIES}
GOOD = {q: ["a", "b"] for q in QUERIES}
LATE = {q: ["x", "a", "b"] if i % 3 else ["a", "b"] for i, q in enumerate(QUERIES)}
MIXED = {q: [["x", "a", "b"], ["a", "b"], ["x", "y", "a"]][i % 3] for i, q in enumerate(QUERIES)}
RUNS = {"good": GOOD, "late": LATE, "mixed": MIXED}


def compared(measures: str = "rr recall@3", runs: str = "good late", **options: object) -> catchrate.Comparison:
    return catchrate.compare(JUDGED, {name: RUNS[name] for name in runs.split()}, measures, **options)


def text_of(comparison: catchrate.Comparison, columns: int | None = 80) -> str:
    return as_text(view_lines(view_of(comparison), columns))


def test_the_verdicts_come_first_and_carry_their_sign():
    first, second, third, empty, *_ = text_of(compared(), None).splitlines()
    assert re.fullmatch(r"▼ late is worse than good at rr \(-0.3250 \[-0.\d+, -0.\d+\], p <0.001\)\.", first)
    assert second == "late and good are the same at recall@3: no query differs."
    assert third == (
        "? This could flip: if all unjudged documents were relevant, late and good would be the same at rr."
    )
    assert empty == ""


def test_measures_with_the_same_verdict_share_a_sentence():
    first, *_ = text_of(compared("rr hit@1 ndcg@3"), None).splitlines()
    assert first == "▼ late is worse than good at rr, hit@1 and ndcg@3."


SAID = {
    "better": ("late good", {}, "▲ good is better than late at rr (+0."),
    "unsure": ("late mixed", {}, "? No evidence of a difference between mixed and late at rr ("),
    "care": ("late mixed", {"care": 0.01}, "? Cannot tell whether mixed and late differ by 0.01 at rr ("),
    "small": ("late mixed", {"care": 0.9}, "No difference that matters between mixed and late at rr ("),
    "no p": (
        "good late",
        {"test": "t", "measures": "pooled_recall@1"},
        "? No verdict on late and good at pooled_recall@1 (",
    ),
}


@pytest.mark.parametrize(("runs", "options", "start"), SAID.values(), ids=SAID)
def test_every_verdict_is_a_sentence(runs, options, start):
    comparison = compared(**{"measures": "rr", "runs": runs, **options})
    assert text_of(comparison, None).startswith(start)
    assert comparison.differences[0].verdict in ORDER


def test_what_a_set_would_show_is_said_where_nothing_was_shown():
    comparison = compared("rr", "late mixed")
    shown = f"{comparison['rr'].detectable:.2g}"
    assert f"40 queries would show a difference of about {shown}." in text_of(comparison, None)
    few = catchrate.compare({q: JUDGED[q] for q in QUERIES[:3]}, {"late": LATE, "mixed": MIXED}, "hit@1")
    assert "3 queries are too few to show any." in text_of(few, None)


@pytest.mark.parametrize("columns", [60, 80, 120])
@pytest.mark.parametrize("runs", ["good late", "good late mixed"])
def test_no_line_is_wider_than_the_terminal(columns, runs):
    assert max(map(len, text_of(compared(runs=runs), columns).splitlines())) <= columns


def test_two_runs_fit_80_columns_in_one_table_of_numbers():
    header = next(line for line in text_of(compared("recall@10 ndcg@10")).splitlines() if line.startswith("measure"))
    assert header.split() == ["measure", "good", "late", "difference", "p", "relative"]


def test_columns_name_only_what_tells_differences_apart():
    def labels(**options: object) -> list[str]:
        grid = differences_grid(**options)
        return [column.name for column in grid.columns]

    def differences_grid(**options: object):
        view = view_of(compared("rr", **options))
        return next(block for block in view.blocks if not isinstance(block, Text))

    assert labels()[:3] == ["measure", "good", "late"]
    assert labels(runs="good late mixed", baseline="late")[:4] == ["run", "measure", "late", "mean"]
    assert labels(runs="good late mixed")[:4] == ["run", "against", "measure", "difference"]


def test_the_queries_that_moved_say_what_changed():
    text = text_of(compared("rr"), None)
    assert "Queries that moved most from good to late at rr" in text
    assert re.search(r"q01 +-0\.5000▼ +a down from 1 to 2; b down from 2 to 3", text)


def test_many_runs_are_compared_without_every_query():
    runs = {f"run {i}": MIXED if i % 2 else LATE for i in range(4)}
    comparison = catchrate.compare(JUDGED, runs, "rr")
    assert "moved most" not in text_of(comparison)
    assert len(list(verdicts(comparison))) == 6


@pytest.mark.parametrize("form", ["text", "json", "csv", "tsv", "md"])
def test_every_form_takes_it(form):
    assert "late" in render(view_of(compared(runs="good late mixed")), form)
    assert "verdict" in render(differences_view(compared()), form) or form in ("json", "md", "text")


def test_the_content_has_each_difference_with_its_interval_and_reasons():
    content = comparison_content(compared())
    worse, same = content["differences"]
    assert (worse["run"], worse["against"], worse["measure"], worse["verdict"]) == ("late", "good", "rr", "worse")
    assert worse["ci"][0] < worse["difference"] < worse["ci"][1]
    assert (worse["n"], worse["wins"], worse["losses"], worse["reason"]) == (40, 0, 26, None)
    assert (same["ci"], same["p"], same["reason"]) == (None, None, "no query differs")
    assert content["moved"][0]["queries"][0]["changes"][0] == {
        "doc": "a", "grade": 1.0, "before": 1, "after": 2, "what": "down",
    }  # fmt: skip
    assert content["finds"] == [
        {"run": "late", "against": "good", "depth": 3, "both": 80, "only_a": 0, "only_b": 0, "neither": 0,
         "recall_a": 1.0, "recall_b": 1.0, "recall_union": 1.0}
    ]  # fmt: skip
    assert content["provenance"]["comparison"]["correction"] == "holm"

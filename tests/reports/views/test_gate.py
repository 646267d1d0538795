"""What a gate shows: the outcome first, then each check in a sentence that its numbers bear out."""

from __future__ import annotations

import html5lib
import pytest

import catchrate
from catchrate.reports.render import render
from catchrate.reports.terminal import as_text, view_lines
from catchrate.reports.views import view_of
from catchrate.reports.views.gate import gate_cases, gate_content, gate_table
from hostile_texts import HOSTILE

QUERIES = [f"q{i:02}" for i in range(30)]
JUDGED = {q: {"a": 1, "b": 1} for q in QUERIES}
GOOD = {q: ["a", "b"] for q in QUERIES}
LATE = {q: ["x", "a", "b"] if i % 3 else ["a", "b"] for i, q in enumerate(QUERIES)}
MIXED = {q: [["x", "a", "b"], ["a", "b"], ["x", "y", "a"]][i % 3] for i, q in enumerate(QUERIES)}


def said(run: object, **options: object) -> list[str]:
    found = catchrate.gate(JUDGED, run, **options)
    return as_text(view_lines(view_of(found))).splitlines()


SENTENCES = {
    "floor holds": ((GOOD, {"require": "rr >= 0.9"}), "✔ rr is 1.0000: at least 0.9."),
    "floor fails": ((LATE, {"require": "rr >= 0.9"}), "✘ rr is 0.6667: below 0.9."),
    "ceiling fails": ((LATE, {"require": "miss@1 <= 0.1"}), "✘ miss@1 is 0.6667: above 0.1."),
    "interval": ((LATE, {"require": "lower(hit@1) >= 0.3"}), "✘ lower(hit@1) is 0.1923: below 0.3."),
    "margin fails": (
        (LATE, {"baseline": GOOD, "no_worse": "rr by 0.01"}),
        "✘ rr is worse by more than 0.01: -0.3333 [",
    ),
    "margin holds": ((LATE, {"baseline": GOOD, "no_worse": "rr by 0.6"}), "✔ rr is not worse by 0.6: -0.3333 ["),
    "margin unsure": (
        (MIXED, {"baseline": LATE, "no_worse": "recall@2 by 0.05"}),
        "? Cannot tell whether recall@2 is worse by 0.05: -0.1667 [",
    ),
    "the same": ((GOOD, {"baseline": GOOD, "no_worse": "rr by 0.1"}), "✔ rr is not worse by 0.1: no query differs."),
    "lost": (
        ({**GOOD, "q07": ["b"]}, {"baseline": GOOD, "max_lost": 0}),
        "✘ 1 query lost a relevant document from the first 10 slots, 0 may: q07.",
    ),
    "nothing lost": (
        (LATE, {"baseline": GOOD, "max_lost": 0}),
        "✔ 0 queries lost a relevant document from the first 10 slots, 0 may.",
    ),
}


@pytest.mark.parametrize(("case", "start"), SENTENCES.values(), ids=SENTENCES)
def test_every_outcome_is_a_sentence(case, start):
    run, options = case
    headline, sentence, *_ = said(run, **options)
    assert sentence.startswith(start)
    assert headline.startswith({"✔": "✔ The gate is passed over", "✘": "✘ The gate failed over"}.get(start[0], "? C"))


def test_the_queries_to_look_at_follow():
    lines = said({**GOOD, "q07": ["b"]}, baseline=GOOD, max_lost=0, require="recall@2 >= 0.99", no_worse="ap by 0.001")
    text = "\n".join(lines)
    assert "Worst queries at recall@2\nquery  recall@2\nq07      0.5000" in text
    assert "Queries that lost a relevant document from the first 2 slots\nquery  lost\nq07    a (was at 1)" in text


def test_a_lenient_gate_says_so():
    strict, lenient = (
        said(MIXED, baseline=LATE, no_worse="recall@2 by 0.05", cannot_tell=how)[0] for how in ("fail", "pass")
    )
    assert strict == "? Cannot tell over 30 queries: 1 cannot tell."
    assert lenient == f"{strict} It passes, as was asked for."


def test_a_worse_slice_is_named_with_how_sure_each_is():
    records = [
        {"id": q, "retrieved": docs, "ground_truth": JUDGED[q], "kind": "odd" if i % 3 else "even"}
        for i, (q, docs) in enumerate({**LATE, "q01": []}.items())
    ]
    found = catchrate.gate(records, require=["rr >= 0.6", "ap >= 0.1"], by="kind")
    lines = as_text(view_lines(view_of(found))).splitlines()
    assert lines[1] == "✘ rr is 0.4750 in kind=odd: below 0.6. Worst of 2 slices."
    assert "in each slice the 97.5% interval" in "\n".join(lines)
    assert [case.name for case in gate_cases(found)][:3] == [
        "rr >= 0.6",
        "rr >= 0.6 [kind=even]",
        "rr >= 0.6 [kind=odd]",
    ]
    assert [case.state for case in gate_cases(found)][:3] == ["passed", "passed", "failed"]
    rows = render(gate_table(found), "csv").splitlines()
    assert len(rows) == 7
    assert rows[0].startswith("check,slice,outcome,queries,value")


def test_every_form_of_a_report_is_written():
    found = catchrate.gate(
        JUDGED, LATE, baseline=MIXED, require=["rr >= 0.5", "rr >= 0.9"], no_worse="recall@2 by 0.05"
    )
    assert {check.outcome for check in found} >= {"passed", "failed"}
    for form in ("tex", "pdf", "tsv", "parquet"):
        assert render(view_of(found), form)


def test_json_holds_what_the_sentence_says():
    found = catchrate.gate(JUDGED, MIXED, baseline=LATE, no_worse="recall@2 by 0.05", max_lost=50)
    content = gate_content(found)
    margin, lost = content["checks"]
    assert (content["outcome"], content["passed"]) == ("cannot tell", False)
    assert margin["parts"][0]["smallest_margin"] == found.checks[0].whole.holds
    assert f"{margin['parts'][0]['smallest_margin']:.3f}"[:4] in margin["message"]
    assert lost["parts"][0]["value"] == len(lost["queries"])


@pytest.mark.parametrize(
    "text", [text for text in HOSTILE if text.isprintable() and len(text) < 1_000], ids=lambda text: ascii(text[:20])
)
@pytest.mark.parametrize("form", ["text", "md", "html", "json", "csv"])
def test_hostile_queries_documents_and_slices_stay_text(text, form):
    records = [
        {"id": f"{text}{i}", "query": text, "retrieved": ["x"], "ground_truth": [text], "kind": text} for i in range(8)
    ]
    before = [{**record, "retrieved": [text]} for record in records]
    found = catchrate.gate(records, baseline=before, require="rr >= 0.5", no_worse="rr by 0.1", max_lost=0, by="kind")
    written = render(view_of(found), form)
    assert "\x1b" not in written
    if form == "html":
        page = html5lib.parse(written, namespaceHTMLElements=False)
        assert not list(page.iter("script"))
        assert not list(page.iter("img"))
    for case in gate_cases(found):
        assert case.message.splitlines() == [case.message]

"""Reports: one view of all there is to say, in every form, from every result."""

from __future__ import annotations

import json
from pathlib import Path
from typing import get_args

import html5lib
import polars as pl
import pytest

import catchrate
from catchrate.errors import OutputError, UsageError, visible
from catchrate.evaluation.scores import Leaderboard
from catchrate.reports.render import SUFFIXES, BinaryForm, TextForm
from catchrate.reports.report import report_view
from catchrate.reports.view import Figure, Grid, Heading, Text
from catchrate.reports.views.runs import FIGURES
from hostile_texts import HOSTILE

DEMO = Path(catchrate.__file__).parent / "demo"
NAMES = ("bm25", "dense")


@pytest.fixture(scope="module")
def board() -> Leaderboard:
    found = catchrate.evaluate(DEMO, measures="recall@10 ndcg@10", runs={n: DEMO / f"runs/{n}.trec" for n in NAMES})
    assert isinstance(found, Leaderboard)
    return found


@pytest.fixture(scope="module")
def three() -> Leaderboard:
    """Return a good run, a bad one, and one as good as the first."""
    judged = {f"q{i}": {"a": 1} for i in range(40)}
    good = {q: ["a", "b"] for q in judged}
    found = catchrate.evaluate(judged, measures="rr", runs={"good": good, "bad": {q: ["b"] for q in judged}, "x": good})
    assert isinstance(found, Leaderboard)
    return found


def headings(view) -> list[str]:
    return [block.text for block in view.blocks if isinstance(block, Heading) and block.level == 2]


def test_a_report_says_the_verdict_first_and_has_every_chart(board):
    view = report_view(board)
    assert view.title == "dense and bm25 compared"
    assert isinstance(view.blocks[0], Text)
    assert view.blocks[0].style == "verdict"
    assert headings(view)[:3] == ["Results", "Differences", "By cut-off"]
    drawn = [block for block in view.blocks if isinstance(block, Figure)]
    assert {figure.chart for figure in drawn} == set(FIGURES)
    assert all(figure.title and figure.summary and figure.data.rows for figure in drawn)
    names = [b.data.name if isinstance(b, Figure) else b.name for b in view.blocks if isinstance(b, Grid | Figure)]
    assert len(set(names)) == len(names)


def test_one_run_is_said_in_words_with_advice(board):
    view = report_view(board["bm25"])
    assert view.blocks[0].text.startswith("run finds 76.0% of what is relevant in its first 10 slots (95% interval 6")
    assert "Differences" not in headings(view)
    assert any(isinstance(block, Text) and block.style == "advice" for block in view.blocks)


@pytest.mark.parametrize(("measure", "where"), [("recall@10", "first 10 slots, each"), ("hit@1", "first slot, each")])
def test_the_cut_off_is_said_as_it_was_asked_for_also_beyond_short_lists(measure, where):
    view = report_view(catchrate.evaluate({"q": {"a": 1}}, {"q": ["a", "b"]}, measure))
    assert view.blocks[0].text.startswith("run finds 100.0% of what is relevant in its " + where)


def test_runs_that_cannot_be_compared_are_reported_side_by_side():
    judged = {"q1": {"a": 1}, "q2": {"a": 1}}
    runs = {
        name: catchrate.evaluate(judged, run, "rr", queries="both")
        for name, run in {"one": {"q1": ["a"]}, "two": {"q2": ["a"]}}.items()
    }
    view = report_view(Leaderboard(runs=runs))
    assert any(isinstance(b, Text) and b.text.startswith("The runs are not compared: ") for b in view.blocks)


def test_every_form_is_written_and_twice_alike(board, tmp_path):
    view = report_view(board)
    assert set(get_args(TextForm)) | set(get_args(BinaryForm)) == set(SUFFIXES.values())
    for suffix in SUFFIXES:
        catchrate.report(view, tmp_path / f"one{suffix}")
    assert (tmp_path / "one.htm").read_bytes() == (tmp_path / "one.html").read_bytes()
    again = report_view(board)
    for suffix in (".pdf", ".png", ".parquet", ".md", ".json"):
        catchrate.report(again, tmp_path / f"two{suffix}")
        assert (tmp_path / f"one{suffix}").read_bytes() == (tmp_path / f"two{suffix}").read_bytes() != b""


def test_every_result_is_reported(board, tmp_path):
    results = [
        board,
        board["bm25"],
        catchrate.compare(board),
        catchrate.curve(board["bm25"]),
        catchrate.difference_curve(board["bm25"], board["dense"]),
        catchrate.explain(DEMO, DEMO / "runs/bm25.trec", "recall@10"),
        catchrate.calculator(queries=40, relevant=120, k=10, found=83, hits=34),
        catchrate.diagnose(DEMO, DEMO / "runs/bm25.trec"),
    ]
    for result in results:
        catchrate.report(result, tmp_path / "r.md", title="Mine")
        assert (tmp_path / "r.md").read_text().startswith("# Mine\n")


def test_a_brief_report_keeps_to_the_essence(board, tmp_path):
    view = report_view(board, one_page=True)
    assert [block.chart for block in view.blocks if isinstance(block, Figure)] == ["recall_curve", "loss_account"]
    catchrate.report(board, tmp_path / "r.md", one_page=True)
    assert "Where the numbers come from" not in (tmp_path / "r.md").read_text()


def test_letters_name_the_runs_that_are_beaten(three):
    (grid, *_) = [block for block in report_view(three, marks="letters").blocks if isinstance(block, Grid)]
    assert {row[0].value: (row[0].raised, row[1].raised) for row in grid.rows} == {
        "good": ("a", "b"),
        "bad": ("b", ""),
        "x": ("c", "b"),
    }
    assert grid.caption.startswith("A raised letter: better than that run")


def test_stars_need_a_baseline_and_say_how_sure(three):
    with pytest.raises(UsageError, match="E343"):
        report_view(three, marks="stars")
    view = report_view(catchrate.compare(three, baseline="good"), marks="stars")
    (grid, *_) = [block for block in view.blocks if isinstance(block, Grid)]
    assert {row[0].value: row[1].raised for row in grid.rows} == {"good": "", "bad": "***", "x": ""}
    assert "against good" in grid.caption


def test_latex_has_letters_unless_told_otherwise(three, tmp_path):
    catchrate.report(three, tmp_path / "t.tex")
    assert r"\textbf{1.0000}\textsuperscript{b}" in (tmp_path / "t.tex").read_text()


def test_the_tables_are_written_in_full_beside_it(board, tmp_path):
    catchrate.report(board, tmp_path / "r.html", data="parquet")
    files = {path.name for path in tmp_path.iterdir()}
    assert {"r.html", "r-leaderboard.parquet", "r-recall-curve.parquet", "r-differences.parquet"} <= files
    assert pl.read_parquet(tmp_path / "r-differences.parquet").height == 40


def test_no_input_is_written_over(tmp_path):
    run, judged = tmp_path / "run.csv", tmp_path / "judged.csv"
    judged.write_text("query,doc,grade\nq1,a,1\n")
    run.write_text("query,doc,score\nq1,a,1\n")
    scores = catchrate.evaluate(judged, run, "rr")
    for path in (run, judged):
        before = path.read_bytes()
        with pytest.raises(OutputError, match="E301"):
            catchrate.report(scores, path)
        assert path.read_bytes() == before


@pytest.mark.parametrize("name", ["report", "report.doc", "report.html.zip"])
def test_a_name_that_says_no_form_is_a_wrong_call(board, name, tmp_path):
    with pytest.raises(UsageError, match="E342"):
        catchrate.report(board, tmp_path / name)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["difference_band", "differences", "slices"])
def test_each_chart_of_runs_is_offered_alone(board, name, tmp_path):
    assert catchrate.chart(board, name).to_dict()["data"] is not None
    catchrate.report(board, tmp_path / "c.svg", chart=name)
    assert (tmp_path / "c.svg").read_text().startswith("<svg")


def test_a_chart_that_needs_two_runs_is_told(board):
    with pytest.raises(UsageError, match="E341"):
        catchrate.chart(board["bm25"], "difference_band")


@pytest.mark.parametrize("hostile", [text for text in HOSTILE if "\0" not in text and "\udc80" not in text])
def test_runs_and_queries_of_hostile_names_stay_text(hostile, tmp_path):
    judged = [{"query": f"{hostile}{i}", "text": hostile, "ground_truth": [f"{hostile}a"]} for i in range(4)]
    found = {row["query"]: [f"{hostile}a", "b"] if i % 2 else ["b"] for i, row in enumerate(judged)}
    judgments = {row["query"]: {f"{hostile}a": 1} for row in judged}
    try:
        runs = {hostile: found, "other": {query: ["b", f"{hostile}a"] for query in found}}
        board = catchrate.evaluate(judgments, measures="rr", runs=runs)
    except catchrate.InputError:
        return  # an id that no reader lets in
    view = report_view(board)
    for form in ("html", "md", "json", "txt"):
        catchrate.report(view, tmp_path / f"r.{form}")
    tree = html5lib.parse((tmp_path / "r.html").read_text("utf-8"), namespaceHTMLElements=False)
    tags = {element.tag for element in tree.iter()}
    assert not tags & {"script", "img", "x", "iframe", "form", "input"}
    assert all(value.startswith("#") for e in tree.iter() for name, value in e.attrib.items() if name == "href")
    assert visible(hostile)[:100] in "".join(tree.itertext())
    plain = (tmp_path / "r.txt").read_text("utf-8")
    assert plain.replace("\n", "").isprintable()
    assert json.loads((tmp_path / "r.json").read_text("utf-8"))["title"] == view.title

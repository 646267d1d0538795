from __future__ import annotations

import csv

import pytest

RUNS = ("runs/bm25.trec", "runs/dense.trec")


@pytest.fixture
def reported(run, demo, tmp_path):
    def call(name: str, *arguments: str, runs=RUNS):
        done = run("report", demo, *(demo / one for one in runs), "-o", tmp_path / name, *arguments)
        return done, tmp_path / name

    return call


def test_a_report_is_written_and_its_path_told(reported):
    done, path = reported("r.html", "--title", "For Ada", "--baseline", "bm25", "--by", "length")
    assert done.code == 0
    assert done.out.startswith("? No evidence of a difference between dense and bm25 at ")
    assert done.out.count("recall@10") == 2
    assert "never returned" in done.out
    assert f"wrote {path}" in done.err
    page = path.read_text()
    assert "<title>For Ada</title>" in page
    assert page.count("<svg") == 8
    assert "length: " in page


def test_one_run_needs_no_comparison(reported):
    done, path = reported("r.md", runs=RUNS[:1])
    assert done.code == 0
    assert path.read_text().startswith("# What bm25 finds\n\n**bm25 finds ")


def test_one_page_is_one_page(reported):
    from pypdf import PdfReader

    done, path = reported("r.pdf", "--one-page")
    assert done.code == 0
    assert len(PdfReader(path).pages) == 1


def test_a_table_for_a_paper_has_the_chosen_marks(reported):
    _, path = reported("t.tex", "--marks", "stars", "--baseline", "bm25")
    assert "against bm25" in path.read_text()
    done, path = reported("n.tex", "--table", "numbers")
    assert done.code == 0
    assert "difference" in path.read_text()


def test_a_chart_alone_and_the_data_beside(reported, tmp_path):
    done, path = reported("c.png", "--chart", "loss_account", "--data", "csv")
    assert path.read_bytes().startswith(b"\x89PNG")
    assert "tables beside it" in done.err
    rows = csv.DictReader((tmp_path / "c-leaderboard.csv").read_text().splitlines())
    assert [row["run"] for row in rows] == ["bm25", "dense"]


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("r.doc",), 2, "E342"),
        (("r.csv", "--table", "nothing"), 2, "E340"),
        (("r.svg", "--chart", "pie"), 2, "E341"),
        (("r.html", "--baseline", "nobody"), 2, "E260"),
        (("r.html", "--by", "nothing"), 2, "E323"),
        (("r.html", "--marks", "crosses"), 2, "E280"),
        (("missing/r.html",), 5, "E302"),
    ],
)
def test_what_cannot_be_written_is_told_and_nothing_is_left(reported, tmp_path, arguments, code, said):
    done, path = reported(*arguments)
    assert (done.code, path.exists()) == (code, False)
    assert said in done.err
    assert list(tmp_path.iterdir()) == []


def test_a_report_says_where_it_goes(run, demo):
    done = run("report", demo, demo / RUNS[0])
    assert done.code == 2
    assert "--output" in done.err

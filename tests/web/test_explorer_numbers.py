"""What the pages and their twins say is what the library says of the same files."""

from __future__ import annotations

import csv
import gzip
import io
import json
import re
from pathlib import Path
from urllib.parse import urlencode

import pytest

import catchrate
from catchrate.evaluation.diagnosis import diagnose_scores
from catchrate.formats import open_ranking, read_judgments
from catchrate.formats.labels import label_sheet, read_labels
from local_app import App

DEMO = Path(catchrate.__file__).parent / "demo"
BM25, DENSE = ((DEMO / "runs" / f"{run}.trec").read_bytes() for run in ("bm25", "dense"))
QRELS = (DEMO / "qrels" / "test.tsv").read_bytes()


@pytest.fixture(scope="module")
def demo(app: App):
    """Return the address of the opened demo."""
    base = app.opened(demo=True)
    assert app.get(f"{base}/overview.json").status == 200
    yield base
    assert app.get(f"{base}/close", method="POST").status == 303


@pytest.fixture(scope="module")
def board():
    """Return the demo as the library measures it."""
    return catchrate.evaluate(DEMO, runs={run: DEMO / "runs" / f"{run}.trec" for run in ("bm25", "dense")})


def table(app: App, address: str) -> list[dict[str, str]]:
    answer = app.get(address)
    assert answer.status == 200, answer.body
    assert answer.headers["content-disposition"].startswith('attachment; filename="catchrate-')
    return list(csv.DictReader(io.StringIO(answer.body)))


def content(app: App, address: str) -> dict:
    answer = app.get(address)
    assert answer.status == 200, answer.body
    return json.loads(answer.body)


def test_the_leaderboard_holds_means_and_intervals(app: App, demo: str, board):
    rows = {row["run"]: row for row in table(app, f"{demo}/overview.csv")}
    for run, scores in board.items():
        for measure, mean in scores.as_dict().items():
            assert float(rows[run][measure]) == mean
            assert float(rows[run][f"{measure}_low"]) == scores.interval(measure).low
    assert content(app, f"{demo}/overview.json")["tables"]["leaderboard"][0]["run"] == "bm25"


def test_the_queries_are_those_of_the_run_with_all_values(app: App, demo: str, board):
    rows = table(app, f"{demo}/queries.csv?measure=ap&sort=query")
    values = board["bm25"].per_query
    assert [row["query"] for row in rows] == values["query"].to_list()
    assert [float(row["bm25"]) for row in rows] == values["ap"].to_list()
    assert [float(row["dense"]) for row in rows] == board["dense"].per_query["ap"].to_list()


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        ({"text": "FERRY"}, {"q12", "q29"}),
        ({"text": "q1", "high": "0.1"}, {"q13", "q19"}),
        ({"low": "0.25", "high": "0.3"}, {"q22", "q10", "q34"}),
        ({"slice": "relevant=4 to 9", "high": "0.5"}, {"q22", "q10", "q34", "q08"}),
    ],
)
def test_filters_keep_what_they_say(app: App, demo: str, filters: dict[str, str], expected: set[str]):
    rows = table(app, f"{demo}/queries.csv?{urlencode({'measure': 'recall@5', **filters})}")
    assert {row["query"] for row in rows} == expected


def test_the_chips_lead_to_exactly_so_many_queries(app: App, demo: str):
    page = app.get(f"{demo}/compare?baseline=dense&run=bm25&measure=ap").body
    chips = re.findall(r'<a class="chip (\w+)" href="([^"]+)">([\d,]+) ', page)
    assert [outcome for outcome, _, _ in chips] == ["better", "worse", "same"]
    assert sum(int(count) for _, _, count in chips) == 40
    for _, address, count in chips:
        rows = table(app, address.replace("&amp;", "&").replace("/queries?", "/queries.csv?"))
        assert len(rows) == int(count)


def test_the_verdict_is_that_of_the_comparison(app: App, demo: str, board):
    found = catchrate.compare(board, baseline="dense")["bm25", "ap"]
    rows = {row["measure"]: row for row in table(app, f"{demo}/compare.csv?baseline=dense&run=bm25&measure=ap")}
    assert float(rows["ap"]["difference"]) == found.difference
    assert float(rows["ap"]["difference_low"]) == found.interval.low
    page = app.get(f"{demo}/compare?baseline=dense&run=bm25&measure=ap").body
    assert "No evidence of a difference between bm25 and dense at ap" in page
    assert f"40 queries would show a difference of about {found.detectable:.2g}" in page


def test_a_query_shows_its_list_as_the_run_has_it(app: App, demo: str):
    rows = table(app, f"{demo}/query.csv?query=q10&run=bm25&other=dense")
    lines = [line.split() for line in BM25.decode().splitlines() if line.startswith("q10 ")]
    mine = [row for row in rows if row["run"] == "bm25" and row["rank"]]
    assert [row["document"] for row in mine] == [line[2] for line in lines]
    assert [float(row["score"]) for row in mine] == [float(line[4]) for line in lines]
    assert {row["run"] for row in rows} == {"bm25", "dense"}
    missed = {row["document"] for row in rows if row["run"] == "dense" and row["state"] == "not returned"}
    assert missed == {"house-03", "sea-04", "wx-04", "water-02"}


def test_a_number_is_explained_as_the_library_does(app: App, demo: str):
    found = catchrate.explain(DEMO, DEMO / "runs" / "dense.trec", "ap", "q10")
    rows = table(app, f"{demo}/explain.csv?run=dense&measure=ap&query=q10")
    assert [row["document"] for row in rows] == [entry.doc for entry in found.entries]
    assert [float(row["adds"]) for row in rows] == [entry.adds[0] for entry in found.entries]


def test_misses_and_what_to_judge_are_those_of_the_diagnosis(app: App, demo: str, board):
    run, other = ("bm25", "dense")
    judgments, kept = (
        read_judgments(DEMO),
        {name: open_ranking(DEMO / "runs" / f"{name}.trec") for name in (run, other)},
    )
    found = diagnose_scores(board[run], 10, ranking=kept[run], pool=[(board[other], kept[other])])
    rows = table(app, f"{demo}/misses.csv?run=bm25&measure=recall@10")
    assert [(row["query"], row["document"]) for row in rows] == [(one.query, one.doc) for one in found.misses]
    never = table(app, f"{demo}/misses.csv?run=bm25&measure=recall@10&fate=never+returned")
    assert len(never) == sum(one.fate == "never returned" for one in found.misses) > 0
    sheet = app.get(f"{demo}/unjudged.csv?measure=recall@10").body
    assert sheet == label_sheet(found.worklist)
    filled = read_labels(sheet.replace(",,", ",1,", 1).encode())
    assert filled.items.height == 1
    assert filled.items["query"][0] in judgments.queries["query"]


def test_every_page_is_a_file_too(app: App, demo: str):
    for page, form, begins in (
        ("overview", "pdf", "%PDF"),
        ("queries", "html", "<!doctype html>"),
        ("compare", "tex", "%"),
        ("explain", "md", "# "),
    ):
        answer = app.get(f"{demo}/{page}.{form}")
        assert answer.status == 200
        assert answer.headers["content-disposition"] == f'attachment; filename="catchrate-{page}.{form}"'
        assert answer.body.startswith(begins), answer.body[:40]
    assert app.get(f"{demo}/overview.exe").status == 404
    assert app.get(f"{demo}/state.csv").status == 404


@pytest.mark.parametrize(
    "address",
    [
        "misses?fate=eaten",
        "queries?measure=ndcg@99",
        "queries?run=nobody",
        "queries?low=NaN",
        "queries?outcome=better",
        "queries?baseline=dense&outcome=nice",
        "queries?slice=relevant=7",
        "queries?slice=nothing",
        "query?query=q99",
        "compare?care=1e999",
        "compare?measure=recall@10'",
        "explain?query=%00",
    ],
)
def test_a_wrong_address_says_what_is_wrong_and_has_a_way_on(app: App, demo: str, address: str):
    answer = app.get(f"{demo}/{address}")
    assert answer.status == 422
    assert 'role="alert"' in answer.body
    assert f'href="{demo}/overview"' in answer.body
    twin = app.get(f"{demo}/{address.replace('?', '.json?')}")
    assert twin.status == 422
    assert json.loads(twin.body)["problems"][0]["code"].startswith("E")


def test_uploads_of_many_formats_are_understood(app: App):
    records = b'{"query": "a b", "retrieved": ["x", "y"], "ground_truth": ["y"]}\n'
    table_of_run = b"qid,docno,sim\nq1,a,2\nq1,b,1\n"
    judged = b"topic,document,label\nq1,b,1\n"
    for files, run, measure, value in (
        ({"evals.jsonl": records}, "evals", "rr", 0.5),
        ({"run.csv": table_of_run, "judged.csv": judged}, "run", "rr", 0.5),
        ({"bm25.trec.gz": gzip.compress(BM25), "test.tsv": QRELS}, "bm25", "rr", 0.7776),
    ):
        base = app.opened(**files)
        rows = {row["run"]: row for row in table(app, f"{base}/overview.csv")}
        assert float(rows[run][measure]) == pytest.approx(value, abs=1e-4)
        assert app.get(f"{base}/close", method="POST").status == 303


def test_what_was_guessed_can_be_changed(app: App):
    base = app.opened(**{"run.csv": b"q,d,mine\n1,a,5\n1,b,9\n", "judged.csv": b"query,doc,grade\n1,b,1\n"})
    assert app.get(f"{base}/overview.json").status == 422
    assert app.get(f"{base}/overview").headers["location"] == f"{base}/files"
    page = app.get(f"{base}/files").body
    assert "E250" in page
    assert '<option value="mine">mine</option>' in page
    choices = {"kind-0": "ranking", "query-0": "q", "doc-0": "d", "score-0": "mine", "measures": "rr hit@1", "rel": "1"}
    assert app.get(f"{base}/read", method="POST", body=urlencode(choices).encode()).status == 303
    assert float(table(app, f"{base}/overview.csv")[0]["hit@1"]) == 1.0
    wrong = app.get(f"{base}/read", method="POST", body=urlencode({**choices, "measures": "recal@5"}).encode())
    assert wrong.status == 303
    assert app.get(f"{base}/overview.json").status == 422
    assert "did you mean recall" in app.get(f"{base}/files").body
    app.get(f"{base}/close", method="POST")


def test_texts_are_matched_with_gold_texts_by_a_rule(app: App):
    records = [
        {
            "query": "What is the GIL?",
            "retrieved": ["Guido made it.", "The GIL is a lock that", "guards all Python objects."],
            "ground_truth": ["The GIL is a lock that guards all Python objects."],
        },
        {"query": "What do I like?", "retrieved": ["I like tea. I hike."], "ground_truth": ["I like tea.", "I hike."]},
    ]
    expected = catchrate.evaluate(records, "recall@3", match="covered(0.5)")["recall@3"]
    base = app.opened(**{"evals.jsonl": "".join(json.dumps(one) + "\n" for one in records).encode()})
    assert app.get(f"{base}/overview.json").status == 200
    form = {"match": "covered(0.5)", "measures": "recall@3 rr"}
    assert app.get(f"{base}/read", method="POST", body=urlencode(form).encode()).status == 303
    assert float(table(app, f"{base}/overview.csv")[0]["recall@3"]) == expected
    page = app.get(f"{base}/query?query=What+do+I+like%3F").body
    assert "holds I like tea." in page
    assert app.get(f"{base}/misses").status == 200
    app.get(f"{base}/close", method="POST")


def test_texts_beside_judgments_are_found(app: App):
    texts = b'{"_id": "q1", "text": "Where is the tower?"}\n'
    corpus = b'{"_id": "d1", "title": "The tower", "text": "It stands on the island."}\n'
    judged, run = b"query-id\tcorpus-id\tscore\nq1\td1\t1\n", b"q1 Q0 d1 1 1.0 t\n"
    base = app.opened(**{"test.tsv": judged, "queries.jsonl": texts, "corpus.jsonl": corpus, "run.trec": run})
    page = app.get(f"{base}/query").body if app.get(f"{base}/overview.json").status == 200 else ""
    assert "Where is the tower?" in page
    assert "The tower. It stands on the island." in page
    app.get(f"{base}/close", method="POST")


def test_nothing_in_a_file_becomes_markup(app: App):
    evil = "<script>alert(1)</script>\"'{{7*7}}"
    run = {"query": evil, "retrieved": [evil, "b"], "ground_truth": ["b"], "texts": [evil, "x"], evil: evil}
    base = app.opened(**{"<img src=x>.jsonl": json.dumps(run).encode() + b"\n"})
    assert app.get(f"{base}/overview.json").status == 200
    for page in ("overview", "queries", "query", "explain", "files", "compare"):
        body = app.get(f"{base}/{page}").body
        assert "<script>alert" not in body, page
        assert "<img" not in body, page
        assert ">49" not in body, page
        assert "&lt;" in body, page
    app.get(f"{base}/close", method="POST")

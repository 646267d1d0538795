"""The explorer as people use it, in a real browser: by mouse, by keyboard, narrow, dark, and without a script."""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path

import pytest
from playwright.sync_api import expect
from pypdf import PdfReader

import catchrate
from accessibility import faults
from local_app import App

pytestmark = pytest.mark.slow

DEMO = Path(catchrate.__file__).parent / "demo"


@pytest.fixture(scope="module")
def demo(app: App):
    """Return the address of the opened demo."""
    base = app.opened(demo=True)
    assert app.get(f"{base}/overview.json").status == 200
    yield app.address + base
    app.get(f"{base}/close", method="POST")


def files(folder: Path, **contents: bytes) -> list[str]:
    for name, body in contents.items():
        (folder / name).write_bytes(body)
    return [str(folder / name) for name in contents]


def test_from_files_chosen_to_the_worst_query_explained(app: App, tab):
    page = tab()
    page.goto(app.address)
    page.get_by_label("Files", exact=True).set_input_files(
        [str(DEMO / "qrels" / "test.tsv"), *(str(DEMO / "runs" / f"{run}.trec") for run in ("bm25", "dense"))]
    )
    expect(page.locator("[data-chosen]")).to_contain_text("dense.trec")
    page.get_by_role("button", name="Open", exact=True).click()
    expect(page.get_by_role("heading", name="Overview")).to_be_visible(timeout=30_000)
    expect(page.locator(".blocks table").first).to_contain_text("0.6502")
    assert page.locator(".drawing svg").count() >= 1
    page.get_by_role("link", name="The worst queries of bm25").click()
    page.locator("[data-rows] tbody th a").first.click()
    expect(page.get_by_role("heading", name="Query q02")).to_be_visible()
    page.get_by_role("link", name="explain this number").click()
    expect(page.locator("h1")).to_have_text("recall@5 of q02")
    page.get_by_role("button", name="Close", exact=True).click()
    expect(page).to_have_url(f"{app.address}/")


def test_files_dropped_on_the_page_are_opened(app: App, tab):
    page = tab()
    page.goto(app.address)
    page.evaluate(
        """() => {
            const dropped = new DataTransfer();
            dropped.items.add(new File(["q1 0 d1 1\\n"], "qrels.txt"));
            dropped.items.add(new File(["q1 Q0 d1 1 1.0 t\\n"], "mine.trec"));
            document.querySelector("[data-drop]").dispatchEvent(new DragEvent("drop", { dataTransfer: dropped }));
        }"""
    )
    expect(page.get_by_role("heading", name="Overview")).to_be_visible(timeout=30_000)
    expect(page.locator(".set-title")).to_contain_text("1 run")
    page.get_by_role("link", name="Compare").click()
    expect(page.get_by_text("One run alone has nothing to be compared with")).to_be_visible()
    page.get_by_role("button", name="Close", exact=True).click()


def test_a_bad_file_says_what_is_wrong_and_can_be_put_right(app: App, tab, tmp_path: Path):
    page = tab()
    page.goto(app.address)
    chosen = files(tmp_path, **{"run.csv": b"q,d,mine\n1,a,5\n1,b,9\n", "judged.csv": b"query,doc,grade\n1,b,1\n"})
    page.get_by_label("Files", exact=True).set_input_files(chosen)
    page.get_by_role("button", name="Open", exact=True).click()
    alert = page.get_by_role("alert")
    expect(alert).to_contain_text("E250", timeout=30_000)
    first = page.get_by_role("group", name="run.csv")
    first.get_by_label("Holds").select_option("ranking")
    page.get_by_role("button", name="Read again").click()
    expect(first.get_by_label("Score")).to_be_visible(timeout=30_000)
    for label, column in (("Query", "q"), ("Doc", "d"), ("Score", "mine")):
        first.get_by_label(label).select_option(column)
    page.get_by_label("Measures").fill("rr hit@1")
    page.get_by_role("button", name="Read again").click()
    expect(page.get_by_role("heading", name="Overview")).to_be_visible(timeout=30_000)
    expect(page.locator(".blocks table").first).to_contain_text("1.0000")
    page.get_by_role("button", name="Close", exact=True).click()


def test_runs_are_compared_and_a_chip_filters_the_queries(demo: str, tab):
    page = tab()
    page.goto(f"{demo}/compare")
    page.get_by_label("Measure").select_option("ap")
    expect(page).to_have_url(re.compile("measure=ap"))
    expect(page.locator(".verdict").first).to_contain_text("No evidence of a difference between bm25 and dense at ap")
    chip = page.locator(".chip.worse")
    count = chip.inner_text().split()[0]
    chip.click()
    expect(page.locator(".how-many")).to_contain_text(f"{count} of 40 queries")
    assert page.locator("[data-rows] tbody tr").count() == int(count)
    expect(page.get_by_label("Outcome")).to_have_value("worse")
    page.get_by_role("link", name="show all").click()
    expect(page.locator(".how-many")).to_have_text("40 of 40 queries")


def test_the_list_is_sorted_filtered_and_kept(demo: str, tab):
    page = tab()
    page.goto(f"{demo}/queries?measure=ap")
    page.get_by_role("link", name="dense", exact=True).click()
    expect(page.locator("th[aria-sort=ascending]")).to_contain_text("dense")
    page.get_by_label("Search").fill("ferry")
    page.keyboard.press("Enter")
    expect(page.locator(".how-many")).to_contain_text("2 of 40 queries")
    expect(page.locator("th[aria-sort=ascending]")).to_contain_text("dense")
    with page.expect_download() as download:
        page.get_by_role("link", name="CSV").click()
    rows = list(csv.DictReader(io.StringIO(download.value.path().read_text())))
    assert [row["query"] for row in rows] == page.locator("[data-rows] tbody th").all_inner_texts()
    page.get_by_label("Search").fill("nothing like it")
    page.keyboard.press("Enter")
    expect(page.get_by_text("No query fits these filters.")).to_be_visible()


def test_by_keyboard_alone(demo: str, tab):
    page = tab()
    page.goto(f"{demo}/queries")
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_be_hidden()
    page.keyboard.press("/")
    expect(page.get_by_label("Search")).to_be_focused()
    page.keyboard.type("j")
    expect(page.get_by_label("Search")).to_have_value("j")
    page.get_by_label("Search").fill("")
    page.locator("h1").click()
    page.keyboard.press("j")
    page.keyboard.press("j")
    second = page.locator("[data-rows] tbody th a").nth(1)
    expect(second).to_be_focused()
    name = second.inner_text()
    for key, here in (("Enter", True), ("]", False), ("[", True)):
        with page.expect_navigation(wait_until="load"):
            page.keyboard.press(key)
        assert (page.locator("h1").inner_text() == f"Query {name}") is here
    page.keyboard.press("?")
    page.get_by_label("Use single keys").uncheck()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_be_hidden()
    page.keyboard.press("]")
    expect(page.locator("h1")).to_have_text(f"Query {name}")


def test_two_runs_side_by_side_with_what_moved(demo: str, tab):
    page = tab()
    page.goto(f"{demo}/query?query=q10")
    page.get_by_label("Beside it").select_option("dense")
    lists = page.locator(".lists section")
    expect(lists).to_have_count(2)
    expect(lists.nth(0).locator(".place").nth(0)).to_contain_text("hist-02")
    expect(lists.nth(1).locator(".place").nth(0)).to_contain_text("5 higher")
    expect(lists.nth(1).locator(".place.missed")).to_have_count(4)
    expect(lists.nth(1).locator(".place.missed").first).to_contain_text("at 20 in the other")


def test_every_page_works_without_a_script(app: App, tab):
    page = tab(java_script_enabled=False)
    page.goto(app.address)
    page.get_by_role("button", name="Load the demo").click()
    expect(page.get_by_role("heading", name="Overview")).to_be_visible(timeout=30_000)
    page.get_by_role("link", name="Queries", exact=True).click()
    page.get_by_label("Against").select_option("dense")
    page.get_by_role("button", name="Show").click()
    page.get_by_role("link", name="difference").click()
    page.locator("tbody th a").first.click()
    expect(page.locator(".lists section")).to_have_count(2)
    page.get_by_role("link", name="Files").click()
    page.get_by_label("Measures").fill("hit@1")
    page.get_by_role("button", name="Read again").click()
    expect(page.locator(".blocks table").first).to_contain_text("hit@1", timeout=30_000)
    page.get_by_role("button", name="Close", exact=True).click()


def test_the_report_is_downloaded_and_holds_the_figures(demo: str, tab):
    page = tab()
    page.goto(f"{demo}/report")
    found = {}
    for name, form in (("PDF", "pdf"), ("HTML", "html"), ("LaTeX", "tex"), ("CSV", "csv")):
        with page.expect_download() as download:
            page.get_by_role("link", name=f"Download {name}").click()
        assert download.value.suggested_filename == f"catchrate-report.{form}"
        found[form] = download.value.path()
    text = " ".join(sheet.extract_text() for sheet in PdfReader(found["pdf"]).pages)
    for content in (text, *(found[form].read_text() for form in ("html", "tex"))):
        assert "0.6502" in content
        assert "0.7846" in content
    assert "0.6502380952380953" in found["csv"].read_text()


def test_a_slice_leads_to_its_queries(demo: str, tab):
    page = tab()
    page.goto(f"{demo}/slices")
    assert page.locator(".drawing svg").count() == 1
    page.get_by_role("link", name="kind: why").click()
    expect(page.locator(".how-many")).to_contain_text("6 of 40 queries")
    expect(page.get_by_label("Slice")).to_have_value("kind=why")


def test_a_miss_leads_to_its_query_and_what_to_judge_to_a_sheet(demo: str, tab):
    page = tab()
    page.goto(f"{demo}/misses?measure=recall@5")
    page.get_by_label("Lost to").select_option("never returned")
    expect(page).to_have_url(re.compile("fate=never"))
    first = page.locator("[data-rows] tbody tr").first
    doc = first.locator("td").first.inner_text()
    first.locator("th a").click()
    expect(page.locator(".place.missed", has_text=doc)).to_contain_text("not returned")
    page.get_by_role("link", name="Unjudged").click()
    with page.expect_download() as download:
        page.get_by_role("link", name="Download the sheet to fill in").click()
    rows = list(csv.DictReader(io.StringIO(download.value.path().read_text())))
    assert [row["query"] for row in rows[:50]] == page.locator("[data-rows] tbody th").all_inner_texts()
    assert {row["grade"] for row in rows} == {""}


PAGES = [
    "overview",
    "compare?measure=ap",
    "queries?baseline=dense",
    "query?query=q10&other=dense",
    "explain",
    "slices",
    "misses",
    "unjudged",
    "report",
    "files",
]


@pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", 360)])
def test_every_page_keeps_the_rules_of_accessibility(demo: str, tab, scheme: str, width: int):
    page = tab(width=width, color_scheme=scheme)
    found = {}
    for target in (*PAGES, "../../"):
        page.goto(f"{demo}/{target}")
        found[target] = faults(page)
    assert {target: list(dict.fromkeys(some))[:5] for target, some in found.items() if some} == {}


def test_a_browser_signs_in_with_the_address_that_was_printed(guarded: App, tab):
    page = tab()
    page.goto(f"{guarded.address}/sign-in#{guarded.token}")
    expect(page.get_by_role("heading", name="Open files")).to_be_visible()
    page.goto(f"{guarded.address}/calculator")
    expect(page.get_by_role("heading", name="Recall calculator")).to_be_visible()

"""The calculator as people use it: by keyboard and mouse, in a real browser."""

from __future__ import annotations

import csv
import io
import json
import re
from urllib.parse import quote, urlencode

import pytest
from playwright.sync_api import expect
from pypdf import PdfReader

from accessibility import faults
from catchrate.calculation import EXAMPLE, FIELDS
from local_app import App

HREF = "/calculator?" + urlencode({**EXAMPLE, "retrieved": ""})


def values(page) -> dict[str, str]:
    return {name: page.locator(f"#{name}").input_value() for name in FIELDS}


def test_by_keyboard_from_the_first_field_to_the_results(app: App, tab):
    page = tab()
    page.goto(f"{app.address}/calculator")
    page.locator("#queries").focus()
    for name in FIELDS:
        expect(page.locator(f"#{name}")).to_be_focused()
        page.keyboard.type(EXAMPLE[name])
        page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Calculate")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Results")).to_be_visible()
    assert page.locator(".metric .figure").all_inner_texts() == [
        "69.2%",
        "85.0%",
        "15.0%",
        "20.8%",
        "31.9%",
        "30.8%",
        "-10.8 points",
    ]
    assert page.locator(".metric .interval").first.inner_text() == "53.7% to 81.3%"
    results, form = page.locator("#results"), page.locator("form.panel")
    assert results.bounding_box()["y"] < form.bounding_box()["y"]
    assert values(page) == EXAMPLE
    assert "Cannot tell" in page.locator(".verdict").inner_text()
    assert "The smallest listed cut-off that reaches it is 20." in page.locator(".verdict").inner_text()


def test_the_example_fills_the_form_by_mouse_and_draws_the_curve(app: App, tab):
    page = tab()
    page.goto(f"{app.address}/calculator")
    page.get_by_role("link", name="Fill in the example").click()
    assert values(page) == EXAMPLE
    assert page.locator(".chart circle.dot").count() == 5
    rows = [[cell.strip() for cell in row.split("\t")] for row in page.locator("tbody tr").all_inner_texts()]
    assert [row[:5] for row in rows] == [
        ["1", "18", "120", "15.0%", "–"],
        ["3", "39", "120", "32.5%", "+17.5"],
        ["5", "57", "120", "47.5%", "+15.0"],
        ["10", "83", "120", "69.2%", "+21.7"],
        ["20", "102", "120", "85.0%", "+15.8"],
    ]


def test_the_state_is_in_the_address_and_a_link_shows_the_same(app: App, tab):
    page, other = tab(), tab()
    page.goto(f"{app.address}{HREF}")
    page.locator("#retrieved").fill("200")
    page.get_by_role("button", name="Calculate").click()
    expect(page.locator(".metric .figure").nth(3)).to_have_text("41.5%")
    other.goto(page.url)
    assert other.locator(".metrics").inner_text() == page.locator(".metrics").inner_text()


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"found": "130"}, "found"),
        ({"hits": "41"}, "hits"),
        ({"hits": "0"}, "hits"),
        ({"retrieved": "7"}, "retrieved"),
        ({"found_at": "18, 39, 57, 80, 102"}, "found_at"),
        ({"cutoffs": "1, 3, 3, 10, 20"}, "cutoffs"),
        ({"queries": "0"}, "queries"),
        ({"relevant": "many"}, "relevant"),
        ({"k": "-3"}, "k"),
        ({"target": "<script>alert(1)</script>"}, "target"),
    ],
)
def test_a_wrong_entry_has_its_message_and_everything_typed_stays(app: App, tab, changes: dict[str, str], field: str):
    page = tab()
    page.goto(f"{app.address}/calculator")
    for name, text in {**EXAMPLE, **changes}.items():
        page.locator(f"#{name}").fill(text)
    page.get_by_role("button", name="Calculate").click()
    wrong = page.locator(f"#{field}")
    expect(wrong).to_have_attribute("aria-invalid", "true")
    error = page.locator(f"#{field}-error")
    assert f"{field}-error" in wrong.get_attribute("aria-describedby")
    below = error.evaluate(
        "(e, f) => e.getBoundingClientRect().top - f.getBoundingClientRect().bottom", wrong.element_handle()
    )
    assert 0 <= below < 20
    assert values(page) == {**EXAMPLE, **changes}
    assert page.locator(".metric").count() == 0
    assert page.get_by_role("link", name=FIELDS[field].label, exact=True).is_visible()


def test_it_works_without_a_script(app: App, tab):
    page = tab(java_script_enabled=False)
    page.goto(f"{app.address}/calculator")
    for name, text in EXAMPLE.items():
        page.locator(f"#{name}").fill(text)
    page.get_by_role("button", name="Calculate").click()
    assert page.locator(".metric .figure").first.inner_text() == "69.2%"


def test_the_csv_button_gives_the_figures_of_the_page(app: App, tab):
    page = tab()
    page.goto(f"{app.address}{HREF}")
    with page.expect_download() as download:
        page.get_by_role("link", name="Download CSV").click()
    assert download.value.suggested_filename == "recall.csv"
    rows = list(csv.DictReader(io.StringIO(download.value.path().read_text())))
    by_name = {row["number"]: row for row in rows}
    assert float(by_name["Recall@10"]["value"]) == 83 / 120
    assert float(by_name["Hit rate@10"]["value_low"]) == pytest.approx(0.709276756335103)
    assert [(row["cut-off"], row["found"]) for row in rows if row["cut-off"]] == [
        ("1", "18"),
        ("3", "39"),
        ("5", "57"),
        ("10", "83"),
        ("20", "102"),
    ]


def test_the_pdf_button_gives_the_figures_of_the_page(app: App, tab):
    page = tab()
    page.goto(f"{app.address}{HREF}")
    with page.expect_download() as download:
        page.get_by_role("link", name="Download PDF").click()
    assert download.value.suggested_filename == "recall.pdf"
    text = " ".join(sheet.extract_text() for sheet in PdfReader(download.value.path()).pages)
    for figure in ("69.2%", "85.0%", "20.8%", "31.9%", "15.0%"):
        assert figure in text
    wrong = app.get(HREF.replace("?", ".pdf?").replace("hits=34", "hits=0"))
    assert wrong.status == 422
    assert "These totals cannot be true" in wrong.body


def test_the_json_twin_holds_everything_and_names_what_is_wrong(app: App):
    right = json.loads(app.get(HREF.replace("?", ".json?")).body)
    assert right["target"]["reached_at"] == 20
    wrong = app.get(HREF.replace("?", ".json?").replace("hits=34", "hits=0"))
    assert wrong.status == 422
    assert json.loads(wrong.body)["problems"]["hits"]["code"] == "E351"


def test_no_entry_becomes_markup(app: App):
    for hostile in (
        "<script>alert(1)</script>",
        '"><img src=x onerror=alert(1)>',
        "' onx='",
        "{{7*7}}",
        "</script><!--",
    ):
        body = app.get(f"/calculator?queries={quote(hostile)}&{quote(hostile)}=1").body
        assert hostile.startswith("{") or hostile not in body
        assert "49" not in body
        assert len(re.findall("<script", body)) == 1


@pytest.mark.parametrize(
    "target", ["/calculator", HREF, HREF.replace("hits=34", "hits=99"), "/", "/nowhere", "/sign-in"]
)
@pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", 1280), ("light", 360)])
def test_every_page_keeps_the_rules_of_accessibility(app: App, tab, target: str, scheme: str, width: int):
    page = tab(width=width, color_scheme=scheme)
    if target == "/nowhere":
        page.route("**/nowhere", lambda route: route.fulfill(body=app.get("/nowhere").body, content_type="text/html"))
    page.goto(app.address + target)
    assert faults(page) == []

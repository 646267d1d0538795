from __future__ import annotations

import re
import subprocess
import sys

import html5lib
import pytest

import catchrate
from catchrate.evaluation.intervals import CHEAP
from catchrate.reports.views.table import VIEWS
from catchrate.showing import Result


def tags(page: str) -> set[str]:
    return {element.tag for element in html5lib.parseFragment(page, namespaceHTMLElements=False).iter()}


def test_scores_show_themselves_in_a_notebook_without_running_foreign_text():
    scores = catchrate.evaluate({"<script>": {"a": 1}, "b": {"x": 1}}, {"b": ["x"]}, "rr")
    board = catchrate.evaluate({"q": {"a": 1}}, measures="rr", runs={"<img src=x>": {"q": ["a"]}})
    for result in (scores, board):
        page = result._repr_html_()
        assert not tags(page) & {"script", "img", "link", "iframe"}
        assert "url(" not in page
    assert "0.5000" in scores._repr_html_()
    assert "&lt;img src=x&gt;" in board._repr_html_()


@pytest.mark.parametrize("kind", VIEWS, ids=lambda kind: kind.__name__)
def test_every_result_with_a_view_shows_itself(kind):
    assert callable(kind._repr_html_)


def test_results_with_charts_draw_them_with_ids_of_their_own():
    scores = catchrate.evaluate({"q": {"a": 1, "b": 1}}, {"q": ["a", "x", "b"]}, "rr")
    one, two = (catchrate.curve(scores, name)._repr_html_() for name in ("recall", "precision"))
    assert "svg" in one
    ids = [set(re.findall(r'id="([^"]+)"', page)) for page in (one, two)]
    assert all(ids)
    assert not ids[0] & ids[1]
    assert one == catchrate.curve(scores, "recall")._repr_html_()


def test_nothing_slow_is_computed_to_be_shown():
    judged = {f"q{i}": {"a": 1} for i in range(CHEAP + 1)}
    scores = catchrate.evaluate(judged, {q: ["b", "a"] for q in judged}, "rr")
    assert "interval" not in re.sub(r"<style>.*?</style>", "", scores._repr_html_(), flags=re.DOTALL)
    assert scores.known_intervals == {}


def test_without_the_library_the_plain_text_stands(monkeypatch):
    scores = catchrate.evaluate({"q": {"a": 1}}, {"q": ["a"]}, "rr")
    for name in [name for name in sys.modules if name.startswith("catchrate.reports.html")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "jinja2", None)
    assert scores._repr_html_() is None


def test_every_result_that_shows_itself_has_a_view():
    # slots make a class anew, and the first may still be listed; both have one name
    assert {kind.__name__ for kind in Result.__subclasses__()} == {kind.__name__ for kind in VIEWS}


def test_a_result_shows_itself_where_no_report_was_imported():
    code = "import catchrate; print('0.5000' in catchrate.evaluate([['a'], ['b']], [['a'], []], 'rr')._repr_html_())"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "True"

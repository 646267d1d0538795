from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catchrate.errors import visible
from catchrate.reports.escape import shortened, width

HOSTILE = [
    "\x1b[2J",
    "\x1b]8;;http://x\x07y\x1b]8;;\x07",
    "a\rb",
    "a\nb",
    "tab\t",
    "\u202e\u2066",
    "zero\u200bwidth",
    "\x9b31m",
    "\x00",
    "\u2028",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_nothing_invisible_is_left(text):
    assert visible(text).isprintable()
    assert visible(text) != text


@given(st.text())
def test_only_printable_characters_come_out_and_plain_text_stays(text):
    out = visible(text)
    assert all(c == " " or unicodedata.category(c)[0] not in "CZ" for c in out)
    assert visible(out) == out


@pytest.mark.parametrize("text", ["plain text", "Müller", "日本", "مرحبا", "back\\slash", "<b>&'\""])
def test_readable_text_stays_as_it_is(text):
    assert visible(text) == text


def test_wide_characters_take_two_columns():
    assert width("日本") == 4
    assert shortened("日本語", 4) == "日…"


@given(st.text(), st.integers(1, 40))
def test_shortened_text_fits(text, columns):
    out = shortened(visible(text), columns)
    assert width(out) <= columns
    assert out == visible(text) or out.endswith("…")

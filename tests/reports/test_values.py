from __future__ import annotations

import pytest

from catchrate.reports.values import SIGNS, cell_text, value_text
from catchrate.reports.view import Cell


@pytest.mark.parametrize(
    ("value", "kind", "text"),
    [
        (0.65019, "score", "0.6502"),
        (1, "score", "1.0000"),
        (0.02, "difference", "+0.0200"),
        (-0.02, "difference", "-0.0200"),
        (-0.00001, "difference", "0.0000"),
        (0.0, "difference", "0.0000"),
        (0.7575, "share", "75.8%"),
        (6980, "count", "6,980"),
        (2.0, "count", "2"),
        (2.5, "count", "2.5000"),
        (1500, "rank", "1500"),
        (2.0, "grade", "2"),
        (0.5, "grade", "0.5"),
        (0.04999, "p", "0.050"),
        (0.0004, "p", "<0.001"),
        (0.0, "p", "<0.001"),
        (1234567.8, "number", "1,234,568"),
        (3.14159, "number", "3.142"),
        (12.0, "number", "12"),
        (1e-7, "number", "1e-07"),
        ("as it is", "score", "as it is"),
        (7, "id", "7"),
        (None, "text", ""),
        (None, "score", "–"),
    ],
)
def test_a_value_is_printed_as_its_kind_is_read(value, kind, text):
    assert value_text(value, kind) == text


def test_an_interval_stands_behind_its_value():
    assert cell_text(Cell(0.1, -0.05, 0.25), "difference") == "+0.1000 [-0.0500, +0.2500]"
    assert cell_text(Cell(0.1, None, 0.25), "score") == "0.1000"


def test_every_mark_has_a_sign_of_its_own():
    assert len({sign.sign for sign in SIGNS.values()}) == len(SIGNS)
    assert all(len(sign.sign) == 1 for sign in SIGNS.values())

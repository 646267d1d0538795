from __future__ import annotations

import pytest

from catchrate.errors import InputError
from catchrate.evaluation.kinds import kind_of
from catchrate.formats import ReadOptions, open_source


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("q1 0 a 1\n", "judgments"),
        ("q1 Q0 a 1 0.5 t\n", "ranking"),
        ("q1 0 a 1\nq1 0 b\n", "judgments"),
        ("q1 Q0 a 1 0.5 t\nq1 Q0 b 2 x t\n", "ranking"),
        ("query,doc,grade\nq1,a,1\n", "judgments"),
        ("query,doc,rank\nq1,a,1\n", "ranking"),
        ("query,doc,score\nq1,a,0.5\n", "ranking"),
        ("query,doc,score\nq1,a,1\n", None),
        ('{"query": "q1", "retrieved": ["a"]}\n', "ranking"),
        ('{"query": "q1", "ground_truth": ["a"]}\n', "judgments"),
        ('{"query": "q1", "retrieved": ["a"], "ground_truth": ["a"]}\n', "records"),
        ('[{"query": "q1", "retrieved": ["a"]}]', "ranking"),
    ],
)
def test_the_kind_is_told_from_the_content(text, kind):
    assert kind_of(open_source(text.encode()), ReadOptions()) == kind


def test_only_the_head_of_a_long_file_is_read():
    rows = "".join(f"q{n} 0 doc{n} 1\n" for n in range(20_000))
    assert kind_of(open_source(f"{rows}nonsense\n".encode()), ReadOptions()) == "judgments"


def test_what_has_no_format_is_refused():
    with pytest.raises(InputError, match="E117"):
        kind_of(open_source(b"hello\n"), ReadOptions())

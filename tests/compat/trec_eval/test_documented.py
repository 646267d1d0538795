from __future__ import annotations

from pathlib import Path

import pytest

from catchrate.compat.trec_eval import parameters
from catchrate.compat.trec_eval.command import LONG_NAMES, REL_FORMATS
from catchrate.compat.trec_eval.dialect import DIALECTS
from catchrate.compat.trec_eval.rows import NICKNAMES, ROWS

PAGE = (Path(__file__).parents[3] / "docs" / "trec_eval.md").read_text()


@pytest.mark.parametrize(("long", "short"), LONG_NAMES.items())
def test_every_option_is_on_the_page_in_both_forms(long, short):
    assert f"`--{long.rstrip('=')}`" in PAGE
    assert f"`{short}" in PAGE


def test_every_format_name_and_version_is_on_the_page():
    assert [word for word in (*REL_FORMATS, *NICKNAMES, *DIALECTS) if word not in PAGE] == []


def test_every_measure_with_parameters_and_every_later_one_is_on_the_page():
    told = [name for name, entry in ROWS.items() if entry.later or entry.form is not parameters.none]
    assert [name for name in told if f"`{name}`" not in PAGE] == []

"""What every error of the library shares."""

from __future__ import annotations

from catchrate import CatchrateError, MissingExtra


def test_a_missing_library_is_one_line_that_names_its_extra_and_an_import_error():
    error = MissingExtra.named("jinja2", "report")
    assert isinstance(error, ImportError)
    assert isinstance(error, CatchrateError)
    assert (error.code, str(error)) == ("E502", "E502 jinja2 is not installed - pip install 'catchrate[report]'")

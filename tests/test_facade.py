"""What `import catchrate` offers, and what it costs."""

from __future__ import annotations

import subprocess
import sys

import pytest

import catchrate

HEAVY = ("scipy", "altair", "rich", "starlette", "cyclopts", "pandas", "pyarrow", "duckdb", "haystack", "pyspark")


def test_everything_offered_is_there_and_sorted():
    assert sorted(catchrate.__all__) == catchrate.__all__
    assert all(hasattr(catchrate, name) for name in catchrate.__all__)


@pytest.mark.parametrize(
    "statement", ["import catchrate", "import catchrate; catchrate.evaluate([['a']], [['a', 'b']])"]
)
def test_importing_and_evaluating_load_no_heavy_library(statement: str):
    code = f"import sys; {statement}; print([n for n in {HEAVY!r} if n in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"

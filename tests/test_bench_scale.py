from __future__ import annotations

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))  # the benchmark is run from the repository and never installed

from bench import scale  # noqa: E402
from bench.growth import Point, Series, estimate, table  # noqa: E402
from bench.table import BEGIN, END, WIDTH  # noqa: E402


def series(amount: str, seconds: list[float], unit: int = 1) -> Series:
    same = {"rows": 1_000, "queries": 10, "judgments": 100, "runs": 1, "measures": 3}
    points = [Point(**{**same, amount: (n + 1) * 1_000, "seconds": took}) for n, took in enumerate(seconds)]
    return Series(amount=amount, points=points, unit=unit)


@pytest.mark.slow
def test_runs_and_rows_are_measured_and_what_was_generated_is_removed(tmp_path, capsys):
    data = tmp_path / "data"
    assert scale.main(["--only", "a,c", "--shrink", "2000", "--data", str(data)]) == 0
    said = capsys.readouterr().out
    assert said.count("times faster: ") == 2
    assert "memory of tenfold rows: " in said
    assert not data.exists()


def test_a_number_that_differs_stops_the_benchmark():
    with pytest.raises(scale.WrongNumberError):
        scale._refuse_other({"ap": 0.5}, {"ap": 0.5 + 1e-6})


@pytest.mark.parametrize(("value", "missed"), [(1.5, False), (1.51, True)])
def test_a_target_that_is_missed_is_said_and_fails_the_command(value, missed, capsys):
    report = scale.Report()
    report.judge("memory", value, 0, 1.5, judged=True)
    assert report.missed is missed
    assert ("NO" in capsys.readouterr().out) is missed


def test_the_price_of_an_amount_is_the_slope_of_its_line():
    one = series("rows", [1.5, 2.5, 3.5, 4.5], unit=1_000_000)
    assert one.price == pytest.approx(1e-3)
    assert one.straight == pytest.approx(1)
    lines = table([one])
    assert "1e+06 ms for 1,000,000" in lines[1]
    assert max(map(len, lines)) <= WIDTH
    assert estimate([one], {2: 6.0}, 1_000_000)[1].endswith("100 minutes.")


def test_the_page_has_the_markers():
    text = (ROOT / "docs" / "scale.md").read_text(encoding="utf-8")
    assert 0 < text.find(BEGIN) < text.find(END)


def test_a_partial_run_is_not_written():
    with pytest.raises(SystemExit, match="2"):
        scale.main(["--write", "--only", "a"])

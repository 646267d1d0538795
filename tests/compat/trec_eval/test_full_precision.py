"""The numbers before they are printed, against trec_eval 9.0.8 compiled as pytrec_eval-terrier."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from catchrate.compat.trec_eval import evaluate, parse, select
from catchrate.compat.trec_eval.columns import Column
from strategies import Grades, Scored, collections

pytest.importorskip("pytrec_eval")
from test_against_pytrec_eval import NAMES, Reference, reference  # noqa: F401 - a fixture


def _written(folder, qrels: Grades, run: Scored) -> list[str]:
    judged, ran = folder / "qrels", folder / "run"
    judged.write_text("".join(f"{q} 0 {d} {g:.0f}\n" for q, docs in qrels.items() for d, g in docs.items()))
    ran.write_text("".join(f"{q} Q0 {d} 0 {s!r} tag\n" for q, docs in run.items() for d, s in docs.items()))
    return [str(judged), str(ran)]


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(both=collections(), level=st.integers(1, 3), judged_only=st.booleans())
def test_every_number_of_version_9_is_equal_at_full_precision(
    reference: Reference,  # noqa: F811
    tmp_path,
    both: tuple[Grades, Scored],
    level: int,
    judged_only: bool,
) -> None:
    qrels, run = both
    theirs = reference.values(qrels, run, NAMES, level, judged_only)
    options = ["--dialect", "9.0.8", f"-l{level}", *(["-J"] if judged_only else [])]
    command = parse([*options, *_written(tmp_path, qrels, run)])
    table = evaluate(command, select(NAMES, command.dialect))
    columns = [column for column in table.columns if isinstance(column, Column)]
    assert set(table.topics) == set(theirs)
    assert {c.name for c in columns} == {name for name in theirs[table.topics[0]] if name not in ("num_q", "runid")}
    for column in columns:
        expected = [theirs[topic][column.name] for topic in table.topics]
        assert column.values.tolist() == pytest.approx(expected, abs=1e-12, rel=0), column.name

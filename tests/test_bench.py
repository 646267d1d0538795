from __future__ import annotations

import sys
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))  # the benchmark is run from the repository and never installed

from bench import measure as measuring  # noqa: E402
from bench.__main__ import main  # noqa: E402
from bench.cases import ALL_TOOLS, Case, Target, cases  # noqa: E402
from bench.generate import as_dicts, queries, write  # noqa: E402
from bench.job import calls, dicts, sampling  # noqa: E402
from bench.shapes import DEEP, SMALL, SPARSE, TENFOLD  # noqa: E402
from bench.table import BEGIN, END, WIDTH, render, write_into  # noqa: E402

TINY = {"name": "tiny", "queries": 4, "depth": 30, "judged": 8, "graded": True}
MEANS = {"ap": 0.5, "rr": 0.25}


def result(means: dict[str, float], seconds: float = 1.0, memory: int = 10**8) -> dict[str, object]:
    return {"seconds": seconds, "memory": memory, "means": means}


def case(*contenders: str, **fields: object) -> Case:
    return Case(key="z", title="a case", jobs={name: {"tool": name} for name in contenders}, **fields)


@pytest.mark.slow
def test_the_harness_runs_and_the_tools_agree_from_files(tmp_path, capsys):
    assert main(["--shrink", "2000", "--repeat", "1", "--only", "a", "--data", str(tmp_path)]) == 0
    lines = capsys.readouterr().out.splitlines()
    deviations = {line.split()[0]: line.split()[-1] for line in lines if line.startswith("  ") and " MB" in line}
    assert {"catchrate", "pytrec_eval"} <= deviations.keys() <= set(ALL_TOOLS)
    assert all(float(deviation) <= 1e-9 for deviation in deviations.values())


@pytest.mark.parametrize("job", [dicts, partial(calls, count=2)], ids=["dicts", "calls"])
def test_a_job_on_dicts_finds_the_numbers_of_pytrec_eval(job):
    found, expected = (job(tool=tool, shape=TINY)["means"] for tool in ("catchrate", "pytrec_eval"))
    assert found == pytest.approx(expected, abs=1e-9)
    assert 0 < expected["ap"] < 1


@pytest.mark.parametrize(
    "wrong", [{"ap": 0.5 + 2e-9, "rr": 0.25}, {"ap": 0.5, "rr": float("nan")}, {"ap": 0.5}, {}], ids=str
)
def test_a_wrong_number_of_catchrate_stops_the_benchmark(wrong):
    results = {"catchrate": [result(MEANS), result(wrong)], "pytrec_eval": [result(MEANS)]}
    with pytest.raises(measuring.DisagreementError, match="catchrate deviates"):
        measuring.check_numbers(case(*results), results)


def test_the_deviation_of_another_tool_is_reported_and_no_more():
    results = {"catchrate": [result(MEANS)], "pytrec_eval": [result(MEANS)], "ranx": [result({"ap": 0.6, "rr": 0.25})]}
    deviations = measuring.check_numbers(case(*results), results)
    assert deviations == {"catchrate": 0, "pytrec_eval": 0, "ranx": pytest.approx(0.1)}


def test_without_pytrec_eval_the_first_contender_is_the_reference():
    results = {"catchrate, as a": [result(MEANS)], "catchrate, tenfold": [result({"ap": 0.4, "rr": 0.25})]}
    with pytest.raises(measuring.DisagreementError, match="tenfold"):
        measuring.check_numbers(case(*results), results)


def test_contenders_take_turns_and_the_best_time_and_the_smallest_memory_count(monkeypatch, tmp_path):
    seconds = {"one": iter([4.0, 2.0, 3.0]), "two": iter([9.0, 8.0, 6.0])}
    order = []

    def run_job(job):
        order.append(job["tool"])
        return result(MEANS, next(seconds[job["tool"]]), memory=10**8 + len(order))

    monkeypatch.setattr(measuring, "run_job", run_job)
    one, two = measuring.measure(case("one", "two"), tmp_path, repeat=3)
    assert order == ["one", "two"] * 3
    assert (one.seconds, two.seconds, two.times) == (2.0, 6.0, 3.0)
    assert (one.memory, two.memory) == (10**8 + 1, 10**8 + 2)


def test_a_case_is_skipped_when_its_command_does_not_exist(tmp_path):
    with pytest.raises(measuring.SkippedError, match="no_such_command"):
        measuring.measure(case("one", needs=["no_such_command"]), tmp_path, repeat=1)


def test_a_job_that_fails_says_why():
    with pytest.raises(measuring.JobFailedError, match="no-such-file"):
        measuring.run_job({"job": "command", "arguments": ["no-such-file.py"]})


def test_the_same_shape_gives_the_same_bytes_and_the_files_hold_what_the_dicts_hold(tmp_path):
    shape = replace(SMALL, queries=7)
    for folder in ("one", "two"):
        write(shape, tmp_path / folder)
    judgments, run = shape.files(tmp_path / "one")
    assert [path.read_bytes() for path in shape.files(tmp_path / "two")] == [judgments.read_bytes(), run.read_bytes()]
    rows = [line.split(" ") for line in run.read_text(encoding="utf-8").splitlines()]
    returned = {query: {row[2]: float(row[4]) for row in rows if row[0] == query} for query in {row[0] for row in rows}}
    assert returned == as_dicts(shape)[1]
    assert [len(row) for row in rows] == [6] * shape.rows


@pytest.mark.parametrize("shape", [SPARSE, DEEP], ids=str)
def test_a_query_returns_each_document_once_and_best_first(shape):
    for query in queries(shape.shrunk(1_000)):
        assert len(set(query.docs)) == query.docs.size == query.scores.size == shape.depth
        assert (query.scores[:-1] >= query.scores[1:]).all()
        assert len(set(query.judged)) == query.judged.size == query.grades.size > 0


def test_the_tenfold_collection_repeats_the_sparse_one_under_other_query_ids():
    sparse, tenfold = ([*queries(shape.shrunk(2_000))] for shape in (SPARSE, TENFOLD))
    assert len({query.id for query in tenfold}) == 10 * len(sparse) == len(tenfold)
    assert all(
        (a.docs == b.docs).all() and (a.judged == b.judged).all() for a, b in zip(sparse * 10, tenfold, strict=True)
    )


def test_every_target_names_a_contender_and_a_number_of_a_row(tmp_path):
    for one in cases(tmp_path, 1):
        assert one.targets.keys() <= one.jobs.keys()
        assert next(iter(one.jobs)).startswith("catchrate")
        assert all(t.number in measuring.Row.__dataclass_fields__ for ts in one.targets.values() for t in ts)


def rows_of(one: Case, times: float) -> list[measuring.Row]:
    return [
        measuring.Row(
            case=one,
            contender=name,
            seconds=123.45,
            memory=12_345_678_901,
            times=times,
            memory_times=times,
            deviation=1e-16,
        )
        for name in one.jobs
    ]


@pytest.mark.parametrize(("times", "verdict"), [(25.0, "yes"), (24.9, "NO")])
def test_the_table_holds_each_ratio_against_its_target(times, verdict):
    one = case("catchrate", "ranx", targets={"ranx": [Target(number="times", least=25)]})
    assert f">=25x time {verdict}" in render(rows_of(one, times), [], repeat=3, shrink=1)
    assert ">=25x" not in render(rows_of(one, times), [], repeat=3, shrink=10)


def test_no_line_of_the_table_is_wider_than_it_says(tmp_path):
    rows = [row for one in cases(tmp_path, 1) for row in rows_of(one, 123.4)]
    lines = render(rows, [], repeat=3, shrink=1).splitlines()
    assert max(map(len, lines)) <= WIDTH


def test_writing_replaces_what_stands_between_the_markers_and_nothing_else(tmp_path):
    page = tmp_path / "page.md"
    page.write_text(f"before\n{BEGIN}\nold\n{END}\nafter\n", encoding="utf-8")
    for table in ("new", "newer"):
        write_into(page, table)
        assert page.read_text(encoding="utf-8") == f"before\n{BEGIN}\n```text\n{table}\n```\n{END}\nafter\n"


def test_a_page_without_markers_is_left_as_it_is(tmp_path):
    page = tmp_path / "page.md"
    page.write_text(f"text {BEGIN}", encoding="utf-8")
    with pytest.raises(ValueError, match="markers"):
        write_into(page, "table")
    assert page.read_text(encoding="utf-8") == f"text {BEGIN}"


def test_the_page_of_the_documentation_has_the_markers():
    text = (ROOT / "docs" / "benchmarks.md").read_text(encoding="utf-8")
    assert 0 < text.find(BEGIN) < text.find(END)


@pytest.mark.parametrize("arguments", [["--write", "--quick"], ["--write", "--only", "a"], ["--only", "x"]], ids=str)
def test_a_call_that_cannot_mean_what_it_says_is_refused(arguments):
    with pytest.raises(SystemExit, match="2"):
        main(arguments)


@pytest.mark.parametrize(("work", "count"), [("flips", 300), ("samples", 300)])
def test_a_job_of_random_samples_counts_the_time_of_as_many_as_it_should(work, count):
    few, many = (
        sampling(work=work, tool="catchrate", queries=200, count=count, of=of) for of in (count, 1_000 * count)
    )
    assert few["means"] == many["means"]
    assert len(few["means"]) == 5
    assert many["seconds"] > 10 * few["seconds"]


def test_the_intervals_that_are_timed_are_those_of_scipy():
    ours, theirs = (
        sampling(work="samples", tool=tool, queries=300, count=1_000, of=1_000)["means"]
        for tool in ("catchrate", "scipy")
    )
    assert ours == pytest.approx(theirs, abs=0.01)
